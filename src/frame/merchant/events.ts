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
  seenBefore,
  type UnpaidEnd,
} from '../../payment/payment-state.ts';
import type { PressRefusal } from '../press/press.ts';
import { SMALLEST_SIZE } from '../press/smallest-frame.ts';
import { view } from '../view/view.ts';
import { type Charged, type ChargeKnowledge, createChargeKnowledge } from './charged.ts';

type Recovery = CardFormError['recovery'];

/** Turns a change of state into the events for the page, in order. */
type MerchantEvents = (before: PaymentState, after: PaymentState) => readonly FrameMessage[];

/** Returns a function that turns each change of state into the events for the page, none of them twice. */
export const createMerchantEvents = (
  knowledge: ChargeKnowledge = createChargeKnowledge(),
): MerchantEvents => {
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
    return notice?.kind === 'declined' && isNew(notice) ? [noticed(notice, 'no')] : [];
  };
  let isReady = false;

  const messagesOf = (before: PaymentState, after: PaymentState): readonly FrameMessage[] => {
    knowledge.note(before);
    knowledge.note(after);
    if (before.status === after.status && after.status !== 'loading') return [];
    const charged = knowledge.charged();
    switch (after.status) {
      case 'confirming':
        return [{ type: 'processing', pressed: true }];
      case 'loading':
        if (!after.replaces || !isNew(after.replaces)) return []; // said before the first try to read the other intent
        return [...lastDecline(before), failed(overError(after.replaces))];
      case 'processing':
        return before.status === 'loading' ? [{ type: 'processing', pressed: false }] : [];
      case 'ready': {
        const { notice, previousTotal } = after.feedback;
        const messages: FrameMessage[] = [];
        if (notice && !isKnownToPage(notice) && isNew(notice)) messages.push(noticed(notice, charged));
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
        if (failure.kind === 'refused') return [failed(refusal(failure, charged, 'retry'))];
        if (failure.kind === 'throttled') return throttled(failure, charged);
        return [failed(connection(failure.reason, NOT_READ[failure.reason], charged))];
      }
      case 'throttled':
        return throttled(after.error, charged);
      case 'blocked': {
        const error = refusal(after.error, charged, 'fix_integration');
        if (after.recoverable) return [failed(error)];
        const isOpen = knowledge.mayArrive();
        return [failed(error), settled(isOpen ? unresolved(after.intent) : { outcome: 'failed', error })];
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

  return (before, after) => {
    const messages = messagesOf(before, after);
    if (isReady || hasEndedFirstRead(before) || !hasEndedFirstRead(after)) return messages;
    isReady = true;
    return [ready(after), ...messages];
  };
};

/**
 * Also true for a read that failed and is sent again after a pause: a page may hide the form until `ready`. The total of
 * an intent that the buyer has not seen is not told.
 */
const hasEndedFirstRead = (state: PaymentState): boolean =>
  state.status === 'loading'
    ? state.activity === 'pausing' || state.failures > 0 || seenBefore(state) !== null
    : state.status !== 'booting' && state.status !== 'destroyed';

/** With the total that the buyer sees in this state. */
const ready = (state: PaymentState): FrameMessage => {
  const shown = view(state, true);
  const intent = shown.screen === 'form' ? shown.intent : null;
  return { type: 'ready', amountTotal: intent?.amount_total ?? null, currency: intent?.currency ?? null };
};

/**
 * The error for a page that broke a limit of the channel. Null while a payment attempt is under way: an error would
 * read as its end.
 */
export const afterProtocolViolation = ({ status }: PaymentState, charged: Charged): FrameMessage | null => {
  const isUnderWay = ['confirming', 'unresolved', 'settling', 'rereading', 'destroyed'].includes(
    PHASE[status],
  );
  if (isUnderWay) return null;
  return failed({
    type: 'invalid_request_error',
    code: 'protocol',
    message:
      'The page sent more than 20 messages in a second, or one over 16 KiB. The form no longer listens to the page.',
    charged,
    recovery: 'fix_integration',
  });
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
const forPage = ({
  attempts_left: _left,
  attempt_in_progress: _running,
  attemptsAreOver: _over,
  missing_details: _missing,
  ...intent
}: Intent): ClientPaymentIntent => intent;

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

type Known = Extract<Notice, { kind: 'started_over' | 'throttle_over' | 'page_refused' }>;

/**
 * Whether the page knows of it: it heard of it when it began, as `ratelimited` or as the error that ended the intent
 * before, or it was the page that refused the press.
 */
const isKnownToPage = (notice: Notice): notice is Known =>
  notice.kind === 'started_over' || notice.kind === 'throttle_over' || notice.kind === 'page_refused';

const noticed = (notice: Exclude<Notice, Known>, charged: Charged): FrameMessage => {
  switch (notice.kind) {
    case 'declined':
      return { type: 'decline', error: declined(notice.error, charged) };
    case 'check_again':
      return failed(refusal(notice.error, charged, 'review_amount'));
    case 'details_refused':
      return failed(refusal(notice.error, charged, 'fix_input'));
    case 'not_charged':
      return failed(connection('network', 'The service has no record of this attempt.', charged));
    case 'not_sent':
      return failed({
        type: 'invalid_request_error',
        code: 'payment_in_progress',
        message: 'Another tab was confirming this payment intent. Nothing was sent from this one.',
        charged,
        recovery: 'retry',
      });
    case 'page_failed':
      return failed({
        type: 'invalid_request_error',
        code: 'before_pay_failed',
        message:
          'beforePay() threw, returned something else than true, false or { message }, or took over 10 seconds.',
        charged,
        recovery: 'fix_integration',
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
const declined = (error: Refusal | null, charged: Charged): CardFormError =>
  error
    ? refusal(error, charged, error.type === 'card_error' ? 'use_other_card' : 'retry')
    : {
        type: 'card_error',
        code: 'payment_failed',
        message: 'The attempt failed; the answer with the reason was lost.',
        charged,
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

/** The error for a press that was refused. Nothing was sent; `charged` is what is known of earlier presses. */
export const pressRefused = (why: PressRefusal, charged: Charged): FrameMessage =>
  failed({ type: 'invalid_request_error', code: why, charged, ...PRESS_REFUSED[why] });

/** `api_connection_error` is Stripe's name for a service that could not be reached; the code says why. */
const connection = (code: string, message: string, charged: Charged): CardFormError => ({
  type: 'api_connection_error',
  code,
  message,
  charged,
  recovery: code === 'internal_csp' ? 'fix_integration' : 'retry',
});
