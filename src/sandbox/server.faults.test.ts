/** Every fault on a real connection, as a browser would meet it: asked for by control, seen from the other end. */
import { Agent, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_ROUTES } from '../api/routes.ts';
import { confirmBody, createWorld, type World } from './sandbox.fixture.ts';
import { listen } from './server.ts';

let world: World;
let server: Awaited<ReturnType<typeof listen>>;
let intent: Awaited<ReturnType<World['intent']>>;

beforeEach(async () => {
  world = createWorld();
  server = await listen(world.sandbox, { port: 0 });
  intent = await world.intent();
});

afterEach(async () => {
  world.sandbox.close();
  await server.close();
});

/** What came of a request: `whole` says whether the body was as long as its head promised. */
type Heard =
  | { status: number; retryAfter: string | undefined; type: string | undefined; text: string; whole: boolean }
  | { failed: string };

/** Sends a request over a connection of its own, or over that of an agent. Never rejects. */
const send = (
  route: keyof typeof CLIENT_ROUTES,
  body: unknown,
  { agent = false, signal }: { agent?: Agent | false; signal?: AbortSignal } = {},
): Promise<Heard> =>
  new Promise((resolve) => {
    const text = JSON.stringify(body);
    const sending = request(`${server.url}${CLIENT_ROUTES[route]}`, {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.sandbox.keys.publishable}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      },
      ...(signal ? { signal } : {}),
    });
    sending.on('error', (error: Error & { code?: string }) => resolve({ failed: error.code ?? error.name }));
    sending.on('response', (answer) => {
      let heard = '';
      answer.on('data', (chunk) => {
        heard += chunk;
      });
      answer.on('error', () => undefined); // told by `complete`
      answer.on('close', () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers['retry-after'],
          type: answer.headers['content-type'],
          text: heard,
          whole: answer.complete,
        }),
      );
    });
    sending.end(text);
  });

const pay = (more: { agent?: Agent; signal?: AbortSignal } = {}) =>
  send('confirm', confirmBody(intent), more);
const befall = async (fault: object) => {
  const order = 'random' in fault ? fault : { route: 'client.confirm', ...fault };
  expect((await world.control('faults', order)).status).toBe(200);
};
const record = async () => (await world.control(`payment_intents/${intent.id}`)).body;
const paid = { payment_intent: { status: 'succeeded', confirmation_attempts: 1 }, charges: 1 };
const unpaid = { payment_intent: { status: 'pending', confirmation_attempts: 0 }, charges: 0 };

describe('on a real connection', () => {
  it('refuse: reset before anything is read; the service knows of no confirm, and the next one pays', async () => {
    await befall({ refuse: true });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(await record()).toMatchObject({ ...unpaid, confirms: 0, deliveries: 0 });
    expect(world.service.requestLog.recent(1)).toMatchObject([
      { route: 'client.confirm', status: 'refused' },
    ]);
    expect(await pay()).toMatchObject({ status: 200 });
  });

  it('refuse without a route: the next connections are reset as they are made, whatever they are for', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { client_secret } = intent;
    expect(await send('retrieve', { client_secret }, { agent })).toMatchObject({ status: 200 });
    const before = world.service.requestLog.recent(100);
    await world.control('faults', { refuse: true, times: 2 });
    expect(await send('retrieve', { client_secret })).toEqual({ failed: 'ECONNRESET' });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(world.service.requestLog.recent(100)).toEqual(before);
    // A connection that stands is not made again.
    expect(await send('retrieve', { client_secret }, { agent })).toMatchObject({ status: 200 });
    expect(await pay()).toMatchObject({ status: 200 });
    agent.destroy();
  });

  it('cut before acting: no byte comes, and nothing happened', async () => {
    await befall({ cut: 'before' });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(await record()).toMatchObject({ ...unpaid, confirms: 1, deliveries: 1 });
  });

  it('cut after acting: no byte comes, and it was paid', async () => {
    await befall({ cut: 'after' });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(await record()).toMatchObject({ ...paid, confirms: 1, deliveries: 1 });
  });

  it('cut on a warm connection: the connection is gone for whoever comes next', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { client_secret } = intent;
    await send('retrieve', { client_secret }, { agent });
    await befall({ cut: 'after' });
    expect(await pay({ agent })).toEqual({ failed: 'ECONNRESET' });
    expect(await send('retrieve', { client_secret }, { agent })).toMatchObject({ status: 200 });
    expect(await record()).toMatchObject(paid);
    agent.destroy();
  });

  it('delay_seconds: acts at once and answers then', async () => {
    await befall({ delay_seconds: 30 });
    let heard: Heard | null = null;
    const paying = pay().then((answer) => {
      heard = answer;
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
  ])('never: no answer, whether it acts (%s) or not, until the caller gives up', async (act, expected) => {
    await befall({ never: true, act });
    const patience = new AbortController();
    const paying = pay({ signal: patience.signal });
    await expect.poll(record).toMatchObject({ ...expected, confirms: 1 });
    await world.clock.advance(3_600_000);
    expect(await record()).toMatchObject({ requests: [{}, { status: null }] });
    patience.abort();
    expect(await paying).toEqual({ failed: 'ABORT_ERR' });
    await expect.poll(record).toMatchObject({ requests: [{}, { status: 'cut' }] });
  });

  it.each([0, 1, 17, 200])('truncate_at: %i bytes of a longer answer, which was paid for', async (bytes) => {
    await befall({ truncate_at: bytes });
    const heard = await pay();
    expect(heard).toMatchObject({ status: 200, whole: false, text: expect.stringMatching(/^(\{.*)?$/) });
    expect('text' in heard && heard.text.length).toBe(bytes);
    expect(await record()).toMatchObject(paid);
  });

  it('html: a page with status 200, which was paid for', async () => {
    await befall({ html: true });
    expect(await pay()).toMatchObject({
      status: 200,
      type: 'text/html; charset=utf-8',
      text: expect.stringContaining('<!doctype html>'),
      whole: true,
    });
    expect(await record()).toMatchObject(paid);
  });

  it.each([200, 204, 205, 302, 304, 400, 402, 403, 408, 409, 418, 425, 451, 500, 502, 503, 504, 599])(
    'any status, without acting: %i',
    async (status) => {
      await befall({ status });
      expect(await pay()).toMatchObject({ status, whole: true });
      expect(await record()).toMatchObject({ ...unpaid, deliveries: 1 });
    },
  );

  it('any status after acting, as a proxy answers that lost patience', async () => {
    await befall({ status: 504, html: true, act: true });
    expect(await pay()).toMatchObject({ status: 504, type: 'text/html; charset=utf-8' });
    expect(await record()).toMatchObject(paid);
  });

  it.each<[string, string | number | null, string | undefined]>([
    ['missing', null, undefined],
    ['empty', '', ''],
    ['nought', 0, '0'],
    ['negative', '-1', '-1'],
    ['fractional', '1.5', '1.5'],
    ['a date', 'Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
    ['a list', '1, 2', '1, 2'],
    ['no number', 'soon', 'soon'],
    ['huge', '999999999999999999999', '999999999999999999999'],
  ])('Retry-After %s arrives as it was asked for, with 429', async (_, retry_after, sent) => {
    await befall({ retry_after });
    expect(await pay()).toMatchObject({ status: 429, retryAfter: sent });
    expect(await record()).toMatchObject(unpaid);
  });

  it.each([2, 3])('deliveries: one request is delivered %i times and pays once', async (deliveries) => {
    await befall({ deliveries });
    const heard = await pay();
    expect(heard).toMatchObject({ status: 400, text: expect.stringContaining('payment_intent_not_pending') });
    expect(await record()).toMatchObject({ ...paid, confirms: 1, deliveries });
  });

  it('arrives_after: the sender is long gone, and it pays all the same', async () => {
    await befall({ arrives_after: 60 });
    const patience = new AbortController();
    const paying = pay({ signal: patience.signal });
    await expect.poll(record).toMatchObject({ ...unpaid, confirms: 1 });
    patience.abort();
    expect(await paying).toEqual({ failed: 'ABORT_ERR' });
    await world.clock.advance(60_000);
    await expect.poll(record).toMatchObject({ ...paid, confirms: 1, deliveries: 1 });
  });

  it('again_after: a late delivery after everything was settled', async () => {
    await befall({ again_after: 300 });
    expect(await pay()).toMatchObject({ status: 200 });
    expect(await record()).toMatchObject({ ...paid, deliveries: 1 });
    await world.clock.advance(300_000);
    await expect.poll(record).toMatchObject({ ...paid, confirms: 1, deliveries: 2 });
  });

  it('again_after a loss: nothing was paid, and then it is', async () => {
    await befall({ cut: 'before', again_after: 300 });
    expect(await pay()).toEqual({ failed: 'ECONNRESET' });
    expect(await record()).toMatchObject(unpaid);
    await world.clock.advance(300_000);
    await expect.poll(record).toMatchObject({ ...paid, confirms: 1, deliveries: 2 });
  });

  it('a random schedule brings the same faults to the same requests, twice', async () => {
    const kinds = ['refuse', 'cut_before', 'cut_after', 'truncate', 'html', 'status', 'retry_after'];
    const { client_secret } = intent;
    const heard = async () => {
      await befall({ random: { seed: 41, rate: 0.7, kinds } });
      const answers: Heard[] = [];
      for (let n = 0; n < 25; n += 1) answers.push(await send('retrieve', { client_secret }));
      return answers;
    };
    const first = await heard();
    expect(first).toContainEqual({ failed: 'ECONNRESET' });
    expect(first.some((answer) => 'whole' in answer && !answer.whole)).toBe(true);
    expect(await heard()).toEqual(first);
  });
});
