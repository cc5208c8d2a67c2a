/**
 * What the merchant's page hears. Derived from the same states the buyer's screen is derived from: the page
 * never learns anything that the screen does not also follow from.
 */
import type { NoAnswer, Refusal } from '../../api/errors.ts';
import type { CardFormError, FrameMessage, Result } from '../../channel/messages.ts';
import {
  type Intent,
  type Notice,
  type PaymentState,
  PHASE,
  type UnpaidEnd,
} from '../../payment/payment-state.ts';
import type { NotPressed } from '../press/press.ts';

type Charged = CardFormError['charged'];
type Recovery = CardFormError['recovery'];

/** Tells what each change of state amounts to, in order, and nothing twice. */
export const createNews = () => {
  /** Notices and totals that were told: a form that reads again keeps them, the page has heard them. */
  const told = new WeakSet<object>();
  const isNews = (subject: object): boolean => {
    const isNew = !told.has(subject);
    told.add(subject);
    return isNew;
  };
  /** A press got no answer: whatever was read since, it may still arrive and pay (research 2.4). */
  let mayArrive = false;

  return (before: PaymentState, after: PaymentState): readonly FrameMessage[] => {
    if (before.status === after.status) return [];
    if (after.status === 'resolving' && after.polling.reason.kind === 'no_answer') mayArrive = true;
    if (after.status === 'loading') mayArrive = false; // another payment
    switch (after.status) {
      case 'confirming':
        return [{ type: 'processing', pressed: true }];
      case 'loading':
        return after.replaces ? [failed(unpaidEndError(after.replaces))] : [];
      case 'processing':
        return before.status === 'loading' ? [{ type: 'processing', pressed: false }] : [];
      case 'ready': {
        const { notice, previousTotal } = after.feedback;
        const messages: FrameMessage[] = [];
        if (notice && !isTold(notice) && isNews(notice)) messages.push(noticed(notice));
        if (previousTotal && isNews(previousTotal)) {
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
        const charged = 'unknown'; // by an earlier page, or in another tab
        if (failure.kind === 'refused') return [failed(refusal(failure, charged, 'retry'))];
        if (failure.kind === 'throttled') return [failed(throttled(failure, charged))];
        return [failed(connection(failure.reason, UNREAD[failure.reason], charged))];
      }
      case 'throttled':
        return [failed(throttled(after.error, 'no'))];
      case 'blocked': {
        // What only a read was refused for says nothing of what another tab or an earlier page did.
        const isKnown = after.intent !== null && before.status !== 'reloading' && !mayArrive;
        const error = refusal(after.error, isKnown ? 'no' : 'unknown', 'fix_integration');
        if (after.recoverable) return [failed(error)];
        return [failed(error), settled(mayArrive ? unresolved(after.intent) : { outcome: 'failed', error })];
      }
      case 'exhausted':
        return [settled({ outcome: 'failed', error: unpaidEndError(after) })];
      case 'canceled':
        return [settled({ outcome: 'canceled', paymentIntent: after.intent })];
      case 'unknown':
        return [settled(unresolved(after.intent))];
      case 'succeeded': {
        const paid = settled({ outcome: 'succeeded', paymentIntent: after.intent });
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
 * What a page hears that broke a limit of the channel, or null as long as an attempt is under way: until it has
 * ended nothing else may be said of it.
 */
export const deafened = (state: PaymentState): FrameMessage | null => {
  const error = (charged: Charged) =>
    failed({
      type: 'invalid_request_error',
      code: 'protocol',
      message:
        'The page sent more than 20 messages in a second, or one larger than 16 KiB. The form goes on, and does not listen to the page any more.',
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

const UNREAD: Record<NoAnswer, string> = {
  network: 'The payment could not be read: no answer came.',
  timeout: 'The payment could not be read: no answer came in time.',
  malformed: 'The payment could not be read: the answer is not one of the service.',
  no_secret:
    'fetchClientSecret() gave no client secret: it failed, took too long, or returned something else.',
  blocked_fetch:
    'The payment could not be read: every request failed at once, as where an extension of the browser blocks it.',
  internal_csp:
    'The payment could not be read: the Content-Security-Policy of the frame forbids it. The service must send the headers of headers.json.',
};

const unresolved = (paymentIntent: Intent | null): Result => ({
  outcome: 'unknown',
  reason: 'unresolved',
  paymentIntent,
});

const failed = (error: CardFormError): FrameMessage => ({ type: 'error', error });
const settled = (result: Result): FrameMessage => ({ type: 'result', result });

/** Why an intent can never be paid, for a page that is asked for another. */
const unpaidEndError = (end: UnpaidEnd): CardFormError =>
  end.status === 'exhausted'
    ? refusal(end.error, 'no', 'new_payment')
    : {
        type: 'invalid_request_error',
        code: 'payment_intent_canceled',
        message: 'The payment intent was canceled. The form asks fetchClientSecret() for another.',
        charged: 'no',
        recovery: 'new_payment',
      };

type ToldBefore = Extract<Notice, { kind: 'started_over' | 'throttle_over' }>;

/** Whether the page heard of it when it began. */
const isTold = (notice: Notice): notice is ToldBefore =>
  notice.kind === 'started_over' || notice.kind === 'throttle_over';

const noticed = (notice: Exclude<Notice, ToldBefore>): FrameMessage => {
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

/** The service's own words with what the form makes of them. */
const refusal = (error: Refusal, charged: Charged, recovery: Recovery): CardFormError => ({
  type: error.type,
  code: error.code,
  message: error.message,
  ...(error.param === null ? {} : { param: error.param }),
  ...(error.declineCode === null ? {} : { decline_code: error.declineCode }),
  charged,
  recovery,
});

/** A decline that was only learned by reading has no error of the service's to show. */
const declined = (error: Refusal | null): CardFormError =>
  error
    ? refusal(error, 'no', error.type === 'card_error' ? 'use_other_card' : 'retry')
    : {
        type: 'card_error',
        code: 'payment_failed',
        message: 'The attempt failed; the answer that said why was lost.',
        charged: 'no',
        recovery: 'use_other_card',
      };

const throttled = (error: { retryAfter: number; stated: boolean }, charged: Charged): CardFormError => ({
  type: 'rate_limit_error',
  code: 'rate_limited',
  message: 'Too many requests or attempts. The form waits as long as the service asked.',
  retryAfter: error.retryAfter,
  charged,
  recovery: 'wait',
});

const NOT_PRESSED: Record<NotPressed, { message: string; recovery: Recovery }> = {
  not_ready: { message: 'There is nothing to submit now: wait until the form is ready.', recovery: 'wait' },
  incomplete: {
    message: 'Something is missing or wrong; the form shows the buyer what.',
    recovery: 'fix_input',
  },
  too_soon: {
    message:
      'The total had been in view for less than half a second since it last changed. The buyer was asked to press again.',
    recovery: 'retry',
  },
  moved: {
    message:
      'The button came to the pointer, not the pointer to the button. The buyer was asked to press again.',
    recovery: 'retry',
  },
  too_small: {
    message: 'The form needs at least 200 by 120 CSS pixels to be paid in.',
    recovery: 'fix_integration',
  },
  obscured: {
    message:
      'Something lay over the total or the button when it was pressed. The buyer was asked to press again.',
    recovery: 'retry',
  },
};

/** A press that did not count; nothing was sent. */
export const notPressed = (why: NotPressed): FrameMessage =>
  failed({ type: 'invalid_request_error', code: why, charged: 'no', ...NOT_PRESSED[why] });

/** Stripe's name for a service that could not be reached; the code says how. */
const connection = (code: string, message: string, charged: Charged): CardFormError => ({
  type: 'api_connection_error',
  code,
  message,
  charged,
  recovery: code === 'internal_csp' ? 'fix_integration' : 'retry',
});
