/**
 * Runs at build time, never in the browser: the form needs only the table of `credit-card-type`, a fifth of the
 * library's size.
 */
import creditCardType from 'credit-card-type';
import type { Plugin } from 'vite';
import { BRANDS, type Brand } from './brand-names.ts';

const MODULE = 'virtual:brand-table';

/** The library's names that differ from ours. */
const LIBRARY_NAME: Partial<Record<Brand, string>> = { amex: 'american-express', diners: 'diners-club' };

/** Serves `virtual:brand-table`. */
export function brandTable(): Plugin {
  return {
    name: 'brand-table',
    resolveId: (id) => (id === MODULE ? `\0${id}` : null),
    load: (id) => (id === `\0${MODULE}` ? `export const table = ${JSON.stringify(compiled())};` : null),
  };
}

function compiled(): Record<string, unknown> {
  return Object.fromEntries(
    BRANDS.map((brand) => {
      const { niceType, lengths, gaps, code, patterns } = creditCardType.getTypeInfo(
        LIBRARY_NAME[brand] ?? brand,
      );
      const prefixes = patterns.map((pattern) => (Array.isArray(pattern) ? pattern.join('-') : `${pattern}`));
      return [brand, [niceType, lengths, gaps, code.name, code.size === 4 ? 4 : 3, shortened(prefixes)]];
    }),
  );
}

/**
 * Prefixes and ranges (`222-229`) in the short notation that `brands.ts` reads. The end of a range, and a prefix of the
 * same length as the one before it (then after a comma), are cut to the digits from the first different one on.
 */
function shortened(prefixes: readonly string[]): string {
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
}

/** The digits of a number from the first that differs from `other` on; at least one. */
function tailOf(number: string, other: string): string {
  const same = Array.from(number).findIndex((digit, index) => digit !== other[index]);
  return number.slice(same === -1 ? -1 : same);
}
