import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A webhook request. */
export type OutgoingRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };

/**
 * Posts a webhook and resolves with the status once the response is complete. Rejects if there is no complete response.
 * The delivery history shows the error's `code` (such as `ECONNREFUSED`), not its message. Follows no redirects. Ends
 * when the signal aborts.
 */
export type Outgoing = (request: OutgoingRequest, signal: AbortSignal) => Promise<{ status: number }>;

/** Bytes. The response body is not used; a longer one is cut off here. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Sends over a real socket, a new one for each webhook. Not with `fetch`: it adds headers such as `sec-fetch-mode`, and
 * may reuse a dead connection, which would look like a failure of the merchant's server.
 */
export const postOverHttp: Outgoing = ({ url, headers, body }, signal) =>
  new Promise((resolve, reject) => {
    const target = new URL(url);
    const send = target.protocol === 'http:' ? requestHttp : requestHttps;
    const length = String(Buffer.byteLength(body));
    const request = send(
      target,
      { method: 'POST', agent: false, signal, headers: { ...headers, 'Content-Length': length } },
      (response) => {
        const status = response.statusCode ?? 0;
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read <= MAX_RESPONSE_BYTES) return;
          resolve({ status });
          response.destroy();
        });
        response.once('end', () => resolve({ status }));
        response.once('error', reject);
      },
    );
    request.once('error', reject);
    request.end(body);
  });
