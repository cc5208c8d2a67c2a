/**
 * How the suite calls a service: it sends only the headers that a check names, and keeps the response as received.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A request; `path` follows the service's base URL. */
export type HttpRequest = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/** A response as received. Header names are in lower case; repeated headers are joined with `, `. */
export type HttpResponse = { status: number; headers: Readonly<Record<string, string>>; text: string };

/** A request and its answer. */
export type Exchange = { request: HttpRequest; response: HttpResponse };

/** Rejects if no readable response arrives. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** A confirm may wait for the bank, and longer than a form would. */
const TIMEOUT_MS = 60_000;

/**
 * Sends over the network. Not with `fetch`, which adds headers, follows redirects and decompresses bodies without
 * telling.
 */
export const sendTo =
  (baseUrl: string): Send =>
  async ({ method, path, headers, body }) => {
    const send = baseUrl.startsWith('https:') ? requestHttps : requestHttp;
    const bytes = body === null ? null : Buffer.from(body);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      send(
        baseUrl + path,
        {
          method,
          headers: { ...headers, ...(bytes === null ? {} : { 'content-length': bytes.length }) },
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
        resolve,
      )
        .on('error', reject)
        .end(bytes ?? undefined);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
      ),
      text: Buffer.concat(chunks).toString('utf8'),
    };
  };
