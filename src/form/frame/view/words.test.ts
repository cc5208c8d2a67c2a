// @vitest-environment happy-dom
import { effect } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { catalogOf } from '../../i18n/catalogs.ts';
import { de } from '../../i18n/de.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import { negotiate } from '../../i18n/locale.ts';
import { loadLanguage } from '../first/language.ts';
import { createWords } from './words.ts';

const setUp = (preferred: readonly string[] = ['en-US']) => {
  const root = document.createElement('html');
  const words = createWords(preferred, root);
  return { root, words };
};

it('starts in the language that was loaded before', async () => {
  const words = createWords(
    ['en-US'],
    document.createElement('html'),
    await loadLanguage(negotiate('de', [])),
  );
  expect(words.say('field.number')).toBe(de['field.number']);
  expect(words.negotiated.value).toEqual({ language: 'de', locale: 'de' });
});

it('starts in English without one', () => {
  const { words } = setUp(['de-AT']);
  expect(words.say('field.number')).toBe('Card number');
});

it.each(LANGUAGES)('changes to %s once its catalog has loaded, and sets lang and dir', async (language) => {
  const { words, root } = setUp();
  await words.changeLanguage(language);
  expect(words.say('field.number')).toBe((await catalogOf(language))['field.number']);
  expect(words.negotiated.value).toEqual({ language, locale: language });
  expect(root.lang).toBe(language);
  expect(root.dir).toBe(['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
});

it('names the script of traditional Chinese in lang, for the choice of its font', async () => {
  const { words, root } = setUp(['zh-TW']);
  await words.changeLanguage('auto');
  expect(root.lang).toBe('zh-Hant-TW');
});

it('updates rendered texts when the language changes, there and back', async () => {
  const { words, root } = setUp();
  const rendered = vi.fn();
  const stop = effect(() => rendered(words.say('pay', { amount: { amount: 123_456, currency: 'eur' } })));
  await words.changeLanguage('he');
  await words.changeLanguage('fr');
  await words.changeLanguage('en');
  stop();
  expect(rendered.mock.calls.flat().map((text) => String(text).replace(/\s/g, ' '))).toEqual([
    'Pay €1,234.56',
    'תשלום \u2068\u200f\u20661,234.56\u2069 \u2066€\u2069\u2069',
    'Payer 1 234,56 €',
    'Pay €1,234.56',
  ]);
  expect(root.dir).toBe('ltr');
});

it('ends in the language requested last, whichever loads first', async () => {
  const { words } = setUp();
  // English needs no loading, so it is displayed first.
  await Promise.all([words.changeLanguage('ja'), words.changeLanguage('en')]);
  expect(words.negotiated.value.language).toBe('en');
  expect(words.say('total')).toBe('Total');
});

it('formats numbers for the locale', async () => {
  const { words } = setUp();
  await words.changeLanguage('de');
  const line = words.say('summary.quantity', { quantity: 1.5, price: { amount: 250, currency: 'eur' } });
  expect(line).toBe('1,5 × 2,50\u00a0€');
});

it.each([
  ['en', 5, '5s'],
  ['en', 75, '1:15'],
  ['de', 5, '5 Sek.'],
  ['ko', 5, '5초'],
  ['en', 7200, '120:00'],
] as const)('writes a wait in %s of %d seconds as %s', async (language, seconds, expected) => {
  const { words } = setUp();
  await words.changeLanguage(language);
  expect(words.say('notice.throttled', { time: { seconds } }).replace('\u00a0', ' ')).toContain(expected);
});

it('isolates values in right-to-left texts', async () => {
  const { words } = setUp();
  await words.changeLanguage('ar');
  expect(words.say('notice.throttled', { time: '4:05' })).toContain('\u20684:05\u2069');
  expect(words.say('number.not_accepted', { brand: 'Visa' })).toContain('\u2068Visa\u2069');
  await words.changeLanguage('en');
  expect(words.say('notice.throttled', { time: '4:05' })).not.toMatch(/[\u2068\u2069]/);
});

it("uses the merchant's translations in every language until they are removed", async () => {
  const { words } = setUp();
  const rendered = vi.fn();
  const stop = effect(() => rendered(words.say('pay', { amount: { amount: 100, currency: 'usd' } })));
  await words.choose({ translations: { pay: 'Donate {amount}', total: 'Gift' } });
  await words.changeLanguage('de');
  expect(words.say('total')).toBe('Gift');
  expect(words.say('details')).toBe('Einzelheiten');
  await words.choose({ translations: {} });
  stop();
  expect(words.say('total')).toBe('Gesamtbetrag');
  expect(rendered.mock.calls.flat()).toEqual([
    'Pay $1.00',
    'Donate $1.00',
    'Donate 1,00\u00a0$',
    '1,00\u00a0$ bezahlen',
  ]);
});

it("gives the button the words of its type in every language, as the form's own", async () => {
  const { words } = setUp();
  expect(await words.choose({ buttonType: 'order' })).toEqual([]);
  expect(words.payTemplate()).toEqual({ text: 'Order and pay {amount}', isOurs: true });
  await words.changeLanguage('de');
  expect(words.payTemplate()).toEqual({ text: 'Zahlungspflichtig bestellen – {amount}', isOurs: true });
  await words.choose({ buttonType: 'pay' });
  expect(words.payTemplate()).toEqual({ text: '{amount} bezahlen', isOurs: true });
});

it("prefers the page's words to those of the type, whichever came last", async () => {
  const { words } = setUp();
  await words.choose({ translations: { pay: 'Give {amount}' }, buttonType: 'donate' });
  expect(words.payTemplate()).toEqual({ text: 'Give {amount}', isOurs: false });
  await words.choose({ buttonType: 'order' });
  expect(words.payTemplate().text).toBe('Give {amount}');
  await words.choose({ translations: {} });
  expect(words.payTemplate()).toEqual({ text: 'Order and pay {amount}', isOurs: true });
});

it('reports unusable words, and leaves the button as it was', async () => {
  const { words } = setUp();
  await words.choose({ buttonType: 'donate' });
  expect(await words.choose({ buttonType: 'constructor', translations: { 'no.such.key': 'x' } })).toEqual([
    { key: 'translations.no.such.key', why: expect.any(String) },
    { key: 'buttonType', why: expect.stringContaining('pay, buy, order, donate, book, subscribe') },
  ]);
  expect(words.payTemplate().text).toBe('Donate {amount}');
});
