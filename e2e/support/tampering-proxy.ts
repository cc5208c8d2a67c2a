/** A proxy in front of a service that alters one file on its way to the browser, as whoever holds a cache could. */
import { createServer, request } from 'node:http';

/** What becomes of the text of the file at an address; everything else passes as it is. */
export type Alteration = {
  address: string;
  alter: (text: string) => string;
  /** Headers by lower-case name in place of those of the service; null for none. */
  headers?: Readonly<Record<string, string | null>>;
};

/** Has a script say that it ran, to the page and to the page around it. */
export const withRunReport = (text: string): string =>
  `${text};globalThis.altered=1;globalThis.parent.postMessage('altered','*');`;

/** One byte less of meaning, and still the same program: whatever does not look at bytes would run it. */
export const withOneByteChanged = (text: string): string => {
  const changed = text.replace(/;?\n?$/, text.endsWith('\n') ? ' ' : '\n');
  if (changed.length !== text.length || changed === text) throw new Error('This text cannot be altered so.');
  return changed;
};

/** Starts it; `alter` says from then on what is altered. Nothing is kept by the browser, so that it asks each time. */
export const startTamperingProxy = async (service: string) => {
  let now: Alteration | null = null;
  const server = createServer((asked, answer) => {
    const { hostname, port } = new URL(service);
    const path = asked.url ?? '/';
    // Plain, so that there is text to alter. `host` stays: the policy of the frame names the origin that was asked.
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    const passed = request({ hostname, port, path, method: asked.method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
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
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    alter: (alteration: Alteration | null) => {
      now = alteration;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export type TamperingProxy = Awaited<ReturnType<typeof startTamperingProxy>>;
