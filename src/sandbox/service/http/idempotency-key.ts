import * as LIMITS from '../../../api/limits.ts';
import { RefusedRequest } from '../core/errors.ts';
import { charactersIn } from '../core/validate.ts';
import type { SandboxContext } from './context.ts';

/** Returns the `Idempotency-Key` of a request, if any (contract S17.14: 1 to 255 characters). */
export const idempotencyKeyOf = (c: SandboxContext): string | null => {
  const key = c.req.raw.headers.get('idempotency-key');
  if (key === null) return null;
  // Joined as "a1, a2", repeated keys would be a valid key that nobody chose.
  if (c.env.repeatedHeaders.includes('idempotency-key')) {
    throw new RefusedRequest(
      'validation_error',
      'The Idempotency-Key must be given once; got it more often.',
      {
        param: 'Idempotency-Key',
      },
    );
  }
  return keyOfAllowedLength(key, 'Idempotency-Key');
};

/** Returns the key, or throws if its length is not allowed. `param` is where it was given. */
export const keyOfAllowedLength = (key: string, param: string): string => {
  const length = charactersIn(key);
  if (length >= 1 && length <= LIMITS.idempotencyKey) return key;
  throw new RefusedRequest(
    'validation_error',
    `The ${param} must be 1 to ${LIMITS.idempotencyKey} characters long; got ${length}.`,
    { param },
  );
};

/** Refuses a key on a route that takes none: the sender relies on a protection that isn't there. */
export const refuseIdempotencyKey = (headers: Headers): void => {
  if (!headers.has('idempotency-key')) return;
  throw new RefusedRequest(
    'validation_error',
    'This route accepts no Idempotency-Key. After a timeout retrieve the payment intent to learn whether it happened.',
    { param: 'Idempotency-Key' },
  );
};
