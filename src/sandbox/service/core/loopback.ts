import { isLoopbackHost } from '../../../api/loopback.ts';
import { INSPECTOR } from '../../../api/routes.ts';
import { SANDBOX_URL } from './ports.ts';

/** Returns true if a caller with this address is on this machine. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);

/** Returns true if a server that listens on `host` (a name or an address) is reachable from this machine only. */
export const isLoopbackOnly = (host: string): boolean => isLoopbackAddress(host) || isLoopbackHost(host);

/** Returns the name in a `Host` header, without its port, in lower case. */
const nameIn = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Returns true for an IP address. Unlike a name, no site can point it anywhere else. */
const isAddress = (name: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$|^\[[\da-f:.]+\]$/.test(name);

/**
 * Returns true if a server that listens on `host` answers requests with this `Host` header, on any route.
 *
 * Any site can point its own host name at our address (DNS rebinding). The browser then treats its requests as
 * same-origin and lets it read the responses. Only the `Host` header reveals this, so a server accepts loopback names,
 * `names`, and, if other machines can reach it, the name it listens on and every IP address.
 */
export const acceptsHost = (
  requested: string | null,
  { host, names }: { host: string; names: readonly string[] },
): boolean => {
  if (requested === null) return false;
  const name = nameIn(requested);
  if (isLoopbackHost(requested) || names.some((one) => one.toLowerCase() === name)) return true;
  return !isLoopbackOnly(host) && (name === host.toLowerCase() || isAddress(name));
};

/** Names of headers that proxies add: what was forwarded, by whom, and the caller's address (`X-Real-IP`, …). */
const BY_PROXY = /^(forwarded|via|cdn-loop)$|^x-(forwarded|original)-|-(ip|address)$/;

/** Returns the name of a header that only a proxy adds, or `undefined`. */
const proxyHeaderIn = (headers: Headers): string | undefined =>
  [...headers.keys()].find((name) => BY_PROXY.test(name));

/** Who may use the control routes: callers with the token, or, if `null`, callers on this machine. */
export type ControlGuard = { token: string } | null;

/**
 * Checks whether a request may use the control routes, apart from its token (contract 6.3). It must not come from
 * another site's page or through a proxy and, unless a token is required, must come from this machine and name a
 * loopback host. With a token, the server has already checked the `Host` against the names it accepts. Returns the
 * reason for a refusal, or `null`.
 *
 * Behind a proxy or tunnel on this machine, every caller has a local address. The headers it adds are the only sign of
 * it. A proxy that adds none is indistinguishable from a local caller.
 */
export const controlRefusal = (headers: Headers, address: string, guard: ControlGuard): string | null => {
  const host = headers.get('host');
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const proxyHeader = proxyHeaderIn(headers);
  if (guard === null && !isLoopbackAddress(address)) return 'it answers callers on this machine only';
  if (proxyHeader !== undefined)
    return `the header ${proxyHeader.slice(0, 40)} says that a proxy passed this request on, so it may come from another machine. Ask the sandbox at its own address on its own machine, such as ${SANDBOX_URL}${INSPECTOR}`;
  // A call within the process has no Host header.
  if (guard === null && host !== null && !isLoopbackHost(host))
    return 'the Host must be localhost or a loopback address';
  if (site !== null && site !== 'same-origin' && site !== 'none')
    return "another site's page sent this request";
  // Check both: not every browser sends Sec-Fetch-Site, and a plain GET has no Origin.
  if (origin !== null && !(host !== null && [`http://${host}`, `https://${host}`].includes(origin)))
    return 'a page of another origin sent this request';
  return null;
};

/** The start-up warning for a server that other machines can reach, or `null` for a loopback server. */
export const exposureWarning = (host: string, isSeeded: boolean): string | null =>
  isLoopbackOnly(host)
    ? null
    : [
        `The sandbox listens on ${host}: anyone who can reach it can use its keys, which are public.`,
        ...(isSeeded ? ['It was started with a seed, so its ids and client secrets can be guessed.'] : []),
        'Use it on a network you trust, or let it listen on 127.0.0.1.',
      ].join(' ');
