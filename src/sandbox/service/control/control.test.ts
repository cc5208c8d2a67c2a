import { beforeEach, describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../../api/loopback.ts';
import {
  confirmBody,
  createWorld,
  expectRefusal,
  GOOD_CARD,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

describe('contract 6.3: who may use the control routes', () => {
  it.each([
    ['localhost:4010', true],
    ['[::1]:4010', true],
    ['shop.localhost', true],
    ['LOCALHOST', true],
    ['evil.test', false],
    ['localhost.evil.test', false],
    ['', false],
  ])('Host %s is a loopback name: %s', async (host, allowed) => {
    expect(isLoopbackHost(host)).toBe(allowed);
    const { status } = await createWorld().control('requests', undefined, { headers: { host } });
    expect(status).toBe(allowed ? 200 : 403);
  });

  it.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
  ])('Sec-Fetch-Site: %s answers %i', async (site, status) => {
    expect(
      await createWorld().control('requests', undefined, { headers: { 'sec-fetch-site': site } }),
    ).toMatchObject({
      status,
    });
  });

  it.each([
    ['its own', 'http://localhost:4010', 200],
    ['its own behind TLS', 'https://localhost:4010', 200],
    ['another port', 'http://localhost:4011', 403],
    ['another site', 'https://evil.test', 403],
    ['one with the same beginning', 'http://localhost:4010.evil.test', 403],
  ])('without Sec-Fetch-Site the Origin decides: %s, %s, gets %i', async (_which, origin, status) => {
    const headers = { host: 'localhost:4010', origin };
    const { id } = await world.intent();
    expect((await world.control('requests', undefined, { headers })).status).toBe(status);
    expect((await world.control(`payment_intents/${id}/cancel`, {}, { headers })).status).toBe(status);
    const after = status === 200 ? 'canceled' : 'pending';
    expect((await world.retrieve(id)).body).toMatchObject({ status: after });
    expect(await world.control('requests', undefined, { headers: { origin } })).toMatchObject({
      status: 403,
    });
  });

  it.each([
    ['Forwarded', 'for=192.0.2.7'],
    ['Via', '1.1 proxy.test'],
    ['X-Forwarded-Anything-Else', ''],
  ])('%s shows a proxy: refused, with the reason and the remedy', async (name, value) => {
    const { id } = await world.intent();
    const headers = { host: 'localhost:4010', [name]: value };
    const response = await world.control(`payment_intents/${id}/cancel`, {}, { headers });
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'control_refused' } } });
    expect(response.text).toContain(
      `the header ${name.toLowerCase()} says that a proxy passed this request on`,
    );
    expect(response.text).toContain('Ask the sandbox at its own address');
    expect((await world.retrieve(id)).body).toMatchObject({ status: 'pending' });
  });

  it('other headers do not count as signs of a proxy', async () => {
    const others = { 'forwarded-for': '1', 'x-forward': '1', 'x-real': '192.0.2.7' };
    expect(await world.control('requests', undefined, { headers: others })).toMatchObject({ status: 200 });
  });

  it.each([
    ['10.0.0.1', 403],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
  ])('a caller at %s gets %i', async (address, status) => {
    expect(await createWorld().control('requests', undefined, { address })).toMatchObject({ status });
  });
});

describe('control routes', () => {
  it('show an intent: its charges from the ledger, and the requests that named it, in order', async () => {
    const intent = await world.intent();
    const { client_secret } = intent;
    const other = await world.intent();
    await world.client('retrieve', { client_secret: other.client_secret });
    await world.client('retrieve', { client_secret });
    await world.client('confirm', confirmBody(intent, '4000000000000002'));
    await world.client('release', { client_secret });
    await world.clock.advance(1000);
    await world.client('confirm', confirmBody(intent, '4000000000010027')).catch(() => 'cut');
    await world.client('confirm', confirmBody(intent));
    const { body, text } = await world.control(`payment_intents/${intent.id}`);
    expect(body).toMatchObject({
      payment_intent: { id: intent.id, status: 'succeeded' },
      client_secret,
      charges: 1,
      confirms: 3,
      deliveries: 3,
      releases: 1,
      retrieves: 1,
      requests: [
        {
          route: 'payment_intents.create',
          method: 'POST',
          status: 200,
          code: null,
          attempt: null,
          delivery: 1,
        },
        { route: 'client.retrieve', status: 200 },
        { route: 'client.confirm', status: 402, code: 'payment_method_declined', attempt: 1 },
        { route: 'client.release', status: 200, attempt: null },
        { route: 'client.confirm', at: world.clock.now(), status: 'cut', attempt: 2 },
        { route: 'client.confirm', status: 400, code: 'payment_intent_not_pending', attempt: null },
      ],
    });
    expect(text).not.toContain('4000000000');
  });

  it('a request that is still waiting has no status yet', async () => {
    const intent = await world.intent();
    const paying = world.client('confirm', confirmBody(intent, '4000000000010050'));
    await world.clock.advance(1);
    expect((await world.control(`payment_intents/${intent.id}`)).body).toMatchObject({
      requests: [{}, { route: 'client.confirm', status: null, attempt: 1 }],
    });
    await world.control('clock', { advance_seconds: 30 });
    expect((await paying).status).toBe(200);
  });

  it('list intents newest first, and recent requests of all routes', async () => {
    const first = await world.intent();
    const second = await world.intent();
    await world.server('GET', '/partner/v1/nowhere');
    expect((await world.control('payment_intents')).body).toEqual({ data: [second.id, first.id] });
    expect((await world.control('requests?limit=2')).body).toMatchObject({
      data: [{ intent: second.id }, { route: 'unknown', status: 404, code: 'not_found', intent: null }],
    });
  });

  it('find requests by path, parameter and message, and those that failed, and show no secret of a path', async () => {
    const { id } = await world.intent();
    await world.server('POST', '/partner/v1/payment_intents', { amount: 1.5, currency: 'usd' });
    await world.server('GET', '/partner/v1/payment_intent/lg_cs_secret/4242424242424242');
    const found = async (query: string) => {
      const { body } = await world.control(`requests?${query}`);
      return body;
    };
    const invalid = {
      method: 'POST',
      path: '/partner/v1/payment_intents',
      param: 'amount',
      message: expect.stringMatching(/amount/i),
    };
    const lost = { method: 'GET', path: '/partner/v1/payment_intent/lg_cs_…/…', code: 'not_found' };
    expect(await found('failed=true')).toMatchObject({ data: [invalid, lost] });
    expect(await found('find=AMOUNT')).toMatchObject({ data: [invalid] });
    expect(await found('find=payment_intent/')).toMatchObject({ data: [lost] });
    expect(await found(`find=${id}`)).toMatchObject({ data: [{ intent: id, param: null, message: null }] });
    expect(await found('find=nowhere')).toEqual({ data: [] });
  });

  it('cancel without a body', async () => {
    const { id } = await world.intent();
    const request = new Request(`http://localhost/_sandbox/payment_intents/${id}/cancel`, { method: 'POST' });
    expect((await world.sandbox.fetch(request)).status).toBe(200);
  });

  it('advance the clock: payments settle and rate limits reset', async () => {
    world = createWorld({ clientRateLimit: 2 });
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent, '4000000000010001'));
    await world.client('confirm', confirmBody(intent));
    expect((await world.client('confirm', confirmBody(intent))).status).toBe(429);
    const { body } = await world.control('clock', { advance_seconds: 60 });
    expect(body).toEqual({ now: world.clock.now() + 60_000 });
    expect((await world.client('confirm', confirmBody(intent))).status).toBe(400);
    expect((await world.retrieve(intent.id)).body).toMatchObject({ status: 'succeeded' });
  });

  it.each([
    ['clock', { advance_seconds: -1 }, 'advance_seconds'],
    ['keys/revoke', { key: 1 }, 'key'],
    ['account', { frozen: true }, 'frozen'],
    ['account', { fee_schedule: { processing: { bps: 1 } } }, 'fee_schedule.processing.fixed'],
    ['faults', { route: 'client.pay' }, 'route'],
    ['faults', { route: 'client.confirm', times: 0 }, 'times'],
    ['faults', { route: 'client.confirm', deliveries: 4 }, 'deliveries'],
    ['faults', { route: 'client.confirm', refuse: true, html: true }, 'html'],
    ['faults', { route: 'client.confirm', random: { seed: 1, rate: 1 } }, 'route'],
    ['faults', { random: { seed: 1, rate: 2 } }, 'random.rate'],
    ['faults', { random: { seed: 1, rate: 1, kinds: ['flood'] } }, 'random.kinds[0]'],
  ])('%s with %j answers 400 and names the field', async (path, body, param) => {
    const response = await createWorld().control(path, body);
    expect(response).toMatchObject(refusedWith(400, 'validation_error', param));
  });

  it('answer 404 for an intent or key that does not exist', async () => {
    await expectRefusal(createWorld().control('payment_intents/x'), 'payment_intent_not_found');
    await expectRefusal(createWorld().control('keys/revoke', { key: 'x' }), 'not_found');
    expect((await createWorld().control('elsewhere')).status).toBe(404);
  });
});

describe('faults', () => {
  const setUp = async (fault: Record<string, unknown>) => {
    const world = createWorld();
    const intent = await world.intent();
    await world.control('faults', { route: 'client.confirm', ...fault });
    const status = async () => (await world.retrieve(intent.id)).body;
    return { world, status, confirm: () => world.client('confirm', confirmBody(intent, GOOD_CARD)) };
  };

  it.each([
    [{ status: 503 }, 503, 'internal_error'],
    [{ code: 'provider_error' }, 502, 'provider_error'],
    [{ status: 418, code: 'teapot' }, 418, 'teapot'],
    [{ code: 'unknown_code' }, 400, 'unknown_code'],
  ])('%j answers once without acting', async (fault, status, code) => {
    const { confirm, status: intent } = await setUp(fault);
    expect(await confirm()).toMatchObject(refusedWith(status, code));
    expect(await intent()).toMatchObject({ status: 'pending', confirmation_attempts: 0 });
    expect((await confirm()).status).toBe(200);
  });

  it.each([
    [7, '7'],
    ['', ''],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT'],
    [null, null],
  ])('retry_after %j is sent unchanged, with 429', async (retry_after, sent) => {
    const { confirm } = await setUp({ retry_after });
    const response = await confirm();
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe(sent);
  });

  it.each([{ code: 'rate_limited' }, { status: 429 }])(
    'contract S17.4: %j has a Retry-After, as every 429 that does not ask for none',
    async (fault) => {
      const { confirm } = await setUp(fault);
      const response = await confirm();
      expect(response).toMatchObject(refusedWith(429, 'rate_limited'));
      expect(response.headers.get('retry-after')).toBe('1');
    },
  );

  it('times: this many requests, only of that route', async () => {
    const { client_secret } = await world.intent();
    await world.control('faults', { route: 'client.retrieve', status: 500, times: 2 });
    expect((await world.client('release', { client_secret })).status).toBe(200);
    expect((await world.client('retrieve', { client_secret })).status).toBe(500);
    expect((await world.client('retrieve', { client_secret })).status).toBe(500);
    expect((await world.client('retrieve', { client_secret })).status).toBe(200);
  });
});

describe('the faults to come can be listed and cleared', () => {
  it('GET lists them with the fields they were set with and how often they still apply; DELETE clears all', async () => {
    const { client_secret } = await world.intent();
    await world.control('faults', { route: 'client.retrieve', status: 503, retry_after: '', times: 3 });
    await world.control('faults', { route: 'client.confirm', cut: 'after', deliveries: 2 });
    await world.control('faults', { refuse: true, times: 2 });
    await world.control('faults', {
      random: { seed: 7, rate: 0.5, routes: ['client.release'], kinds: ['html'] },
    });
    await world.client('retrieve', { client_secret });
    await world.client('release', { client_secret });
    expect((await world.control('faults')).body).toEqual({
      waiting: [
        { route: 'client.retrieve', times: 2, status: 503, retry_after: '' },
        { route: 'client.confirm', times: 1, cut: 'after', deliveries: 2 },
      ],
      connections: 2,
      random: {
        seed: 7,
        rate: 0.5,
        routes: ['client.release'],
        kinds: ['html'],
        longest_seconds: 30,
        decided: 1,
      },
    });
    const empty = { waiting: [], connections: 0, random: null };
    const path = 'http://localhost/_sandbox/faults';
    const cleared = await world.sandbox.fetch(new Request(path, { method: 'DELETE' }));
    expect(await cleared.json()).toEqual(empty);
    expect((await world.control('faults')).body).toEqual(empty);
    expect((await world.client('retrieve', { client_secret })).status).toBe(200);
    expect(world.sandbox.refusesConnection()).toBe(false);
  });
});
