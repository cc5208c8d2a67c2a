/** Checks if a service limits requests to a route. */
import type { HttpResponse } from '../../api/command/http.ts';
import { Mismatch, Skipped } from './context.ts';

/** Concurrent requests: sent one by one, they would never exceed the limit of a distant service. */
const AT_ONCE = 25;
const MINUTE_MS = 60_000;

/** Sends requests until one isn't answered with 200, and returns its answer. `limit` is per minute. */
export const answerOverLimit = async (
  limit: number,
  sendOne: () => Promise<HttpResponse>,
  now: () => number,
): Promise<HttpResponse> => {
  const start = now();
  // A service that counts per clock minute may serve twice the limit within sixty seconds.
  const most = 2 * limit + AT_ONCE;
  for (let sent = AT_ONCE; sent <= most; sent += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, sendOne));
    const over = answers.find(({ status }) => status !== 200);
    if (over !== undefined) return over;
    if (now() - start >= MINUTE_MS)
      throw new Skipped(
        `the service is too slow: ${sent} answers took ${Math.round((now() - start) / 1000)} seconds`,
      );
  }
  throw new Mismatch('429 within a minute', `${most} answers without one`);
};
