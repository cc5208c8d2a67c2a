/** promises 2.6: money and numbers, formatted like CLDR. */
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { formatMoney, formatNumber } from './money.ts';
import { cldr, icu } from './number-patterns.json';

/** Only an `Intl` with the table's data can be compared with it. `npm run test:nodes` has one. */
const HAS_SAME_DATA = process.versions.icu === icu;

it.each([
  [1234, 'usd', 'en-US', '$12.34'],
  [1234, 'usd', 'en', '$12.34'],
  [100, 'eur', 'en-US', '€1.00'],
  [5, 'usd', 'en-US', '$0.05'],
  [0, 'usd', 'en-US', '$0.00'],
  [-250, 'usd', 'en-US', '-$2.50'],
  [99_999_999, 'usd', 'en-US', '$999,999.99'],
  [1234, 'eur', 'de-DE', '12,34\u00a0€'],
  [123_456, 'eur', 'de-AT', '€\u00a01.234,56'],
  [1234, 'usd', 'en-CA', 'US$12.34'],
  [1234, 'jpy', 'en-US', '¥1,234'],
] as const)('writes %i minor units of %s in %s as %s', (value, currency, locale, text) => {
  expect(formatMoney({ amount: value, currency }, locale)).toBe(text);
});

it('formats every amount from 1 to 100 cents exactly', () => {
  for (let cents = 0; cents < 10_000; cents++) {
    const expected = `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    expect(formatMoney({ amount: cents, currency: 'usd' }, 'en-US')).toBe(expected);
  }
});

/** Invisible direction marks. */
const MARKS = /[\u061c\u200e\u200f\u2066-\u2069]/g;

it.each([...LANGUAGES, 'ar-EG', 'pt-PT', 'zh-Hans-TW', 'zh-Hant-HK', 'fr-CH'])(
  'in %s every amount is exact to the cent, from the smallest to the largest, and names its currency',
  (locale) => {
    for (const currency of ['usd', 'eur'])
      for (const value of [0, 1, 99, 100, 101, 1005, 1234, 110_000, 123_456, 99_999_999, -250]) {
        const text = formatMoney({ amount: value, currency }, locale);
        const digits = [...text].map((it) => ('٠١٢٣٤٥٦٧٨٩'.includes(it) ? '٠١٢٣٤٥٦٧٨٩'.indexOf(it) : it));
        expect(Number(digits.filter((it) => /\d/.test(`${it}`)).join(''))).toBe(Math.abs(value));
        expect(text).toMatch(currency === 'usd' ? /\$|USD|щ\.д\./ : /€|EUR/);
      }
  },
);

it.each([
  [-250, 'usd', 'ar', '\u200f\u2066-2.50\u2069\u00a0\u2066US$\u2069'],
  [1234, 'eur', 'he', '\u200f\u206612.34\u2069\u00a0\u2066€\u2069'],
] as const)('keeps the minus of %i and the letters of %s in order in %s', (value, currency, locale, text) => {
  expect(formatMoney({ amount: value, currency }, locale)).toBe(text);
});

it.each([
  [2, 'en', '2'],
  [1.5, 'en', '1.5'],
  [1.5, 'de', '1,5'],
  [0.125, 'fr', '0,125'],
  [1_000_000, 'en', '1,000,000'],
  [200, 'he', '200'],
  [200, 'ar-EG', '٢٠٠'],
] as const)('writes the number %d in %s as %s', (value, locale, text) => {
  expect(formatNumber(value, locale)).toBe(text);
});

/** Records every formatter that `Intl` creates. */
const watched = () => {
  const made: string[] = [];
  const { NumberFormat } = Intl;
  Reflect.set(
    Intl,
    'NumberFormat',
    new Proxy(NumberFormat, {
      construct(target, [locale, options]) {
        made.push(`${locale}`);
        return Reflect.construct(target, [locale, options]);
      },
    }),
  );
  return { made, stop: () => Reflect.set(Intl, 'NumberFormat', NumberFormat) };
};

const REGIONS =
  'AD AE AR AT AU BE BG BO BR CA CH CL CN CO CR CV CY CZ DE DK DO DZ EC EE EG ES FI FR GB GR GT HK HR HU IE IL IN IT JP KR LI LT LU LV MA MO MT MX MZ NL NO NZ PE PH PL PR PT PY RO SA SE SG SI SK SV TN TR TW US UY VE ZA';
const TAGS = [...LANGUAGES, 'zh-Hans'].flatMap((language) => [
  language,
  ...REGIONS.split(' ').map((region) => `${language}-${region}`),
]);

/** `[language and region, currency, amount]`, in every language, region and currency. */
const someAmounts = (perTag: number) => {
  let random = 20_261_121;
  const next = () => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return random / 2 ** 32;
  };
  return TAGS.flatMap((tag) =>
    ['usd', 'eur'].flatMap((currency) =>
      Array.from({ length: perTag }, (_, index) => {
        // As many small amounts as large ones; one in eight negative, like a discount.
        const value = Math.floor(10 ** (next() * 12)) * (index % 8 === 7 ? -1 : 1);
        return [tag, currency, value] as const;
      }),
    ),
  );
};

/** Numbers other than amounts, in every language and region. */
const NUMBERS = TAGS.flatMap((tag) =>
  [0, 1, 2, 12, 100, 999, 1000, 1234, 12_345, 1_000_000, 0.5, 1.25, 0.001, 1234.5, -3].map(
    (value) => [tag, value] as const,
  ),
);

it('writes amounts and numbers in every language, region and currency without waking `Intl`', () => {
  const asked = watched();
  for (const [tag, currency, amount] of someAmounts(1)) formatMoney({ amount, currency }, tag);
  for (const [tag, value] of NUMBERS) formatNumber(value, tag);
  asked.stop();
  expect(asked.made).toEqual([]);
});

describe.runIf(HAS_SAME_DATA)(`as an \`Intl\` of CLDR ${cldr} in ICU ${icu}`, () => {
  it('writes a million amounts in every language, region and currency', () => {
    const amounts = someAmounts(Math.ceil(1_000_000 / (TAGS.length * 2)));
    expect(amounts.length).toBeGreaterThanOrEqual(1_000_000);
    const intl = new Map<string, Intl.NumberFormat>();
    const wrong = amounts.filter(([tag, currency, value]) => {
      const name = `${tag} ${currency}`;
      const format = intl.get(name) ?? new Intl.NumberFormat(tag, { style: 'currency', currency });
      intl.set(name, format);
      const text = formatMoney({ amount: value, currency }, tag);
      return text.replace(MARKS, '') !== format.format(value / 100).replace(MARKS, '');
    });
    expect(wrong.slice(0, 10)).toEqual([]);
  }, 300_000);

  it('writes plain numbers in every language and region', () => {
    const intl = (tag: string) => new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
    const formats = new Map(TAGS.map((tag) => [tag, intl(tag)]));
    const wrong = NUMBERS.filter(
      ([tag, value]) => formatNumber(value, tag) !== formats.get(tag)?.format(value),
    );
    expect(wrong).toEqual([]);
  });
});

it.each([
  ['es-419', 'usd', 100],
  ['en-001', 'eur', 100],
  ['ca-ES', 'eur', 100],
  ['de-DE', 'jpy', 1],
  ['sr-Latn-RS', 'usd', 100],
] as const)('asks `Intl` where nothing was compiled: %s, %s', (locale, currency, divisor) => {
  const intl = new Intl.NumberFormat(locale, { style: 'currency', currency });
  expect(formatMoney({ amount: 1_234_567, currency }, locale)).toBe(intl.format(1_234_567 / divisor));
});
