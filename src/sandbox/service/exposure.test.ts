/** A sandbox that other machines can reach: which callers get an answer, and which may use its control routes. */
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLIENT_ROUTES, SERVER_ROUTES } from '../../api/routes.ts';
import { sendOverSocket } from '../../cli/socket.fixture.ts';
import { confirmBody, createWorld, type SandboxWorld } from './sandbox.fixture.ts';
import { listen } from './server.ts';

const TOKEN = 'a-control-token-of-this-test';

/** An address of this machine that is not loopback. A request to it appears to come from another machine. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

let world: SandboxWorld;
let server: Awaited<ReturnType<typeof listen>>;

beforeEach(async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // server.test.ts reads the warning
  world = createWorld();
  server = await listen(world.sandbox, { port: 0, host: '0.0.0.0', names: ['sandbox'], token: TOKEN });
});

afterEach(async () => {
  vi.restoreAllMocks();
  world.sandbox.close();
  await server.close();
});

type More = { key?: string; headers?: Record<string, string>; body?: unknown };

/** Returns the status of a request to the sandbox at this address. */
const statusAt = async (address: string, path: string, { body, ...more }: More = {}) => {
  const result = await sendOverSocket(`http://${address}:${server.port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined ? {} : { body }),
    ...more,
  });
  return 'failed' in result ? result.failed : result.status;
};

const CONTROL_ROUTES = ['/_sandbox/requests', '/_sandbox/overview', '/_sandbox/changes'];

const CALLERS: readonly (readonly [string, string])[] = [
  ['on this machine', '127.0.0.1'],
  ...(outside === undefined ? [] : [['from another machine', outside] as const]),
];

describe.each(CALLERS)('a caller %s', (_, address) => {
  it('contract 6.3: gets control routes only with the token', async () => {
    for (const path of CONTROL_ROUTES) {
      expect([path, await statusAt(address, path)]).toEqual([path, 401]);
      expect([path, await statusAt(address, path, { key: `${TOKEN}x` })]).toEqual([path, 401]);
      expect([path, await statusAt(address, path, { key: world.sandbox.keys.secret })]).toEqual([path, 401]);
      expect([path, await statusAt(address, path, { key: TOKEN })]).toEqual([path, 200]);
    }
    const fault = { body: { route: 'client.confirm', status: 500 } };
    expect(await statusAt(address, '/_sandbox/faults', fault)).toBe(401);
    expect(await statusAt(address, '/_sandbox/faults', { ...fault, key: TOKEN })).toBe(200);
  });

  it('gets the service as from anywhere, with its keys', async () => {
    const intent = await world.intent();
    const { publishable, secret } = world.sandbox.keys;
    expect(await statusAt(address, `${SERVER_ROUTES.paymentIntents}/${intent.id}`, { key: secret })).toBe(
      200,
    );
    expect(await statusAt(address, SERVER_ROUTES.paymentIntents, { key: TOKEN })).toBe(401);
    const paying = { key: publishable, body: confirmBody(intent) };
    expect(await statusAt(address, CLIENT_ROUTES.confirm, paying)).toBe(200);
  });

  it('DNS rebinding: gets nothing under a name that was not allowed, whatever token or key', async () => {
    for (const path of [
      ...CONTROL_ROUTES,
      SERVER_ROUTES.paymentIntents,
      '/partner/v1/card-form.js',
      '/_sandbox/',
    ]) {
      for (const key of [TOKEN, world.sandbox.keys.secret]) {
        for (const host of ['rebound.evil.test', 'sandbox.evil.test', `${address}.evil.test:80`, '0x7f.1']) {
          expect([path, host, await statusAt(address, path, { key, headers: { host } })]).toEqual([
            path,
            host,
            403,
          ]);
        }
      }
    }
    for (const host of ['sandbox', 'SANDBOX:4010', 'localhost:1', `${address}:${server.port}`, '[fd00::1]']) {
      const headers = { host };
      expect([host, await statusAt(address, '/_sandbox/requests', { key: TOKEN, headers })]).toEqual([
        host,
        200,
      ]);
    }
  });

  it.each([
    ['forwarded', 'for=203.0.113.7'],
    ['x-forwarded-for', '203.0.113.7'],
    ['via', '1.1 proxy'],
    ['x-real-ip', '203.0.113.7'],
    ['cf-connecting-ip', '203.0.113.7'],
    ['sec-fetch-site', 'cross-site'],
    ['origin', 'https://evil.test'],
  ])('contract 6.3: gets no control route with %s: %s, not even with the token', async (name, value) => {
    const headers = { host: 'sandbox', [name]: value };
    expect(await statusAt(address, '/_sandbox/requests', { key: TOKEN, headers })).toBe(403);
  });
});

it.runIf(outside !== undefined)('without --host, no other machine reaches it', async () => {
  const local = await listen(world.sandbox, { port: 0 });
  expect(local).toMatchObject({ controlToken: null, elsewhere: [] });
  const result = await sendOverSocket(`http://${outside}:${local.port}/_sandbox/requests`, { method: 'GET' });
  expect(result).toEqual({ failed: 'ECONNREFUSED' });
  await local.close();
});

it('contract 6.3: with only --allow-host, control routes also need the token: a proxy may be in front', async () => {
  const local = await listen(world.sandbox, { port: 0, names: ['pay.test'], token: TOKEN });
  const ask = (key?: string) =>
    sendOverSocket(`${local.url}/_sandbox/requests`, {
      method: 'GET',
      ...(key === undefined ? {} : { key }),
    });
  expect(await ask()).toMatchObject({ status: 401, text: expect.stringContaining('control_token_required') });
  expect(await ask(TOKEN)).toMatchObject({ status: 200 });
  await local.close();
});

it('every sandbox has its own token unless one is given, even with a seed', async () => {
  const seeded = createWorld({ seed: 1 });
  const tokens = await Promise.all(
    [0, 1].map(async () => {
      const one = await listen(seeded.sandbox, { port: 0, names: ['pay.test'] });
      await one.close();
      return one.controlToken ?? '';
    }),
  );
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/);
});

it('an address that this machine does not have is named, with what to do', async () => {
  await expect(listen(world.sandbox, { port: 0, host: '203.0.113.99' })).rejects.toThrow(
    'This machine has no address 203.0.113.99 to listen on. Use --host 0.0.0.0',
  );
});
