/**
 * Runs at build time, never in the browser: the form needs only the table of `credit-card-type`, a fifth of the
 * library's size.
 */
import creditCardType from 'credit-card-type';
import type { Plugin } from 'vite';
import { BRANDS, type Brand, capitalised, USUAL_CODE } from '../../form/card/brand-names.ts';

/** Library names that differ from ours. */
const LIBRARY_NAME: Partial<Record<Brand, string>> = { amex: 'american-express', diners: 'diners-club' };

/** Serves `virtual:brand-table`, part of the first response, and `virtual:brand-words`, which loads later. */
export const brandTable = (): Plugin => {
  const modules: Readonly<Record<string, () => string>> = {
    'virtual:brand-table': () => `export const table = ${JSON.stringify(BRANDS.map(rowOf))};`,
    'virtual:brand-words': () =>
      `export const names = ${exceptions((brand) => typeOf(brand).niceType, capitalised)};
       export const codes = ${exceptions(
         (brand) => typeOf(brand).code.name,
         () => USUAL_CODE,
       )};`,
  };
  return {
    name: 'brand-table',
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : null),
    load: (id) => (id.startsWith('\0') ? (modules[id.slice(1)]?.() ?? null) : null),
  };
};

const typeOf = (brand: Brand) => creditCardType.getTypeInfo(LIBRARY_NAME[brand] ?? brand);

const rowOf = (brand: Brand): readonly unknown[] => {
  const { lengths, gaps, code, patterns } = typeOf(brand);
  const prefixes = patterns.map((pattern) => (Array.isArray(pattern) ? pattern.join('-') : `${pattern}`));
  return [brand, lengths, gaps, code.size === 4 ? 4 : 3, shortened(prefixes)];
};

/** The words of brands that don't use the usual one, as JSON. */
const exceptions = (wordOf: (brand: Brand) => string, usual: (brand: Brand) => string): string => {
  const others = BRANDS.filter((brand) => wordOf(brand) !== usual(brand));
  return JSON.stringify(Object.fromEntries(others.map((brand) => [brand, wordOf(brand)])));
};

/**
 * Prefixes and ranges (`222-229`) in the short notation that `brands.ts` reads. The end of a range, and a prefix as
 * long as the one before it (then after a comma), are cut to the digits from the first difference on.
 */
const shortened = (prefixes: readonly string[]): string => {
  let previous = '';
  let text = '';
  for (const prefix of prefixes) {
    const [low = '', high] = prefix.split('-');
    text += low.length === previous.length ? `,${tailOf(low, previous)}` : ` ${low}`;
    if (high !== undefined && high.length !== low.length)
      throw new Error(`Both ends of a range of prefixes must have the same length; got ${prefix}.`);
    if (high !== undefined) text += `-${tailOf(high, low)}`;
    previous = low;
  }
  return text.trim();
};

/** The digits of a number from the first that differs from `other`; at least one. */
const tailOf = (number: string, other: string): string => {
  const same = Array.from(number).findIndex((digit, index) => digit !== other[index]);
  return number.slice(same === -1 ? -1 : same);
};
