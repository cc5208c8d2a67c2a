/**
 * A proxy in front of the service that alters or holds back one file on its way to the browser, like an attacker in a
 * cache.
 */
import { createServer, request } from 'node:http';
import { listening } from './listening.ts';

/** How the file at one address is altered. Everything else passes unchanged. */
export type Alteration = {
  address: string;
  alter: (text: string) => string;
  /** Headers to replace, by lower-case name; null removes one. */
  headers?: Readonly<Record<string, string | null>>;
};

/** Makes a script report that it ran, to its own window and to the parent. */
export const withRunReport = (text: string): string =>
  `${text};globalThis.altered=1;globalThis.parent.postMessage('altered','*');`;

/** Changes one byte without changing what the program does, so that only a check of the bytes can notice it. */
export const withOneByteChanged = (text: string): string => {
  const changed = text.replace(/;?\n?$/, text.endsWith('\n') ? ' ' : '\n');
  if (changed.length !== text.length || changed === text) throw new Error('This text cannot be altered so.');
  return changed;
};

/**
 * Starts the proxy. `alter` sets what it alters, `hold` what it holds back. It forbids caching, so that the browser
 * requests each file every time.
 */
export const startTamperingProxy = async (service: string) => {
  let now: Alteration | null = null;
  let held: { address: string; released: Promise<void> } | null = null;
  const server = createServer((asked, answer) => {
    const { hostname, port } = new URL(service);
    const path = asked.url ?? '/';
    // Uncompressed, so that there is text to alter. Keeps `host`, because the frame's policy names the requested
    // origin.
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    const passed = request({ hostname, port, path, method: asked.method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', async () => {
        if (path === held?.address) await held.released;
        const body = Buffer.concat(chunks);
        const isIt = now !== null && path.split('?')[0] === now.address;
        const altered = isIt && now ? Buffer.from(now.alter(body.toString('utf8'))) : body;
        const sent = {
          ...response.headers,
          'content-length': `${altered.length}`,
          'cache-control': 'no-store',
          ...(isIt ? now?.headers : {}),
        };
        answer.statusCode = response.statusCode ?? 502;
        for (const [name, value] of Object.entries(sent)) if (value) answer.setHeader(name, value);
        answer.end(altered);
      });
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  const { url, stop } = await listening(server, '127.0.0.1');
  return {
    url,
    alter: (alteration: Alteration | null) => {
      now = alteration;
    },
    /** Holds back the file at this address until the returned function is called. */
    hold(address: string): () => void {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = { address, released };
      return release;
    },
    stop,
  };
};

export type TamperingProxy = Awaited<ReturnType<typeof startTamperingProxy>>;
