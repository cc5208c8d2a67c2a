import { RefusedRequest } from '../core/errors.ts';
import type { Account } from './records.ts';
import type { Store } from './store.ts';

/**
 * Creates one object per key (contract S9.1 to S9.5) and returns its id. A repeated request gets the id of the first.
 *
 * `make` must be synchronous. Nothing can then run between the lookup of the key and its storage, so two simultaneous
 * requests cannot both create. If `make` throws, nothing is stored, and the key can be used again.
 */
export const makeOnce = (
  store: Store,
  request: { account: Account; key: string | null; route: string; body: unknown },
  make: () => string,
): string => {
  const { account, key, route, body } = request;
  if (key === null) return make();

  const recordKey = `${account.id} ${key}`;
  const fingerprint = canonical(body);
  const first = store.idempotency.get(recordKey);
  if (first === undefined) {
    const id = make();
    store.idempotency.set(recordKey, { route, fingerprint, id });
    return id;
  }
  if (first.route !== route || first.fingerprint !== fingerprint) {
    throw new RefusedRequest(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another body or on another route. Repeat the first request unchanged, or use a new key.',
      { param: 'Idempotency-Key' },
    );
  }
  return first.id;
};

/**
 * Returns the same text for equal JSON values, whatever the order of fields. The body is validated, so recursion is
 * safe.
 */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
