/** Caches the service's signing keys between webhooks. An unknown `kid` reloads the list once. */
import type { Clock } from '../../api/clock/clock.ts';
import type { WebhookSigningKey } from './api-types.ts';
import { WebhookError } from './verify-webhook.ts';

/** How long a list is used, in ms. A key the service has withdrawn is refused afterwards. */
const LIFETIME = 300_000;

/**
 * Minimum time between two loads, in ms. Anyone can send webhooks with made-up keys, so not every such webhook may cost
 * the service a request. They all wait for the next list, as does a genuine webhook with a new key. The service waits
 * ten seconds for an answer (service's description, Webhooks, "Endpoints").
 */
const PAUSE = 5000;

type List = { keys: readonly WebhookSigningKey[]; at: number };

/**
 * Caches the keys that `load` last returned. `verified` runs a verification, and repeats it with a new list if needed.
 */
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

  /** Shares one load among concurrent callers. */
  const reload = () => {
    loading ??= loadNext().finally(() => {
      loading = null;
    });
    return loading;
  };

  return {
    /** Rejects with the error of `verify` or `load`, or with `signal`'s reason as soon as it aborts. */
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

/** Resolves with the promise, or rejects with the signal's reason if that aborts first. */
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
