/**
 * One order in the model: tabs with real sessions (through `tab-table.ts`), the service, the requests between them, and
 * the remaining budget for presses and trouble. `rules.ts` defines what may happen to it.
 */

import type { ClientRoute } from '../../api/routes.ts';
import { TIMING } from '../../form/payment/timing.ts';
import type { ModelBounds } from './bounds.ts';
import type { ModelIntent, Reply } from './service.ts';
import type { PageWord, TabInput, TabOutput } from './tab-exchange.ts';
import type { TabTable } from './tab-table.ts';

export type ModelTab = {
  /** Its number in the table. */
  state: number;
  /** The intent its secret belongs to. */
  intent: number;
  /** True if the service has reported a running attempt to it, but not yet its end. */
  isToldRunning: boolean;
  /** Declines reported to this page. */
  declines: number;
  /** It came back from parking, and the intent has not been read since. */
  isUnread: boolean;
  /** Number of attempts begun on its intent when the page was told that nothing was charged; null if it wasn't. */
  deniedAt: number | null;
};

/** A request between a tab and the service. */
export type Flight = {
  /** The tab that waits for the answer; null if none does any more, though the request may still arrive. */
  tab: number | null;
  route: ClientRoute;
  intent: number;
  /** Index of the press that a confirm is for. */
  press: number;
  /** On its way; its attempt is running; or the answer is on its way. */
  phase: 'sent' | 'running' | 'answered';
  reply: Reply | null;
  /** Time may pass while it is on its way. */
  isSlow: boolean;
  /** In ms, for a confirm; capped at the largest age that matters. */
  age: number;
};

export type ModelPress = {
  /** Null once the page is gone. */
  tab: number | null;
  /** The intent the form had. */
  intent: number;
  /** The total on the button, in minor units. */
  amount: number;
  /** Not sent yet; sent; or over without having been sent. */
  stage: 'waiting' | 'sent' | 'over';
  /** Number of the page's `beforePay` question about it, until that is answered. */
  question: number | null;
  /** The page's answer. */
  word: PageWord | null;
  fate: 'open' | 'running' | 'charged' | 'failed';
  /** Its page was told that nothing was charged. */
  wasDenied: boolean;
  /** The service's answer to its confirm: conclusive if it says what became of this delivery. */
  answered: 'not' | 'open' | 'conclusive';
  /** Tried later than the form waits for it (`latestOf`): not judged by what the page was told. */
  isLate: boolean;
};

export type ModelWorld = {
  tabs: readonly ModelTab[];
  flights: readonly Flight[];
  intents: readonly ModelIntent[];
  presses: readonly ModelPress[];
  charges: number;
  left: Readonly<Record<'presses' | 'faults' | 'disturbances' | 'sleeps' | 'outages', number>>;
};

/** Result of a move. */
export type Moved = {
  world: ModelWorld;
  /** Invariants that it broke. */
  broken: readonly string[];
  /** The tabs' actions, for people. */
  log: readonly string[];
  /** The tabs' inputs and outputs, for replaying them on real sessions. */
  given: readonly {
    tab: number;
    input: TabInput | { do: 'open'; intent: number };
    outputs: readonly TabOutput[];
  }[];
};

export type Move = { label: string; make(): Promise<Moved> };

/** A world while a move changes it. */
export type Draft = {
  tabs: ModelTab[];
  flights: Flight[];
  intents: ModelIntent[];
  presses: ModelPress[];
  charges: number;
  left: Record<'presses' | 'faults' | 'disturbances' | 'sleeps' | 'outages', number>;
  broken: Set<string>;
  log: string[];
  given: Moved['given'][number][];
  queue: { tab: number; input: TabInput }[];
};

/** A model's parameters: how much may happen, and how tabs answer. */
export type Model = { readonly bounds: ModelBounds; readonly table: TabTable };

/** The form doesn't wait for a confirm that arrives later (outcomes 2.4). */
export const ARRIVES_WITHIN = TIMING.settleUnanswered;

/**
 * The age, in ms, from which a delivery of a confirm is too late for the form to wait for it. Once the service has said
 * what became of the press, no older delivery counts as under way: a browser resends a request only after the
 * connection of the first has died.
 */
export const latestOf = { not: ARRIVES_WITHIN, open: TIMING.settleAnswered, conclusive: 0 } as const;

const NAMES = ['A', 'B'] as const;
export const nameOf = (tab: number | null) => (tab === null ? 'nobody' : `tab ${NAMES[tab] ?? tab}`);

export const at = <Value>(list: readonly Value[], index: number): Value => {
  const value = list[index];
  if (value === undefined) throw new Error(`There is no ${index} in a list of ${list.length}.`);
  return value;
};

export const draftFrom = (world: ModelWorld): Draft => ({
  tabs: world.tabs.map((tab) => ({ ...tab })),
  flights: world.flights.map((flight) => ({ ...flight })),
  intents: [...world.intents],
  presses: world.presses.map((press) => ({ ...press })),
  charges: world.charges,
  left: { ...world.left },
  broken: new Set(),
  log: [],
  given: [],
  queue: [],
});

export const setIntent = (draft: Draft, index: number, intent: ModelIntent) => {
  draft.intents[index] = intent;
};

export const isOver = (model: Model, { status, attempts, running }: ModelIntent) =>
  status === 'canceled' || (status !== 'succeeded' && running === null && attempts >= model.bounds.attempts);

export const flightsOf = (draft: Draft, index: number) => draft.flights.filter(({ tab }) => tab === index);

export const removeFlight = (draft: Draft, flight: Flight): void => {
  draft.flights = draft.flights.filter((one) => one !== flight);
};

/** Nobody waits for the answer any more. A confirm or release still on its way can make a difference. */
export const abandon = (draft: Draft, flight: Flight): void => {
  flight.tab = null;
  if (flight.route === 'retrieve' || flight.phase !== 'sent') removeFlight(draft, flight);
};

/** Drops presses that can have no further effect, so that states that differ only in them become one. */
export const pruned = ({
  presses,
  flights,
  intents,
}: Draft): Pick<ModelWorld, 'presses' | 'flights' | 'intents'> => {
  const used = new Set([
    ...flights.map(({ press }) => press),
    ...intents.map(({ running }) => running ?? -1),
    ...presses.flatMap(({ tab, fate, stage, question }, index) =>
      tab !== null && (fate === 'charged' || stage === 'waiting' || question !== null) ? [index] : [],
    ),
  ]);
  const kept = [...presses.keys()].filter((index) => used.has(index));
  if (kept.length === presses.length) return { presses, flights, intents };
  const renamed = new Map(kept.map((old, index) => [old, index]));
  const rename = (press: number) => renamed.get(press) ?? -1;
  return {
    presses: kept.map((index) => at(presses, index)),
    flights: flights.map((flight) => ({ ...flight, press: rename(flight.press) })),
    intents: intents.map((intent) => ({
      ...intent,
      running: intent.running === null ? null : rename(intent.running),
    })),
  };
};

/** Equal for worlds that differ only in the order of their tabs. */
export const keyOf = (world: ModelWorld, withBudget = true): string => {
  const one = encoded(world, [0, 1], withBudget);
  if (world.tabs.length < 2) return one;
  const other = encoded(world, [1, 0], withBudget);
  return one < other ? one : other;
};

const encoded = (
  { tabs, flights, intents, presses, charges, left }: ModelWorld,
  order: readonly number[],
  withBudget: boolean,
) => {
  const place = (tab: number | null) => (tab === null ? 9 : order.indexOf(tab));
  const sorted = [...presses.keys()].sort(
    (a, b) => place(presses[a]?.tab ?? null) - place(presses[b]?.tab ?? null) || a - b,
  );
  const numberOf = (press: number | null) => (press === null ? '' : sorted.indexOf(press));
  const requests = flights
    .map((flight, index) => ({ flight, rank: place(flight.tab) * 100 + (flight.tab === null ? 0 : index) }))
    .sort((a, b) => a.rank - b.rank || a.flight.age - b.flight.age || a.flight.press - b.flight.press);
  return [
    ...order
      .flatMap((index) => tabs[index] ?? [])
      .map(
        ({ state, intent, isToldRunning, declines, isUnread, deniedAt }) =>
          `${state}.${intent}${isToldRunning ? 'r' : ''}${declines}${isUnread ? 'u' : ''}.${deniedAt ?? ''}`,
      ),
    '|',
    ...requests.map(
      ({ flight: { tab, route, intent, press, phase, reply, isSlow, age } }) =>
        `${place(tab)}${route[2]}${intent}${numberOf(press)}${phase[0]}${isSlow ? 's' : ''}${age}${reply ? JSON.stringify(reply) : ''}`,
    ),
    '|',
    ...intents.map(
      ({ status, amount, attempts, running, hasFailed }) =>
        `${status[0]}${status[1]}${amount}.${attempts}${numberOf(running)}${hasFailed ? 'f' : ''}`,
    ),
    '|',
    ...sorted.map((index) => {
      const { tab, intent, amount, stage, question, word, fate, wasDenied, answered, isLate } = at(
        presses,
        index,
      );
      return `${place(tab)}${intent}${fate[0]}${fate[1]}${amount}${stage[0]}${question ?? ''}${word?.[0] ?? ''}${wasDenied ? 'd' : ''}${answered[0]}${isLate ? 'l' : ''}`;
    }),
    charges,
    ...(withBudget ? [left.presses, left.faults, left.disturbances, left.sleeps, left.outages] : []),
  ].join(' ');
};
