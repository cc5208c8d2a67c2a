import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addressData, compileFormat } from './compile.ts';
import { COUNTRIES } from './countries.ts';
import {
  type AddressFormat,
  GENERAL_FORMAT,
  isRequired,
  knownFormat,
  loadFormat,
  stateOptions,
} from './format.ts';
import { checkPostalCode } from './postal-code.ts';

describe.each(COUNTRIES)('the address format of %s', (country) => {
  const compiled = compileFormat(country);

  it('asks for an address, and for nothing twice', () => {
    expect(compiled.fields).toEqual(expect.arrayContaining(['line1', 'line2']));
    expect(compiled.fields.indexOf('line2')).toBe(compiled.fields.indexOf('line1') + 1);
    expect(new Set(compiled.fields).size).toBe(compiled.fields.length);
  });

  it('takes its own example of a postal code, in any case and spacing', () => {
    if (!compiled.postal) return;
    const { example } = compiled.postal;
    expect(compiled.fields).toContain('postal_code');
    expect(example).not.toBe('');
    expect(checkPostalCode(example, compiled)).toEqual({ state: 'valid', value: example });
    expect(checkPostalCode(` ${example.toLowerCase()} `, compiled)).toEqual({
      state: 'valid',
      value: example,
    });
  });

  it('names each state once, and sends no more than the service takes', () => {
    for (const { value, label } of compiled.states ?? []) {
      expect(label).not.toBe('');
      expect(value.length).toBeLessThanOrEqual(200);
    }
    const values = compiled.states?.map(({ value }) => value) ?? [];
    expect(new Set(values).size).toBe(values.length);
    expect(compiled.states === null || compiled.fields.includes('state')).toBe(true);
  });

  it('is what the form loads', async () => {
    expect(await loadFormat(country)).toEqual(compiled);
    expect(knownFormat(country)).toEqual(compiled);
  });
});

it.each([
  ['US', ['line1', 'line2', 'city', 'state', 'postal_code'], 'city', 'state', 'zip'],
  ['CA', ['line1', 'line2', 'city', 'state', 'postal_code'], 'city', 'province', 'postal'],
  ['DE', ['line1', 'line2', 'postal_code', 'city'], 'city', null, 'postal'],
  ['GB', ['line1', 'line2', 'city', 'postal_code'], 'post_town', null, 'postal'],
  ['IE', ['line1', 'line2', 'city', 'state', 'postal_code'], 'city', 'county', 'eircode'],
  ['IN', ['line1', 'line2', 'city', 'postal_code', 'state'], 'city', 'state', 'pin'],
  ['JP', ['postal_code', 'state', 'line1', 'line2'], null, 'prefecture', 'postal'],
  ['AU', ['line1', 'line2', 'city', 'state', 'postal_code'], 'suburb', 'state', 'postal'],
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

it('has the United States at hand, and others once they were loaded', () => {
  expect(knownFormat('US')?.states).toHaveLength(62);
  expect(knownFormat('DE')).not.toBeNull();
});

it.each(['XX', '', 'us', '__proto__', 'constructor'])('treats %j as an address of any kind', async (code) => {
  expect(knownFormat(code)).toBe(GENERAL_FORMAT);
  expect(await loadFormat(code)).toBe(GENERAL_FORMAT);
});

it('requires the address, and the postal code where there are any', () => {
  const required = (format: AddressFormat) => format.fields.filter((field) => isRequired(field, format));
  expect(required(compileFormat('US'))).toEqual(['line1', 'postal_code']);
  expect(required(compileFormat('JP'))).toEqual(['postal_code', 'line1']);
  expect(required(compileFormat('AE'))).toEqual(['line1']);
  expect(required(GENERAL_FORMAT)).toEqual(['line1']);
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

  it('are none where the buyer types the state', () => {
    expect(stateOptions(compileFormat('DE'), 'de')).toEqual([]);
  });
});

describe('the compiled data', () => {
  const load = addressData().load;
  const source = (id: string) => {
    if (typeof load !== 'function') throw new Error('the plugin loads by a function');
    return String(Reflect.apply(load, undefined, [id]));
  };

  it('adds less than 1 kB to the form for the default country', () => {
    const inline = /export const inline = (.*);/.exec(source('\0virtual:address-data'))?.[1] ?? '';
    expect(inline).toContain('California');
    expect(brotliCompressSync(inline).length).toBeLessThan(1000);
  });

  it('fits every country without a list of states into 3 kB', () => {
    expect(brotliCompressSync(source('\0virtual:address-data/others')).length).toBeLessThan(3000);
  });

  it('leaves other modules alone', () => {
    expect(source('/src/main.ts')).toBe('null');
  });
});
