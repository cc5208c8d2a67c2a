/**
 * The payment service of the model: the effects of a confirm, a release and a read on an intent (contract 3 and 4). It
 * is small and has no time, so that every outcome can be tried: the explorer chooses the bank's decision and the end of
 * an attempt. `service.test.ts` compares it with the sandbox.
 */
import { type ErrorCode, errorType, HTTP_STATUS } from '../../api/errors.ts';

export type ModelIntent = {
  status: 'pending' | 'processing' | 'succeeded' | 'canceled';
  /** In minor units. */
  amount: number;
  attempts: number;
  /** The press whose attempt is running; null if none is. */
  running: number | null;
  /** True if the latest attempt failed and has not been released. */
  hasFailed: boolean;
};

/** How reads report a running attempt: by the status, by `attempt_in_progress`, or not at all (contract 4.6). */
export type RunningTold = 'status' | 'word' | 'nothing';

/** A read of an intent. `isRunning` is `attempt_in_progress`, or null if the service doesn't send it. */
export type Reading = {
  id: string;
  status: string;
  amount: number;
  attempts: number;
  left: number;
  isRunning: boolean | null;
  hasFailed: boolean;
};

/** An answer on its way to a tab. */
export type Reply =
  | { kind: 'intent'; reading: Reading }
  | { kind: 'refused'; code: ErrorCode }
  /** A proxy's error page. */
  | { kind: 'page'; status: number }
  /** A 200 whose body can't be read. */
  | { kind: 'garbled' };

export const newIntent = (amount: number): ModelIntent => ({
  status: 'pending',
  amount,
  attempts: 0,
  running: null,
  hasFailed: false,
});

export const idOf = (intent: number): string => `lg_pi_${intent}`;
export const secretOf = (intent: number): string => `lg_cs_${intent}`;
export const intentOf = (secret: string): number => Number(secret.slice('lg_cs_'.length));

/** The intent as a browser reads it; `limit` is the number of attempts allowed. */
export const readingOf = (intent: ModelIntent, index: number, limit: number, told: RunningTold): Reading => {
  const runs = intent.running !== null;
  return {
    id: idOf(index),
    status: runs && told !== 'status' ? 'pending' : intent.status,
    amount: intent.amount,
    attempts: intent.attempts,
    left: Math.max(limit - intent.attempts, 0),
    isRunning: told === 'nothing' ? null : runs,
    hasFailed: intent.hasFailed,
  };
};

/** Why a confirm is refused before the bank is asked, in the order of contract 4.5; null if it isn't. */
export const refusalOf = (intent: ModelIntent, shown: number, limit: number): ErrorCode | null => {
  if (intent.status !== 'pending' || intent.attempts >= limit) return 'payment_intent_not_pending';
  return shown === intent.amount ? null : 'payment_intent_updated';
};

/** Counts and starts an attempt for a press. */
export const beginAttempt = (intent: ModelIntent, press: number): ModelIntent => ({
  ...intent,
  attempts: intent.attempts + 1,
  status: 'processing',
  running: press,
  hasFailed: false,
});

/**
 * The bank decides the running attempt. With `holds`, a failed one stays `processing` until released (contract 4.4).
 */
export const endAttempt = (intent: ModelIntent, isCharged: boolean, holds: boolean): ModelIntent => ({
  ...intent,
  status: isCharged ? 'succeeded' : holds ? 'processing' : 'pending',
  running: null,
  hasFailed: !isCharged,
});

/** Ends a failed attempt; a running one continues (contract 3.3). */
export const releaseAttempt = (intent: ModelIntent): ModelIntent =>
  intent.hasFailed && intent.status === 'processing'
    ? { ...intent, hasFailed: false, status: 'pending' }
    : { ...intent, hasFailed: false };

export const cancelIntent = (intent: ModelIntent): ModelIntent => ({
  ...intent,
  status: 'canceled',
  running: null,
});

const errorBody = (code: ErrorCode) => ({ error: { type: errorType(code), code, message: 'Of the model.' } });

const DECLINED = { ...errorBody('payment_method_declined').error };

/** Status, headers and body of an answer. */
export const wireOf = (reply: Reply): { status: number; retryAfter: string | null; json: string | null } => {
  if (reply.kind === 'page') return { status: reply.status, retryAfter: null, json: null };
  if (reply.kind === 'garbled') return { status: 200, retryAfter: null, json: '{' };
  if (reply.kind === 'refused') {
    const isThrottled = reply.code === 'rate_limited';
    return {
      status: HTTP_STATUS[reply.code],
      retryAfter: isThrottled ? '5' : null,
      json: JSON.stringify(errorBody(reply.code)),
    };
  }
  const { id, status, amount, attempts, left, isRunning, hasFailed } = reply.reading;
  const intent = {
    id,
    object: 'payment_intent',
    status,
    currency: 'usd',
    amount,
    fee_buyer: 0,
    amount_total: amount,
    confirmation_attempts: attempts,
    attempts_left: left,
    ...(isRunning === null ? {} : { attempt_in_progress: isRunning }),
    last_payment_error: hasFailed ? DECLINED : null,
  };
  return { status: 200, retryAfter: null, json: JSON.stringify(intent) };
};
