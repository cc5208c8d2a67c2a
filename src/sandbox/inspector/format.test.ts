import { describe, expect, it } from 'vitest';
import {
  formatCardNumber,
  formatDateTime,
  formatDuration,
  formatMinor,
  formatRelativeTime,
} from './format.ts';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;

describe('formats', () => {
  it.each([
    [0, '0 ms'],
    [40, '40 ms'],
    [1500, '1.5 s'],
    [7000, '7 s'],
    [59_999, '59 s'],
    [2 * MIN + 30 * S, '2 min 30 s'],
    [H, '1 h'],
    [7 * D, '7 d'],
    [2 * D + 7 * H + 5 * MIN, '2 d 7 h'],
  ])('a duration: %i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [0, 'now'],
    [1999, 'now'],
    [-12 * S, '12 s ago'],
    [-100 * S, '2 min ago'],
    [30 * S, 'in 30 s'],
    [7 * D - 5 * S, 'in 7 d'],
  ])('a relative time: %i ms from now is %s', (distance, text) => {
    expect(formatRelativeTime(1_000_000_000 + distance, 1_000_000_000)).toBe(text);
  });

  it('amounts, times and card numbers', () => {
    expect(formatMinor(5804, 'usd')).toBe('$58.04');
    expect(formatMinor(-100, 'eur')).toBe('-€1.00');
    expect(formatDateTime(new Date(2026, 0, 31, 9, 5, 7).getTime())).toBe('2026-01-31 09:05:07');
    expect(['4242424242424242', '378282246310005', '30569309025904'].map(formatCardNumber)).toEqual([
      '4242 4242 4242 4242',
      '3782 822463 10005',
      '3056 930902 5904',
    ]);
  });
});
