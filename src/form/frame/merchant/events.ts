/**
 * Messages to the merchant's page about the payment, in the terms of the public interface. The state machine decides
 * when they are sent (payment/told.ts), together with the buyer's screen, so the two can never disagree.
 */
import type { NoAnswer, Refusal } from '../../../api/errors.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { CardFormError, ClientPaymentIntent, Result } from '../../channel/result.ts';
import type { Intent, PaymentState, UnpaidEnd } from '../../payment/payment-state.ts';
import type { Charged, PageEvent, ToldNotice } from '../../payment/told.ts';
import type { PressRefusal } from '../press/press.ts';
import { SMALLEST_SIZE } from '../press/smallest-frame.ts';
import { view } from '../view/view.ts';

type Recovery = CardFormError['recovery'];

/** The messages for the page that result from an event of the state machine, in the state after it. */
export const messagesOf = (event: PageEvent, state: PaymentState): readonly FrameMessage[] => {
  switch (event.tell) {
    case 'ready':
      return [ready(state)];
    case 'processing':
      return [{ type: 'processing', pressed: event.pressed }];
    case 'notice':
      return [noticed(event.notice, event.charged)];
    case 'total_changed': {
      const { previous, current } = event;
      return [
        {
          type: 'amountchange',
          previous: previous.amount,
          current: current.amount,
          currency: current.currency,
        },
      ];
    }
    case 'problem':
      return problemIn(state, event.charged);
    case 'result': {
      const result = resultIn(state, event);
      return result ? [{ type: 'result', result }] : [];
    }
  }
};

const problemIn = (state: PaymentState, charged: Charged): readonly FrameMessage[] => {
  switch (state.status) {
    case 'load_failed': {
      const { failure } = state;
      if (failure.kind === 'refused') return [failed(refusal(failure, charged, 'retry'))];
      if (failure.kind === 'throttled') return throttled(failure, charged);
      return [failed(connection(failure.reason, NOT_READ[failure.reason], charged))];
    }
    case 'throttled':
      return throttled(state.error, charged);
    case 'blocked':
      return [failed(refusal(state.error, charged, 'fix_integration'))];
    case 'loading':
      return state.replaces ? [failed(overError(state.replaces))] : [];
    case 'succeeded':
      return state.shown
        ? [
            failed({
              type: 'api_error',
              code: 'amount_mismatch',
              message: `The button said ${state.shown.amount}, but ${state.intent.amount_total} was charged (minor units).`,
              charged,
              recovery: 'contact_merchant',
            }),
          ]
        : [];
    default:
      return [];
  }
};

export const resultIn = (
  state: PaymentState,
  { charged, mayArrive }: Pick<Extract<PageEvent, { tell: 'result' }>, 'charged' | 'mayArrive'>,
): Result | null => {
  switch (state.status) {
    case 'succeeded':
    case 'canceled':
      return { outcome: state.status, paymentIntent: forPage(state.intent) };
    case 'exhausted':
      return { outcome: 'failed', error: refusal(state.error, charged, 'new_payment') };
    case 'blocked':
      if (!mayArrive) return { outcome: 'failed', error: refusal(state.error, charged, 'fix_integration') };
      return unresolved(state.intent);
    case 'unknown':
      return unresolved(state.intent);
    default:
      return null;
  }
};

export const unresolved = (intent: Intent | null): Result => ({
  outcome: 'unknown',
  reason: 'unresolved',
  paymentIntent: intent && forPage(intent),
});

/** The `ready` message, with the total that the buyer sees in this state. */
const ready = (state: PaymentState): FrameMessage => {
  const shown = view(state, true);
  const intent = shown.screen === 'form' ? shown.intent : null;
  return intent
    ? { type: 'ready', amountTotal: intent.amount_total, currency: intent.currency }
    : { type: 'ready', amountTotal: null, currency: null };
};

/** The error for a page that broke a limit of the channel. */
export const brokenProtocol = (charged: Charged): CardFormError => ({
  type: 'invalid_request_error',
  code: 'protocol',
  message:
    'The page sent more than 20 messages in a second, or one over 16 KiB. The form no longer listens to the page.',
  charged,
  recovery: 'fix_integration',
});

const NOT_READ: Record<NoAnswer, string> = {
  network: 'The payment could not be read: no answer came.',
  timeout: 'The payment could not be read: no answer came in time.',
  malformed: 'The payment could not be read: the answer is malformed.',
  no_secret:
    'fetchClientSecret() returned no client secret: it failed, took too long, or returned something else.',
  blocked_fetch:
    'The payment could not be read: every request failed at once. A browser extension may block them.',
  internal_csp: 'The payment could not be read: the Content-Security-Policy of the frame forbids it.',
};

/** The intent as the page gets it: without fields that only the form needs (contract 3.5). */
export const forPage = ({
  attempts_left: _left,
  attempt_in_progress: _running,
  attemptsAreOver: _over,
  missing_details: _missing,
  ...intent
}: Intent): ClientPaymentIntent => intent;

const failed = (error: CardFormError): FrameMessage => ({ type: 'error', error });

/** The reason an intent can never be paid, for a page whose `fetchClientSecret` is called for another one. */
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

const noticed = (notice: ToldNotice, charged: Charged): FrameMessage => {
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
        message: 'beforePay() threw, returned neither true, false nor { message }, or took over 10 seconds.',
        charged,
        recovery: 'fix_integration',
      });
    default:
      return notice satisfies never;
  }
};

/** An error of the service, with its effect on a charge and the recommended recovery. */
const refusal = (error: Refusal, charged: Charged, recovery: Recovery): CardFormError => ({
  type: error.type,
  code: error.code,
  message: error.message,
  ...(error.param === null ? {} : { param: error.param }),
  ...(error.declineCode === null ? {} : { decline_code: error.declineCode }),
  charged,
  recovery,
});

/** `error` is null if the decline was only discovered by reading the intent. */
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
    message: `The form needs at least ${SMALLEST_SIZE} to take a payment.`,
    recovery: 'fix_integration',
  },
  obscured: {
    message: 'Something covered the total or the button. The buyer was asked to press again.',
    recovery: 'retry',
  },
};

/** The error for a refused press. Nothing was sent; `charged` reports what is known of earlier presses. */
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
