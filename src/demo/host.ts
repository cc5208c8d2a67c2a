/**
 * Which names the shop answers to. A page of any site can give its own name the shop's address (DNS rebinding); to the
 * browser its requests are then of the same origin, and it can read the client secret in the answer. Only the `Host`
 * header tells such a request from the developer's own. A real shop's web server does this with its `server_name`.
 */

/** The names of this machine, as a browser on it writes them. */
const OWN_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Where the shop listens, and the names it was told it has. */
export type Listening = { port: number; host: string; names: readonly string[] };

/**
 * Whether a request with this `Host` is for the shop: by a name of this machine, or the address it was told to listen
 * on, at its own port; or by one of `names` at whatever port, since a proxy before the shop has a port of its own.
 */
export const isOwnHost = (requested: string, { port, host, names }: Listening): boolean => {
  const asked = requested.toLowerCase();
  const own = [...OWN_NAMES, host.includes(':') ? `[${host}]` : host.toLowerCase()];
  const isHere = own.some((name) => asked === `${name}:${port}` || (port === 80 && asked === name));
  return isHere || names.some((name) => name.toLowerCase() === asked.replace(/:\d+$/, ''));
};

/** What whoever came by another name reads. The name is not repeated: a stranger chose it. */
export const hostRefused = (port: number): string =>
  `This demo shop answers to the names of this machine only; the Host of this request was another. Open http://localhost:${port}, or start the shop with listenShop({ …, names: ['shop.test'] }).\n`;
