/** Limits of the explorer. Within these bounds it tries everything. */
import type { RunningTold } from './service.ts';

export type ModelBounds = {
  /** One or two pages that show the same payment. */
  tabs: 1 | 2;
  /** True if the tabs share a lock and a channel, as two tabs of one browser; otherwise they belong to two browsers. */
  locks: boolean;
  /** How reads report a running attempt (contract 4.6). */
  told: RunningTold;
  /** The bank decides while the confirm arrives, or later, or both are tried. */
  confirms: 'atomic' | 'running' | 'both';
  /** True if a failed attempt keeps the intent `processing` until it is released (contract 4.4). */
  holds: boolean;
  /** True if the page has `beforePay` and so is asked about each press (promises 1.10). */
  beforePay: boolean;
  /**
   * When the page calls `update()` with the secret of another intent, which costs one of `disturbances`: only after its
   * server has canceled the previous one, as going-live.md says, or without that. Needs two `intents`.
   */
  swaps: 'none' | 'after cancel' | 'both payable';
  /** True if the page has `keep`: it may park the form and mount it again, which costs one of `disturbances`. */
  parks: boolean;
  /** Attempts allowed per intent. */
  attempts: number;
  /** Number of intents the merchant's server creates for the order. With 1, the page can't replace an intent. */
  intents: number;
  /** Presses of Pay, in all tabs together. */
  presses: number;
  /** Requests that go wrong: each one that is late, lost, cut off, duplicated or answered with an error costs one. */
  faults: number;
  /**
   * Reloads, restored, hidden and offline pages, parked forms, calls of `refresh()`, changes of the amount,
   * cancellations.
   */
  disturbances: number;
  /** Number of times the computer sleeps. */
  sleeps: number;
  /** Number of times that no request of a tab is answered until its form gives up, however long that takes. */
  outages: number;
  /** Number of consecutive polls to follow; the form gives up after thirty. */
  polls: number;
  /** Stops after this many states of the world. */
  states: number;
};

/** One plain payment, as a base for other bounds. */
export const PLAIN: ModelBounds = {
  tabs: 1,
  locks: false,
  told: 'status',
  confirms: 'both',
  holds: false,
  beforePay: false,
  swaps: 'none',
  parks: false,
  attempts: 2,
  intents: 2,
  presses: 2,
  faults: 1,
  disturbances: 0,
  sleeps: 0,
  outages: 0,
  polls: 8,
  states: 5_000_000,
};

const isFull = process.env.FUZZ === 'full';

/**
 * The bounds that `npm test` explores, by name. `FUZZ=full`, as in `npm run test:all`, adds presses and ways to
 * confirm.
 */
export const SMALL: Readonly<Record<string, ModelBounds>> = {
  'one tab, one fault': { ...PLAIN, presses: isFull ? 2 : 1 },
  'one tab, a service that does not tell of running attempts': {
    ...PLAIN,
    presses: 1,
    told: 'nothing',
    confirms: isFull ? 'both' : 'running',
  },
  'one tab, failed attempts that are held until released': { ...PLAIN, presses: 1, holds: true },
  'one tab of a page with beforePay': {
    ...PLAIN,
    presses: isFull ? 2 : 1,
    confirms: 'atomic',
    beforePay: true,
    faults: 0,
    disturbances: 1,
  },
  'one tab, the last attempt, one outage': { ...PLAIN, presses: 1, attempts: 1, intents: 1, outages: 1 },
  'one tab, another intent while both can be paid': {
    ...PLAIN,
    presses: 1,
    faults: isFull ? 1 : 0,
    disturbances: 1,
    swaps: 'both payable',
  },
  'one tab of a page with beforePay, another intent': {
    ...PLAIN,
    presses: isFull ? 2 : 1,
    confirms: 'atomic',
    beforePay: true,
    faults: 0,
    disturbances: 1,
    swaps: 'both payable',
  },
  'two tabs with a lock, another intent after the first was canceled': {
    ...PLAIN,
    tabs: 2,
    locks: true,
    presses: isFull ? 2 : 1,
    confirms: 'atomic',
    faults: 0,
    disturbances: 1,
    swaps: 'after cancel',
  },
  'one tab that is parked and comes back': {
    ...PLAIN,
    presses: 1,
    confirms: 'atomic',
    faults: 0,
    disturbances: isFull ? 2 : 1,
    parks: true,
  },
  'two tabs with a lock that are parked and come back': {
    ...PLAIN,
    tabs: 2,
    locks: true,
    presses: isFull ? 2 : 1,
    confirms: 'atomic',
    faults: 0,
    disturbances: 1,
    parks: true,
  },
  'two tabs with a lock': { ...PLAIN, tabs: 2, locks: true, faults: 0 },
};
