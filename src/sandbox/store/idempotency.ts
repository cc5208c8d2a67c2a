import { ServiceError } from '../core/errors.ts';
import type { Account } from './records.ts';
import type { Store } from './store.ts';

/**
 * Makes an object once per key (contract S9.1 to S9.5) and returns its id, the first one again
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
