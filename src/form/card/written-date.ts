/** Reads expiry dates in the formats that people and programs use. */
import { toAsciiDigits } from './caret.ts';
import { dateDigits } from './expiry.ts';

/** A two-digit year before its month: no day or month is above 31. The field itself writes the month first. */
const YEAR_FIRST = /^(?!.* \/ )\D*(3[2-9]|[4-9]\d)\D+(?:0?[1-9]|1[0-2])\D*$/;

/**
 * The digits of month and year in this order; the month has two digits if the input shows where it ends. A date with a
 * day is read only if its month is unambiguous: "31/12/2029" and "12/31/2029" are December, "05/06/2029" is not read. A
 * month that doesn't exist is kept, so that the field can report it.
 */
export const readWrittenDate = (input: string): string => {
  const text = toAsciiDigits(input);
  const parts = text.match(/^20\d\d(?!\d\b)|\d+/g) ?? [];
  const [first, , third] = parts;
  const named = MONTHS.exec(text)?.findLastIndex((name) => name) ?? 0;
  const last = named ? parts.at(-1) : /[./]\d\d$/.test(text) && third;
  const year = parts.find((part) => /^20\d\d$/.test(part)) ?? YEAR_FIRST.exec(text)?.[1] ?? last;
  const [a = '', b = a] = parts.filter((part) => part !== year);
  const isMonthFirst = year === first || +b > 12 || a === b;
  const month = named ? `${named}` : isMonthFirst ? a : +a > 12 || /\./.test(text) ? b : '';
  return year && month ? month.slice(0, 2).padStart(2, '0') + year : dateDigits(text);
};

/**
 * Beginnings of month names in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. In a text with
 * a date in digits they are not month names: in "Maria 05/29", it is a person's name.
 */
const MONTHS =
  /^(?!.*\d ?[-/.] ?\d).*?\b(?:(jan|ene|gen)|(f[eé][bv])|(maa?r|mär|mrt)|(a[bpv]r)|(ma[gijy]|mei)|(jui?n|giu)|(jui?l|lug)|(a[gou])|(se[pt])|(o[cktu]t)|(nov)|(d[eéi][cz]))/i;
