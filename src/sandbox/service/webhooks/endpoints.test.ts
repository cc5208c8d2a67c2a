import { beforeEach, describe, expect, it } from 'vitest';
import { addAccount } from '../accounts/accounts.ts';
import { expectRefusal, refusedWith } from '../sandbox.fixture.ts';
import { createMerchantWorld, type MerchantWorld } from './webhooks.fixture.ts';

let world: MerchantWorld;
beforeEach(() => {
  world = createMerchantWorld();
});

describe('contract S13.1', () => {
  it('created in the dashboard: URL, chosen event types (none chosen = all types); contract S2.1: we_', async () => {
    const endpoint = await world.endpoint();
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^we_[A-Za-z0-9]{24}$/),
      account: 'sandbox',
      url: 'https://shop.example.com/webhooks',
      event_types: [],
      enabled: true,
      created: Math.floor(world.clock.now() / 1000),
    });
    const chosen = await world.endpoint({ event_types: ['refund.failed', 'refund.failed'] });
    expect(chosen.event_types).toEqual(['refund.failed']);
    expect((await world.control('webhook_endpoints')).body).toEqual({ data: [chosen, endpoint] });
  });

  it('each gets only the chosen types; none chosen = all types', async () => {
    await world.endpoint({ url: 'https://shop.example.com/all' });
    await world.endpoint({
      url: 'https://shop.example.com/two',
      event_types: ['refund.failed', 'refund.succeeded'],
    });
    await world.endpoint({ url: 'https://shop.example.com/one', event_types: ['payment_intent.succeeded'] });
    const { id } = await world.pay();
    await world.refunded(id, 100);
    await world.refunded(id, 113);
    await world.clock.advance(3000);
    const arrived = world.arrivals.map(({ url, event }) => `${url.slice(-4)} ${event.type}`);
    expect(arrived.sort()).toEqual([
      '/all payment_intent.succeeded',
      '/all refund.failed',
      '/all refund.succeeded',
      '/one payment_intent.succeeded',
      '/two refund.failed',
      '/two refund.succeeded',
    ]);
  });

  it('contract S17.15: Webhook endpoints: up to 16 per account', async () => {
    addAccount(world.service.store, {
      id: 'other',
      publishable: 'pk_live_other',
      secret: 'sk_live_other',
      feeBearer: 'merchant',
    });
    const made = [];
    for (let count = 0; count < 16; count += 1) made.push(await world.endpoint({ enabled: count % 2 === 0 }));
    const another = { url: 'https://shop.example.com/17' };
    await expectRefusal(world.control('webhook_endpoints', another), 'validation_error');
    expect((await world.control('webhook_endpoints', { ...another, account: 'other' })).status).toBe(200);
    expect((await world.control('webhook_endpoints?account=other')).body).toMatchObject({
      data: [{ account: 'other' }],
    });
    expect(await world.remove(`webhook_endpoints/${made[3]?.id}`)).toBe(200);
    expect((await world.control('webhook_endpoints', another)).status).toBe(200);
  });

  it('they can be edited: all that was sent, or nothing', async () => {
    const { id } = await world.endpoint();
    const wrong = { url: 'https://10.0.0.1/', event_types: ['refund.failed'], enabled: false };
    await expectRefusal(world.control(`webhook_endpoints/${id}`, wrong), 'validation_error', 'url');
    expect((await world.control('webhook_endpoints')).body).toMatchObject({
      data: [{ url: 'https://shop.example.com/webhooks', event_types: [], enabled: true }],
    });
    const right = { url: 'https://shop.example.com/new', event_types: ['payment_intent.succeeded'] };
    expect((await world.control(`webhook_endpoints/${id}`, right)).body).toMatchObject({ id, ...right });
    await world.pay();
    expect(world.arrivals.map(({ url }) => url)).toEqual(['https://shop.example.com/new']);
  });

  it('a disabled endpoint gets no new events; earlier deliveries are still retried', async () => {
    const { id } = await world.endpoint();
    world.replies(500);
    const first = await world.pay();
    await world.control(`webhook_endpoints/${id}`, { enabled: false });
    await world.pay();
    await world.clock.advance(30_000);
    const paid = world.arrivals.map(({ event }) => event.data.object.id);
    expect(paid).toEqual([first.id, first.id]);
    await world.control(`webhook_endpoints/${id}`, { enabled: true });
    await world.pay();
    expect(world.arrivals).toHaveLength(3);
  });

  it('a deleted endpoint gets no more webhooks, and its pending deliveries are canceled', async () => {
    const { id } = await world.endpoint();
    world.replies(500);
    await world.pay();
    expect(await world.remove(`webhook_endpoints/${id}`)).toBe(200);
    await world.pay();
    await world.clock.advance(7 * 86_400_000);
    expect(world.arrivals).toHaveLength(1);
    const [delivery] = await world.history();
    expect(delivery).toMatchObject({ status: 'canceled', next_attempt_at: null });
    await expectRefusal(world.control(`webhook_deliveries/${delivery?.id}/retry`, {}), 'validation_error');
    expect(await world.remove(`webhook_endpoints/${id}`)).toBe(404);
    expect(await world.control(`webhook_endpoints/${id}`, {})).toMatchObject(refusedWith(404, 'not_found'));
  });

  it('an account gets only its own events', async () => {
    addAccount(world.service.store, { id: 'other', publishable: 'pk', secret: 'sk', feeBearer: 'merchant' });
    await world.endpoint({ account: 'other' });
    await world.pay();
    expect(world.arrivals).toEqual([]);
    expect(await world.history()).toEqual([]);
  });

  it.each([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'https://a.example.com', event_types: ['payment_intent.created'] }, 'event_types[0]'],
    [{ url: 'https://a.example.com', color: 'red' }, 'color'],
  ])('refuses %j', async (body, param) => {
    await expectRefusal(createMerchantWorld().control('webhook_endpoints', body), 'validation_error', param);
  });

  it('refuses an account that does not exist', async () => {
    const body = { url: 'https://a.example.com', account: 'nobody' };
    await expectRefusal(createMerchantWorld().control('webhook_endpoints', body), 'not_found', 'account');
  });
});

describe('contract S13.2: the strict rule of URLs', () => {
  it('holds for all but this machine, which the sandbox allows unless configured otherwise', async () => {
    const here = { url: 'http://localhost:3000/webhooks' };
    const open = createMerchantWorld();
    expect((await open.control('webhook_endpoints', here)).status).toBe(200);
    expect(await open.control('webhook_endpoints', { url: 'http://shop.example.com/' })).toMatchObject(
      refusedWith(400, 'validation_error', 'url'),
    );
    const strict = createMerchantWorld({ allowLocalWebhooks: false });
    const response = await strict.control('webhook_endpoints', here);
    expect(response).toMatchObject(refusedWith(400, 'validation_error', 'url'));
    expect(response.text).toContain('\\"url\\" must begin with https://; got http://.');
  });
});

describe('contract 6.8: --webhook-host', () => {
  it('names hosts that may be anywhere, on any port and without TLS', async () => {
    world = createMerchantWorld({ webhookHosts: ['Shop', 'staging.test'] });
    for (const url of ['http://shop:3000/webhooks', 'https://staging.test/', 'https://shop.example.com/'])
      expect(await world.endpoint({ url })).toMatchObject({ url });
    for (const url of ['http://shop2:3000/', 'http://user:pass@shop/', 'ftp://shop/'])
      await expectRefusal(world.control('webhook_endpoints', { url }), 'validation_error', 'url');
  });

  it('is named to whom it would help', async () => {
    const said = async (url: string) => (await world.control('webhook_endpoints', { url })).text;
    expect(await said('http://192.168.1.5:3000/x')).toContain(
      'started with --webhook-host 192.168.1.5 sends there',
    );
    expect(await said('https://shop.internal/x')).toContain('--webhook-host shop.internal');
    expect(await said('http://user:pass@shop/')).not.toContain('--webhook-host');
    expect(await said('localhost:3000/webhooks')).toContain('such as http://localhost:3000/webhooks');
  });
});

describe('contract 6.8: a caller on another machine cannot have the sandbox send to its own', () => {
  it('creates and edits endpoints only with public names, and learns why', async () => {
    const guard = { token: 'a-token-of-some-length' };
    const send = async (address: string, path: string, body: unknown) => {
      const request = new Request(`http://127.0.0.1:4010/_sandbox/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${guard.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const response = await world.sandbox.fetch(request, { address, guard });
      return { status: response.status, body: await response.json() };
    };
    const local = { url: 'http://localhost:3000/webhooks' };
    for (const path of ['webhook_endpoints', `webhook_endpoints/${(await world.endpoint()).id}`]) {
      const refused = await send('192.0.2.7', path, local);
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error', param: 'url' } },
      });
      expect(JSON.stringify(refused.body)).toContain('is the machine of the sandbox');
      expect((await send('192.0.2.7', path, { url: 'https://shop.example.com/' })).status).toBe(200);
      expect((await send('127.0.0.1', path, local)).status).toBe(200);
    }
  });
});
