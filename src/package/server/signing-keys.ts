/** The service's signing keys, kept between webhooks: an unknown `kid` means that the list must be loaded again, once. */
import type { Clock } from '../../clock/clock.ts';
import type { WebhookSigningKey } from './api-types.ts';
import { WebhookError } from './verify-webhook.ts';

/** How long a list is used, in ms. A key that the service has withdrawn is refused after that. */
const LIFETIME = 300_000;

/**
 * The least time between two loads, in ms. Anybody can send webhooks with keys that do not exist, and not each of them
 * may cost the service a request; they wait for the next list together, as does a genuine webhook with a new key. The
 * service waits ten seconds for an answer (service's description, Webhooks, "Endpoints").
 */
const PAUSE = 5000;

type List = { keys: readonly WebhookSigningKey[]; at: number };

/** Keeps the keys that `load` returned last. `verified` runs a verification, and once more with a new list if needed. */
export const createSigningKeys = (load: () => Promise<List['keys']>, clock: Clock) => {
  let last: List = { keys: [], at: Number.NEGATIVE_INFINITY };
  let started = Number.NEGATIVE_INFINITY;
  let loading: Promise<List['keys']> | null = null;

  const loadNext = async () => {
    await clock.wait(Math.max(0, started + PAUSE - clock.now()));
    started = clock.now();
    last = { at: started, keys: await load() };
    return last.keys;
  };

  /** One load for all that ask meanwhile. */
  const reload = () => {
    loading ??= loadNext().finally(() => {
      loading = null;
    });
    return loading;
  };

  return {
    /** Rejects with what `verify` or `load` rejects with, or with the reason of `signal` as soon as that aborts. */
    verified: async <Value>(
      verify: (keys: readonly WebhookSigningKey[]) => Promise<Value>,
      signal?: AbortSignal,
    ): Promise<Value> => {
      try {
        return await verify(clock.now() - last.at < LIFETIME ? last.keys : []);
      } catch (error) {
        if (!(error instanceof WebhookError && error.code === 'unknown_kid')) throw error;
      }
      return verify(await unlessAborted(reload(), signal));
    },
  };
};

/** The promise, or a rejection with the reason of the signal if that aborts first. */
const unlessAborted = async <Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> => {
  if (signal === undefined) return promise;
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { signal: settled.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    settled.abort();
  }
};
