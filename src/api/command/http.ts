/** HTTP client of the suite: sends only the headers that a check names, and keeps the response as received. */
import { exchange } from './http-get.ts';

/** A request; `path` follows the service's base URL. */
export type HttpRequest = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
};

/** A response as received. Header names are in lower case; repeated headers are joined with `, `. */
export type HttpResponse = { status: number; headers: Readonly<Record<string, string>>; text: string };

/** A request and its response. */
export type Exchange = { request: HttpRequest; response: HttpResponse };

/** Rejects if no readable response arrives. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** A confirm may wait for the bank, longer than a form would. */
const TIMEOUT_MS = 60_000;

/** Sends over the network. */
export const sendTo =
  (baseUrl: string): Send =>
  async ({ method, path, headers, body }) => {
    const bytes = body === null ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { 'content-length': bytes.length };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await exchange(
      baseUrl + path,
      { method, headers: { ...headers, ...length }, signal },
      bytes,
    );
    return { status: answer.status, headers: answer.headers, text: answer.body.toString('utf8') };
  };
