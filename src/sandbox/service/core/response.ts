import { HTTP_STATUS } from '../../../api/errors.ts';
import { errorRecord, type RefusedRequest } from './errors.ts';

const encoder = new TextEncoder();

/** Headers of every response: not cached, no content sniffing, readable by the same origin only. */
const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * A JSON response with `Content-Length` (contract 3.8): without it, a truncated body would look complete. No CORS
 * headers, so that pages of other sites cannot read it (contract 3.7).
 */
export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response => {
  const bytes = encoder.encode(JSON.stringify(value));
  return new Response(bytes, {
    status,
    headers: { ...JSON_HEADERS, 'content-length': String(bytes.length), ...headers },
  });
};

/**
 * `{error: {…}}` with the status of its code (contract S16.3). The only place that turns a RefusedRequest into a
 * response.
 */
export const errorResponse = (error: RefusedRequest): Response =>
  json(
    { error: errorRecord(error) },
    HTTP_STATUS[error.code],
    error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) },
  );
