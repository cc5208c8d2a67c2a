/** Explores all states of the world breadth first, so that the path to a violation is a shortest one. */
import type { FormParts } from '../tab/form-session.ts';
import type { ModelBounds } from './bounds.ts';
import { createRules, type Rules } from './rules.ts';
import { createTabTable, type TabTable } from './tab-table.ts';
import { keyOf, type ModelWorld, type Moved } from './world.ts';

export type InvariantViolation = {
  broken: readonly string[];
  /** The steps that led there, one line each. */
  trace: readonly string[];
};

export type Exploration = {
  bounds: ModelBounds;
  states: number;
  transitions: number;
  /** The longest of the shortest paths to a state, in moves. */
  depth: number;
  /** True if every state within the bounds was visited. */
  isComplete: boolean;
  /** States of a single tab, and steps that were run on real sessions to learn them. */
  tabStates: number;
  tabSteps: number;
  /** Paths replayed from the start on real sessions, and what differed. */
  audited: number;
  replayed: number;
  /** Processor time. */
  seconds: number;
  violation: InvariantViolation | null;
};

/** No calm path is longer: the form polls for ten minutes, in about thirty reads. */
const LONGEST_CALM = 400;

export type ExploreOptions = {
  wrong?: FormParts;
  /** Paths to replay from the start on real sessions, to check that the table is right about them. */
  audits?: number;
  onLevel?: (depth: number, states: number, transitions: number) => void;
};

export const explore = async (
  bounds: ModelBounds,
  { wrong = {}, audits = 50, onLevel }: ExploreOptions = {},
): Promise<Exploration> => {
  const began = process.cpuUsage();
  const table = createTabTable({
    canReplace: bounds.intents > 1,
    hasLocks: bounds.locks,
    beforePay: bounds.beforePay,
    wrong,
  });
  const rules = createRules(bounds, table);

  const numbers = new Map<string, number>();
  const parents: number[] = [];
  const labels: number[] = [];
  const names = new Map<string, number>();
  const namesByNumber: string[] = [];
  const numberOfName = (label: string) => {
    const known = names.get(label);
    if (known !== undefined) return known;
    const number = namesByNumber.push(label) - 1;
    names.set(label, number);
    return number;
  };
  /** The number of a new state; null if it is already known. */
  const enter = (world: ModelWorld, parent: number, label: string): number | null => {
    const key = keyOf(world);
    if (numbers.has(key)) return null;
    const number = parents.push(parent) - 1;
    labels.push(numberOfName(label));
    numbers.set(key, number);
    return number;
  };
  const wayTo = (number: number): string[] => {
    const way: string[] = [];
    for (let one = number; one > 0; one = parents[one] ?? 0) way.push(namesByNumber[labels[one] ?? 0] ?? '');
    return way.reverse();
  };

  const calm = createCalm(rules);
  let transitions = 0;
  let depth = 0;
  let audited = 0;
  let isComplete = true;

  const result = (violation: InvariantViolation | null): Exploration => ({
    bounds,
    states: parents.length,
    transitions,
    depth,
    isComplete: isComplete && violation === null,
    tabStates: table.size().states,
    tabSteps: table.size().steps,
    audited,
    replayed: table.size().replayed,
    seconds: process.cpuUsage(began).user / 1e6,
    violation,
  });

  const first = await rules.initial();
  enter(first.world, 0, '');
  let frontier: { number: number; world: ModelWorld }[] = [{ number: 0, world: first.world }];
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { number, world } of frontier) {
      const stuck = await calm(world);
      if (stuck) return result(await violationAt(rules, wayTo(number), stuck.way, stuck.broken));
      for (const { label, make } of await rules.moves(world)) {
        const moved = await make();
        transitions += 1;
        if (moved.broken.length > 0) {
          return result(await violationAt(rules, [...wayTo(number), label], [], moved.broken));
        }
        const entered = enter(moved.world, number, label);
        if (entered !== null) next.push({ number: entered, world: moved.world });
      }
      if (parents.length >= bounds.states) {
        isComplete = false;
        break;
      }
    }
    onLevel?.(depth, parents.length, transitions);
    if (!isComplete) break;
    frontier = next;
    if (next.length > 0) depth += 1;
  }

  for (; audited < Math.min(audits, parents.length); audited += 1) {
    const way = wayTo(Math.floor(((audited + 1) * parents.length) / (audits + 1)));
    const differs = await audit(rules, table, way);
    if (differs) return result({ broken: [`the table differs from a real session: ${differs}`], trace: way });
  }
  return result(null);
};

/** Follows a world in which nothing more goes wrong: returns where it hangs or what it breaks; null if all is well. */
const createCalm = (rules: Rules) => {
  /** States from which an end, or a usable form, was reached. */
  const live = new Set<string>();
  return async (start: ModelWorld): Promise<{ broken: readonly string[]; way: string[] } | null> => {
    const way: string[] = [];
    const passed = new Set<string>();
    let world = start;
    while (way.length < LONGEST_CALM) {
      const key = keyOf(world, false);
      if (live.has(key)) break;
      if (passed.has(key) && rules.isUntold(world)) break;
      if (passed.has(key)) return { broken: ['a dead end: nothing that the buyer does has an effect'], way };
      passed.add(key);
      const move = rules.calmMove({
        ...world,
        left: { presses: 0, faults: 0, disturbances: 0, sleeps: 0, outages: 0 },
      });
      if (!move) break;
      way.push(move.label);
      const moved = await move.make();
      if (moved.broken.length > 0) return { broken: moved.broken, way };
      world = moved.world;
    }
    if (way.length >= LONGEST_CALM)
      return { broken: ['a dead end: nothing is settled after a very long time'], way };
    for (const key of passed) live.add(key);
    return null;
  };
};

/** Replays a path from the start. */
const follow = async (
  rules: Rules,
  way: readonly string[],
  calmWay: readonly string[] = [],
): Promise<{ label: string; moved: Moved }[]> => {
  const first = await rules.initial();
  const steps = [{ label: 'the form opens', moved: first }];
  let { world } = first;
  for (const label of way) {
    const move = (await rules.moves(world)).find((one) => one.label === label);
    if (!move) throw new Error(`The way has a step that is not possible: ${label}`);
    const moved = await move.make();
    steps.push({ label, moved });
    world = moved.world;
  }
  for (const label of calmWay) {
    const move = rules.calmMove({
      ...world,
      left: { presses: 0, faults: 0, disturbances: 0, sleeps: 0, outages: 0 },
    });
    if (move?.label !== label) throw new Error(`The way has a step that is not possible: ${label}`);
    const moved = await move.make();
    steps.push({ label, moved });
    world = moved.world;
  }
  return steps;
};

const violationAt = async (
  rules: Rules,
  way: readonly string[],
  calmWay: readonly string[],
  broken: readonly string[],
): Promise<InvariantViolation> => {
  const steps = await follow(rules, way, calmWay);
  const trace = steps.map(({ label, moved }, index) =>
    [`${index}. ${label}`, ...moved.log.map((line) => `     ${line}`)].join('\n'),
  );
  return { broken, trace };
};

/** Replays a path's inputs on real sessions and compares their outputs. Null if they are the same. */
const audit = async (rules: Rules, table: TabTable, way: readonly string[]): Promise<string | null> => {
  const live = new Map<number, Awaited<ReturnType<TabTable['live']>>>();
  for (const { label, moved } of await follow(rules, way)) {
    for (const { tab, input, outputs } of moved.given) {
      let done: unknown;
      if (input.do === 'open') {
        const opened = await table.live(input.intent);
        live.set(tab, opened);
        done = opened.first;
      } else {
        done = await live.get(tab)?.give(input);
      }
      if (JSON.stringify(done) !== JSON.stringify(outputs)) {
        return `${label}: ${JSON.stringify(done)} instead of ${JSON.stringify(outputs)}`;
      }
    }
  }
  return null;
};
