import { describe, expect, it } from 'vitest';
import { SERVER_ROUTES } from '../api/routes.ts';
import { createMerchantWorld } from '../sandbox/webhooks/webhooks.fixture.ts';
import { createServiceClient } from './client.ts';
import { WebhookError } from './verify-webhook.ts';

/** A merchant whose webhooks arrive, and whose client counts how often it loads the keys. */
const createMerchant = async () => {
  const world = createMerchantWorld();
  const { id: endpoint } = await world.endpoint();
  let loads = 0;
  const service = createServiceClient({
    baseUrl: 'http://service.test',
    secretKey: world.sandbox.keys.secret,
    clock: world.clock,
    fetch: (url, init) => {
      if (url.endsWith(SERVER_ROUTES.webhookSigningKeys)) loads += 1;
      return world.sandbox.fetch(new Request(url, init));
    },
  });
  const verify = ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }) =>
    service.verifyWebhook(body, headers, endpoint, { now: world.clock.now() / 1000 });
  const arrived = async () => {
    await world.pay();
    const last = world.arrivals.at(-1);
    if (last === undefined) throw new Error('No webhook has arrived.');
    return last;
  };
  return { world, verify, arrived, loads: () => loads };
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
    const { world, verify, arrived, loads } = await createMerchant();
    await verify(await arrived());
    await world.clock.advance(60_000);
    await world.control('webhook_signing_keys/rotate', {});
    expect(await verify(await arrived())).toMatchObject({ object: 'event' });
    expect(loads()).toBe(2);
    await world.clock.advance(60_000);
    const last = await arrived();
    const headers = {
      ...last.headers,
      'Service-Signature': `${last.headers['Service-Signature']}`.replace(/kid=\w+/, 'kid=forged'),
    };
    expect(await codeOf(verify({ ...last, headers }))).toBe('unknown_kid');
    expect(loads()).toBe(3);
  });

  it('forged keys cost the service ten requests a minute at most', async () => {
    const { world, verify, arrived, loads } = await createMerchant();
    const real = await arrived();
    const signature = `${real.headers['Service-Signature']}`.replace(/kid=\w+/, 'kid=forged');
    const headers = { ...real.headers, 'Service-Signature': signature };
    for (let times = 0; times < 50; times += 1)
      expect(await codeOf(verify({ ...real, headers }))).toBe('unknown_kid');
    expect(loads()).toBe(10);
    expect(await codeOf(verify(real))).toBe('accepted');
    await world.clock.advance(60_000);
    await codeOf(verify({ ...real, headers }));
    expect(loads()).toBe(11);
  });

  it('asks the service nothing about a body that was parsed or has no signature', async () => {
    const { verify, arrived, loads } = await createMerchant();
    const real = await arrived();
    expect(await codeOf(verify({ ...real, headers: {} }))).toBe('signature_missing');
    expect(await codeOf(verify({ ...real, body: '' }))).toBe('raw_body_needed');
    expect(loads()).toBe(0);
  });
});
