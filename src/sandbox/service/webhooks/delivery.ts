import type { WallClock } from '../core/clock.ts';
import { nodeErrorCode } from '../core/node-error-code.ts';
import type { Scheduler } from '../core/scheduler.ts';
import type { AttemptReason, DeliveryAttempt, EventRecord, WebhookDelivery } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { endpointsFor } from './endpoints.ts';
import { envelopeOf } from './events.ts';
import type { Outgoing, OutgoingRequest } from './outgoing.ts';
import { type FirstAttempt, planFirstAttempt, takeTimeOut } from './plan.ts';
import { signatureHeader } from './signature.ts';

/** The waits in milliseconds after the first, second, … failed attempt (contract S14). */
export const RETRY_WAITS: readonly number[] = [30, 120, 600, 3600, 14_400, 43_200, 86_400].map(
  (s) => s * 1000,
);

/** The time in milliseconds within which the endpoint must respond (contract S13.3). */
export const RESPONSE_TIMEOUT = 10_000;

/** The number of characters kept of the answer to a failed attempt, for debugging. */
const RESPONSE_KEPT = 2000;

/** Maximum attempts in a delivery's history. Manual attempts are unlimited, so the oldest attempts are dropped. */
const MAX_ATTEMPTS_LISTED = 100;

/** The part of the service that sends webhooks. */
export type Deliveries = {
  /** Sends a new event to all endpoints that subscribe to it. */
  dispatch(event: EventRecord): void;
  /** Sends a delivery now, whatever its status. Resolves when the attempt is over. */
  sendNow(delivery: WebhookDelivery): Promise<void>;
  /** Sends deliveries that a plan held back, one after the other in this order. */
  release(ids: readonly string[]): void;
  /** Cancels the pending deliveries of a deleted endpoint. */
  cancelFor(endpoint: string): void;
  /** Schedules all pending deliveries after a store is loaded. */
  resume(): void;
};

/** Creates the webhook sender. All of its state is in the store. */
export const createDeliveries = ({
  store,
  clock,
  signedAt,
  scheduler,
  outgoing,
  closing,
}: {
  store: Store;
  clock: WallClock;
  /**
   * Returns the signature time in milliseconds, on a clock that control routes do not move. Merchants compare it with
   * their own clock, and would reject a webhook with a shifted time as a replay.
   */
  signedAt: () => number;
  scheduler: Scheduler;
  outgoing: Outgoing;
  closing: AbortSignal;
}): Deliveries => {
  const change = (delivery: WebhookDelivery, fields: Partial<WebhookDelivery>): void =>
    store.webhookDeliveries.change(delivery.id, fields);

  const attempt = async (delivery: WebhookDelivery, reason: AttemptReason): Promise<void> => {
    const event = store.events.get(delivery.event);
    const endpoint = store.webhookEndpoints.get(delivery.endpoint);
    if (event === undefined || endpoint === undefined) return;
    const at = clock.now();
    const body = JSON.stringify(envelopeOf(event));
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'Service-Event-Id': event.id,
      'Service-Event-Type': event.type,
      'Service-Signature': signatureHeader(store, endpoint.id, body, Math.floor(signedAt() / 1000)),
    };
    const lost = reason === 'schedule' ? takeTimeOut(store.webhookPlan) : null;
    const send = lost === null ? outgoing : withoutResponse(lost.arrives ? outgoing : null);
    const result = await post({ url: endpoint.url, headers, body }, send, { clock, closing });
    // The sandbox closed during the attempt, so its result is unknown. It is sent again after a restart.
    if (closing.aborted) return;
    recordAttempt(delivery, { reason, at, duration_ms: clock.now() - at, ...result });
  };

  const recordAttempt = (delivery: WebhookDelivery, made: DeliveryAttempt): void => {
    change(delivery, { attempts: [...delivery.attempts, made].slice(-MAX_ATTEMPTS_LISTED) });
    if (delivery.status === 'canceled') return;
    if (made.error === null) {
      change(delivery, { status: 'succeeded', next_attempt_at: null });
      return;
    }
    if (made.reason !== 'schedule' || delivery.status !== 'pending') return;
    const wait = RETRY_WAITS[delivery.failures];
    // No retry follows the eighth attempt (contract S14.8).
    change(delivery, {
      failures: delivery.failures + 1,
      status: wait === undefined ? 'failed' : 'pending',
    });
    schedule(delivery, wait === undefined ? null : clock.now() + wait);
  };

  const schedule = (delivery: WebhookDelivery, at: number | null, copies = 1): void => {
    change(delivery, { next_attempt_at: at });
    if (at === null) return;
    scheduler.at(at, () => runScheduled(delivery, copies));
  };

  const runScheduled = async (delivery: WebhookDelivery, copies: number): Promise<void> => {
    // A manual attempt may have succeeded in the meantime, or the endpoint may have been deleted.
    if (delivery.status !== 'pending') return;
    await attempt(delivery, 'schedule');
    for (let copy = 1; copy < copies && !closing.aborted; copy += 1) await attempt(delivery, 'copy');
  };

  const start = (delivery: WebhookDelivery, { heldBack, after, copies, released }: FirstAttempt): void => {
    schedule(delivery, heldBack ? null : clock.now() + after, copies);
    if (released.length > 0) release(released);
  };

  const release = (ids: readonly string[]): void => {
    const released = ids
      .flatMap((id) => store.webhookDeliveries.get(id) ?? [])
      .filter(({ status }) => status === 'pending');
    const now = clock.now();
    // If the sandbox stops midway, the rest is due at its next start.
    for (const delivery of released) change(delivery, { next_attempt_at: now });
    scheduler.at(now, async () => {
      for (const delivery of released) await runScheduled(delivery, 1);
    });
  };

  return {
    dispatch: (event) => {
      for (const endpoint of endpointsFor(store, event)) {
        const delivery: WebhookDelivery = {
          id: `${event.id}.${endpoint.id}`,
          event: event.id,
          endpoint: endpoint.id,
          status: 'pending',
          attempts: [],
          failures: 0,
          next_attempt_at: null,
        };
        store.webhookDeliveries.set(delivery.id, delivery);
        store.events.change(event.id, { deliveries: [...event.deliveries, delivery.id] });
        start(delivery, planFirstAttempt(store.webhookPlan, delivery.id));
      }
    },
    sendNow: (delivery) => attempt(delivery, 'manual'),
    release,
    cancelFor: (endpoint) => {
      for (const delivery of store.webhookDeliveries.values()) {
        if (delivery.endpoint === endpoint && delivery.status === 'pending')
          change(delivery, { status: 'canceled', next_attempt_at: null });
      }
    },
    resume: () => {
      for (const delivery of store.webhookDeliveries.values()) {
        if (delivery.status === 'pending') schedule(delivery, delivery.next_attempt_at);
      }
    },
  };
};

/** Posts once and returns the result. Takes no longer than the endpoint may take. */
const post = async (
  request: OutgoingRequest,
  send: Outgoing,
  { clock, closing }: { clock: WallClock; closing: AbortSignal },
): Promise<Pick<DeliveryAttempt, 'http_status' | 'error' | 'response'>> => {
  const over = new AbortController();
  // Not AbortSignal.any: it leaks a little memory for each signal that follows a long-lived one.
  const end = () => over.abort();
  closing.addEventListener('abort', end);
  if (closing.aborted) end();
  const timeout = clock.wait(RESPONSE_TIMEOUT, over.signal).then(() => 'late' as const);
  // In `then`, because an `outgoing` function of a test may throw synchronously.
  const response = Promise.resolve().then(() => send(request, over.signal));
  try {
    const first = await Promise.race([response, timeout]);
    if (first === 'late') {
      const error = `no complete response within ${RESPONSE_TIMEOUT / 1000} seconds`;
      return { http_status: null, error, response: '' };
    }
    const { status, body = '' } = first;
    const error = problemOfStatus(status);
    return { http_status: status, error, response: error === null ? '' : body.slice(0, RESPONSE_KEPT) };
  } catch (error) {
    return { http_status: null, error: problemOfConnection(error), response: '' };
  } finally {
    closing.removeEventListener('abort', end);
    over.abort();
    response.catch(() => undefined);
  }
};

/** Sends as `outgoing` does, or not at all if it is null, and never resolves: the response is lost. */
const withoutResponse =
  (outgoing: Outgoing | null): Outgoing =>
  (request, signal) =>
    new Promise(() => {
      Promise.resolve()
        .then(() => outgoing?.(request, signal))
        // The service doesn't find out whether it arrived.
        .catch(() => undefined);
    });

const problemOfStatus = (status: number): string | null => {
  if (status >= 200 && status <= 299) return null;
  const redirect = status >= 300 && status <= 399 ? '; redirects are not followed' : '';
  return `the endpoint answered ${status}; expected 2xx${redirect}`;
};

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ECONNRESET: 'the connection was cut before the response',
  EPIPE: 'the connection was cut before the response',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the host did not respond',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ADDRESS_NOT_PUBLIC: 'the host name leads to an address in a private network',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not signed by an authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

/** Describes an error by its code only: its message may contain the URL, which may contain a secret. */
const problemOfConnection = (error: unknown): string => {
  const code = nodeErrorCode(error);
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return 'the connection failed';
  return PROBLEMS[code] ?? `the connection failed (${code})`;
};
