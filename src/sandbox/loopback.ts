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

/**
 * Whether a request may use the control routes (contract 6.3): from this machine, to a loopback name, and not
 * from another site's page. Returns what is wrong, or `null`.
 */
export const whyNoControl = (headers: Headers, address: string): string | null => {
  const host = headers.get('host');
  const site = headers.get('sec-fetch-site');
  if (!isLoopbackAddress(address)) return 'it answers callers on this machine only';
  // A call within the process has no Host.
  if (host !== null && !isLoopbackHost(host)) return 'the Host must be localhost or a loopback address';
  if (site !== null && site !== 'same-origin' && site !== 'none')
    return "another site's page sent this request";
  return null;
};
