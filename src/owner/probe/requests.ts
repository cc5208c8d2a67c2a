/**
 * Decides which requests of a probed page may leave the browser: the form's files, and the read of the payment.
 * Everything else is blocked, above all a confirm: a probe never pays, even if another script runs on the page
 * (contract 3.2). One case gets through: a request sent by a cross-site frame while it is being removed, because
 * Playwright has already detached from it.
 */
import { CLIENT_ROUTES, STATIC_ROUTES } from '../../api/routes.ts';

/** What is known about a request before it is sent. */
export type SentRequest = { method: string; url: string };

/** Folder of the frame and all releases. */
const FILES = STATIC_ROUTES.release('').replace(/\/\/$/, '/');

/** Returns true if this request may be sent to the service at `origin`. */
export const mayLeave = ({ method, url }: SentRequest, origin: string): boolean => {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || address.origin !== origin || address.username !== '') return false;
  // A server may decode what the comparison below doesn't.
  if (/%2e|%2f|%5c|\\/i.test(url)) return false;
  const { pathname } = address;
  if (method === 'GET') return pathname === STATIC_ROUTES.loader || pathname.startsWith(FILES);
  return method === 'POST' && pathname === CLIENT_ROUTES.retrieve && address.search === '';
};
