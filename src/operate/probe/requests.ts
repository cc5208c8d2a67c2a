/**
 * Which requests of a probed page may leave the browser: the files of the form, and the read of the payment. Everything
 * else is stopped there, above all a confirm: a probe never pays, even if another script runs on the page (contract 3.2).
 * One thing passes: what a frame of another site sends while it is removed, because Playwright has let go of it by then.
 */
import { CLIENT_ROUTES, STATIC_ROUTES } from '../../api/routes.ts';

/** What is known of a request before it is sent. */
export type SentRequest = { method: string; url: string };

/** The folder of the frame and of all releases. */
const FILES = STATIC_ROUTES.release('').replace(/\/\/$/, '/');

/** Whether this request may be sent to the service at `origin`. */
export const mayLeave = ({ method, url }: SentRequest, origin: string): boolean => {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || address.origin !== origin || address.username !== '') return false;
  // A server may decode what the comparison below does not.
  if (/%2e|%2f|%5c|\\/i.test(url)) return false;
  const { pathname } = address;
  if (method === 'GET') return pathname === STATIC_ROUTES.loader || pathname.startsWith(FILES);
  return method === 'POST' && pathname === CLIENT_ROUTES.retrieve && address.search === '';
};
