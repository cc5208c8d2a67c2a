import { LIMITS } from '../../api/limits.ts';
import { ServiceError } from '../core/errors.ts';
import type { Account, Store } from './store.ts';

/** The `Idempotency-Key` of a request, if it has one (service-api.md, "Limits": 1 to 255 characters). */
export const idempotencyKey = (headers: Headers): string | null => {
  const key = headers.get('idempotency-key');
  return key === null ? null : keyOfAllowedLength(key, 'Idempotency-Key');
};

/** The same key, or its refusal; `param` is where it was given. */
export const keyOfAllowedLength = (key: string, param: string): string => {
  if (key.length >= 1 && key.length <= LIMITS.idempotencyKey) return key;
  throw new ServiceError(
    'validation_error',
    `The ${param} must be 1 to ${LIMITS.idempotencyKey} characters long; got ${key.length}.`,
    { param },
  );
};

/** Refuses a key on a route that takes none: whoever sends one counts on a protection that is not there. */
export const refuseIdempotencyKey = (headers: Headers): void => {
  if (!headers.has('idempotency-key')) return;
  throw new ServiceError(
    'validation_error',
    'This route accepts no Idempotency-Key. After a timeout retrieve the payment intent to learn whether it happened.',
    { param: 'Idempotency-Key' },
  );
};

/**
 * Makes an object once per key (service-api.md, "Idempotency" 1 to 5) and returns its id, the first one again
 * for the same request.
 *
 * `make` is not asynchronous, and that is what keeps two simultaneous requests apart: nothing can run between
 * looking up the key and storing it. If it throws, nothing is stored and the same key runs again.
 */
export const makeOnce = (
  store: Store,
  request: { account: Account; key: string | null; route: string; body: unknown },
  make: () => string,
): string => {
  const { account, key, route, body } = request;
  if (key === null) return make();

  const place = `${account.id} ${key}`;
  const fingerprint = canonical(body);
  const first = store.idempotency.get(place);
  if (first === undefined) {
    const id = make();
    store.idempotency.set(place, { route, fingerprint, id });
    return id;
  }
  if (first.route !== route || first.fingerprint !== fingerprint) {
    throw new ServiceError(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another body or on another route. Repeat the first request unchanged, or use a new key.',
      { param: 'Idempotency-Key' },
    );
  }
  return first.id;
};

/** The same text for the same JSON value, in whatever order its fields were sent. The body is already checked, so not deep. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
