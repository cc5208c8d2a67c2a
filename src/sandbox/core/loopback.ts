/** True for a `Host` that only this machine answers to; any other name may be a page's trick (DNS rebinding). */
export const isLoopbackHost = (host: string): boolean => {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
};

/** True for the address of a caller on this machine. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);

/** True where a server that listens on `host` (a name or an address) hears this machine alone. */
export const isLoopbackOnly = (host: string): boolean => isLoopbackAddress(host) || isLoopbackHost(host);

/**
 * Whether a server that listens on `host` answers a request with this `Host`, on whatever route.
 *
 * A page of any site can give its own name our address (DNS rebinding); to the browser its requests are then of
 * the same origin and their answers readable. Only the name gives them away, so that a server of this machine
 * answers to this machine's names and to `names` alone. One that listens for others cannot know what it is called.
 */
export const acceptsHost = (
  requested: string | null,
  { host, names }: { host: string; names: readonly string[] },
): boolean =>
  !isLoopbackOnly(host) ||
  (requested !== null &&
    (isLoopbackHost(requested) || names.includes(requested.replace(/:\d+$/, '').toLowerCase())));

/** The header by which a proxy tells of itself, or `undefined`. */
const proxyHeaderIn = (headers: Headers): string | undefined =>
  [...headers.keys()].find(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-'),
  );

/**
 * Whether a request may use the control routes (contract 6.3): from this machine, to a loopback name, not from
 * another site's page and not through a proxy. Returns what is wrong, or `null`.
 *
 * A proxy or tunnel on this machine makes every caller look like one of this machine. What it adds to the request is
 * the only sign of it; a proxy that adds nothing cannot be told from a caller here.
 */
export const controlRefusal = (headers: Headers, address: string): string | null => {
  const host = headers.get('host');
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const proxyHeader = proxyHeaderIn(headers);
  if (!isLoopbackAddress(address)) return 'it answers callers on this machine only';
  if (proxyHeader !== undefined)
    return `the header ${proxyHeader.slice(0, 40)} says that a proxy passed this request on, so it may come from another machine. Ask the sandbox at its own address on its own machine, such as http://127.0.0.1:4010/_sandbox/`;
  // A call within the process has no Host.
  if (host !== null && !isLoopbackHost(host)) return 'the Host must be localhost or a loopback address';
  if (site !== null && site !== 'same-origin' && site !== 'none')
    return "another site's page sent this request";
  // Both are asked: not every browser sends the one, and a plain GET goes without the other.
  if (origin !== null && !(host !== null && [`http://${host}`, `https://${host}`].includes(origin)))
    return 'a page of another origin sent this request';
  return null;
};

/** What whoever starts a server that others can reach must know; `null` for one of this machine alone. */
export const exposureWarning = (host: string, isSeeded: boolean): string | null =>
  isLoopbackOnly(host)
    ? null
    : [
        `The sandbox listens on ${host}: whoever reaches it can use its keys, which everybody knows.`,
        ...(isSeeded
          ? ['It was started with a seed, so that its ids and client secrets can be guessed.']
          : []),
        'Use it on a network you trust, or let it listen on 127.0.0.1.',
      ].join(' ');
