import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listening } from '../../../e2e/support/listening.ts';
import { exchange, httpGet, httpGetVia } from './http-get.ts';

let stop = async () => {};

afterEach(() => stop());

/** A server that cuts a request's connection if `isCut`, given the number of requests on its connection. */
const start = async (isCut: (carried: number) => boolean) => {
  const carried = new Map<Socket, number>();
  const seen: string[] = [];
  const server = createServer(({ socket, url = '' }, response) => {
    carried.set(socket, (carried.get(socket) ?? 0) + 1);
    seen.push(url);
    if (isCut(carried.get(socket) ?? 0)) socket.destroy();
    else response.end(`answer to ${url}`);
  });
  const started = await listening(server, '127.0.0.1');
  ({ stop } = started);
  return { url: started.url, seen };
};

describe('one GET request', () => {
  it('is sent again on another connection if an idle one was closed in the meantime, as by a server reload', async () => {
    const { url, seen } = await start((carried) => carried > 1);
    expect(`${(await httpGet(`${url}/a`, {})).body}`).toBe('answer to /a');
    expect(`${(await httpGet(`${url}/b`, {})).body}`).toBe('answer to /b');
    expect(seen).toEqual(['/a', '/b', '/b']);
  });

  it('is alone in that: a POST is sent once, because the service may have carried it out', async () => {
    const { url, seen } = await start((carried) => carried > 1);
    await exchange(`${url}/a`, { method: 'POST' });
    await expect(exchange(`${url}/b`, { method: 'POST' })).rejects.toThrow();
    expect(seen).toEqual(['/a', '/b']);
  });

  it('goes to one node under the name of the service', async () => {
    const { url, seen } = await start(() => false);
    const { body } = await httpGetVia(new URL(url).host)('http://pay.example/a', {});
    expect([`${body}`, seen]).toEqual(['answer to /a', ['/a']]);
  });

  it('rejects if a new connection is cut', async () => {
    const { url, seen } = await start(() => true);
    await expect(httpGet(`${url}/a`, {})).rejects.toThrow('socket hang up');
    expect(seen).toEqual(['/a']);
  });
});
