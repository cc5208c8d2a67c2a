import type { Check } from '../check.ts';
import { readWrittenDate } from './written-date.ts';

/** A card expires at the end of this month. `year` has four digits, `month` is 1 to 12. */
export type Month = { year: number; month: number };

/** Cards are valid for 5 years, some for 20; the rest allows for a clock that was reset to an early year. */
const FAR_FUTURE_YEARS = 30;

/**
 * Checks whether a card with this date can still be valid. `now` is the current month for the buyer, by the service's
 * clock or the browser's, which may be wrong. So last month is still accepted: the service refuses a card that has just
 * expired.
 */
export const checkExpiry = (input: string, now: Month): Check<Month, 'month' | 'past' | 'far_future'> => {
  const digits = readWrittenDate(input);
  if (digits === '') return { state: 'empty' };
  if (digits.length === 1) return { state: 'incomplete' };
  const month = Number(digits.slice(0, 2));
  if (month < 1 || month > 12) return { state: 'invalid', problem: 'month' };
  const typedYear = digits.slice(2);
  if (typedYear.length !== 2 && typedYear.length !== 4) return { state: 'incomplete' };
  const century = now.year - (now.year % 100);
  const year = typedYear.length === 4 ? Number(typedYear) : century + Number(typedYear);
  if (12 * year + month < 12 * now.year + now.month - 1) return { state: 'invalid', problem: 'past' };
  if (year > now.year + FAR_FUTURE_YEARS) return { state: 'invalid', problem: 'far_future' };
  return { state: 'valid', value: { year, month } };
};
