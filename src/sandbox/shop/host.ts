/**
 * Checks the `Host` header against DNS rebinding. Any site can point its own host name at the shop's IP address. The
 * browser then treats its requests to the shop as same-origin and lets it read the client secret in the response. Only
 * `Host` distinguishes such a request from the developer's own. A real shop's web server does this with `server_name`.
 */

/** This machine's local names, as browsers send them. */
const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Where the shop listens, and the other host names it accepts. */
export type ShopAddress = { port: number; host: string; names: readonly string[] };

/**
 * Returns true if a `Host` header names the shop: a local name or the host it listens on, with the shop's port; or one
 * of `names` with any port, because a proxy in front of the shop has its own port.
 */
export const isOwnHost = (hostHeader: string, { port, host, names }: ShopAddress): boolean => {
  const requested = hostHeader.toLowerCase();
  const local = [...LOCAL_NAMES, host.includes(':') ? `[${host}]` : host.toLowerCase()];
  const isLocal = local.some(
    (name) => requested === `${name}:${port}` || (port === 80 && requested === name),
  );
  return isLocal || names.some((name) => name.toLowerCase() === requested.replace(/:\d+$/, ''));
};

/** The body of a 403. It does not repeat the header, which an attacker may have chosen. */
export const hostRefused = (port: number): string =>
  `This demo shop answers only requests whose Host header names this machine. Open http://localhost:${port}, or start the shop with listenShop({ …, names: ['shop.test'] }).\n`;
