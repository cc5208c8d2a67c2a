import { describe, expect, it } from 'vitest';
import type { MoneyOverTime } from '../overview.ts';
import { chartOf, ROOM } from './chart.ts';

const NOW = Date.UTC(2026, 0, 10);
const DAY = 86_400;
const at = (days: number) => NOW / 1000 + days * DAY;
const SIZE = { width: 800, height: 220 };

const money = (change: Partial<MoneyOverTime>): MoneyOverTime => ({
  currency: 'usd',
  available: 0,
  locked: 0,
  before: 0,
  past: [],
  coming: [],
  ...change,
});

/** The corners of a path of right angles. */
const corners = (path: string): { x: number; y: number }[] => {
  let point = { x: 0, y: 0 };
  return [...path.matchAll(/([MHV])([-\d.]+)(?: ([-\d.]+))?/g)].map(([, command, first, second]) => {
    if (command === 'M') point = { x: Number(first), y: Number(second) };
    else point = command === 'H' ? { ...point, x: Number(first) } : { ...point, y: Number(first) };
    return point;
  });
};

describe('the balance over time', () => {
  it.each<[string, MoneyOverTime, { past: number; coming: number }]>([
    ['nothing', money({}), { past: 2, coming: 2 }],
    [
      'two steps to come',
      money({
        locked: 900,
        coming: [
          { at: at(7), amount: 700, steps: 1 },
          { at: at(30), amount: 200, steps: 1 },
        ],
      }),
      { past: 2, coming: 6 },
    ],
    [
      'one that came, and a refund of more than there was',
      money({
        available: -300,
        past: [
          { at: at(-3), amount: 700, steps: 1 },
          { at: at(-1), amount: -1000, steps: 0 },
        ],
      }),
      { past: 6, coming: 2 },
    ],
  ])(
    'of %s lies within the picture, goes on where the past ends, and only to the right',
    (_, given, count) => {
      const chart = chartOf(given, NOW, SIZE);
      const past = corners(chart.past);
      const coming = corners(chart.coming);
      expect([past.length, coming.length]).toEqual([count.past, count.coming]);
      expect(past.at(-1)).toEqual(coming[0]);
      expect(coming[0]?.x).toBe(chart.now);
      const all = [...past, ...coming];
      for (const [index, { x, y }] of all.entries()) {
        expect(x).toBeGreaterThanOrEqual(all[index - 1]?.x ?? ROOM.left);
        expect(x).toBeLessThanOrEqual(SIZE.width - ROOM.right);
        expect(y).toBeGreaterThanOrEqual(ROOM.top);
        expect(y).toBeLessThanOrEqual(SIZE.height - ROOM.bottom);
      }
    },
  );

  it('is as high as its amount, by the levels beside it', () => {
    const chart = chartOf(
      money({
        available: 2000,
        past: [{ at: at(-2), amount: 2000, steps: 1 }],
        coming: [{ at: at(2), amount: 2000, steps: 1 }],
      }),
      NOW,
      SIZE,
    );
    const level = (amount: number) => chart.levels.find((one) => one.amount === amount)?.y;
    expect(chart.levels.map(({ amount }) => amount)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(corners(chart.past).map(({ y }) => y)).toEqual([level(0), level(0), level(2000), level(2000)]);
    expect(corners(chart.coming).at(-1)?.y).toBe(level(4000));
  });

  it.each([280, 1400])('on %i pixels its moments are in order and within it', (width) => {
    const { marks } = chartOf(money({ coming: [{ at: at(30), amount: 1, steps: 1 }] }), NOW, {
      width,
      height: 220,
    });
    expect(marks.length).toBeGreaterThanOrEqual(2);
    expect([...marks].sort((a, b) => a.x - b.x || a.at - b.at)).toEqual(marks);
    expect(marks.every(({ x }) => x > ROOM.left && x < width - ROOM.right)).toBe(true);
  });
});
