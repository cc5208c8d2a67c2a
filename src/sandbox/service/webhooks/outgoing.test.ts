import { createServer, type RequestListener } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listening } from '../../../../e2e/support/listening.ts';
import { verifyWebhook } from '../../../merchant/server/verify-webhook.ts';
import { confirmBody, createWorld } from '../sandbox.fixture.ts';
import { isPublicAddress, postOverHttp, postThrough } from './outgoing.ts';

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** Starts a merchant's server on a real socket. */
const serve = async (listener: RequestListener) => {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  const { url, stop } = await listening(server, '127.0.0.1');
  ending.push(stop);
  return { url: `${url}/webhooks?from=service`, close: stop, sockets };
};

const request = (url: string) => ({
  url,
  headers: { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhooks/1.0' },
  body: '{"name":"Zoë"}',
});

const post = (url: string, signal = new AbortController().signal) => postOverHttp()(request(url), signal);

describe('a webhook over a real socket', () => {
  it('is a POST with the headers it was given and no others but those of HTTP itself', async () => {
    const arrived = new Promise<{ line: string; headers: Record<string, unknown>; body: string }>(
      (resolve) => {
        void serve(async (incoming, response) => {
          let body = '';
          for await (const chunk of incoming) body += chunk;
          resolve({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers, body });
          response.end('ok');
        }).then(({ url }) => post(url));
      },
    );
    const { line, headers, body } = await arrived;
    expect(line).toBe('POST /webhooks?from=service');
    expect(body).toBe('{"name":"Zoë"}');
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'content-length': '15',
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      connection: 'close',
    });
  });

  it('resolves with the status, and follows no redirect', async () => {
    const paths: string[] = [];
    const { url } = await serve((incoming, response) => {
      paths.push(incoming.url ?? '');
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    expect(await post(url)).toMatchObject({ status: 307 });
    expect(paths).toEqual(['/webhooks?from=service']);
  });

  it('fails with the code of the socket where nothing listens', async () => {
    const { url, close } = await serve(() => undefined);
    await close();
    await expect(post(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('fails where the connection ends before the answer', async () => {
    const { url } = await serve((incoming) => incoming.socket.destroy());
    await expect(post(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('fails where the connection ends in the middle of the answer', async () => {
    const { url } = await serve((incoming, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('half', () => incoming.socket.destroy());
    });
    await expect(post(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['before the answer', 'within the answer'])('ends when the signal aborts: %s', async (when) => {
    const patience = new AbortController();
    const { url, sockets } = await serve((_, response) => {
      if (when === 'within the answer') response.writeHead(200).write('and so on');
      setImmediate(() => patience.abort());
    });
    await expect(post(url, patience.signal)).rejects.toMatchObject({ name: 'AbortError' });
    for (const socket of sockets)
      if (!socket.destroyed) await new Promise((done) => socket.once('close', done));
  });

  it('stops reading an endless response', async () => {
    const { url, sockets } = await serve((_, response) => {
      const more = () => response.write('x'.repeat(16_384)) && !response.destroyed && setImmediate(more);
      response.writeHead(200);
      response.on('drain', more);
      response.on('error', () => undefined);
      more();
    });
    expect(await post(url)).toMatchObject({ status: 200 });
    for (const socket of sockets)
      if (!socket.destroyed) await new Promise((done) => socket.once('close', done));
  });

  it('reaches a merchant on this machine from the sandbox, and verifies there', async () => {
    const world = createWorld();
    const kept: { headers: Record<string, string | string[] | undefined>; body: Buffer }[] = [];
    const { url } = await serve(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      kept.push({ headers: incoming.headers, body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
    await world.control('webhook_endpoints', { url });
    const [endpoint] = [...world.service.store.webhookEndpoints.values()];
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent));
    await world.service.scheduler.idle();
    const [{ headers, body } = { headers: {}, body: '' }] = kept;
    const now = world.clock.now() / 1000;
    const event = await verifyWebhook(body, headers, world.service.store.signingKeys, endpoint?.id ?? '', {
      now,
    });
    expect(event.data.object).toMatchObject({ id: intent.id, status: 'succeeded' });
    expect([...world.service.store.webhookDeliveries.values()]).toMatchObject([
      { status: 'succeeded', attempts: [{ http_status: 204, error: null }] },
    ]);
  });
});

/** Posts with a resolver that returns the same addresses for every name. */
const postResolved = (url: string, addresses: readonly string[], hosts: readonly string[] = []) =>
  postThrough(
    (_, __, found) =>
      found(
        null,
        addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
      ),
    hosts,
  )(request(url), new AbortController().signal);

describe('contract 6.8: webhooks are sent to this machine or to public addresses, whatever a name resolves to', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.5',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.5',
    '::ffff:7f00:1',
    '64:ff9b::a00:5',
    '2002:a00:5::1',
    '2001::1',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
  ])('a public name at %s gets no connection', async (address) => {
    expect(isPublicAddress(address)).toBe(false);
    await expect(postResolved('https://shop.merchant.io/webhooks', [address])).rejects.toMatchObject({
      code: 'ADDRESS_NOT_PUBLIC',
    });
  });

  it('an unresolvable name is an error of this delivery only', async () => {
    // Node's answer: an error without any addresses.
    const leadsNowhere = postThrough((_, __, found) => {
      found(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
    }, []);
    const posted = leadsNowhere(request('https://shop.merchant.io/webhooks'), new AbortController().signal);
    await expect(posted).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('a loopback name reaches this machine only, and a name that was allowed reaches any address', async () => {
    let requests = 0;
    const { url } = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    const local = url.replace('127.0.0.1', 'shop.localhost');
    await expect(postResolved(local, ['10.0.0.5'])).rejects.toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' });
    expect(requests).toBe(0);
    const named = url.replace('127.0.0.1', 'shop');
    await expect(postResolved(named, ['127.0.0.1'], ['shop2'])).rejects.toMatchObject({
      code: 'ADDRESS_NOT_PUBLIC',
    });
    expect(await postResolved(named, ['127.0.0.1'], ['shop'])).toMatchObject({ status: 200 });
    expect(await postResolved(local, ['10.0.0.5', '127.0.0.1'])).toMatchObject({ status: 200 });
  });
});
