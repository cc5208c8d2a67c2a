/**
 * A site on its own origin that serves whole pages with headers given by a test. For pages that our merchant fixture
 * wouldn't write.
 */
import { createServer } from 'node:http';
import { listening } from './listening.ts';

/** The answer of one address of the site; by default HTML with status 200. */
export type ForeignFile = {
  body: string;
  type?: string;
  status?: number;
  headers?: Record<string, string>;
};

/** One request as the site received it. */
export type ForeignRequest = { method: string; path: string; body: string };

/** Starts the site on its own port. `host` is `localhost` unless another loopback name is given. */
export const startForeignSite = async (host: 'localhost' | '127.0.0.1' = 'localhost') => {
  const files = new Map<string, ForeignFile>();
  const requests: ForeignRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const path = (request.url ?? '/').replace(/[?#].*$/, '');
    requests.push({
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      body: Buffer.concat(chunks).toString('utf8'),
    });
    const file = files.get(path);
    response.writeHead(file?.status ?? (file ? 200 : 404), {
      'Content-Type': `${file?.type ?? 'text/html'}; charset=utf-8`,
      ...file?.headers,
    });
    response.end(file?.body ?? 'Not found');
  });
  const { url, stop } = await listening(server, host);

  return {
    url,
    /** Every request the site received, in order. */
    requests,
    /** Adds or replaces a file and returns its address. */
    put(path: string, file: ForeignFile | string): string {
      files.set(path, typeof file === 'string' ? { body: file } : file);
      return `${url}${path}`;
    },
    stop,
  };
};

export type ForeignSite = Awaited<ReturnType<typeof startForeignSite>>;
