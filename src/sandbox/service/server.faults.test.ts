/** Every fault over a real connection: set through the control routes, observed by the client. */
import { Agent } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { type SocketResult, sendOverSocket } from '../../cli/socket.fixture.ts';
import { confirmBody, createWorld, type SandboxWorld } from './sandbox.fixture.ts';
import { listen } from './server.ts';

let world: SandboxWorld;
let server: Awaited<ReturnType<typeof listen>>;
let intent: Awaited<ReturnType<SandboxWorld['intent']>>;

beforeEach(async () => {
  world = createWorld();
  server = await listen(world.sandbox, { port: 0 });
  intent = await world.intent();
});

afterEach(async () => {
  world.sandbox.close();
  await server.close();
});

/** Sends a request of the form over a new connection, or over one of the agent's. */
const send = (
  route: keyof typeof CLIENT_ROUTES,
  body: unknown,
  more: { agent?: Agent | false; signal?: AbortSignal } = {},
) =>
  sendOverSocket(`${server.url}${CLIENT_ROUTES[route]}`, {
    method: 'POST',
    key: world.sandbox.keys.publishable,
    body,
    ...more,
  });

const pay = (more: { agent?: Agent; signal?: AbortSignal } = {}) =>
  send('confirm', confirmBody(intent), more);
const setFault = async (fault: object) => {
  const body = 'random' in fault ? fault : { route: 'client.confirm', ...fault };
  expect((await world.control('faults', body)).status).toBe(200);
};
const record = async () => (await world.control(`payment_intents/${intent.id}`)).body;
const paid = { payment_intent: { status: 'succeeded', confirmation_attempts: 1 }, charges: 1 };
const unpaid = { payment_intent: { status: 'pending', confirmation_attempts: 0 }, charges: 0 };

describe('faults over a real connection', () => {
  it('refuse: reset before the body is read; no confirm is recorded, and the next one pays', async () => {
    await setFault({ refuse: true });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(await record()).toMatchObject({ ...unpaid, confirms: 0, deliveries: 0 });
    expect(world.service.requestLog.recent(1)).toMatchObject([
      { route: 'client.confirm', status: 'refused' },
    ]);
    expect(await pay()).toMatchObject({ status: 200 });
  });

  it('refuse without a route: the next connections are reset when they are made, whatever the request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { client_secret } = intent;
    expect(await send('retrieve', { client_secret }, { agent })).toMatchObject({ status: 200 });
    const before = world.service.requestLog.recent(100);
    await world.control('faults', { refuse: true, times: 2 });
    expect(await send('retrieve', { client_secret })).toEqual({ failed: 'ECONNRESET' });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(world.service.requestLog.recent(100)).toEqual(before);
    // An open connection is not affected.
    expect(await send('retrieve', { client_secret }, { agent })).toMatchObject({ status: 200 });
    expect(await pay()).toMatchObject({ status: 200 });
    agent.destroy();
  });

  it('cut before acting: no byte arrives, and nothing was paid', async () => {
    await setFault({ cut: 'before' });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(await record()).toMatchObject({ ...unpaid, confirms: 1, deliveries: 1 });
  });

  it('cut after acting: no byte arrives, but it was paid', async () => {
    await setFault({ cut: 'after' });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(await record()).toMatchObject({ ...paid, confirms: 1, deliveries: 1 });
  });

  it('cut on a kept-alive connection: the next request needs a new one', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { client_secret } = intent;
    await send('retrieve', { client_secret }, { agent });
    await setFault({ cut: 'after' });
    expect(await pay({ agent })).toEqual({ failed: 'ECONNRESET' });
    expect(await send('retrieve', { client_secret }, { agent })).toMatchObject({ status: 200 });
    expect(await record()).toMatchObject(paid);
    agent.destroy();
  });

  it('delay_seconds: acts at once and responds later', async () => {
    await setFault({ delay_seconds: 30 });
    let heard: SocketResult | null = null;
    const paying = pay().then((response) => {
      heard = response;
    });
    await expect.poll(record).toMatchObject({ ...paid, deliveries: 1 });
    await world.clock.advance(29_999);
    expect(heard).toBeNull();
    await world.clock.advance(1);
    await paying;
    expect(heard).toMatchObject({ status: 200, whole: true });
  });

  it.each([
    [true, paid],
    [false, unpaid],
  ])(
    'never: no response, whether it acts or not (act: %s), until the client gives up',
    async (act, expected) => {
      await setFault({ never: true, act });
      const patience = new AbortController();
      const paying = pay({ signal: patience.signal });
      await expect.poll(record).toMatchObject({ ...expected, confirms: 1 });
      await world.clock.advance(3_600_000);
      expect(await record()).toMatchObject({ requests: [{}, { status: null }] });
      patience.abort();
      expect(await paying).toEqual({ failed: 'ABORT_ERR' });
      await expect.poll(record).toMatchObject({ requests: [{}, { status: 'cut' }] });
    },
  );

  it.each([0, 1, 17, 200])('truncate_at: %i bytes of a longer response, but it was paid', async (bytes) => {
    await setFault({ truncate_at: bytes });
    const heard = await pay();
    expect(heard).toMatchObject({ status: 200, whole: false, text: expect.stringMatching(/^(\{.*)?$/) });
    expect('text' in heard && heard.text.length).toBe(bytes);
    expect(await record()).toMatchObject(paid);
  });

  it('html: a page with status 200, but it was paid', async () => {
    await setFault({ html: true });
    expect(await pay()).toMatchObject({
      status: 200,
      type: 'text/html; charset=utf-8',
      text: expect.stringContaining('<!doctype html>'),
      whole: true,
    });
    expect(await record()).toMatchObject(paid);
  });

  it.each([200, 204, 205, 302, 304, 400, 402, 403, 408, 409, 418, 425, 451, 500, 502, 503, 504, 599])(
    'status: %i without acting',
    async (status) => {
      await setFault({ status });
      expect(await pay()).toMatchObject({ status, whole: true });
      expect(await record()).toMatchObject({ ...unpaid, deliveries: 1 });
    },
  );

  it('status after acting, like the 504 of a proxy that timed out', async () => {
    await setFault({ status: 504, html: true, act: true });
    expect(await pay()).toMatchObject({ status: 504, type: 'text/html; charset=utf-8' });
    expect(await record()).toMatchObject(paid);
  });
});
