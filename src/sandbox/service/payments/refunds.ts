import * as LIMITS from '../../../api/limits.ts';
import { CreateRefund } from '../../../api/requests.ts';
import type { Refund } from '../../../api/schemas.ts';
import { ListRefundsQuery } from '../../../api/server-schemas.ts';
import { refundFeeOf } from '../accounts/fees.ts';
import { deduct } from '../accounts/unlock.ts';
import { unixNow } from '../core/clock.ts';
import { RefusedRequest } from '../core/errors.ts';
import { pageOf, readQuery } from '../core/list-query.ts';
import { type CodeOf, parseBody } from '../core/validate.ts';
import { makeOnce } from '../store/idempotency.ts';
import type { Account, IntentRecord, RefundRecord } from '../store/records.ts';
import { currentIntent, currentRefund, noSuchIntent, scheduleRefundOutcome } from './current.ts';
import type { PaymentService } from './payment-service.ts';
import { settleRefunds } from './refund-transitions.ts';
import { refundableOf, refundView } from './views.ts';

/** Returns the most specific code of contract S16.3 for a field of a refund. */
const codeOf: CodeOf = (violation, [field]) => {
  if (field !== 'amount') return 'validation_error';
  // An amount above the integer limit also exceeds every payment.
  return violation === 'too_big' ? 'refund_exceeds_remaining' : 'invalid_amount';
};

/** Parses and validates the body of create. */
export const parseRefund = (body: unknown): CreateRefund => parseBody(CreateRefund, body, codeOf);

/** Returns an intent of this account. Throws 404 if there is none, or if it is another account's. */
const ownPayment = (service: PaymentService, account: Account, id: string): IntentRecord => {
  const intent = currentIntent(service, id);
  if (intent === undefined || intent.account !== account.id) throw noSuchIntent();
  return intent;
};

/**
 * Creates a refund, or returns the one already created with this key, with its current status (contract S9.2 and S8.6).
 */
export const refundOnce = (
  service: PaymentService,
  account: Account,
  key: string | null,
  body: CreateRefund,
): RefundRecord => {
  const made = { account, key, route: 'refunds.create', body };
  return ownRefund(
    service,
    account,
    makeOnce(service.store, made, () => createRefund(service, account, body).id),
  );
};

/** Describes the requested amount without quoting a very large one: it may be a card number in the wrong field. */
const describeAmount = (amount: number | undefined): string => {
  if (amount === undefined) return 'no amount, which asks for the whole rest';
  return amount > LIMITS.largestAmount ? 'more than any payment has' : String(amount);
};

/**
 * Reserves the amount, and deducts it and its fee from the merchant immediately (contract S5.1 and S6.1 to S6.5).
 *
 * Ours, where not shown: a suspended or unapproved account may refund, since the money is the buyer's. If nothing is
 * left to refund, every refund gets `refund_exceeds_remaining`.
 */
const createRefund = (service: PaymentService, account: Account, body: CreateRefund): RefundRecord => {
  const intent = ownPayment(service, account, body.payment_intent);
  if (intent.status !== 'succeeded') {
    throw new RefusedRequest(
      'payment_not_refundable',
      `Only a payment that has succeeded can be refunded; this one is ${intent.status}. ${
        intent.status === 'canceled'
          ? 'Nothing was charged.'
          : 'Nothing is charged yet. If it succeeds, refund it then.'
      }`,
    );
  }
  if (intent.refundsRefused) {
    throw new RefusedRequest(
      'payment_not_refundable',
      'The payment network refused to refund this payment. Pay the buyer back in another way.',
    );
  }
  const refundable = refundableOf(intent);
  const amount = body.amount ?? refundable;
  if (amount > refundable || refundable === 0) {
    throw new RefusedRequest(
      'refund_exceeds_remaining',
      `At most ${refundable} minor units of this payment can still be refunded; got ${describeAmount(body.amount)}. Fees are never refunded.`,
      { param: 'amount' },
    );
  }
  const refund_fee = refundFeeOf(amount, account.feeSchedule);
  const now = service.clock.now();
  // The amount and then the fee come from the same steps in the same order, so one pass is enough.
  const { unlock_schedule, deduction } = deduct(intent.unlock_schedule, amount + refund_fee, now);
  const refund: RefundRecord = {
    id: service.newId('lg_re_'),
    account: account.id,
    status: 'pending',
    amount,
    refund_fee,
    currency: intent.currency,
    payment_intent: intent.id,
    created: unixNow(service),
    madeAt: now,
    deduction,
  };
  service.ledger.change(intent, { unlock_schedule, amount_refunded: intent.amount_refunded + amount });
  service.store.refunds.set(refund.id, refund);
  service.ledger.addRefund(refund);
  service.store.refundsInFlight.set(refund.id, true);
  scheduleRefundOutcome(service, refund);
  return refund;
};

/** Returns a refund of this account in its current state, or throws 404 `refund_not_found`. */
export const ownRefund = (service: PaymentService, account: Account, id: string): RefundRecord => {
  const refund = currentRefund(service, id);
  if (refund === undefined || refund.account !== account.id) {
    throw new RefusedRequest(
      'refund_not_found',
      'The account of this key has no such refund. Check the id, and that key and refund belong together.',
    );
  }
  return refund;
};

/**
 * Returns a page of the account's refunds, newest first, optionally of one payment only (contract S10.1). An unknown
 * payment gets 404, since an empty page would mean that it was never refunded. Ours: contract 5.2.
 */
export const listRefunds = (
  service: PaymentService,
  account: Account,
  params: URLSearchParams,
): { object: 'list'; data: Refund[]; has_more: boolean } => {
  const query = parseBody(ListRefundsQuery, readQuery(params));
  const { payment_intent } = query;
  if (payment_intent !== undefined) ownPayment(service, account, payment_intent);
  settleRefunds(service, service.clock.now());
  const { ledger, store } = service;
  const own = {
    kind: 'refund',
    items: ledger.refunds(account.id, payment_intent),
    find: (id: string) => {
      const refund = store.refunds.get(id);
      return refund?.account === account.id ? refund : undefined;
    },
    placeOf: ledger.placeOf,
  };
  const { page, has_more } = pageOf(own, query);
  return { object: 'list', data: page.map(refundView), has_more };
};
