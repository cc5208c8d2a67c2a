/** How the browser's routes are asked. On its own, so that a first read can leave before what reads its answer is there. */
import { CLIENT_ROUTES } from './routes.ts';

/** Address and request. `baseUrl`: the service's origin, without a slash at the end. */
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
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  },
];

/** The body of a read, with nothing but the payment's secret. */
export const retrieveBody = (clientSecret: string): string => JSON.stringify({ client_secret: clientSecret });

/** A read that was sent ahead. */
export type PrefetchedRead = {
  /** What was asked with; only the same question may take this answer. */
  body: string;
  /** When, in monotonic ms. */
  at: number;
  answer: Promise<Response>;
  abandon(): void;
};
