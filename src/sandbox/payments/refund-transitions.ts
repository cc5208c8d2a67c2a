import { giveBack } from '../accounts/unlock.ts';
import type { EventType, IntentRecord, RefundRecord } from '../store/records.ts';
import { type EventService, publishEvent } from '../webhooks/events.ts';
import { refundView } from './views.ts';

/** Milliseconds after its creation. Ours: contract 5.7. */
const PROCESSING_AFTER = 1000;
const ENDS_AFTER = 3000;

/** Amounts that end in these two digits cannot be refunded. Ours: contract 5.7. */
const FAILS = 13;

/**
 * Brings all refunds up to `now` (milliseconds) and announces the ends. Called before every look at a refund, a
 * payment or a balance, so that an outcome is there from its own moment on, however late somebody looks.
 */
export const settleRefunds = (service: EventService, now: number): void => {
  const { store } = service;
  for (const id of store.refundsInFlight.keys()) {
    const refund = store.refunds.get(id);
    const intent = refund && store.intents.get(refund.payment_intent);
    if (refund === undefined || intent === undefined)
      throw new Error('the store has lost a refund or its payment');
    if (now < refund.madeAt + PROCESSING_AFTER) break; // and so are all later ones
    refund.status = 'processing';
    if (now < refundEndsAt(refund)) continue;
    store.refundsInFlight.delete(id);
    publishEvent(service, end(refund, intent), refundView(refund), Math.floor(refundEndsAt(refund) / 1000));
  }
};

/** The moment (milliseconds) at which a refund ends. */
export const refundEndsAt = ({ madeAt }: RefundRecord): number => madeAt + ENDS_AFTER;

/** Gives a refund its outcome, and returns what is told of it. */
const end = (refund: RefundRecord, intent: IntentRecord): EventType => {
  if (refund.amount % 100 !== FAILS) {
    refund.status = 'succeeded';
    return 'refund.succeeded';
  }
  refund.status = 'failed';
  // Nothing was refunded, so nothing was earned by it either: the fee returns with the amount. Ours: not shown.
  intent.amount_refunded -= refund.amount;
  giveBack(intent.unlock_schedule, refund.deduction);
  refund.deduction = { steps: [], available: 0 };
  return 'refund.failed';
};
