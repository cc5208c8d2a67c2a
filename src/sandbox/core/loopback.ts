/** True for a `Host` that always means this machine. Any other name may be a DNS rebinding attack. */
export const isLoopbackHost = (host: string): boolean => {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
};

/** True if a caller with this address is on this machine. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);

/** True if a server that listens on `host` (a name or an address) is reachable from this machine only. */
export const isLoopbackOnly = (host: string): boolean => isLoopbackAddress(host) || isLoopbackHost(host);

/**
 * Whether a server that listens on `host` answers a request with this `Host` header, on any route.
 *
 * Any site can point its own host name at our address (DNS rebinding). The browser then treats its requests as
 * same-origin and lets it read the responses. Only the `Host` header reveals this, so a loopback server accepts
 * loopback names and `names` only. A server on another address cannot know its own names and accepts all.
 */
export const acceptsHost = (
  requested: string | null,
  { host, names }: { host: string; names: readonly string[] },
): boolean =>
  !isLoopbackOnly(host) ||
  (requested !== null &&
    (isLoopbackHost(requested) || names.includes(requested.replace(/:\d+$/, '').toLowerCase())));

/** The name of a header that only a proxy adds, or `undefined`. */
const proxyHeaderIn = (headers: Headers): string | undefined =>
  [...headers.keys()].find(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-'),
  );

/**
 * Whether a request may use the control routes (contract 6.3): from this machine, to a loopback name, not from
 * another site's page and not through a proxy. Returns the reason for a refusal, or `null`.
 *
 * Behind a proxy or tunnel on this machine, every caller has a local address. The headers it adds are the only sign
 * of it. A proxy that adds none is indistinguishable from a local caller.
 */
export const controlRefusal = (headers: Headers, address: string): string | null => {
  const host = headers.get('host');
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const proxyHeader = proxyHeaderIn(headers);
  if (!isLoopbackAddress(address)) return 'it answers callers on this machine only';
  if (proxyHeader !== undefined)
    return `the header ${proxyHeader.slice(0, 40)} says that a proxy passed this request on, so it may come from another machine. Ask the sandbox at its own address on its own machine, such as http://127.0.0.1:4010/_sandbox/`;
  // A call within the process has no Host header.
  if (host !== null && !isLoopbackHost(host)) return 'the Host must be localhost or a loopback address';
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
