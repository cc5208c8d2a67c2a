import { HTTP_STATUS } from '../../api/errors.ts';
import { errorRecord, type ServiceError } from './errors.ts';

const encoder = new TextEncoder();

/** Headers of every answer of the service: never stored, never guessed at, read by its own origin alone. */
const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * A JSON answer with its length (contract 3.8): a body without one that breaks off would look whole.
 * No CORS headers, so no other site's page can read it (contract 3.7).
 */
export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response => {
  const bytes = encoder.encode(JSON.stringify(value));
  return new Response(bytes, {
    status,
    headers: { ...JSON_HEADERS, 'content-length': String(bytes.length), ...headers },
  });
};

/** `{error: {…}}` with the status of its code (contract S16.3). The one place where a ServiceError becomes an answer. */
export const errorAnswer = (error: ServiceError): Response =>
  json(
    { error: errorRecord(error) },
    HTTP_STATUS[error.code],
    error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) },
  );
