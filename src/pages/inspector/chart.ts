/** The geometry of the balance chart, in pixels. Pure. */
import type { BalanceChange, BalanceOverTime } from '../../sandbox/control/overview.ts';

export type Chart = {
  /** The available balance up to now: an SVG path of horizontal and vertical lines. */
  past: string;
  /** The same from now on, if nothing else happens. */
  upcoming: string;
  /** The area between `past` and zero. */
  area: string;
  /** The x of the present. */
  now: number;
  /** Horizontal lines and their amounts in minor units. */
  gridLines: readonly { y: number; amount: number }[];
  /** Labels of the x axis; times in milliseconds. */
  dates: readonly { x: number; at: number }[];
};

export type ChartSize = { width: number; height: number };

/** Room for the amounts on the left, the dates below, and half a line of text above. */
export const MARGIN = { left: 84, right: 16, top: 12, bottom: 26 } as const;

const DAY = 86_400_000;

/** The chart of one currency; `now` in milliseconds. */
export const layoutChart = (money: BalanceOverTime, now: number, { width, height }: ChartSize): Chart => {
  const from = Math.min((money.past[0]?.at ?? now / 1000) * 1000, now - DAY);
  const last = (money.coming.at(-1)?.at ?? now / 1000) * 1000;
  // Some room after the last step, so that it is visible as a step.
  const to = Math.max(last, now) + Math.max(DAY, (last - from) * 0.06);
  const end = money.available + money.coming.reduce((sum, { amount }) => sum + amount, 0);
  const amounts = [0, money.before, money.available, end, ...runningTotals(money.before, money.past)];
  const lowest = Math.min(...amounts);
  const highest = Math.max(...amounts);
  const step = roundStep(highest - lowest);
  const bottom = Math.floor(lowest / step) * step;
  const top = Math.max(Math.ceil(highest / step) * step, bottom + step);

  const x = (at: number) =>
    round(MARGIN.left + ((at - from) / (to - from)) * Math.max(1, width - MARGIN.left - MARGIN.right));
  const y = (amount: number) =>
    round(MARGIN.top + (1 - (amount - bottom) / (top - bottom)) * (height - MARGIN.top - MARGIN.bottom));

  const stepPath = (start: number, amount: number, moves: readonly BalanceChange[], end: number): string => {
    const totals = runningTotals(amount, moves);
    const steps = moves.map((move, index) => `H${x(move.at * 1000)}V${y(totals[index] ?? amount)}`);
    return `M${x(start)} ${y(amount)}${steps.join('')}H${x(end)}`;
  };

  const count = Math.round((top - bottom) / step);
  const columns = Math.max(2, Math.floor((width - MARGIN.left) / 160));
  const past = stepPath(from, money.before, money.past, now);
  return {
    past,
    area: `${past}V${y(0)}H${x(from)}Z`,
    upcoming: stepPath(now, money.available, money.coming, to),
    now: x(now),
    gridLines: Array.from({ length: count + 1 }, (_, line) => {
      const amount = bottom + line * step;
      return { y: y(amount), amount };
    }),
    dates: Array.from({ length: columns }, (_, column) => {
      const at = from + ((to - from) * (column + 0.5)) / columns;
      return { x: x(at), at };
    }),
  };
};

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

const runningTotals = (start: number, moves: readonly BalanceChange[]): number[] => {
  let total = start;
  return moves.map(({ amount }) => {
    total += amount;
    return total;
  });
};

/** The smallest step of 1, 2 or 5 times a power of ten that divides the span into at most four. */
const roundStep = (span: number): number => {
  const least = Math.max(span, 100) / 4;
  const ten = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((step) => step >= least) ?? ten * 10;
};
