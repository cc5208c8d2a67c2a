/** The page's error when a swap to another intent fails. */
import type { Failure } from '../../../api/errors.ts';
import type { CardFormError } from '../../channel/result.ts';

/** Reason a swap fails: a failed read, or a state of this form. */
export type SwapRefusal =
  | Failure
  | 'invalid_option'
  | 'payment_in_progress'
  | 'payment_over'
  | 'payment_intent_not_pending';

const OWN = {
  invalid_option: {
    code: 'invalid_option',
    message:
      'clientSecret: expected a client secret (lg_cs_…) of at most 200 characters. The form keeps its payment intent.',
    recovery: 'fix_integration',
  },
  payment_in_progress: {
    code: 'payment_in_progress',
    message:
      'A payment with the intent in the form is under way, or a press may still charge it. The form keeps it.',
    recovery: 'wait',
  },
  payment_over: {
    code: 'payment_over',
    message: 'The payment in the form is over. Call unmount(), then mount() for another one.',
    recovery: 'fix_integration',
  },
  payment_intent_not_pending: {
    code: 'payment_intent_not_pending',
    message: 'The new payment intent is canceled or has no attempt left. The form keeps its current one.',
    recovery: 'new_payment',
  },
} as const;

/** `charged`: whether the form's current intent was. */
export const swapError = (why: SwapRefusal, charged: CardFormError['charged']): CardFormError => {
  if (typeof why === 'string') return { type: 'invalid_request_error', charged, ...OWN[why] };
  switch (why.kind) {
    case 'refused':
      return { type: why.type, code: why.code, message: why.message, charged, recovery: 'fix_integration' };
    case 'throttled':
      return {
        type: 'rate_limit_error',
        code: 'rate_limited',
        message: 'Too many requests, so the form keeps its payment intent.',
        retryAfter: why.retryAfter,
        charged,
        recovery: 'wait',
      };
    case 'no_answer':
      return {
        type: 'api_connection_error',
        code: why.reason,
        message: 'A payment intent could not be read, so the form keeps its current one.',
        charged,
        recovery: 'retry',
      };
  }
};
