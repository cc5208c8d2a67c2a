/** Reads the answer to the read that the document's script has sent, so that the buyer can pay before the machine has arrived. */
import { readJson } from '../../../api/read-json.ts';
import { ClientPaymentIntent } from '../../../api/schemas.ts';
import { openedWith, type Ready } from '../../payment/opened.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import type { Payable } from '../press/guard.ts';

/**
 * The state that the answer leads to; null if there is none, or more to it than a total to pay. The client still has the
 * whole answer then, and it decides. `now` in monotonic ms.
 */
export const readFirst = async (answer: Promise<Response>, now: () => number): Promise<Ready | null> => {
  const response = await answer.catch(() => null);
  if (response?.status !== 200) return null;
  const { success, data } = ClientPaymentIntent.safeParse(await readJson(response.clone()));
  const opened = success ? openedWith(data, now()) : null;
  if (opened) void response.body?.cancel().catch(() => undefined); // nobody reads it any more
  return opened;
};

/** What a press would pay in this state, for the guard. */
export const payableIn = (state: PaymentState, isButtonless: boolean): Payable | null =>
  state.status === 'ready'
    ? {
        // A button that changes its place has to be seen anew.
        amount: `${state.intent.amount_total} ${state.intent.currency} ${isButtonless}`,
        notBefore: state.armedAt,
      }
    : null;
