import * as z from 'zod/mini';
import * as LIMITS from '../../../api/limits.ts';
import { BillingDetailsInput, ConfirmRequest } from '../../../api/requests.ts';
import { isCountry } from '../../../form/address/countries.ts';
import { assertMayTakePayments } from '../accounts/accounts.ts';
import { unixNow } from '../core/clock.ts';
import { errorRecord, RefusedRequest } from '../core/errors.ts';
import { parseBody, refusal } from '../core/validate.ts';
import type { ResponseFault } from '../faults/response-fault.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { intentOfSecret, scheduleSettlement } from './current.ts';
import { missingDetails } from './missing-details.ts';
import { type ChargeOutcome, declined, hasCheckDigit, outcomeOf, providerError } from './outcomes.ts';
import type { PaymentService } from './payment-service.ts';
import { failAttempt, isHeld, notPending, startProcessing, succeed } from './transitions.ts';

/** Billing details are validated after the rest (contract 4.5), so this schema accepts anything. */
const ConfirmBody = z.strictObject({ ...ConfirmRequest.shape, billing_details: z.optional(z.unknown()) });
type ConfirmBody = z.infer<typeof ConfirmBody>;

/** The result of a confirm: an intent or an error, and the fault to apply to the response. */
export type Confirmed = {
  intent: IntentRecord;
  /** The number of this attempt; `null` if the payment network was not reached. */
  attempt: number | null;
  error: RefusedRequest | null;
  responseFault: ResponseFault;
  /** When the outcome of a running attempt is known and answered, in milliseconds; `null` if it is already known. */
  endsAt: number | null;
};

/**
 * Runs a payment attempt. Makes the checks in the order of contract 4.5, after authentication.
 *
 * This function must be synchronous. That serialises the confirms of an intent (contract 4.3), since no other code can
 * run between the status check and the charge. Delays come later, in `applyResponseFault`.
 */
export const confirm = (service: PaymentService, account: Account, body: unknown): Confirmed => {
  const request = parseConfirm(body);
  const intent = intentOfSecret(service, account, request.client_secret);
  const outcome = outcomeOf(request.card, service.clock.now());

  if (intent.status !== 'pending') throw notPending(intent.status);
  if (intent.confirmation_attempts >= service.attempts) throw notPending('attempts_used');
  assertMayTakePayments(account);

  if (outcome.kind === 'total_rises_once' && isFirstTime(service, intent, outcome))
    raiseTotal(service, intent, outcome.by);
  assertTotalShown(intent, request);
  assertComplete(intent);
  const billing = parseBilling(request.billing_details);

  switch (outcome.kind) {
    case 'refuses_postal_code':
      throw new RefusedRequest(
        'invalid_billing_details',
        '"billing_details.address.postal_code" must fit the country; this test number has it refused.',
        { param: 'billing_details.address.postal_code' },
      );
    case 'rate_limited_once':
      if (isFirstTime(service, intent, outcome)) {
        throw new RefusedRequest(
          'rate_limited',
          `Too many payment attempts. Wait ${outcome.seconds} seconds, then let the buyer try again.`,
          { retryAfter: outcome.seconds },
        );
      }
      break;
    case 'internal_error':
      throw new RefusedRequest(
        'internal_error',
        'The service failed; this test number asks for it. Nothing was charged.',
      );
  }

  // From here on the request reaches the payment network, so the attempt counts (contract 4.2).
  service.ledger.change(intent, {
    confirmation_attempts: intent.confirmation_attempts + 1,
    billing_details: billing,
  });
  const endsAt = service.attemptSeconds === 0 ? null : service.clock.now() + service.attemptSeconds * 1000;
  if (endsAt === null) attempt(service, intent, outcome);
  else startAttempt(service, intent, outcome, endsAt);
  return { intent, attempt: intent.confirmation_attempts, endsAt, ...answerOf(outcome) };
};

const parseConfirm = (body: unknown): ConfirmBody => {
  const request = parseBody(ConfirmBody, body);
  // An unknown field is the integration's error, not the buyer's, even within the billing details.
  const billing = z.safeParse(BillingDetailsInput, request.billing_details);
  const unknown = billing.error?.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown !== undefined) throw refusal(unknown, ['billing_details'], () => 'validation_error');
  if (!hasCheckDigit(request.card.number)) {
    throw new RefusedRequest(
      'validation_error',
      '"card.number" must be a card number; its check digit does not fit. Check it before sending.',
      { param: 'card.number' },
    );
  }
  return request;
};

/** Returns true the first time that this outcome applies to the intent. */
const isFirstTime = ({ ledger }: PaymentService, intent: IntentRecord, { kind }: ChargeOutcome): boolean => {
  if (intent.playedOnce.includes(kind)) return false;
  ledger.change(intent, { playedOnce: [...intent.playedOnce, kind] });
  return true;
};

/** Raises the total but not the fees, so that it rises by exactly `by` for both fee bearers. */
const raiseTotal = ({ ledger }: PaymentService, intent: IntentRecord, by: number): void => {
  if (intent.amount_total + by > LIMITS.largestAmount) return;
  ledger.change(intent, { amount: intent.amount + by, amount_total: intent.amount_total + by });
};

/** Throws if the button did not show what will be charged (contract S16.3, payment_intent_updated; contract 3.2). */
const assertTotalShown = (intent: IntentRecord, shown: ConfirmBody): void => {
  if (shown.amount_total === intent.amount_total && shown.currency === intent.currency) return;
  throw new RefusedRequest(
    'payment_intent_updated',
    `The payment changed since the card form loaded: the form showed ${shown.amount_total} ${shown.currency}, the total is ${intent.amount_total} ${intent.currency}. Nothing was charged. Retrieve the payment, show the new total, let the buyer confirm again.`,
  );
};

/** Throws if a detail that is required before payment is missing (contract S7.2). */
const assertComplete = (intent: IntentRecord): void => {
  const missing = missingDetails(intent);
  if (missing.length === 0) return;
  throw new RefusedRequest(
    'payment_details_missing',
    `The payment intent needs ${missing.join(', ')} before the buyer can pay. Send them from the merchant's server by an update.`,
  );
};

/** Parses the buyer's billing details. All their errors have one code, and `param` names the field. */
const parseBilling = (sent: unknown): BillingDetailsInput => {
  const result = z.safeParse(BillingDetailsInput, sent, { reportInput: true });
  if (!result.success) {
    const [issue] = result.error.issues;
    if (issue === undefined) throw invalidBilling('billing_details', 'complete');
    throw refusal(issue, ['billing_details'], () => 'invalid_billing_details');
  }
  const billing = result.data;
  if (!/^[^\s@]+@[^\s@]+$/.test(billing.email))
    throw invalidBilling('billing_details.email', 'an e-mail address');
  if (billing.name.trim() === '') throw invalidBilling('billing_details.name', 'a name');
  if (billing.address.line1.trim() === '')
    throw invalidBilling('billing_details.address.line1', 'an address line');
  if (!isCountry(billing.address.country)) {
    throw invalidBilling('billing_details.address.country', 'the ISO 3166-1 alpha-2 code of a country');
  }
  return billing;
};

const invalidBilling = (param: string, expected: string): RefusedRequest =>
  new RefusedRequest('invalid_billing_details', `"${param}" must be ${expected}; got something else.`, {
    param,
  });

/** Outcomes of a confirm that reached the payment network. */
type Attempted = Exclude<ChargeOutcome, { kind: 'refuses_postal_code' | 'internal_error' }>;

/** The confirm's answer, which is the same for an attempt that has ended and for one that is still running. */
const answerOf = (outcome: Attempted): Pick<Confirmed, 'error' | 'responseFault'> => {
  switch (outcome.kind) {
    case 'fails':
      return { error: outcome.error, responseFault: outcome.response ?? {} };
    case 'succeeds':
      if (outcome.response === 'provider_error') return { error: providerError(), responseFault: {} };
      return { error: null, responseFault: outcome.response ?? {} };
    default:
      return { error: null, responseFault: {} };
  }
};

/** Starts an attempt whose outcome is known later (contract 4.6). Until then no other confirm is accepted. */
const startAttempt = (
  service: PaymentService,
  intent: IntentRecord,
  outcome: Attempted,
  endsAt: number,
): void => {
  const running = { endsAt: endsAt / 1000, shownAs: service.runningAttempts };
  startProcessing(service, intent, settlementOf(outcome, endsAt), running);
  scheduleSettlement(service, intent);
};

/** The settlement of an attempt that runs until `endsAt` (milliseconds). */
const settlementOf = (outcome: Attempted, endsAt: number): IntentRecord['settlement'] => {
  const at = endsAt / 1000;
  switch (outcome.kind) {
    case 'fails':
      return { at, error: errorRecord(outcome.error) };
    case 'processes':
      return {
        at: at + outcome.seconds,
        error: outcome.ends === 'declined' ? errorRecord(declined()) : null,
      };
    case 'processes_for_ever':
      return null;
    default:
      return { at, error: null };
  }
};

/** Charges the card: applies the outcome of its test number to the intent. */
const attempt = (service: PaymentService, intent: IntentRecord, outcome: Attempted): void => {
  switch (outcome.kind) {
    case 'fails': {
      const hold = service.holdFailedAttempts && isHeld(outcome.error);
      failAttempt(service, intent, errorRecord(outcome.error), hold);
      return;
    }
    case 'processes':
      startProcessing(service, intent, settlementOf(outcome, service.clock.now()));
      scheduleSettlement(service, intent);
      return;
    case 'processes_for_ever':
      startProcessing(service, intent, null);
      return;
    case 'succeeds':
    case 'rate_limited_once':
    case 'total_rises_once':
      succeed(service, intent, unixNow(service));
      return;
    default:
      outcome satisfies never;
  }
};
