import { describe, expect, it } from 'vitest';
import { allowedAmong } from '../../address/countries.ts';
import { loadFormat } from '../../address/load.ts';
import { catalogOf } from '../../i18n/catalogs.ts';
import { negotiate } from '../../i18n/locale.ts';
import { createWords } from '../view/words.ts';
import { createForm } from './card-form.ts';
import { linesOf } from './known-text.ts';
import type { UnaskedAtStart } from './unasked.ts';

const ALL: UnaskedAtStart = { known: ['email', 'name', 'address'] };

const textFor = async (address: object, locale: string, unasked = ALL, sameAsShipping = false) => {
  const { country = 'US' } = { country: 'US', ...address };
  await loadFormat(country);
  const form = createForm({
    preferred: [],
    unasked,
    locale: () => locale,
    thisMonth: () => ({ year: 2026, month: 11 }),
  });
  form.allowCountries(allowedAmong(undefined), 'US');
  form.fillIn({ name: 'Ada Lovelace', email: 'ada@example.com', address });
  form.unasked.sameAsShipping.value = sameAsShipping;
  const negotiated = negotiate(locale, []);
  const words = createWords(
    [],
    { lang: '', dir: '' },
    { catalog: await catalogOf(negotiated.language), negotiated },
  );
  return linesOf(form.unasked.known.value, form, words)
    .map((line) => line.join(' · '))
    .join('\n');
};

const OREGON = {
  country: 'US',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
};

describe('known details as text', () => {
  it('promises 2.12: are shown as they are sent', async () => {
    const address = { country: 'LV', line1: 'Brīvības\u200b iela 1', city: 'Rīga', postal_code: '1010' };
    expect(await textFor(address, 'en')).toContain('Billing address: Brīvības iela 1, Rīga LV-1010, Latvia');
  });

  it.each<[string, string, object, string]>([
    ['the US', 'en', OREGON, 'Billing address: 12 Orchard Lane, Portland, OR 97205, United States'],
    [
      'the US, with a second line',
      'en',
      { ...OREGON, line2: 'Flat 3' },
      'Billing address: 12 Orchard Lane, Flat 3, Portland, OR 97205, United States',
    ],
    [
      'Germany',
      'de',
      { country: 'DE', line1: 'Hauptstr. 5', city: 'Berlin', postal_code: '10115' },
      'Rechnungsadresse: Hauptstr. 5, 10115 Berlin, Deutschland',
    ],
    [
      'the United Kingdom',
      'en-GB',
      { country: 'GB', line1: '10 Downing Street', city: 'London', postal_code: 'SW1A 2AA' },
      'Billing address: 10 Downing Street, London SW1A 2AA, United Kingdom',
    ],
    [
      'Hong Kong, which has no postal codes',
      'en',
      { country: 'HK', line1: '1 Queen’s Road', city: 'Central', state: 'Hong Kong Island' },
      'Billing address: 1 Queen’s Road, Central, Hong Kong Island, Hong Kong SAR China',
    ],
    [
      'Japan in Japanese, from large to small',
      'ja',
      { country: 'JP', line1: '丸の内1-1-1', state: 'Tokyo', postal_code: '100-0005' },
      '請求先住所：日本 100-0005 東京都 丸の内1-1-1',
    ],
    [
      'Japan for other readers',
      'en',
      { country: 'JP', line1: '1-1-1 Marunouchi', state: 'Tokyo', postal_code: '100-0005' },
      'Billing address: 1-1-1 Marunouchi, Tokyo 100-0005, Japan',
    ],
  ])('are in the order of %s', async (_, locale, address, expected) => {
    expect(await textFor(address, locale)).toBe(`Ada Lovelace · ada@example.com\n${expected}`);
  });

  it('are only those that are known', async () => {
    expect(await textFor(OREGON, 'en', { known: ['email'] })).toBe('ada@example.com');
    expect(await textFor(OREGON, 'en', { known: ['address'] })).toBe(
      'Billing address: 12 Orchard Lane, Portland, OR 97205, United States',
    );
  });

  it.each([
    ['en', 'Billing and delivery address: 12 Orchard Lane'],
    ['de', 'Rechnungs- und Lieferadresse: 12 Orchard Lane'],
    ['he', 'כתובת לחיוב ולמשלוח: \u206812 Orchard Lane'],
  ])('say in %s that it is also the delivery address, if the page says so', async (locale, expected) => {
    expect(await textFor(OREGON, locale, ALL, true)).toContain(`\n${expected}`);
  });

  it('threat-model 1.6: have no control characters and no direction overrides', async () => {
    const line1 = 'Lane\u202e 1\u0007';
    expect(await textFor({ ...OREGON, line1 }, 'en')).toContain('Lane 1, Portland');
  });
});
