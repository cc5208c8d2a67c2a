/** The available balance over time as a picture: pure geometry, in pixels. */
import type { MoneyOverTime, Move } from '../overview.ts';

export type Chart = {
  /** The available balance up to now, and what it will be if nothing else happens, as paths of right angles. */
  past: string;
  coming: string;
  /** What is between the past and no money at all. */
  area: string;
  /** Where now is. */
  now: number;
  /** Lines across, with the amount (minor units) they stand for. */
  levels: readonly { y: number; amount: number }[];
  /** Moments below, in milliseconds. */
  marks: readonly { x: number; at: number }[];
};

export type Size = { width: number; height: number };

/** Room for the amounts at the left, the moments below, and half a line above. */
export const ROOM = { left: 84, right: 16, top: 12, bottom: 26 } as const;

const DAY = 86_400_000;

/** Where everything lies for one currency; `now` in milliseconds. */
export const chartOf = (money: MoneyOverTime, now: number, { width, height }: Size): Chart => {
  const from = Math.min((money.past[0]?.at ?? now / 1000) * 1000, now - DAY);
  const last = (money.coming.at(-1)?.at ?? now / 1000) * 1000;
  // The last step is seen as one, not as the edge.
  const to = Math.max(last, now) + Math.max(DAY, (last - from) * 0.06);
  const end = money.available + money.coming.reduce((sum, { amount }) => sum + amount, 0);
  const heights = [0, money.before, money.available, end, ...running(money.before, money.past)];
  const low = Math.min(...heights);
  const step = niceStep(Math.max(...heights) - low);
  const bottom = Math.floor(low / step) * step;
  const top = Math.max(Math.ceil(Math.max(...heights) / step) * step, bottom + step);

  const x = (at: number) =>
    round(ROOM.left + ((at - from) / (to - from)) * Math.max(1, width - ROOM.left - ROOM.right));
  const y = (amount: number) =>
    round(ROOM.top + (1 - (amount - bottom) / (top - bottom)) * (height - ROOM.top - ROOM.bottom));

  const walk = (start: number, amount: number, moves: readonly Move[], stop: number): string => {
    let level = amount;
    let path = `M${x(start)} ${y(level)}`;
    for (const move of moves) {
      level += move.amount;
      path += `H${x(move.at * 1000)}V${y(level)}`;
    }
    return `${path}H${x(stop)}`;
  };

  const count = Math.round((top - bottom) / step);
  const columns = Math.max(2, Math.floor((width - ROOM.left) / 160));
  const past = walk(from, money.before, money.past, now);
  return {
    past,
    area: `${past}V${y(0)}H${x(from)}Z`,
    coming: walk(now, money.available, money.coming, to),
    now: x(now),
    levels: Array.from({ length: count + 1 }, (_, line) => {
      const amount = bottom + line * step;
      return { y: y(amount), amount };
    }),
    marks: Array.from({ length: columns }, (_, column) => {
      const at = from + ((to - from) * (column + 0.5)) / columns;
      return { x: x(at), at };
    }),
  };
};

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

const running = (start: number, moves: readonly Move[]): number[] => {
  let level = start;
  return moves.map(({ amount }) => {
    level += amount;
    return level;
  });
};

/** A step of 1, 2 or 5 with zeros, of which at most four fill the span. */
const niceStep = (span: number): number => {
  const least = Math.max(span, 100) / 4;
  const ten = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((step) => step >= least) ?? ten * 10;
};
