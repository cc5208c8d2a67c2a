import type { Clock } from '../core/clock.ts';
import type { Scheduler } from '../core/scheduler.ts';
import type { AttemptReason, DeliveryAttempt, EventRecord, WebhookDelivery } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { endpointsFor } from './endpoints.ts';
import { envelopeOf } from './events.ts';
import type { Outgoing } from './outgoing.ts';
import { planFirstAttempt, type Sending } from './plan.ts';
import { signatureHeader } from './signature.ts';

/** Milliseconds until the next attempt, after the first, second, … failed one (contract S14). */
export const RETRY_WAITS: readonly number[] = [30, 120, 600, 3600, 14_400, 43_200, 86_400].map(
  (s) => s * 1000,
);

/** Milliseconds in which the endpoint must have answered (contract S13.3). */
export const ANSWER_WITHIN = 10_000;

/** Attempts that a history holds; one that is repeated by hand for ever forgets its oldest. */
const ATTEMPTS_KEPT = 100;

/** The part of the service that sends webhooks. */
export type Deliveries = {
  /** Sends a new event to everybody who is to hear of it. */
  dispatch(event: EventRecord): void;
  /** Sends it now, whatever its status, and resolves when the attempt is over. */
  sendNow(delivery: WebhookDelivery): Promise<void>;
  /** Lets the deliveries go that a plan held back, one after the other in this order. */
  release(ids: readonly string[]): void;
  /** Ends what is still to come for an endpoint that was deleted. */
  cancelFor(endpoint: string): void;
  /** Sets the alarms of everything pending, after a store was loaded. */
  resume(): void;
};

/** Deliveries over a store. All that they remember stands in it. */
export const createDeliveries = ({
  store,
  clock,
  signedAt,
  scheduler,
  outgoing,
  closing,
}: {
  store: Store;
  clock: Clock;
  /**
   * Milliseconds, on a clock that no control route moves: the merchant compares the time in the signature with the
   * clock on the wall, and would take a webhook of a moved one for a copy.
   */
  signedAt: () => number;
  scheduler: Scheduler;
  outgoing: Outgoing;
  closing: AbortSignal;
}): Deliveries => {
  const attempt = async (delivery: WebhookDelivery, reason: AttemptReason): Promise<void> => {
    // Taken in the hand, since it is changed below (`table.ts`).
    if (store.webhookDeliveries.get(delivery.id) !== delivery) return;
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
    const ended = await post({ url: endpoint.url, headers, body });
    // What a closed sandbox had under way is not known to have arrived: it is sent again after a restart.
    if (closing.aborted) return;
    note(delivery, { reason, at, duration_ms: clock.now() - at, ...ended });
  };

  const post = async (
    request: Parameters<Outgoing>[0],
  ): Promise<Pick<DeliveryAttempt, 'http_status' | 'error'>> => {
    const over = new AbortController();
    // By hand and not by AbortSignal.any, which keeps something of every signal that ever followed a lasting one.
    const end = () => over.abort();
    closing.addEventListener('abort', end);
    if (closing.aborted) end();
    const timeout = clock.wait(ANSWER_WITHIN, over.signal).then(() => 'late' as const);
    // A test's own function may throw at once.
    const answer = Promise.resolve().then(() => outgoing(request, over.signal));
    try {
      const first = await Promise.race([answer, timeout]);
      if (first === 'late') {
        return { http_status: null, error: `no complete answer within ${ANSWER_WITHIN / 1000} seconds` };
      }
      return { http_status: first.status, error: problemOfStatus(first.status) };
    } catch (error) {
      return { http_status: null, error: problemOfConnection(error) };
    } finally {
      closing.removeEventListener('abort', end);
      over.abort();
      answer.catch(() => undefined);
    }
  };

  const note = (delivery: WebhookDelivery, made: DeliveryAttempt): void => {
    delivery.attempts = [...delivery.attempts, made].slice(-ATTEMPTS_KEPT);
    if (delivery.status === 'canceled') return;
    if (made.error === null) {
      delivery.status = 'succeeded';
      delivery.next_attempt_at = null;
      return;
    }
    if (made.reason !== 'schedule' || delivery.status !== 'pending') return;
    delivery.failures += 1;
    const wait = RETRY_WAITS[delivery.failures - 1];
    // After the eighth there is no wait in the table (contract S14.8).
    if (wait === undefined) delivery.status = 'failed';
    schedule(delivery, wait === undefined ? null : clock.now() + wait);
  };

  const schedule = (delivery: WebhookDelivery, at: number | null, copies = 1): void => {
    delivery.next_attempt_at = at;
    if (at === null) return;
    scheduler.at(at, () => scheduled(delivery, copies));
  };

  const scheduled = async (delivery: WebhookDelivery, copies: number): Promise<void> => {
    // Since the alarm was set it may have succeeded by hand, or its endpoint may be gone.
    if (delivery.status !== 'pending') return;
    await attempt(delivery, 'schedule');
    for (let copy = 1; copy < copies && !closing.aborted; copy += 1) await attempt(delivery, 'copy');
  };

  const start = (delivery: WebhookDelivery, { heldBack, after, copies, released }: Sending): void => {
    schedule(delivery, heldBack ? null : clock.now() + after, copies);
    if (released.length > 0) release(released);
  };

  const release = (ids: readonly string[]): void => {
    const released = ids
      .flatMap((id) => store.webhookDeliveries.get(id) ?? [])
      .filter(({ status }) => status === 'pending');
    const now = clock.now();
    // Should the sandbox end in the middle, the rest are due at its next start.
    for (const delivery of released) delivery.next_attempt_at = now;
    scheduler.at(now, async () => {
      for (const delivery of released) await scheduled(delivery, 1);
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
        event.deliveries.push(delivery.id);
        start(delivery, planFirstAttempt(store.webhookPlan, delivery.id));
      }
    },
    sendNow: (delivery) => attempt(delivery, 'manual'),
    release,
    cancelFor: (endpoint) => {
      for (const delivery of store.webhookDeliveries.values()) {
        if (delivery.endpoint !== endpoint || delivery.status !== 'pending') continue;
        delivery.status = 'canceled';
        delivery.next_attempt_at = null;
      }
    },
    resume: () => {
      for (const delivery of store.webhookDeliveries.values()) {
        if (delivery.status === 'pending') schedule(delivery, delivery.next_attempt_at);
      }
    },
  };
};

const problemOfStatus = (status: number): string | null => {
  if (status >= 200 && status <= 299) return null;
  const redirect = status >= 300 && status <= 399 ? '; redirects are not followed' : '';
  return `the endpoint answered ${status}; expected 2xx${redirect}`;
};

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ECONNRESET: 'the connection was cut before the answer',
  EPIPE: 'the connection was cut before the answer',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the host did not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not signed by an authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

/** By its code alone: its text may repeat the URL, which the merchant may have put a secret in. */
const problemOfConnection = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return 'the connection failed';
  return PROBLEMS[code] ?? `the connection failed (${code})`;
};
