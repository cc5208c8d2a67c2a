import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A webhook on its way. */
export type OutgoingRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };

/**
 * Posts a webhook and resolves with the status of the whole answer. Rejects where there is none; an error's
 * `code` (such as `ECONNREFUSED`) is told in the history, its text is not. Follows no redirect. Ends when the
 * signal aborts.
 */
export type Outgoing = (request: OutgoingRequest, signal: AbortSignal) => Promise<{ status: number }>;

/** Nobody reads the body of an answer to a webhook; one that goes on for ever is cut here. In bytes. */
const LONGEST_ANSWER = 64 * 1024;

/**
 * Over real sockets, a new one for each webhook. Not `fetch`: that adds headers of its own, such as
 * `sec-fetch-mode`, and may find a kept connection dead, which would look like the merchant's failure.
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
          if (read <= LONGEST_ANSWER) return;
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
