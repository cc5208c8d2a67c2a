// @vitest-environment happy-dom
import { effect } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { catalogOf } from '../../i18n/catalog-of.ts';
import { de } from '../../i18n/de.ts';
import { LANGUAGES } from '../../i18n/translate.ts';
import { learn } from '../first/language.ts';
import { createWords } from './words.ts';

const setUp = (preferred: readonly string[] = ['en-US']) => {
  const root = document.createElement('html');
  const words = createWords(preferred, root);
  return { root, words };
};

it('speaks at once the language that was learned before there were any words', async () => {
  const words = createWords(['en-US'], document.createElement('html'), await learn('de', ['en-US']));
  expect(words.say('field.number')).toBe(de['field.number']);
  expect(words.spoken.value).toEqual({ language: 'de', locale: 'de' });
});

it('speaks English until told otherwise', () => {
  const { words } = setUp(['de-AT']);
  expect(words.say('field.number')).toBe('Card number');
});

it.each(LANGUAGES)('speaks %s once its words are there, and says so on the document', async (language) => {
  const { words, root } = setUp();
  await words.speak(language);
  expect(words.say('field.number')).toBe((await catalogOf(language))['field.number']);
  expect(words.spoken.value).toEqual({ language, locale: language });
  expect(root.lang).toBe(language);
  expect(root.dir).toBe(['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
});

it('says on the document how simplified Chinese is written, whatever was asked for', async () => {
  const { words, root } = setUp(['zh-TW']);
  await words.speak('auto');
  expect(root.lang).toBe('zh-Hans-TW');
});

it('changes live what was said, there and back', async () => {
  const { words, root } = setUp();
  const said = vi.fn();
  const stop = effect(() => said(words.say('pay', { amount: { amount: 123_456, currency: 'eur' } })));
  await words.speak('he');
  await words.speak('fr');
  await words.speak('en');
  stop();
  expect(said.mock.calls.flat().map((text) => String(text).replace(/\s/g, ' '))).toEqual([
    'Pay €1,234.56',
    'תשלום \u2068\u200f\u20661,234.56\u2069 \u2066€\u2069\u2069',
    'Payer 1 234,56 €',
    'Pay €1,234.56',
  ]);
  expect(root.dir).toBe('ltr');
});

it('speaks the language wished for last, however the wishes overtake each other', async () => {
  const { words } = setUp();
  // English is at hand and comes before the words that have to be fetched.
  await Promise.all([words.speak('ja'), words.speak('en')]);
  expect(words.spoken.value.language).toBe('en');
  expect(words.say('total')).toBe('Total');
});

it('writes numbers as the locale does', async () => {
  const { words } = setUp();
  await words.speak('de');
  const line = words.say('summary.quantity', { quantity: 1.5, price: { amount: 250, currency: 'eur' } });
  expect(line).toBe('1,5 × 2,50\u00a0€');
});

it('keeps what is filled in from turning the sentence around it where one reads from the right', async () => {
  const { words } = setUp();
  await words.speak('ar');
  expect(words.say('notice.throttled', { time: '4:05' })).toContain('\u20684:05\u2069');
  expect(words.say('number.not_accepted', { brand: 'Visa' })).toContain('\u2068Visa\u2069');
  await words.speak('en');
  expect(words.say('notice.throttled', { time: '4:05' })).not.toMatch(/[\u2068\u2069]/);
});

it('says what a merchant says instead, in whatever language, until told otherwise', async () => {
  const { words } = setUp();
  const said = vi.fn();
  const stop = effect(() => said(words.say('pay', { amount: { amount: 100, currency: 'usd' } })));
  words.reword({ pay: 'Donate {amount}', total: 'Gift' });
  await words.speak('de');
  expect(words.say('total')).toBe('Gift');
  expect(words.say('details')).toBe('Einzelheiten');
  words.reword({});
  stop();
  expect(words.say('total')).toBe('Gesamtbetrag');
  expect(said.mock.calls.flat()).toEqual([
    'Pay $1.00',
    'Donate $1.00',
    'Donate 1,00\u00a0$',
    '1,00\u00a0$ bezahlen',
  ]);
});
