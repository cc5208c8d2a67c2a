/** Requests to a server that hosts the form, with the answers as they are on the wire. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Hosting } from './hosting.ts';

/** Repeated headers are joined with `, `. */
export type Answer = { status: number; headers: Record<string, string>; body: string; bytes: Buffer };

/** One answer of the server, on a new connection: a reload closes those that are idle. */
export const ask = async (
  { url, authority }: Hosting,
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> => {
  const ca = await readFile(authority);
  return new Promise((resolve, reject) => {
    request(url + path, { ca, headers, agent: false }, async (response) => {
      const bytes = await buffer(response);
      const named = Object.entries(response.headersDistinct);
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(named.map(([name, values = []]) => [name, values.join(', ')])),
        body: `${bytes}`,
        bytes,
      });
    })
      .on('error', reject)
      .end();
  });
};
