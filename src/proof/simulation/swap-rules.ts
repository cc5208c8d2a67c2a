/** Rules for a form that gets another intent (promises 1.6), by a swap or because its former one is over. */
import type { PaymentState } from '../../form/payment/payment-state.ts';
import type { Findings } from './findings.ts';
import type { SimulatedPress, SimulatedTab } from './simulated-tab.ts';

type SwapRules = {
  /** A form entered this state. */
  entered(tab: SimulatedTab, state: PaymentState): void;
  /** This press paid this intent. */
  paid(intent: string, winner: SimulatedPress): void;
};

export const createSwapRules = ({ fail, see }: Findings): SwapRules => {
  /** Id of the intent that each form had last. */
  const intents = new Map<SimulatedTab, string>();
  /** The intents that a form gave up, and its last press until then. */
  const givenUp: { tab: SimulatedTab; intent: string; press: number }[] = [];

  return {
    entered(tab, state) {
      if (!('intent' in state) || !state.intent) return;
      const former = intents.get(tab);
      intents.set(tab, state.intent.id);
      if (former === undefined || former === state.intent.id) return;
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
