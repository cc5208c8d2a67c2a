/**
 * What the merchant's page hears about the payment. Events come from the same states as the buyer's screen, so the two
 * can never disagree.
 */
import type { NoAnswer, Refusal } from '../../api/errors.ts';
import type { CardFormError, ClientPaymentIntent, FrameMessage, Result } from '../../channel/messages.ts';
import {
  type Intent,
  type Notice,
  type PaymentState,
  PHASE,
  type UnpaidEnd,
} from '../../payment/payment-state.ts';
import type { PressRefusal } from '../press/press.ts';
import { SMALLEST_SIZE } from '../press/smallest-frame.ts';

type Charged = CardFormError['charged'];
type Recovery = CardFormError['recovery'];

/** Returns a function that turns each change of state into the events for the page, in order, none of them twice. */
export const createMerchantEvents = () => {
  /** Notices and totals the page has heard of: they stay in the state while the form reads the intent again. */
  const reported = new WeakSet<object>();
  const isNew = (subject: object): boolean => {
    const isUnreported = !reported.has(subject);
    reported.add(subject);
    return isUnreported;
  };
  /** The decline of the last attempt, which no `ready` reports because none is left. */
  const lastDecline = (before: PaymentState): readonly FrameMessage[] => {
    const notice = before.status === 'reloading' ? before.feedback.notice : null;
    return notice?.kind === 'declined' && isNew(notice) ? [noticed(notice)] : [];
  };
  /** A confirm got no answer: whatever was read since, it may still reach the service and charge (outcomes 2.4). */
  let mayArrive = false;

  return (before: PaymentState, after: PaymentState): readonly FrameMessage[] => {
    if (before.status === after.status) return [];
    if (after.status === 'resolving' && after.polling.reason.kind === 'no_answer') mayArrive = true;
    if (after.status === 'loading') mayArrive = false; // another payment
    switch (after.status) {
      case 'confirming':
        return [{ type: 'processing', pressed: true }];
      case 'loading':
        return after.replaces ? [...lastDecline(before), failed(overError(after.replaces))] : [];
      case 'processing':
        return before.status === 'loading' ? [{ type: 'processing', pressed: false }] : [];
      case 'ready': {
        const { notice, previousTotal } = after.feedback;
        const messages: FrameMessage[] = [];
        if (notice && !isReportedAtStart(notice) && isNew(notice)) messages.push(noticed(notice));
        if (previousTotal && isNew(previousTotal)) {
          messages.push({
            type: 'amountchange',
            previous: previousTotal.amount,
            current: after.intent.amount_total,
            currency: after.intent.currency,
          });
        }
        return messages;
      }
      case 'load_failed': {
        const { failure } = after;
        const charged = 'unknown'; // another tab or an earlier page may have charged
        if (failure.kind === 'refused') return [failed(refusal(failure, charged, 'retry'))];
        if (failure.kind === 'throttled') return throttled(failure, charged);
        return [failed(connection(failure.reason, NOT_READ[failure.reason], charged))];
      }
      case 'throttled':
        return throttled(after.error, 'no');
      case 'blocked': {
        // A refused read does not say whether another tab or an earlier page has charged.
        const isKnown = after.intent !== null && before.status !== 'reloading' && !mayArrive;
        const error = refusal(after.error, isKnown ? 'no' : 'unknown', 'fix_integration');
        if (after.recoverable) return [failed(error)];
        return [failed(error), settled(mayArrive ? unresolved(after.intent) : { outcome: 'failed', error })];
      }
      case 'exhausted':
        return [...lastDecline(before), settled({ outcome: 'failed', error: overError(after) })];
      case 'canceled':
        return [settled({ outcome: 'canceled', paymentIntent: forPage(after.intent) })];
      case 'unknown':
        return [settled(unresolved(after.intent))];
      case 'succeeded': {
        const paid = settled({ outcome: 'succeeded', paymentIntent: forPage(after.intent) });
        if (!after.shown) return [paid];
        const message = `The button said ${after.shown.amount}, but ${after.intent.amount_total} was charged (minor units).`;
        return [
          failed({
            type: 'api_error',
            code: 'amount_mismatch',
            message,
            charged: 'yes',
            recovery: 'contact_merchant',
          }),
          paid,
        ];
      }
      default:
        return [];
    }
  };
};

/**
 * The error for a page that broke a limit of the channel. Null while a payment attempt is under way: an error would
 * read as its end.
 */
export const afterProtocolViolation = (state: PaymentState): FrameMessage | null => {
  const error = (charged: Charged) =>
    failed({
      type: 'invalid_request_error',
      code: 'protocol',
      message:
        'The page sent more than 20 messages in a second, or one over 16 KiB. The form no longer listens to the page.',
      charged,
      recovery: 'fix_integration',
    });
  const phase = PHASE[state.status];
  switch (phase) {
    case 'confirming':
    case 'unresolved':
    case 'settling':
    case 'rereading':
    case 'destroyed':
      return null;
    case 'opening':
      return error('unknown');
    case 'idle':
      return error(state.status !== 'unknown' && 'intent' in state && state.intent ? 'no' : 'unknown');
    case 'ended':
      return error(state.status === 'succeeded' ? 'yes' : 'no');
    default:
      return phase satisfies never;
  }
};

/**
 * Whether a confirm was sent whose outcome the page has not been told. `before`: whether that was so in the state
 * before. Reading the intent again changes nothing about it.
 */
export const isAwaitingOutcome = (before: boolean, { status }: PaymentState): boolean => {
  switch (PHASE[status]) {
    case 'confirming':
    case 'unresolved':
    case 'settling':
      return true;
    case 'rereading':
      return before;
    default:
      return false;
  }
};

const NOT_READ: Record<NoAnswer, string> = {
  network: 'The payment could not be read: no answer came.',
  timeout: 'The payment could not be read: no answer came in time.',
  malformed: 'The payment could not be read: the answer is malformed.',
  no_secret:
    'fetchClientSecret() gave no client secret: it failed, took too long, or returned something else.',
  blocked_fetch:
    'The payment could not be read: every request failed at once. A browser extension may block them.',
  internal_csp: 'The payment could not be read: the Content-Security-Policy of the frame forbids it.',
};

const unresolved = (paymentIntent: Intent | null): Result => ({
  outcome: 'unknown',
  reason: 'unresolved',
  paymentIntent: paymentIntent && forPage(paymentIntent),
});

/** The intent as the page gets it: without what only the form needs (contract 3.5). */
const forPage = ({ attempts_left: _, missing_details: __, ...intent }: Intent): ClientPaymentIntent => intent;

const failed = (error: CardFormError): FrameMessage => ({ type: 'error', error });
const settled = (result: Result): FrameMessage => ({ type: 'result', result });

/** Why an intent can never be paid, for a page whose `fetchClientSecret` is called for another. */
const overError = (over: UnpaidEnd): CardFormError =>
  over.status === 'exhausted'
    ? refusal(over.error, 'no', 'new_payment')
    : {
        type: 'invalid_request_error',
        code: 'payment_intent_canceled',
        message: 'The payment intent was canceled. The form asks fetchClientSecret() for another.',
        charged: 'no',
        recovery: 'new_payment',
      };

type ReportedAtStart = Extract<Notice, { kind: 'started_over' | 'throttle_over' }>;

/** Whether the page heard of it when it began: as `ratelimited`, or as the error that ended the intent before. */
const isReportedAtStart = (notice: Notice): notice is ReportedAtStart =>
  notice.kind === 'started_over' || notice.kind === 'throttle_over';

const noticed = (notice: Exclude<Notice, ReportedAtStart>): FrameMessage => {
  switch (notice.kind) {
    case 'declined':
      return { type: 'decline', error: declined(notice.error) };
    case 'check_again':
      return failed(refusal(notice.error, 'no', 'review_amount'));
    case 'details_refused':
      return failed(refusal(notice.error, 'no', 'fix_input'));
    case 'not_charged':
      return failed(connection('network', 'The service has no record of this attempt.', 'no'));
    case 'not_sent':
      return failed({
        type: 'invalid_request_error',
        code: 'payment_in_progress',
        message: 'Another tab was confirming this payment intent. Nothing was sent from this one.',
        charged: 'no',
        recovery: 'retry',
      });
    default:
      return notice satisfies never;
  }
};

/** An error of the service, with what is known of a charge and what to do about it. */
const refusal = (error: Refusal, charged: Charged, recovery: Recovery): CardFormError => ({
  type: error.type,
  code: error.code,
  message: error.message,
  ...(error.param === null ? {} : { param: error.param }),
  ...(error.declineCode === null ? {} : { decline_code: error.declineCode }),
  charged,
  recovery,
});

/** `error` is null if the decline was only learned by reading the intent. */
const declined = (error: Refusal | null): CardFormError =>
  error
    ? refusal(error, 'no', error.type === 'card_error' ? 'use_other_card' : 'retry')
    : {
        type: 'card_error',
        code: 'payment_failed',
        message: 'The attempt failed; the answer with the reason was lost.',
        charged: 'no',
        recovery: 'use_other_card',
      };

/** `retryAfter` in seconds. */
const throttled = ({ retryAfter }: { retryAfter: number }, charged: Charged): readonly FrameMessage[] => [
  { type: 'ratelimited', retryAfter },
  failed({
    type: 'rate_limit_error',
    code: 'rate_limited',
    message: 'Too many requests. The form waits as long as the service asked.',
    retryAfter,
    charged,
    recovery: 'wait',
  }),
];

const PRESS_REFUSED: Record<PressRefusal, { message: string; recovery: Recovery }> = {
  not_ready: { message: 'There is nothing to submit now: wait until the form is ready.', recovery: 'wait' },
  incomplete: {
    message: 'The form is incomplete or invalid, and shows the buyer where.',
    recovery: 'fix_input',
  },
  too_soon: {
    message:
      'The total was in view for less than half a second since it changed. The buyer was asked to press again.',
    recovery: 'retry',
  },
  moved: {
    message: 'The button moved under the pointer. The buyer was asked to press again.',
    recovery: 'retry',
  },
  too_small: {
    message: `The form needs at least ${SMALLEST_SIZE} to be paid in.`,
    recovery: 'fix_integration',
  },
  obscured: {
    message: 'Something covered the total or the button. The buyer was asked to press again.',
    recovery: 'retry',
  },
};

/** The error for a press that was refused; nothing was sent. */
export const pressRefused = (why: PressRefusal): FrameMessage =>
  failed({ type: 'invalid_request_error', code: why, charged: 'no', ...PRESS_REFUSED[why] });

/** `api_connection_error` is Stripe's name for a service that could not be reached; the code says why. */
const connection = (code: string, message: string, charged: Charged): CardFormError => ({
  type: 'api_connection_error',
  code,
  message,
  charged,
  recovery: code === 'internal_csp' ? 'fix_integration' : 'retry',
});
