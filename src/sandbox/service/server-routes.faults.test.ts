/** Every fault of the merchant server's routes, over a real connection. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { List, PaymentIntent, Refund } from '../../api/schemas.ts';
import { type SocketResult, sendOverSocket } from '../../cli/socket.fixture.ts';
import type { MerchantRoute } from './core/api-routes.ts';
import { FAULTY_ROUTES } from './faults/fault.ts';
import { createWorld, ORDER, type SandboxWorld } from './sandbox.fixture.ts';
import { listen } from './server.ts';

let world: SandboxWorld;
let server: Awaited<ReturnType<typeof listen>>;
/** A payment that has succeeded. */
let paid: Awaited<ReturnType<SandboxWorld['paid']>>;
let refund: Refund;
/** A payment that is not paid yet. */
let open: Awaited<ReturnType<SandboxWorld['intent']>>;

beforeEach(async () => {
  world = createWorld();
  server = await listen(world.sandbox, { port: 0 });
  paid = await world.paid({ amount: 5000 });
  refund = await world.refunded(paid.id, 100);
  open = await world.intent();
});

afterEach(async () => {
  world.sandbox.close();
  await server.close();
});

type Call = { method: string; path: string; body?: unknown; headers?: Record<string, string> };

/** One valid request to each route. `KEY` makes requests that create something repeatable. */
const KEY = { 'idempotency-key': 'order-17' };
const CALLS: Readonly<Record<MerchantRoute, () => Call>> = {
  'payment_intents.create': () => ({
    method: 'POST',
    path: SERVER_ROUTES.paymentIntents,
    body: ORDER,
    headers: KEY,
  }),
  'payment_intents.list': () => ({ method: 'GET', path: SERVER_ROUTES.paymentIntents }),
  'payment_intents.retrieve': () => ({ method: 'GET', path: `${SERVER_ROUTES.paymentIntents}/${paid.id}` }),
  'payment_intents.update': () => ({
    method: 'POST',
    path: `${SERVER_ROUTES.paymentIntents}/${open.id}`,
    body: { description: 'changed' },
  }),
  'refunds.create': () => ({
    method: 'POST',
    path: SERVER_ROUTES.refunds,
    body: { payment_intent: paid.id, amount: 200 },
    headers: KEY,
  }),
  'refunds.list': () => ({ method: 'GET', path: SERVER_ROUTES.refunds }),
  'refunds.retrieve': () => ({ method: 'GET', path: `${SERVER_ROUTES.refunds}/${refund.id}` }),
  'fee_quotes.create': () => ({
    method: 'POST',
    path: SERVER_ROUTES.feeQuotes,
    body: { amount: 1000, currency: 'usd' },
  }),
  'balance.retrieve': () => ({ method: 'GET', path: SERVER_ROUTES.balance }),
  'webhook_signing_keys.list': () => ({ method: 'GET', path: SERVER_ROUTES.webhookSigningKeys }),
};
const isMerchantRoute = (route: string): route is MerchantRoute => Object.hasOwn(CALLS, route);
const ROUTES = FAULTY_ROUTES.filter(isMerchantRoute);

const send = (route: MerchantRoute): Promise<SocketResult> => {
  const { path, ...call } = CALLS[route]();
  return sendOverSocket(server.url + path, { ...call, key: world.sandbox.keys.secret });
};
const setFault = async (fault: object) => expect((await world.control('faults', fault)).status).toBe(200);
const payments = async () => List(PaymentIntent).parse((await world.list()).body).data;
const refunds = async () => List(Refund).parse((await world.refunds()).body).data;

it('every route of the service can have faults', () => {
  expect(ROUTES).toHaveLength(FAULTY_ROUTES.length - 3);
});

describe.each(ROUTES)('%s', (route) => {
  it.each([
    [{ status: 429 }, 429, 'rate_limited', '1'],
    [{ code: 'rate_limited' }, 429, 'rate_limited', '1'],
    [{ status: 429, retry_after: 7 }, 429, 'rate_limited', '7'],
    [{ status: 500 }, 500, 'internal_error', undefined],
    [{ status: 502 }, 502, 'provider_error', undefined],
  ])('on demand answers %j without acting, then as ever', async (fault, status, code, retryAfter) => {
    await setFault({ route, ...fault });
    const answer = await send(route);
    expect(answer).toMatchObject({ status, retryAfter, whole: true });
    expect(answer).toMatchObject({ text: expect.stringContaining(`"code":"${code}"`) });
    expect(await payments()).toHaveLength(2);
    expect(await refunds()).toHaveLength(1);
    expect((await world.now(open.id)).description).toBeNull();
    expect(await send(route)).toMatchObject({ status: 200 });
  });
});

describe('a lost answer', () => {
  it('of create: the payment exists, and the same Idempotency-Key returns it', async () => {
    await setFault({ route: 'payment_intents.create', cut: 'after' });
    expect(await send('payment_intents.create')).toEqual({ failed: 'ECONNRESET' });
    const [made] = await payments();
    const answer = await send('payment_intents.create');
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining(`"id":"${made?.id}"`) });
    expect(await payments()).toHaveLength(3);
  });

  it('of a refund: it was made, and the same Idempotency-Key returns it', async () => {
    await setFault({ route: 'refunds.create', act: true, status: 502 });
    expect(await send('refunds.create')).toMatchObject({ status: 502 });
    const [made] = await refunds();
    const answer = await send('refunds.create');
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining(`"id":"${made?.id}"`) });
    expect(await refunds()).toHaveLength(2);
  });

  it('of update: the change took effect, which only a read shows', async () => {
    const { id } = open;
    await setFault({ route: 'payment_intents.update', cut: 'after' });
    const answer = await sendOverSocket(`${server.url}${SERVER_ROUTES.paymentIntents}/${id}`, {
      method: 'POST',
      body: { amount: 4321 },
      key: world.sandbox.keys.secret,
    });
    expect(answer).toEqual({ failed: 'ECONNRESET' });
    expect((await world.now(id)).amount).toBe(4321);
  });
});

it('a create that is delivered twice with one Idempotency-Key makes one payment, without one two', async () => {
  await setFault({ route: 'payment_intents.create', deliveries: 2, times: 2 });
  await send('payment_intents.create');
  expect(await payments()).toHaveLength(3);
  await world.create();
  expect(await payments()).toHaveLength(5);
});

it('a refund that arrives a second time when its sender has gone is made once, and is saved', async () => {
  await setFault({ route: 'refunds.create', cut: 'after', again_after: 60 });
  await send('refunds.create');
  await world.clock.advance(60_000);
  expect(await refunds()).toHaveLength(2);
  expect(
    world.service.requestLog.of(paid.id).filter(({ route }) => route === 'refunds.create'),
  ).toMatchObject([{ delivery: 1 }, { delivery: 1, status: 'cut' }, { delivery: 2, status: 200 }]);
});

it('a request that is lost before it acts is in the log of the payment that it names', async () => {
  await setFault({ route: 'refunds.create', cut: 'before' });
  await send('refunds.create');
  expect(world.service.requestLog.of(paid.id).at(-1)).toMatchObject({
    route: 'refunds.create',
    status: 'cut',
    fault: 'cut: before',
  });
});

it('a plan given in code applies only to the browser', async () => {
  const asked: string[] = [];
  const planned = createWorld({
    faults: (route) => {
      asked.push(route);
      return undefined;
    },
  });
  const { client_secret } = await planned.intent();
  await planned.client('retrieve', { client_secret });
  expect(asked).toEqual(['client.retrieve']);
});
