import { describe, expect, it } from 'vitest';
import type { BalanceOverTime } from '../../sandbox/control/overview.ts';
import { layoutChart, MARGIN } from './chart.ts';

const NOW = Date.UTC(2026, 0, 10);
const DAY = 86_400;
const at = (days: number) => NOW / 1000 + days * DAY;
const SIZE = { width: 800, height: 220 };

const money = (change: Partial<BalanceOverTime>): BalanceOverTime => ({
  account: 'sandbox',
  currency: 'usd',
  available: 0,
  locked: 0,
  before: 0,
  past: [],
  coming: [],
  ...change,
});

/** The corners of a path of horizontal and vertical lines. */
const corners = (path: string): { x: number; y: number }[] => {
  let point = { x: 0, y: 0 };
  return [...path.matchAll(/([MHV])([-\d.]+)(?: ([-\d.]+))?/g)].map(([, command, first, second]) => {
    if (command === 'M') point = { x: Number(first), y: Number(second) };
    else point = command === 'H' ? { ...point, x: Number(first) } : { ...point, y: Number(first) };
    return point;
  });
};

describe('the balance chart', () => {
  it.each<[string, BalanceOverTime, { past: number; upcoming: number }]>([
    ['no money', money({}), { past: 2, upcoming: 2 }],
    [
      'two upcoming steps',
      money({
        locked: 900,
        coming: [
          { at: at(7), amount: 700, steps: 1 },
          { at: at(30), amount: 200, steps: 1 },
        ],
      }),
      { past: 2, upcoming: 6 },
    ],
    [
      'a past step and a refund of more than was available',
      money({
        available: -300,
        past: [
          { at: at(-3), amount: 700, steps: 1 },
          { at: at(-1), amount: -1000, steps: 0 },
        ],
      }),
      { past: 6, upcoming: 2 },
    ],
  ])(
    'of %s: both paths stay inside the margins, run from left to right, and meet at the present',
    (_, given, count) => {
      const chart = layoutChart(given, NOW, SIZE);
      const past = corners(chart.past);
      const upcoming = corners(chart.upcoming);
      expect([past.length, upcoming.length]).toEqual([count.past, count.upcoming]);
      expect(past.at(-1)).toEqual(upcoming[0]);
      expect(upcoming[0]?.x).toBe(chart.now);
      const all = [...past, ...upcoming];
      for (const [index, { x, y }] of all.entries()) {
        expect(x).toBeGreaterThanOrEqual(all[index - 1]?.x ?? MARGIN.left);
        expect(x).toBeLessThanOrEqual(SIZE.width - MARGIN.right);
        expect(y).toBeGreaterThanOrEqual(MARGIN.top);
        expect(y).toBeLessThanOrEqual(SIZE.height - MARGIN.bottom);
      }
    },
  );

  it('draws each amount at the height of its grid line', () => {
    const chart = layoutChart(
      money({
        available: 2000,
        past: [{ at: at(-2), amount: 2000, steps: 1 }],
        coming: [{ at: at(2), amount: 2000, steps: 1 }],
      }),
      NOW,
      SIZE,
    );
    const height = (amount: number) => chart.gridLines.find((line) => line.amount === amount)?.y;
    expect(chart.gridLines.map(({ amount }) => amount)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(corners(chart.past).map(({ y }) => y)).toEqual([height(0), height(0), height(2000), height(2000)]);
    expect(corners(chart.upcoming).at(-1)?.y).toBe(height(4000));
  });

  it.each([280, 1400])('on %i pixels its dates are in order and inside the margins', (width) => {
    const { dates } = layoutChart(money({ coming: [{ at: at(30), amount: 1, steps: 1 }] }), NOW, {
      width,
      height: 220,
    });
    expect(dates.length).toBeGreaterThanOrEqual(2);
    expect([...dates].sort((a, b) => a.x - b.x || a.at - b.at)).toEqual(dates);
    expect(dates.every(({ x }) => x > MARGIN.left && x < width - MARGIN.right)).toBe(true);
  });
});
