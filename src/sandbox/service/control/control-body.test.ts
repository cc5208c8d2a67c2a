/** Bodies of control routes over real sockets, where a request without a body differs from one within this process. */
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../app.ts';
import { confirmBody, createWorld, type SandboxWorld } from '../sandbox.fixture.ts';
import { listen } from '../server.ts';

let world: SandboxWorld;
let server: Awaited<ReturnType<typeof listen>>;

beforeEach(async () => {
  world = createWorld({ outgoing: async () => ({ status: 200 }) });
  server = await listen(world.sandbox, { port: 0 });
});
afterEach(async () => {
  await world.sandbox.close();
  await server.close();
});

type Sent = { status: number; body: unknown };

/** Sends a POST with exactly these headers, over a new connection. */
const post = (path: string, headers: Record<string, string> = {}, body?: string): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const sending = request(`${server.url}${path}`, { method: 'POST', agent: false, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    sending.on('error', reject);
    sending.end(body);
  });

/** The control routes that need a body, each with the first field that is missing without one. */
const REQUIRED: Readonly<Record<string, string>> = {
  '/_sandbox/payment_intents/:id/update': 'amount',
  '/_sandbox/payment_intents/:id/refuse_refunds': 'refuse',
  '/_sandbox/payment_intents/:id/unlock_steps/release': 'step',
  '/_sandbox/payment_intents/:id/unlock_steps/reschedule': 'step',
  '/_sandbox/clock': 'advance_seconds',
  '/_sandbox/keys/revoke': 'key',
  '/_sandbox/faults': 'route',
  '/_sandbox/webhook_endpoints': 'url',
  '/_sandbox/webhook_signing_keys/retire': 'kid',
};

const routes = [
  ...new Set(
    createApp(createWorld().service)
      .routes.filter(({ path, method }) => method === 'POST' && path.startsWith('/_sandbox/'))
      .map(({ path }) => path)
      .filter((path) => !path.includes('*')),
  ),
];

/** Returns a path of the route in a sandbox with a paid payment, an endpoint and a delivery. */
const addressOf = async (path: string): Promise<string> => {
  const endpoint = await world.control('webhook_endpoints', { url: 'http://localhost:9/hook' });
  const intent = path.endsWith('/cancel') ? await world.intent() : await world.paid();
  await world.clock.advance(0);
  const [delivery] = world.service.store.webhookDeliveries.keys();
  const ids: readonly (readonly [part: string, id: string])[] = [
    ['payment_intents', intent.id],
    ['webhook_endpoints', JSON.parse(endpoint.text).id],
    ['webhook_deliveries', delivery ?? ''],
    ['accounts', 'sandbox'],
  ];
  const id = ids.find(([part]) => path.includes(`/${part}/`))?.[1] ?? '';
  return path.replace(':id', id).replace(':pair', 'key_1');
};

describe('a POST without a body', () => {
  it('is tried on every control route', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(routes).toEqual(expect.arrayContaining(Object.keys(REQUIRED)));
  });

  it.each(routes)('to %s: works, or answers 400 with the field that is missing', async (path) => {
    const address = await addressOf(path);
    const param = REQUIRED[path];
    const expected =
      param === undefined
        ? { status: 200 }
        : { status: 400, body: { error: { code: 'validation_error', param } } };
    // Like `curl -X POST`, and like `fetch` with the content type of all other requests.
    const answer = await post(address);
    expect(answer).toMatchObject(expected);
    expect(JSON.stringify(answer)).not.toMatch(/of the type|nonoptional/);
    if (!path.endsWith('/cancel') && !path.endsWith('/refund'))
      expect(
        await post(address, { 'content-type': 'application/json', 'content-length': '0' }),
      ).toMatchObject(expected);
  });
});

it.each([
  ['another type', { 'content-type': 'text/plain' }, '{}'],
  ['no type', {}, '{}'],
  ['no JSON', { 'content-type': 'application/json' }, '{'],
  ['a field too many', { 'content-type': 'application/json' }, '{"why": 1}'],
  ['a list', { 'content-type': 'application/json' }, '[]'],
])('a body is refused if it has %s, even on a route without a body', async (_, headers, body) => {
  const { id } = await world.intent();
  const address = `/_sandbox/payment_intents/${id}/cancel`;
  expect(await post(address, headers, body)).toMatchObject({ status: 400 });
  expect(await world.now(id)).toMatchObject({ status: 'pending' });
  expect(await post(address, { 'content-type': 'application/json' }, '{}')).toMatchObject({ status: 200 });
});

it('the service still wants a body where it has one: an empty confirm is refused', async () => {
  const intent = await world.intent();
  const headers = { authorization: `Bearer ${world.sandbox.keys.publishable}` };
  expect(await post('/partner/v1/client/payment_intents/confirm', headers)).toMatchObject({ status: 400 });
  const body = JSON.stringify(confirmBody(intent));
  expect(
    await post(
      '/partner/v1/client/payment_intents/confirm',
      { ...headers, 'content-type': 'application/json' },
      body,
    ),
  ).toMatchObject({ status: 200 });
});
