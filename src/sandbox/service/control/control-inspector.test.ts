import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PLAYGROUND_MARK } from '../../../api/routes.ts';
import { MAX_LOGGED_REQUESTS } from '../core/request-log.ts';
import { confirmBody, createWorld, expectRefusal, type SandboxWorld } from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

const details = (world: SandboxWorld, id: string) => world.control(`overview/payment_intents/${id}`);

describe('GET /_sandbox/overview', () => {
  it('shows the sandbox as a whole, with only the last 4 characters of secret keys', async () => {
    world = createWorld({ attempts: 3 });
    await world.paid();
    await world.intent();
    const { body, text } = await world.control('overview');
    expect(body).toMatchObject({
      now: world.clock.now(),
      ahead: 0,
      account: { id: 'sandbox', suspended: false, fee_bearer: 'merchant' },
      keys: [{ publishable_key: SANDBOX_KEYS.publishable, secret_key_last4: '0001' }],
      attempts: 3,
      hold_failed_attempts: false,
      payments: { pending: 1, processing: 0, succeeded: 1, canceled: 0 },
      journal: { kept: MAX_LOGGED_REQUESTS, since: world.clock.now() },
      faults: { waiting: [], connections: 0, random: null },
    });
    expect(text).not.toContain(SANDBOX_KEYS.secret);
  });

  it('counts payments by status without walking through them, outcomes that are due included', async () => {
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent, '4000000000010001'));
    vi.spyOn(world.service.ledger, 'intents').mockImplementation(() => {
      throw new Error('walked');
    });
    world.service.clock.shift(60_000);
    expect((await world.control('overview')).body).toMatchObject({
      payments: { processing: 0, succeeded: 1 },
    });
  });

  it('POST /_sandbox/settings changes how attempts end from now on', async () => {
    expect((await world.control('settings', { hold_failed_attempts: true, attempts: 2 })).body).toEqual({
      attempts: 2,
      hold_failed_attempts: true,
    });
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent, '4000000000000002'));
    expect((await world.now(intent.id)).status).toBe('processing');
    await expectRefusal(world.control('settings', { attempts: 0 }), 'validation_error', 'attempts');
  });
});

describe('GET /_sandbox/overview/payment_intents', () => {
  it('has pages of the matching payments, newest first', async () => {
    for (let order = 1; order <= 5; order += 1) await world.intent({ order_reference: `A-${order}` });
    await world.paid({ order_reference: 'B-1', buyer: { name: 'Grace Hopper' } });
    const page = async (query: string) => (await world.control(`overview/payment_intents${query}`)).body;
    const named = (...names: string[]) => names.map((order_reference) => ({ order_reference }));
    expect(await page('?limit=2')).toMatchObject({ matching: 6, data: named('B-1', 'A-5') });
    expect(await page('?limit=2&offset=4')).toMatchObject({ matching: 6, data: named('A-2', 'A-1') });
    expect(await page('?find=hopper')).toMatchObject({ matching: 1, data: named('B-1') });
    expect(await page('?find=a-3')).toMatchObject({ matching: 1, data: named('A-3') });
    expect(await page('?status=succeeded')).toMatchObject({ matching: 1, data: named('B-1') });
    expect(JSON.stringify(await page(''))).not.toContain('lg_cs_');
  });

  it('lists a payment of the playground once somebody has tried to pay it, or if asked for', async () => {
    const mine = await world.intent();
    const made = await world.control('payment_intents', { metadata: PLAYGROUND_MARK });
    const { client_secret, payment_intent } = JSON.parse(made.text);
    const page = async (query = '') => (await world.control(`overview/payment_intents${query}`)).body;
    expect(await page()).toMatchObject({ matching: 1, untouched: 1, data: [{ id: mine.id }] });
    expect(await page('?untouched=true')).toMatchObject({
      matching: 2,
      data: [{ id: payment_intent.id }, {}],
    });
    await world.client('confirm', confirmBody({ client_secret, amount_total: 2400, currency: 'usd' }));
    expect(await page()).toMatchObject({ matching: 2, untouched: 0 });
  });

  it('only its own route returns the secret key: a valid one, or null', async () => {
    const key = async () => (await world.control('secret_key', {})).body;
    expect(await key()).toEqual({ secret_key: SANDBOX_KEYS.secret });
    expect((await world.control('overview')).text).not.toContain(SANDBOX_KEYS.secret);
    await world.control('keys/revoke', { key: SANDBOX_KEYS.secret });
    expect(await key()).toEqual({ secret_key: null });
  });

  it('client secrets are shown only by their own route', async () => {
    const intent = await world.intent();
    const shown = await details(world, intent.id);
    expect(shown.body).toMatchObject({ payment: { id: intent.id } });
    expect(shown.text).not.toContain(intent.client_secret);
    expect((await world.control(`payment_intents/${intent.id}/client_secret`, {})).body).toEqual({
      client_secret: intent.client_secret,
    });
  });

  it('a test payment can be paid at once', async () => {
    const made = await world.control('payment_intents', { amount: 1234, currency: 'eur' });
    expect(made.body).toMatchObject({
      payment_intent: { status: 'pending', amount: 1234, currency: 'eur' },
      client_secret: expect.stringMatching(/^lg_cs_/),
    });
    const secret: unknown = JSON.parse(made.text).client_secret;
    const paid = await world.client('confirm', {
      ...confirmBody({ client_secret: String(secret), amount_total: 1234, currency: 'eur' }),
    });
    expect(paid.status).toBe(200);
    await expectRefusal(world.control('payment_intents', { amount: -1 }), 'invalid_amount', 'amount');
  });
});

describe('GET /_sandbox/overview/payment_intents/:id', () => {
  it('has requests with duration and fault, control actions, refunds, events and deliveries', async () => {
    world = createWorld({ outgoing: async () => ({ status: 500 }) });
    const endpoint = await world.control('webhook_endpoints', { url: 'http://localhost:9/hook' });
    const intent = await world.intent();
    await world.control(`payment_intents/${intent.id}/update`, { amount: 2000 });
    await world.control('faults', { route: 'client.confirm', delay_seconds: 7, html: true });
    const paying = world.client('confirm', { ...confirmBody(intent), amount_total: 2000 });
    await world.control('clock', { advance_seconds: 7 });
    await paying;
    await world.control(`payment_intents/${intent.id}/unlock_steps/release`, { step: 1 });
    await world.control(`payment_intents/${intent.id}/refund`, { amount: 100 });
    await world.control('clock', { advance_seconds: 60 });
    const { url } = JSON.parse(endpoint.text);
    expect((await details(world, intent.id)).body).toMatchObject({
      payment: { status: 'succeeded', amount_total: 2000, amount_refunded: 100 },
      settles_at: null,
      attempts_allowed: 5,
      charges: [{ amount: 2000 }],
      refunds: [{ amount: 100, status: 'succeeded', deduction: { available: 0 } }],
      requests: [
        { route: 'payment_intents.create', status: 200, took: 0, fault: null },
        { route: 'client.confirm', status: 200, took: 7000, fault: 'delay_seconds: 7, html' },
      ],
      requests_left_off: 0,
      actions: [
        { action: 'amount_changed', from: 1000, to: 2000 },
        { action: 'clock_moved', ms: 7000 },
        { action: 'step_released', step: 1 },
        { action: 'clock_moved', ms: 60_000 },
      ],
      events: [
        {
          type: 'payment_intent.succeeded',
          refund: null,
          deliveries: [{ url, status: 'pending', attempts: [{ http_status: 500 }, { http_status: 500 }] }],
        },
        { type: 'refund.succeeded', refund: expect.stringMatching(/^lg_re_/) },
      ],
    });
  });

  it('a refused action and a repeated cancel are not logged', async () => {
    const intent = await world.intent();
    await world.control(`payment_intents/${intent.id}/update`, { amount: -1 });
    await world.control(`payment_intents/${intent.id}/cancel`, {});
    await world.control(`payment_intents/${intent.id}/cancel`, {});
    expect((await details(world, intent.id)).body).toMatchObject({ actions: [{ action: 'canceled' }] });
  });

  it('says since when no request has been dropped: the request log is bounded', async () => {
    world = createWorld({ serverRateLimit: 1_000_000 });
    const { id } = await world.intent();
    const start = world.clock.now();
    expect((await details(world, id)).body).toMatchObject({ known_since: start });
    for (let request = 0; request < MAX_LOGGED_REQUESTS - 1; request += 1)
      world.service.requestLog.open({ at: start, method: 'GET', path: '/' });
    await world.clock.advance(5000);
    await world.retrieve(id);
    for (let request = 0; request < MAX_LOGGED_REQUESTS - 1; request += 1) {
      world.service.requestLog.open({ at: world.clock.now(), method: 'GET', path: '/' });
    }
    expect((await details(world, id)).body).toMatchObject({
      known_since: start + 5000,
      requests: [{ route: 'payment_intents.retrieve' }],
    });
  });
});

describe('GET /_sandbox/money', () => {
  const money = async (world: SandboxWorld) => JSON.parse((await world.control('money')).text).data;

  it('what is to come adds up to the locked balance, in each currency', async () => {
    await world.paid();
    await world.clock.advance(3_600_000);
    await world.paid({ amount: 5000 });
    await world.paid({ amount: 700, currency: 'eur' });
    const comingOf = async () => {
      const balance = await world.balance();
      const [usd, ...others] = await money(world);
      expect(usd).toMatchObject(balance);
      expect(usd.coming.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(
        balance.locked,
      );
      expect(others).toMatchObject([{ currency: 'eur' }]);
      return usd.coming;
    };
    expect(await comingOf()).toHaveLength(4);
    await world.clock.advance(8 * 86_400_000);
    expect(await comingOf()).toHaveLength(2);
    await world.control('clock', { advance_seconds: 30 * 86_400 });
    expect(await comingOf()).toEqual([]);
  });
});

describe('GET /_sandbox/changes', () => {
  it('answers at once without a version or with an old one; with the current one it waits for a change', async () => {
    const version = async (since = '') => JSON.parse((await world.control(`changes${since}`)).text).version;
    const first = await version();
    expect(await version(`?since=${first - 1}`)).toBe(first);
    let heard: number | null = null;
    const waiting = version(`?since=${first}`).then((next) => {
      heard = next;
    });
    await world.control('overview');
    await world.clock.advance(60_000);
    expect(heard).toBeNull();
    await world.intent();
    await waiting;
    expect(heard).toBeGreaterThan(first);
  });

  it.each<[string, (world: SandboxWorld) => Promise<unknown>]>([
    ['a control route', (world) => world.control('clock', { advance_seconds: 1 })],
    ['a request of the form', (world) => world.client('retrieve', { client_secret: 'lg_cs_1' })],
    ['clearing the faults', (world) => world.server('DELETE', '/_sandbox/faults')],
  ])('%s is a change', async (_, act) => {
    const before = world.service.changeFeed.version();
    await act(world);
    expect(world.service.changeFeed.version()).not.toBe(before);
  });

  it('a payment that settles on its own is a change', async () => {
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent, '4000000000010001'));
    const before = world.service.changeFeed.version();
    await world.clock.advance(3000);
    expect(world.service.changeFeed.version()).not.toBe(before);
  });

  it('waiting does not count as work, which would delay saving', async () => {
    let working = 0;
    const { runAndSave: work } = world.service;
    world.service.runAndSave = async (next) => {
      working += 1;
      return work(next);
    };
    const version = world.service.changeFeed.version();
    const waiting = world.control(`changes?since=${version}`);
    await world.clock.advance(0);
    expect(working).toBe(0);
    world.service.changeFeed.notify();
    await waiting;
  });

  it('ends when the caller disconnects, and when the sandbox closes', async () => {
    const version = world.service.changeFeed.version();
    const going = new AbortController();
    const gone = world.control(`changes?since=${version}`, undefined, { signal: going.signal });
    going.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    const waiting = world.control(`changes?since=${version}`);
    await world.clock.advance(0);
    await world.sandbox.close();
    expect((await waiting).status).toBe(200);
  });
});
