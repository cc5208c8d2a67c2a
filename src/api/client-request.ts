/**
 * Requests to the browser's routes. A separate file, so that the frame's first response can prefetch the intent before
 * the client is loaded.
 */
import type { ReadableAnswer } from './read-json.ts';
import { CLIENT_ROUTES } from './routes.ts';

/** The arguments of `fetch`. `baseUrl` is the service's origin, without a trailing slash. */
export const clientRequest = (
  baseUrl: string,
  publishableKey: string,
  route: keyof typeof CLIENT_ROUTES,
  body: string,
  signal: AbortSignal,
): [string, RequestInit] => [
  baseUrl + CLIENT_ROUTES[route],
  {
    method: 'POST',
    headers: { Authorization: `Bearer ${publishableKey}`, 'Content-Type': 'application/json' },
    body,
    mode: 'cors', // with `same-origin` Firefox would send `Origin: null`
    credentials: 'same-origin', // with `omit` the browser opens a separate connection
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  },
];

/** The body of a retrieve: the client secret alone (contract 3.1). */
export const retrieveBody = (clientSecret: string): string => JSON.stringify({ client_secret: clientSecret });

/** A retrieve sent before the client was loaded. */
export type PrefetchedRead = {
  /** Returns true if the request had this body. A retrieve with another body must not use the answer. */
  isFor(body: string): boolean;
  /** When the request was sent, in monotonic ms. */
  at: number;
  answer: Promise<ReadableAnswer>;
  abandon(): void;
};
