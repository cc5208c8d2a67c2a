/** The service's signing keys, kept between webhooks: an unknown `kid` means that the list must be loaded again, once. */
import type { Clock } from '../api/clock.ts';
import type { WebhookSigningKey } from './api-types.ts';
import { WebhookError } from './verify-webhook.ts';

/**
 * The most loads within a minute: anybody can send a webhook with a key that does not exist, and not each of them may
 * cost a request to the service. A genuine webhook that is refused for it is sent again after 30 seconds.
 */
const MOST_LOADS = 10;
const MINUTE = 60_000;

/** Keeps the keys that `load` returned last. `verified` runs a verification, and once more with a new list if needed. */
export const createSigningKeys = <Options>(
  load: (options: Options) => Promise<readonly WebhookSigningKey[]>,
  clock: Clock,
) => {
  let keys: readonly WebhookSigningKey[] = [];
  let loads: readonly number[] = [];

  return {
    verified: async <Value>(
      verify: (keys: readonly WebhookSigningKey[]) => Promise<Value>,
      options: Options,
    ): Promise<Value> => {
      try {
        return await verify(keys);
      } catch (error) {
        const isUnknown = error instanceof WebhookError && error.code === 'unknown_kid';
        loads = loads.filter((at) => clock.now() - at < MINUTE);
        if (!isUnknown || loads.length >= MOST_LOADS) throw error;
      }
      loads = [...loads, clock.now()];
      keys = await load(options);
      return verify(keys);
    },
  };
};
