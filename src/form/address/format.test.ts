import { brotliCompressSync } from 'node:zlib';
import { atHand, fileOf, loadFile } from 'virtual:address-data';
import { describe, expect, it } from 'vitest';
import { compileFormat } from '../../build/tables/address.ts';
import { COUNTRIES } from './country-codes.ts';
import { type AddressFormat, GENERAL_FORMAT, importance, stateOptions } from './format.ts';
import { knownFormat, loadFormat } from './load.ts';
import { inOrderFor } from './order.ts';
import { readPostalCode } from './postal-code.ts';
import { findState } from './states.ts';

const FORMATS = COUNTRIES.map((country) => [country, compileFormat(country)] as const);
/** Runs a check for every country, and names the country in which it fails. */
const inEvery = async (check: (country: string, compiled: AddressFormat) => void | Promise<void>) => {
  for (const [country, compiled] of FORMATS) {
    try {
      await check(country, compiled);
    } catch (cause) {
      throw new Error(`in ${country}`, { cause });
    }
  }
};

describe('the address format of every country', () => {
  it('has the first address line, and no field twice', () =>
    inEvery((_, compiled) => {
      expect(compiled.fields).toEqual(expect.arrayContaining(['line1', 'line2']));
      expect(compiled.fields.indexOf('line2')).toBe(compiled.fields.indexOf('line1') + 1);
      expect(new Set(compiled.fields).size).toBe(compiled.fields.length);
    }));

  it('accepts its example of a postal code in any case and spacing', () =>
    inEvery((_, compiled) => {
      if (!compiled.postal) return;
      const { example } = compiled.postal;
      expect(compiled.fields).toContain('postal_code');
      expect(example).not.toBe('');
      expect(readPostalCode(example, compiled)).toEqual({ code: example, fits: true });
      expect(readPostalCode(` ${example.toLowerCase()} `, compiled)).toEqual({ code: example, fits: true });
    }));

  it('accepts the example with the country code before it', () =>
    inEvery((country, compiled) => {
      if (!compiled.postal || !/^\d/.test(compiled.postal.example)) return;
      const { example } = compiled.postal;
      for (const sent of [`${country}-${example}`, `${country} ${example}`, `${country}${example}`])
        expect([example, `${country}-${example}`]).toContain(readPostalCode(sent, compiled).code);
    }));

  it('finds each state by each of its names, and no other', () =>
    inEvery((_, compiled) => {
      for (const { value, label, names = {} } of compiled.states ?? []) {
        for (const name of [value, label, ` ${label.toLocaleUpperCase('en')} `])
          expect(findState(compiled, name)).toBe(value);
        for (const name of Object.values(names)) expect([value, null]).toContain(findState(compiled, name));
      }
      expect(findState(compiled, '')).toBe(null);
    }));

  it('requires only fields that it has, and always the first address line', () =>
    inEvery((_, compiled) => {
      expect(compiled.fields).toEqual(expect.arrayContaining([...compiled.needed]));
      expect(compiled.needed).toContain('line1');
      expect(compiled.needed).not.toContain('line2');
    }));

  it('names each state once, and sends no value longer than the service accepts', () =>
    inEvery((_, compiled) => {
      for (const { value, label } of compiled.states ?? []) {
        expect(label).not.toBe('');
        expect(value.length).toBeLessThanOrEqual(200);
      }
      const values = compiled.states?.map(({ value }) => value) ?? [];
      expect(new Set(values).size).toBe(values.length);
      expect(compiled.states === null || compiled.fields.includes('state')).toBe(true);
    }));

  it('is the format that the form loads', () =>
    inEvery(async (country, compiled) => {
      expect(await loadFormat(country)).toEqual(compiled);
      expect(knownFormat(country)).toEqual(compiled);
    }));
});

it.each([
  ['US', ['line1', 'line2', 'postal_code', 'state', 'city'], 'city', 'state', 'zip'],
  ['CA', ['line1', 'line2', 'city', 'state', 'postal_code'], 'city', 'province', 'postal'],
  ['DE', ['line1', 'line2', 'postal_code', 'city'], 'city', null, 'postal'],
  ['GB', ['line1', 'line2', 'city', 'postal_code'], 'post_town', null, 'postcode'],
  ['IE', ['line1', 'line2', 'city', 'state', 'postal_code'], 'city', 'county', 'eircode'],
  ['IN', ['line1', 'line2', 'city', 'postal_code', 'state'], 'city', 'state', 'pin'],
  ['BR', ['line1', 'line2', 'city', 'state', 'postal_code'], 'city', 'state', 'cep'],
  ['JP', ['postal_code', 'state', 'line1', 'line2'], null, 'prefecture', 'postal'],
  ['AU', ['line1', 'line2', 'city', 'state', 'postal_code'], 'suburb', 'state', 'postcode'],
  ['AE', ['line1', 'line2', 'state'], null, 'emirate', null],
  ['HK', ['state', 'city', 'line1', 'line2'], 'district', 'area', null],
  ['AG', ['line1', 'line2', 'city'], 'city', null, null],
] as const)('asks in %s for %j', (country, fields, city, state, postalCode) => {
  const format = compileFormat(country);
  expect(format.fields).toEqual(fields);
  if (city) expect(format.labels.city).toBe(city);
  if (state) expect(format.labels.state).toBe(state);
  if (postalCode) expect(format.labels.postal_code).toBe(postalCode);
});

it.each([
  ['JP', 'en', ['line1', 'line2', 'state', 'postal_code']],
  ['JP', 'ja', ['postal_code', 'state', 'line1', 'line2']],
  ['JP', 'zh-Hant', ['postal_code', 'state', 'line1', 'line2']],
  ['CN', 'de', ['line1', 'line2', 'city', 'state', 'postal_code']],
  ['KR', 'ko-KR', ['state', 'city', 'line1', 'line2', 'postal_code']],
  ['HK', 'en-HK', ['line1', 'line2', 'city', 'state']],
  ['DE', 'en', ['line1', 'line2', 'postal_code', 'city']],
])('the order in %s for %s: %j', (country, locale, fields) => {
  expect(inOrderFor(compileFormat(country), locale).fields).toEqual(fields);
});

it('every country has the same fields in every order', () =>
  inEvery((_, format) => {
    expect([...inOrderFor(format, 'en').fields].sort()).toEqual([...format.fields].sort());
  }));

it('has the United States bundled, and others after they were loaded', () => {
  expect(knownFormat('US')?.states).toHaveLength(62);
  expect(knownFormat('DE')).not.toBeNull();
});

it.each(['XX', '', 'us', '__proto__', 'constructor'])('uses the general format for %j', async (code) => {
  expect(knownFormat(code)).toBe(GENERAL_FORMAT);
  expect(await loadFormat(code)).toBe(GENERAL_FORMAT);
});

describe('the importance of a field', () => {
  const fieldsOf = (country: string, kind: string) => {
    const format = compileFormat(country);
    return format.fields.filter((field) => importance(field, format) === kind);
  };

  it.each([
    ['US', ['line1', 'postal_code'], ['state', 'city']],
    ['DE', ['line1', 'postal_code'], ['city']],
    ['JP', ['postal_code', 'line1'], ['state']],
    ['IE', ['line1'], ['city']],
    ['AE', ['line1'], ['state']],
    ['HK', ['line1'], ['state']],
    ['AG', ['line1'], []],
    ['AQ', ['line1'], ['city']],
  ])('in %s: the service requires %j, and %j are expected', (country, required, expected) => {
    expect(fieldsOf(country, 'required')).toEqual(required);
    expect(fieldsOf(country, 'expected')).toEqual(expected);
  });

  it('is optional in the general format, except for the first address line', () => {
    const { fields } = GENERAL_FORMAT;
    expect(fields.map((field) => importance(field, GENERAL_FORMAT))).toEqual([
      'required',
      ...['optional', 'optional', 'optional', 'optional'],
    ]);
  });
});

describe('the states to choose from', () => {
  it.each([
    ['US', 'en', 'CA', 'California'],
    ['CA', 'en', 'QC', 'Quebec'],
    ['CA', 'fr', 'QC', 'Québec'],
    ['JP', 'ja', '東京都', '東京都'],
    ['JP', 'en', '東京都', 'Tokyo'],
    ['HK', 'zh', '九龍', '九龍'],
    ['HK', 'de', '九龍', 'Kowloon'],
    ['ES', 'en', 'Madrid', 'Madrid'],
    ['AE', 'en', 'DU', 'Dubai'],
    ['AE', 'ar', 'DU', 'دبي'],
  ])('of %s in %s include %s as "%s"', (country, language, value, label) => {
    expect(stateOptions(compileFormat(country), language)).toContainEqual({ value, label });
  });

  it("are in the country's own order, or in alphabetical order under names of another language", () => {
    const labels = (country: string, locale: string) =>
      stateOptions(compileFormat(country), locale).map(({ label }) => label);
    expect(labels('JP', 'ja').slice(0, 2)).toEqual(['北海道', '青森県']);
    expect(labels('JP', 'en-US').slice(0, 3)).toEqual(['Aichi', 'Akita', 'Aomori']);
    expect(labels('ES', 'ca')).toEqual([...labels('ES', 'ca')].sort(new Intl.Collator('ca').compare));
  });

  it.each([
    ['US', 'oregon', 'OR'],
    ['US', 'or', 'OR'],
    ['JP', 'TOKYO', '東京都'],
    ['BR', 'sao paulo', 'SP'],
    ['CA', 'Québec', 'QC'],
    ['US', 'Atlantis', null],
    ['DE', 'Bayern', null],
  ])('are found in %s by "%s": %s', (country, text, value) => {
    expect(findState(compileFormat(country), text)).toBe(value);
  });

  it('do not exist where the buyer types the state', () => {
    expect(stateOptions(compileFormat('DE'), 'de')).toEqual([]);
  });
});

describe('the compiled data', () => {
  const sizeOf = (data: unknown) => brotliCompressSync(JSON.stringify(data)).length;

  it('adds less than 1 kB to the form for the default country', () => {
    expect(Object.keys(atHand)).toEqual(['US']);
    expect(sizeOf(atHand)).toBeLessThan(1000);
  });

  it.each([...new Set(Object.values(fileOf)), 'others', 'codes'])('%s is at most 4.5 kB', async (name) => {
    expect(sizeOf(await loadFile(name))).toBeLessThan(4500);
  });

  it('has every country with a list of states once, in its file', async () => {
    const countries = Object.keys(fileOf);
    expect(countries).toHaveLength(46);
    for (const name of new Set(Object.values(fileOf)))
      expect(Object.keys(await loadFile(name))).toEqual(countries.filter((one) => fileOf[one] === name));
  });

  it('has the formats of all other countries in one file', async () => {
    const others = await loadFile('others');
    expect(Object.keys(others)).toEqual(COUNTRIES.filter((one) => !(one in fileOf || one in atHand)));
  });
});
