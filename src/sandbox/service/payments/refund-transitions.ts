import { giveBack } from '../accounts/unlock.ts';
import type { EventType, IntentRecord, RefundRecord } from '../store/records.ts';
import { publishEvent } from '../webhooks/events.ts';
import type { MoneyService } from './transitions.ts';
import { refundView } from './views.ts';

/** Milliseconds after the creation of the refund. Ours: contract 5.7. */
const PROCESSING_AFTER = 1000;
const ENDS_AFTER = 3000;

/** A refund fails if its amount ends in these two digits. Ours: contract 5.7. */
const FAILING_ENDING = 13;

/**
 * Brings all refunds up to `now` (milliseconds) and publishes an event for each one that ends. Called before every read
 * of a refund, a payment or a balance, so that a read never returns an outdated status.
 */
export const settleRefunds = (service: MoneyService, now: number): void => {
  const { store } = service;
  for (const id of store.refundsInFlight.keys()) {
    const refund = store.refunds.get(id);
    const intent = refund && store.intents.get(refund.payment_intent);
    if (refund === undefined || intent === undefined)
      throw new Error('the store has no such refund or payment');
    if (now < refund.madeAt + PROCESSING_AFTER) break; // all later refunds are newer
    if (refund.status === 'pending') service.ledger.changeRefund(refund, { status: 'processing' });
    if (now < refundEndsAt(refund)) continue;
    store.refundsInFlight.delete(id);
    publishEvent(
      service,
      end(service, refund, intent),
      refundView(refund),
      Math.floor(refundEndsAt(refund) / 1000),
    );
  }
};

/** Returns the time at which a refund ends, in milliseconds. */
export const refundEndsAt = ({ madeAt }: RefundRecord): number => madeAt + ENDS_AFTER;

/** Applies the outcome of a refund and returns the event type. */
const end = ({ ledger }: MoneyService, refund: RefundRecord, intent: IntentRecord): EventType => {
  if (refund.amount % 100 !== FAILING_ENDING) {
    ledger.changeRefund(refund, { status: 'succeeded' });
    return 'refund.succeeded';
  }
  // Nothing was refunded, so return the fee with the amount. Ours: not shown.
  ledger.change(intent, {
    amount_refunded: intent.amount_refunded - refund.amount,
    unlock_schedule: giveBack(intent.unlock_schedule, refund.deduction),
  });
  ledger.changeRefund(refund, { status: 'failed', deduction: { steps: [], available: 0 } });
  return 'refund.failed';
};
