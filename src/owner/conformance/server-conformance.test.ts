import { describe, expect, it } from 'vitest';
import type { Send } from '../../api/command/http.ts';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { sendIn } from '../../sandbox/service/sandbox.fixture.ts';
import { createMerchantWorld } from '../../sandbox/service/webhooks/webhooks.fixture.ts';
import { environmentOf, idsOf, sendFrom } from './conformance.fixture.ts';
import { exitCodeOf, formatResult, runServerConformance } from './run.ts';
import { SERVER_CHECKS } from './server-checks.ts';
import type { ServerConformanceOptions } from './server-context.ts';
import { WRONG_SERVER_ROUTES } from './wrong-server-routes.fixture.ts';

/** A sandbox with a succeeded payment, its webhook, and a revoked key. */
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
    fees: { processing: { bps: 290, fixed: 30 }, bank: { bps: 50, fixed: 0 } },
    exhaustRateLimit: true,
    run: 'run-1',
  };
  return { world, options, send: sendIn(world), environment: environmentOf(world) };
};

const OVER_LIMIT = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  text: '{"error":{"type":"rate_limit_error","code":"rate_limited","message":"Wait."}}',
};

describe('the conformance suite of the server routes', () => {
  it.each(['merchant', 'buyer'] as const)(
    'passes with the sandbox, where the %s pays the fees',
    async (feeBearer) => {
      const { options, send, environment } = await createService({ feeBearer });
      const results = await runServerConformance(options, send, environment);
      expect(results.filter(({ kind }) => kind !== 'passed').map(formatResult)).toEqual([]);
      expect(results).toHaveLength(SERVER_CHECKS.length);
      expect(exitCodeOf(results)).toBe(0);
    },
  );

  it.each([55, 1000])('contract S17.1: passes with the sandbox %i ms away', async (ms) => {
    const { world, options, send, environment } = await createService({ serverRateLimit: 1200 });
    const far = sendFrom(ms, send, world);
    const results = await far.run(() => runServerConformance(options, far.send, environment));
    expect(results.filter(({ kind }) => kind !== 'passed').map(formatResult)).toEqual([]);
  });

  it('contract S17.1: cannot tell the limit of a service that needs a minute for as many answers', async () => {
    const { world, options, send, environment } = await createService({ serverRateLimit: 1200 });
    const far = sendFrom(1500, send, world);
    const results = await far.run(() => runServerConformance(options, far.send, environment));
    expect(idsOf(results, 'failed')).toEqual([]);
    expect(results.find(({ id }) => id === 'rate-limit')).toMatchObject({
      kind: 'skipped',
      reason: 'the service is too slow: 1000 answers took 60 seconds',
    });
    expect(exitCodeOf(results)).toBe(2);
  });

  it('contract S17.1: finds the limit of a service that counts from one full minute to the next', async () => {
    const { world, options, send, environment } = await createService({ serverRateLimit: 100_000 });
    const served = new Map<number, number>();
    let asked = 0;
    let start = 0;
    const counting: Send = async (request) => {
      if (request.path !== SERVER_ROUTES.balance) return send(request);
      asked += 1;
      // The first request belongs to another check. The minute changes while requests are being sent for this one.
      if (asked === 2) start = world.clock.now();
      const minute = Math.floor((world.clock.now() - start + 59_500) / 60_000);
      const count = (served.get(minute) ?? 0) + 1;
      served.set(minute, count);
      return count > 1200 ? OVER_LIMIT : send(request);
    };
    const far = sendFrom(20, counting, world);
    const results = await far.run(() => runServerConformance(options, far.send, environment));
    expect(idsOf(results, 'failed')).toEqual([]);
    expect(idsOf(results, 'passed')).toContain('rate-limit');
    expect(asked).toBeGreaterThan(1800);
  });

  it('contract S6.5: follows a refund from step to step, and into the available balance', async () => {
    const { world, options, send, environment } = await createService();
    await world.control('account', {
      fee_schedule: {
        ...{ processing: { bps: 290, fixed: 30 }, bank: { bps: 50, fixed: 0 } },
        refund: { bps: 0, fixed: 800 },
      },
    });
    const results = await runServerConformance(options, send, environment);
    expect(results.filter(({ kind }) => kind !== 'passed').map(formatResult)).toEqual([]);
  });

  it('skips checks that a fully refunded payment cannot show', async () => {
    const { world, options, send, environment } = await createService();
    await world.refunded(options.refundOf ?? '');
    const results = await runServerConformance(options, send, environment);
    expect(idsOf(results, 'failed')).toEqual([]);
    expect(idsOf(results, 'skipped')).toEqual(['refund-once', 'refund-read', 'refund-deducts']);
  });

  it('needs only a key: then nothing is refunded, and the rest is skipped', async () => {
    const { world, options, send, environment } = await createService();
    const more = {
      ...{ refundOf: null, revokedSecretKey: null, webhook: null, fees: null },
      exhaustRateLimit: false,
    };
    const results = await runServerConformance({ ...options, ...more }, send, environment);
    expect(idsOf(results, 'failed')).toEqual([]);
    expect(idsOf(results, 'skipped')).toEqual([
      'revoked-key',
      'refund-too-much',
      'money-fees',
      'money-paid',
      'unlock',
      'refund-once',
      'refund-read',
      'refund-deducts',
      'webhook',
      'rate-limit',
    ]);
    expect(exitCodeOf(results)).toBe(2);
    expect(world.service.store.refunds.size).toBe(0);
    expect(world.service.store.charges).toHaveLength(1);
  });

  it('fails for a webhook of another endpoint', async () => {
    const { options, send, environment } = await createService();
    const webhook = { endpoint: 'we_other', signature: '', body: '', ...options.webhook };
    const wrong = { ...options, webhook: { ...webhook, endpoint: 'we_other' } };
    expect(idsOf(await runServerConformance(wrong, send, environment), 'failed')).toEqual(['webhook']);
  });

  it.each(Object.entries(WRONG_SERVER_ROUTES))(
    'fails a service that is wrong, and for nothing else: %s',
    async (_, [caughtBy, wrap, { follows = [] } = {}]) => {
      const { options, send, environment } = await createService();
      const results = await runServerConformance(options, wrap(send), environment);
      expect(idsOf(results, 'failed').sort()).toEqual([...caughtBy, ...follows].sort());
    },
  );

  it('reports once a service that cannot be reached', async () => {
    const { options, environment } = await createService();
    const nowhere: Send = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    const results = await runServerConformance(options, nowhere, environment);
    expect(idsOf(results, 'failed')).toEqual(['created']);
    expect(idsOf(results, 'skipped')).toHaveLength(SERVER_CHECKS.length - 1);
  });

  it('has a wrong service for each check', () => {
    const caught = new Set(Object.values(WRONG_SERVER_ROUTES).flatMap(([caughtBy]) => caughtBy));
    expect([...caught].sort()).toEqual(SERVER_CHECKS.map(({ id }) => id).sort());
  });
});
