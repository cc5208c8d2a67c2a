/**
 * Runs when the form is built, never in the browser: of the library `credit-card-type` the form needs its table
 * alone, a fifth of what the library weighs.
 */
import creditCardType from 'credit-card-type';
import type { Plugin } from 'vite';
import { BRANDS, type Brand } from './brand-names.ts';

const MODULE = 'virtual:brand-table';

/** The library's names, where they are not ours. */
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
 * Prefixes and ranges of them (`222-229`) as `brands.ts` reads them. Of the end of a range, and of what follows on one
 * that is as long (then after a comma), only the last digits stand there, from the first that is another.
 */
function shortened(prefixes: readonly string[]): string {
  let previous = '';
  let text = '';
  for (const prefix of prefixes) {
    const [low = '', high] = prefix.split('-');
    text += low.length === previous.length ? `,${tailOf(low, previous)}` : ` ${low}`;
    if (high !== undefined && high.length !== low.length)
      throw new Error(`${prefix} is no range of one length.`);
    if (high !== undefined) text += `-${tailOf(high, low)}`;
    previous = low;
  }
  return text.trim();
}

/** The last digits of a number, from the first that another of its length does not have; one at least. */
function tailOf(number: string, other: string): string {
  const same = Array.from(number).findIndex((digit, index) => digit !== other[index]);
  return number.slice(same === -1 ? -1 : same);
}
