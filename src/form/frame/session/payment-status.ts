/** The payment's status so far, for a page that asks for it or shows nothing else. */
import { effect, type ReadonlySignal } from '@preact/signals';
import type { FrameMessage } from '../../channel/messages.ts';
import type { CardFormStatus } from '../../channel/result.ts';
import { type PaymentState, PHASE } from '../../payment/payment-state.ts';
import type { Charged, Told } from '../../payment/told.ts';
import { forPage, resultIn, unresolved } from '../merchant/events.ts';

/** The session's knowledge of its payment. */
type Known = {
  state: ReadonlySignal<PaymentState>;
  told: ReadonlySignal<Told>;
  charged(): Charged;
};

/** Reports the status once read, and at each change, until the returned function is called. */
export const followStatus = (
  { state, told, charged }: Known,
  say: (status: CardFormStatus) => void,
): (() => void) => {
  let last = '';
  return effect(() => {
    const status = statusIn(state.value, { charged: charged(), mayArrive: told.value.mayArrive });
    const text = JSON.stringify(status);
    if (!status || text === last) return;
    last = text;
    say(status);
  });
};

/** Reads the intent again, and replies with the status once no read is in progress. */
export const answerRefresh = (
  session: Known & { refresh(): void },
  reply: (message: FrameMessage) => void,
): void => {
  session.refresh();
  const end = followStatus(session, (refresh) => {
    reply({ type: 'refresh', refresh });
    queueMicrotask(() => end());
  });
};

/**
 * Null during a read. `pending` only if nothing was charged: after a 429 to a confirm, another delivery may have paid.
 */
export const statusIn = (
  state: PaymentState,
  told: { charged: Charged; mayArrive: boolean },
): CardFormStatus | null => {
  const phase = PHASE[state.status];
  if (phase === 'opening' || phase === 'rereading' || phase === 'destroyed') return null;
  if (state.status === 'asking_page' && state.activity === 'reading') return null;
  const result = resultIn(state, told);
  if (result) return result;
  if (!('intent' in state && state.intent) || state.status === 'load_failed') return unresolved(null);
  if (phase === 'idle' && told.charged !== 'no') return unresolved(state.intent);
  return { outcome: phase === 'idle' ? 'pending' : 'processing', paymentIntent: forPage(state.intent) };
};
