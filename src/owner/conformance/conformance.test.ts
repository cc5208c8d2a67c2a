import { describe, expect, it } from 'vitest';
import type { Send } from '../../api/command/http.ts';
import { addAccount } from '../../sandbox/service/accounts/accounts.ts';
import { createWorld, sendIn } from '../../sandbox/service/sandbox.fixture.ts';
import { environmentOf, idsOf, sendFrom } from './conformance.fixture.ts';
import type { ConformanceOptions } from './context.ts';
import { ALL_CHECKS, exitCodeOf, formatResult, formatSummary, runConformance } from './run.ts';
import { answering, WRONG_SERVICES } from './wrong-services.fixture.ts';

const OTHER_KEY = `pk_live_${'b'.repeat(32)}`;
const REVOKED_KEY = `pk_live_${'c'.repeat(32)}`;

/** A sandbox with a pending payment, a second account and a revoked key, and the options that name them. */
const createService = async (sandboxOptions: Parameters<typeof createWorld>[0] = {}) => {
  const world = createWorld(sandboxOptions);
  const { store } = world.service;
  addAccount(store, {
    id: 'other',
    publishable: OTHER_KEY,
    secret: `sk_live_${'b'.repeat(32)}`,
    feeBearer: 'merchant',
  });
  store.keys.set(REVOKED_KEY, { kind: 'publishable', account: 'sandbox', pair: 'key_9', revoked: true });
  const { client_secret } = await world.intent();
  const options: ConformanceOptions = {
    publishableKey: world.sandbox.keys.publishable,
    clientSecret: client_secret,
    payWith: null,
    declineWith: null,
    otherPublishableKey: OTHER_KEY,
    revokedPublishableKey: REVOKED_KEY,
    exhaustRateLimit: false,
  };
  const logged: string[] = [];
  return { world, options, send: sendIn(world), environment: environmentOf(world, logged), logged };
};

/** A service whose clock advances while a confirm is open, slowly enough for concurrent reads. */
const createSlowService = async (runningAttempts: 'processing' | 'pending') => {
  const service = await createService({ attemptSeconds: 4, runningAttempts });
  const send: Send = async (request) => {
    let isOpen = true;
    const answer = service.send(request).finally(() => {
      isOpen = false;
    });
    for (let turn = 1; isOpen; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn % 100 === 0) await service.world.clock.advance(500);
    }
    return answer;
  };
  return { ...service, send };
};

const WITH_PAYING = { payWith: '4242424242424242', declineWith: '4000000000000002', exhaustRateLimit: true };

describe('the conformance suite and the sandbox', () => {
  it('every check passes in the same process, and none is skipped', async () => {
    const { options, send, environment } = await createSlowService('processing');
    const results = await runConformance({ ...options, ...WITH_PAYING }, send, environment);
    expect(results.filter(({ kind }) => kind !== 'passed').map(formatResult)).toEqual([]);
    expect(results).toHaveLength(ALL_CHECKS.length);
    expect(exitCodeOf(results)).toBe(0);
  });

  it('a service whose attempts take no time does not pass checks that could not be observed', async () => {
    const { options, send, environment } = await createService();
    const results = await runConformance({ ...options, ...WITH_PAYING }, send, environment);
    expect(idsOf(results, 'failed')).toEqual([]);
    expect(idsOf(results, 'skipped')).toEqual(['running-attempt']);
    expect(exitCodeOf(results)).toBe(2);
  });

  it.each([55, 1000])('no check fails a service %i ms away', async (ms) => {
    const { world, options, send, environment } = await createService({ attemptSeconds: 4 });
    const far = sendFrom(ms, send, world);
    const results = await far.run(() =>
      runConformance({ ...options, ...WITH_PAYING }, far.send, environment),
    );
    expect(results.filter(({ kind }) => kind !== 'passed').map(formatResult)).toEqual([]);
  });

  it.each([
    ['the buyer pays the fees', { feeBearer: 'buyer' as const }, WITH_PAYING],
    [
      'a failed attempt stays in processing until its release (contract 4.4)',
      { holdFailedAttempts: true },
      WITH_PAYING,
    ],
    ['a payment is processing before it succeeds', {}, { ...WITH_PAYING, payWith: '4000000000010001' }],
  ])('no check fails if %s', async (_, sandboxOptions, more) => {
    const { options, send, environment } = await createService(sandboxOptions);
    const results = await runConformance({ ...options, ...more }, send, environment);
    expect(idsOf(results, 'failed')).toEqual([]);
  });

  describe('contract 4.6: an attempt takes 4 s', () => {
    it.each(['processing', 'pending'] as const)('a service that says so passes: %s', async (status) => {
      const { options, send, environment } = await createSlowService(status);
      const results = await runConformance({ ...options, ...WITH_PAYING }, send, environment);
      expect(results.filter(({ kind }) => kind !== 'passed').map(formatResult)).toEqual([]);
    });

    it.each([
      ['processing', 'attempts-agree'],
      ['pending', 'running-attempt'],
    ] as const)('one that is %s and says that none is running fails: %s', async (status, caughtBy) => {
      const { options, send, environment } = await createSlowService(status);
      const denying = answering((view) =>
        view.attempt_in_progress === true ? { attempt_in_progress: false } : {},
      );
      const results = await runConformance({ ...options, ...WITH_PAYING }, denying(send), environment);
      expect(idsOf(results, 'failed')).toContain(caughtBy);
    });

    it('4.3: one that accepts the confirm of a second browser in the meantime fails', async () => {
      const { options, send, environment } = await createSlowService('pending');
      let isFirst = true;
      const accepting: Send = async (request) => {
        const answer = await send(request);
        const isSecond = isFirst && answer.text.includes('payment_intent_not_pending');
        if (!isSecond) return answer;
        isFirst = false;
        return {
          ...answer,
          status: 402,
          text: answer.text.replace('payment_intent_not_pending', 'payment_failed'),
        };
      };
      const results = await runConformance({ ...options, ...WITH_PAYING }, accepting, environment);
      expect(idsOf(results, 'failed')).toContain('running-attempt');
    });

    it('one that hides it behind pending fails', async () => {
      const { options, send, environment } = await createSlowService('pending');
      const hiding = answering({ attempt_in_progress: undefined });
      const results = await runConformance({ ...options, ...WITH_PAYING }, hiding(send), environment);
      expect(idsOf(results, 'failed')).toEqual(['view-attempts', 'running-attempt', 'attempts-agree']);
    });
  });

  it('contract 3.5: a service without missing_details passes', async () => {
    const { options, send, environment } = await createService();
    const without = answering({ missing_details: undefined });
    const results = await runConformance({ ...options, ...WITH_PAYING }, without(send), environment);
    expect(idsOf(results, 'failed')).toEqual([]);
  });

  it('without --pay-with nothing is charged, no attempt is made, and the payment stays as it was', async () => {
    const { world, options, send, environment } = await createService();
    const before = await world.client('retrieve', { client_secret: options.clientSecret });
    const results = await runConformance(options, send, environment);
    expect(idsOf(results, 'failed')).toEqual([]);
    expect(idsOf(results, 'skipped')).toEqual([
      'rate-limit',
      'running-attempt',
      'declined',
      'released',
      'paid-once',
      'succeeded',
      'paid-is-paid',
      'status-before-total',
      'release-paid',
    ]);
    expect(world.service.store.charges).toEqual([]);
    const after = await world.client('retrieve', { client_secret: options.clientSecret });
    expect(after.text).toBe(before.text);
  });

  it('contract S17.3: Browser routes: the suite waits exactly as long as Retry-After says, and logs it', async () => {
    const { world, options, send, environment, logged } = await createService({ clientRateLimit: 20 });
    const start = world.clock.now();
    expect(idsOf(await runConformance(options, send, environment), 'failed')).toEqual([]);
    expect(logged).toContain('Rate limited: waiting 60 seconds, as the service asks.');
    expect(world.clock.now() - start).toBe(logged.length * 60_000);
  });

  it('a run without paying stays under 60 requests per minute and route', async () => {
    const { options, send, environment, logged } = await createService();
    await runConformance(options, send, environment);
    expect(logged).toEqual([]);
  });

  it.each(['succeeded', 'canceled'] as const)(
    'a payment that is %s makes checks skip, not fail',
    async (status) => {
      const { world, options, send, environment } = await createService();
      for (const intent of world.service.store.intents.values()) {
        world.service.ledger.change(intent, { status, succeeded_at: status === 'succeeded' ? 1 : null });
      }
      const results = await runConformance(
        { ...options, ...WITH_PAYING, exhaustRateLimit: false },
        send,
        environment,
      );
      expect(idsOf(results, 'failed')).toEqual([]);
      expect(idsOf(results, 'skipped')).toContain('total-lower');
      expect(world.service.store.charges).toEqual([]);
    },
  );
});

describe('a broken service', () => {
  it('fails if a payment never leaves processing', async () => {
    const { options, send, environment } = await createService();
    const pays = { ...WITH_PAYING, payWith: '4000000000010100' };
    const results = await runConformance({ ...options, ...pays }, send, environment);
    expect(results.find(({ id }) => id === 'succeeded')).toMatchObject({
      kind: 'failed',
      expected: 'an outcome within a minute',
      actual: 'processing',
    });
  });

  it.each(Object.entries(WRONG_SERVICES))(
    '%s: is caught, and nothing else',
    async (_, [caughtBy, wrap, { follows = [], limit = 60 } = {}]) => {
      const { options, send, environment } = await createService({ clientRateLimit: limit });
      const results = await runConformance({ ...options, ...WITH_PAYING }, wrap(send), environment);
      expect(idsOf(results, 'failed').sort()).toEqual([...caughtBy, ...follows].sort());
    },
  );

  it('exists for each check', () => {
    const caught = new Set(Object.values(WRONG_SERVICES).flatMap(([caughtBy]) => caughtBy));
    expect([...caught].sort()).toEqual(ALL_CHECKS.map(({ id }) => id).sort());
  });

  it('that cannot be reached is reported once, and the other checks are skipped', async () => {
    const { options, environment } = await createService();
    const nowhere: Send = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    const results = await runConformance(options, nowhere, environment);
    expect(idsOf(results, 'failed')).toEqual(['view']);
    expect(idsOf(results, 'skipped')).toHaveLength(ALL_CHECKS.length - 1);
    expect(results.slice(0, 1).map(formatResult)).toEqual([
      expect.stringMatching(/^FAIL {5}contract 3\.1.*\n +expected an answer\n +got +none \(ECONNREFUSED\)$/),
    ]);
    expect(formatSummary(results)).toMatch(/^\d+ rules: 0 passed, 1 failed, \d+ skipped\.$/);
  });

  it('a wrong client secret is reported with the error that the service answered', async () => {
    const { options, send, environment } = await createService();
    const results = await runConformance({ ...options, clientSecret: 'lg_cs_no' }, send, environment);
    expect(results[0]).toMatchObject({
      kind: 'failed',
      expected: '200',
      actual: '401 invalid_client_secret',
    });
  });
});
