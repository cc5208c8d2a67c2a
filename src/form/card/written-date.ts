/** Reads expiry dates in the ways in which people and programs write them. */
import { toAsciiDigits } from './caret.ts';
import { dateDigits } from './expiry.ts';

/** A year of two digits before its month: no day and no month is above 31. The field itself writes the month first. */
const YEAR_FIRST = /^(?!.* \/ )\D*(3[2-9]|[4-9]\d)\D+(?:0?[1-9]|1[0-2])\D*$/;

/**
 * The digits of month and year in this order; the month has two digits if the input shows where it ends. A date with a
 * day is read if it can only mean one month: "31/12/2029" and "12/31/2029" are December, "05/06/2029" is none. A month
 * that does not exist stays, so that the field can say so.
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
 * How the months' names begin in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. A text with a
 * date in digits has no name of a month: in "Maria 05/29", it is somebody's.
 */
const MONTHS =
  /^(?!.*\d ?[-/.] ?\d).*?\b(?:(jan|ene|gen)|(f[eé][bv])|(maa?r|mär|mrt)|(a[bpv]r)|(ma[gijy]|mei)|(jui?n|giu)|(jui?l|lug)|(a[gou])|(se[pt])|(o[cktu]t)|(nov)|(d[eéi][cz]))/i;
