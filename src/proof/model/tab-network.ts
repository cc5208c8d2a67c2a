/** A tab's requests, which stay open until the explorer answers them. */
import { CLIENT_ROUTES, type ClientRoute, clientRoutes } from '../../api/routes.ts';
import { standIn } from '../tab/stand-in.ts';
import { type Reply, wireOf } from './service.ts';
import type { TabOutput } from './tab-exchange.ts';

type Request = {
  route: ClientRoute;
  body: string;
  answer(response: Response): void;
  fail(reason: unknown): void;
};

const aborted = () => new DOMException('aborted', 'AbortError');

/** `sent` is called with the route of each request. */
export const createTabNetwork = (
  now: () => number,
  did: (output: TabOutput) => void,
  sent: (route: ClientRoute) => void,
) => {
  const requests: Request[] = [];
  const closedUntil = new Map<ClientRoute, number>();
  /** Times of reads, to check that there aren't too many (outcomes I7). */
  const reads: number[] = [];

  const fetch: typeof globalThis.fetch = (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const route = routeOf(String(input));
      const body = String(init?.body);
      if (init?.signal?.aborted) return reject(aborted());
      if (route === 'retrieve') reads.push(now());
      sent(route);
      const leave = () => {
        requests.splice(requests.indexOf(request), 1);
        init?.signal?.removeEventListener('abort', abort);
      };
      const abort = () => {
        did({ did: 'abort', request: requests.indexOf(request) });
        leave();
        reject(aborted());
      };
      const request: Request = {
        route,
        body,
        answer(response) {
          leave();
          resolve(response);
        },
        fail(reason) {
          leave();
          reject(reason);
        },
      };
      requests.push(request);
      init?.signal?.addEventListener('abort', abort);
      const { amount_total = null, client_secret } = JSON.parse(body);
      did({ did: 'send', route, amount: amount_total, intent: client_secret });
    });

  const requestAt = (index: number): Request => {
    const request = requests[index];
    if (!request) throw new Error(`There is no request ${index}.`);
    return request;
  };

  return {
    fetch,
    answer(index: number, reply: Reply) {
      const request = requestAt(index);
      if (reply.kind === 'refused' && reply.code === 'rate_limited') {
        closedUntil.set(request.route, now() + 5000);
      }
      request.answer(responseOf(reply));
    },
    fail: (index: number) => requestAt(index).fail(new TypeError('fetch failed')),
    count: () => requests.length,
    readsTooOften: () => reads.filter((at) => now() - at < 60_000).length > 20,
    fingerprint: () => [
      requests.map(({ route, body }) => [route, body]),
      [...closedUntil].filter(([, until]) => until > now()).map(([route, until]) => [route, until - now()]),
    ],
  };
};

const routeOf = (url: string): ClientRoute => {
  const route = clientRoutes().find((name) => CLIENT_ROUTES[name] === url);
  if (!route) throw new Error(`There is no route ${url}.`);
  return route;
};

const JSON_BODY = { 'content-type': 'application/json' };
const encoder = new TextEncoder();

/** The part of a `Response` that the client reads; a real one takes most of a step's time. */
const responseOf = (reply: Reply): Response => {
  const { status, retryAfter, json } = wireOf(reply);
  const headers = new Map(Object.entries(json === null ? {} : JSON_BODY));
  if (retryAfter !== null) headers.set('retry-after', retryAfter);
  const parts = json === null ? [] : [encoder.encode(json)];
  const body = {
    cancel: async () => undefined,
    getReader: () => ({
      async read() {
        const value = parts.shift();
        return value === undefined ? { done: true } : { done: false, value };
      },
      cancel: async () => undefined,
    }),
  };
  return standIn({
    status,
    headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null },
    body,
  });
};
