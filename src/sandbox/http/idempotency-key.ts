import { LIMITS } from '../../api/limits.ts';
import { ServiceError } from '../core/errors.ts';

/** The `Idempotency-Key` of a request, if it has one (contract S17.14: 1 to 255 characters). */
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
