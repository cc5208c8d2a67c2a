import { describe, expect, it } from 'vitest';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { createMerchantWorld } from '../../sandbox/service/webhooks/webhooks.fixture.ts';
import { createServiceClient } from './client.ts';
import { WebhookError } from './verify-webhook.ts';

/** A merchant who receives webhooks, and whose client counts how often it loads the keys. */
const createMerchant = async () => {
  const world = createMerchantWorld();
  const { id: endpoint } = await world.endpoint();
  let loads = 0;
  const service = createServiceClient({
    baseUrl: 'https://service.test',
    secretKey: world.sandbox.keys.secret,
    clock: { now: world.clock.now, wait: world.clock.wait }, // moves with the service's clock
    fetch: (url, init) => {
      if (url.endsWith(SERVER_ROUTES.webhookSigningKeys)) loads += 1;
      return world.sandbox.fetch(new Request(url, init));
    },
  });
  type Arrival = { headers: Readonly<Record<string, string>>; body: string };
  const verify = ({ headers, body }: Arrival, signal?: AbortSignal) =>
    service.verifyWebhook(body, headers, endpoint, { now: world.clock.now() / 1000, signal });
  const forged = ({ headers, body }: Arrival): Arrival => {
    const signature = `${headers['Service-Signature']}`.replace(/kid=\w+/, 'kid=forged');
    return { headers: { ...headers, 'Service-Signature': signature }, body };
  };
  const arrived = async () => {
    await world.pay();
    const last = world.arrivals.at(-1);
    if (last === undefined) throw new Error('No webhook has arrived.');
    return last;
  };
  return { world, verify, forged, arrived, loads: () => loads };
};

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookError ? error.code : `${error}`),
  );

describe("the client's verifyWebhook", () => {
  it('loads the keys once, and keeps them', async () => {
    const { verify, arrived, loads } = await createMerchant();
    expect(await verify(await arrived())).toMatchObject({ type: 'payment_intent.succeeded' });
    expect(await verify(await arrived())).toMatchObject({ type: 'payment_intent.succeeded' });
    expect(loads()).toBe(1);
  });

  it('contract S12.3: an unknown kid means that the list is loaded again, once', async () => {
    const { world, verify, forged, arrived, loads } = await createMerchant();
    await verify(await arrived());
    await world.clock.advance(60_000);
    await world.control('webhook_signing_keys/rotate', {});
    expect(await verify(await arrived())).toMatchObject({ object: 'event' });
    expect(loads()).toBe(2);
    await world.clock.advance(60_000);
    expect(await codeOf(verify(forged(await arrived())))).toBe('unknown_kid');
    expect(loads()).toBe(3);
  });

  it('forged keys cost the service one request in five seconds at most', async () => {
    const { world, verify, arrived, loads, forged } = await createMerchant();
    const real = await arrived();
    await verify(real);
    const codes: Promise<string>[] = [];
    for (let second = 0; second < 60; second += 1) {
      for (let times = 0; times < 10; times += 1) codes.push(codeOf(verify(forged(real))));
      await world.clock.advance(1000);
    }
    await world.clock.advance(10_000);
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['unknown_kid']));
    expect(loads()).toBeLessThanOrEqual(14);
    expect(loads()).toBeGreaterThan(8);
  });

  it('forged keys delay a webhook with a new key by five seconds at most, and one with a known key not at all', async () => {
    const { world, verify, arrived, forged } = await createMerchant();
    const old = await arrived();
    await verify(old);
    for (let times = 0; times < 50; times += 1) void codeOf(verify(forged(old)));
    expect(await codeOf(verify(old))).toBe('accepted');
    await world.control('webhook_signing_keys/rotate', {});
    const next = codeOf(verify(await arrived()));
    await world.clock.advance(5000);
    expect(await next).toBe('accepted');
  });

  it('a key that the service has withdrawn is refused after five minutes at the latest', async () => {
    const { world, verify, arrived, loads } = await createMerchant();
    const first = await arrived();
    await verify(first);
    await world.clock.advance(299_000);
    await codeOf(verify(await arrived()));
    expect(loads()).toBe(1);
    await world.clock.advance(1000);
    expect(await codeOf(verify(await arrived()))).toBe('accepted');
    expect(loads()).toBe(2);
  });

  it('a call that is aborted while it waits for the list rejects with the reason of its signal', async () => {
    const { verify, arrived, forged } = await createMerchant();
    const real = await arrived();
    await verify(real);
    const controller = new AbortController();
    const call = verify(forged(real), controller.signal);
    controller.abort(new Error('too late'));
    await expect(call).rejects.toThrow('too late');
  });

  it('asks the service nothing about a body that was parsed or has no signature', async () => {
    const { verify, arrived, loads } = await createMerchant();
    const real = await arrived();
    expect(await codeOf(verify({ ...real, headers: {} }))).toBe('signature_missing');
    expect(await codeOf(verify({ ...real, body: '' }))).toBe('raw_body_needed');
    expect(loads()).toBe(0);
  });
});
