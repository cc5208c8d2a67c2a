import { describe, expect, it } from 'vitest';
import { sendIn } from '../sandbox/sandbox.fixture.ts';
import { createMerchantWorld } from '../sandbox/webhooks/webhooks.fixture.ts';
import { environmentOf, idsOf } from './conformance.fixture.ts';
import type { Send } from './http.ts';
import { formatResult, runServerConformance } from './run.ts';
import { SERVER_CHECKS } from './server-checks.ts';
import type { ServerConformanceOptions } from './server-context.ts';
import { SERVER_MUTATIONS } from './server-mutations.fixture.ts';

/** A sandbox with a payment that has succeeded, its webhook, and a revoked key. */
const createService = async (sandboxOptions: Parameters<typeof createMerchantWorld>[0] = {}) => {
  const world = createMerchantWorld({ serverRateLimit: 60, ...sandboxOptions });
  const endpoint = await world.endpoint();
  const { id } = await world.pay();
  const [arrival] = world.arrivals;
  const other = await world.account();
  await world.control(`accounts/${other.id}/keys/${other.pair}/revoke`, {});
  const options: ServerConformanceOptions = {
    secretKey: world.sandbox.keys.secret,
    refundOf: id,
    revokedSecretKey: other.secret,
    webhook: {
      endpoint: endpoint.id,
      signature: arrival?.headers['Service-Signature'] ?? '',
      body: arrival?.body ?? '',
    },
    exhaustRateLimit: true,
    run: 'run-1',
  };
  return { world, options, send: sendIn(world), environment: environmentOf(world) };
};

describe('the conformance suite of the server routes', () => {
  it.each(['merchant', 'buyer'] as const)(
    'passes with the sandbox, where the %s pays the fees',
    async (feeBearer) => {
      const { options, send, environment } = await createService({ feeBearer });
      const results = await runServerConformance(options, send, environment);
      expect(results.filter(({ kind }) => kind !== 'passed').map(formatResult)).toEqual([]);
      expect(results).toHaveLength(SERVER_CHECKS.length);
    },
  );

  it('needs a key only: then nothing is refunded, and the rest is skipped', async () => {
    const { world, options, send, environment } = await createService();
    const more = { refundOf: null, revokedSecretKey: null, webhook: null, exhaustRateLimit: false };
    const results = await runServerConformance({ ...options, ...more }, send, environment);
    expect(idsOf(results, 'failed')).toEqual([]);
    expect(idsOf(results, 'skipped')).toEqual([
      'revoked-key',
      'refund-too-much',
      'refund-once',
      'webhook',
      'rate-limit',
    ]);
    expect(world.service.store.refunds.size).toBe(0);
    expect(world.service.store.charges).toHaveLength(1);
  });

  it('fails for a webhook of another endpoint', async () => {
    const { options, send, environment } = await createService();
    const webhook = { endpoint: 'we_other', signature: '', body: '', ...options.webhook };
    const wrong = { ...options, webhook: { ...webhook, endpoint: 'we_other' } };
    expect(idsOf(await runServerConformance(wrong, send, environment), 'failed')).toEqual(['webhook']);
  });

  it.each(SERVER_MUTATIONS)('fails a service that is wrong: $breaks', async ({ caughtBy, wrap }) => {
    const { options, send, environment } = await createService();
    const results = await runServerConformance(options, wrap(send), environment);
    expect(idsOf(results, 'failed')).toEqual(expect.arrayContaining([...caughtBy]));
  });

  it('reports once a service that cannot be reached', async () => {
    const { options, environment } = await createService();
    const nowhere: Send = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    const results = await runServerConformance(options, nowhere, environment);
    expect(idsOf(results, 'failed')).toEqual(['created']);
    expect(idsOf(results, 'skipped')).toHaveLength(SERVER_CHECKS.length - 1);
  });

  it('has a wrong service for each check', () => {
    const caught = new Set(SERVER_MUTATIONS.flatMap(({ caughtBy }) => caughtBy));
    expect([...caught].sort()).toEqual(SERVER_CHECKS.map(({ id }) => id).sort());
  });
});
