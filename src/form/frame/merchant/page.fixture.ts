/** A page that receives the state machine's events, for tests that go from state to state by hand. */
import type { FrameMessage } from '../../channel/messages.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { type Charged, chargedIn, isPaying, NOTHING_TOLD, type Told, tell } from '../../payment/told.ts';
import { initial } from '../../payment/transition.ts';
import { messagesOf } from './events.ts';

export type Listener = {
  /** The page's messages for this change of state. First passes through the previous state if it was left out. */
  hear(before: PaymentState, after: PaymentState): readonly FrameMessage[];
  /** Passes through states, in order. */
  pass(...states: readonly PaymentState[]): void;
  charged(): Charged;
  isPaying(): boolean;
};

export const createListener = (): Listener => {
  let told: Told = NOTHING_TOLD;
  let latest: PaymentState = initial;
  const step = (after: PaymentState): readonly FrameMessage[] => {
    const next = tell(told, latest, after);
    told = next.told;
    latest = after;
    return next.events.flatMap((event) => messagesOf(event, after));
  };
  return {
    hear(before, after) {
      if (before !== latest) step(before);
      return step(after);
    },
    pass: (...states) => states.forEach(step),
    charged: () => chargedIn(latest, told),
    isPaying: () => isPaying(latest, told),
  };
};
