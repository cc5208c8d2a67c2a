/**
 * Behaviour of tabs, learned from real sessions. A session can't be copied, but it behaves the same for the same
 * inputs. So each tab state is stored as the shortest list of inputs that led to it. The effect of one more input is
 * found once, on a new session, and remembered. The explorer can then walk through millions of states of the world
 * without running a session again.
 *
 * Two tab states count as one if their fingerprints are equal. `audit` checks that this is right.
 */
import { type LiveTab, openLiveTab, type TabSetting } from './live-tab.ts';
import type { TabFacts, TabInput, TabOutput } from './tab-exchange.ts';

export type TabStep = { to: number; outputs: readonly TabOutput[] };

export type TabTable = {
  /** The state of a tab that was just opened for an intent. */
  open(intent: number): Promise<TabStep>;
  facts(state: number): TabFacts;
  /** A step that was already learned; otherwise undefined. */
  known(state: number, key: string): TabStep | undefined;
  step(state: number, key: string, input: TabInput): Promise<TabStep>;
  size(): { states: number; steps: number; replayed: number };
  fingerprint(state: number): string;
  /** The inputs that led to a state, and the intent the tab was opened for. */
  wayTo(state: number): { intent: number; inputs: readonly TabInput[] };
  /** A new session, opened for an intent. */
  live(intent: number): Promise<LiveTab>;
};

type Entry = {
  facts: TabFacts;
  fingerprint: string;
  from: { state: number; input: TabInput } | { intent: number };
  steps: Map<string, TabStep>;
  /** The session that first got here: it saves the replay for the first step from here. */
  spare: LiveTab | null;
};

/** Limit of stored sessions, to bound memory. */
const MOST_SPARES = 20_000;

export const createTabTable = (deps: TabSetting): TabTable => {
  const entries: Entry[] = [];
  const numbers = new Map<string, number>();
  const opened = new Map<number, TabStep>();
  let steps = 0;
  let replayed = 0;

  const entryOf = (state: number): Entry => {
    const entry = entries[state];
    if (!entry) throw new Error(`There is no state ${state}.`);
    return entry;
  };
  const enter = (tab: LiveTab, from: Entry['from']): number => {
    const fingerprint = tab.fingerprint();
    const known = numbers.get(fingerprint);
    if (known !== undefined) return known;
    const state = entries.push({ facts: tab.facts(), fingerprint, from, steps: new Map(), spare: tab }) - 1;
    numbers.set(fingerprint, state);
    const oldest = entries[state - MOST_SPARES];
    if (oldest) oldest.spare = null;
    return state;
  };
  const wayTo = (state: number) => {
    const inputs: TabInput[] = [];
    let { from } = entryOf(state);
    while ('state' in from) {
      inputs.push(from.input);
      ({ from } = entryOf(from.state));
    }
    return { intent: from.intent, inputs: inputs.reverse() };
  };
  const live = (intent: number) => openLiveTab(intent, deps);

  /** A session in this state. */
  const tabIn = async (state: number): Promise<LiveTab> => {
    const entry = entryOf(state);
    const { spare } = entry;
    entry.spare = null;
    if (spare) return spare;
    const { intent, inputs } = wayTo(state);
    const tab = await live(intent);
    for (const one of inputs) await tab.give(one);
    replayed += inputs.length;
    return tab;
  };

  return {
    async open(intent) {
      const known = opened.get(intent);
      if (known) return known;
      const tab = await live(intent);
      const step = { to: enter(tab, { intent }), outputs: tab.first };
      opened.set(intent, step);
      return step;
    },
    facts: (state) => entryOf(state).facts,
    fingerprint: (state) => entryOf(state).fingerprint,
    known: (state, key) => entryOf(state).steps.get(key),
    async step(state, key, input) {
      const tab = await tabIn(state);
      const outputs = await tab.give(input);
      const step = { to: enter(tab, { state, input }), outputs };
      entryOf(state).steps.set(key, step);
      steps += 1;
      return step;
    },
    size: () => ({ states: entries.length, steps, replayed }),
    wayTo,
    live,
  };
};
