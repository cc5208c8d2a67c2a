/** Rules for a form that gets another intent (promises 1.6), by a swap or because its former one is over. */
import type { Findings } from './findings.ts';

/** A tab, with its presses in order. */
type Tab = { readonly presses: readonly { number: number }[] };
type Press = { number: number; tab: Tab; intent: string };

type SwapRules = {
  /** The form of this tab has the intent with this id. */
  has(tab: Tab, intent: string): void;
  /** This press paid this intent. */
  paid(intent: string, winner: Press): void;
};

export const createSwapRules = ({ fail, see }: Pick<Findings, 'fail' | 'see'>): SwapRules => {
  /** Id of the intent that each form had last. */
  const intents = new Map<Tab, string>();
  /** The intents that a form gave up, and its last press until then. */
  const givenUp: { tab: Tab; intent: string; press: number }[] = [];

  return {
    has(tab, intent) {
      const former = intents.get(tab);
      intents.set(tab, intent);
      if (former === undefined || former === intent) return;
      see('a form got another intent');
      givenUp.push({ tab, intent: former, press: tab.presses.at(-1)?.number ?? 0 });
    },
    paid(paid, winner) {
      if (winner.intent !== paid) fail('promises 1.6: a press made for one intent paid another');
      for (const { tab, intent, press } of givenUp) {
        if (tab === winner.tab && intent === paid && winner.number <= press)
          fail('promises 1.6: a form forgot the charge of the intent that it gave up');
      }
    },
  };
};
