import { toMs } from '../core/clock.ts';
import { RefusedRequest } from '../core/errors.ts';
import type { Account, IntentRecord, RefundRecord } from '../store/records.ts';
import type { PaymentService } from './payment-service.ts';
import { refundEndsAt, settleRefunds } from './refund-transitions.ts';
import { settle } from './transitions.ts';

/**
 * Brings every payment and refund up to date: applies due outcomes with the settings in force when they were due, and
 * sends their webhooks. Call it before settings change.
 */
export const settleAll = (service: PaymentService): void => {
  const { ledger, clock, holdFailedAttempts } = service;
  for (const intent of ledger.due(clock.now())) settle(service, intent, clock.now(), holdFailedAttempts);
  settleRefunds(service, clock.now());
};

/** Returns an intent with its due outcome applied. Read intents through this or `allIntents`, never from the store. */
export const currentIntent = (service: PaymentService, id: string): IntentRecord | undefined => {
  const intent = service.store.intents.get(id);
  if (intent !== undefined) settle(service, intent, service.clock.now(), service.holdFailedAttempts);
  settleRefunds(service, service.clock.now());
  return intent;
};

/** Returns every intent with its due outcome applied, newest first. */
export const allIntents = (service: PaymentService): IntentRecord[] => {
  settleAll(service);
  return service.ledger.intents().toReversed();
};

/** Returns a refund with its due outcome applied. Read refunds through this or `refundsOf`, never from the store. */
export const currentRefund = (service: PaymentService, id: string): RefundRecord | undefined => {
  settleRefunds(service, service.clock.now());
  return service.store.refunds.get(id);
};

/** Returns every refund of an account or of one of its payments, with its due outcome applied, newest first. */
export const refundsOf = (service: PaymentService, account: string, payment?: string): RefundRecord[] => {
  settleRefunds(service, service.clock.now());
  return service.ledger.refunds(account, payment).toReversed();
};

/** Returns the intent of a client secret, for the account of the publishable key (contract S11.5 and S11.6). */
export const intentOfSecret = (
  service: PaymentService,
  account: Account,
  clientSecret: string,
): IntentRecord => {
  const id = service.ledger.idOf(clientSecret);
  const intent = id === undefined ? undefined : currentIntent(service, id);
  if (intent === undefined) {
    throw new RefusedRequest(
      'invalid_client_secret',
      'The client_secret names no payment. Use the one from the response that created the payment intent.',
      { param: 'client_secret' },
    );
  }
  if (intent.account !== account.id) throw noSuchIntent();
  return intent;
};

/** The same error for an unknown id and for another account's intent, so that ids cannot be probed. */
export const noSuchIntent = (): RefusedRequest =>
  new RefusedRequest(
    'payment_intent_not_found',
    'The account of this key has no such payment intent. Check the id, and that key and payment belong together.',
  );

/** Schedules the settlement, so that its webhook fires even if nobody reads the intent. */
export const scheduleSettlement = (service: PaymentService, intent: IntentRecord): void => {
  const { id, settlement } = intent;
  if (settlement !== null) service.scheduler.at(toMs(settlement.at), () => void currentIntent(service, id));
};

/** Schedules a refund's outcome for the same reason. */
export const scheduleRefundOutcome = (service: PaymentService, refund: RefundRecord): void =>
  service.scheduler.at(refundEndsAt(refund), () => settleRefunds(service, service.clock.now()));
