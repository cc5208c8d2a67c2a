/** Side channels of a payment: console warnings, `beforeunload`, and its error after a protocol violation. */
import { effect, type ReadonlySignal } from '@preact/signals';
import { type PaymentState, PHASE } from '../../payment/payment-state.ts';
import { brokenProtocol } from '../merchant/events.ts';
import { warnOfMissingDetails } from '../merchant/missing-details.ts';
import type { ShownForm } from './parts.ts';
import type { Session } from './session.ts';

export const reportPayment = (session: Session, { page, ending }: ShownForm): void => {
  const { post, warn, brokeProtocol } = page;
  askBeforeLeaving(session.state, ending.signal);
  warnOfMissingDetails(session.state, warn);
  let isReported = false;
  effect(() => {
    // An error would look like the end of the payment; and during a read, it isn't known whether it was charged.
    if (isReported || !brokeProtocol.value || session.isPaying.value || isReading(session.state.value))
      return;
    isReported = true;
    post({ type: 'error', error: brokenProtocol(session.charged()) });
  });
};

const isReading = ({ status }: PaymentState) =>
  PHASE[status] === 'rereading' || PHASE[status] === 'destroyed';

/** Only while a confirm may be in progress: a permanent handler would disable the back/forward cache. */
const askBeforeLeaving = (payment: ReadonlySignal<PaymentState>, ending: AbortSignal): void => {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  effect(() => {
    const phase = PHASE[payment.value.status];
    if (phase === 'confirming' || phase === 'unresolved') {
      window.addEventListener('beforeunload', ask, { signal: ending });
    } else {
      window.removeEventListener('beforeunload', ask);
    }
  });
};
