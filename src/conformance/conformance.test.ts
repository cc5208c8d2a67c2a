import { describe, expect, it } from 'vitest';
import { createWorld } from '../sandbox/fixtures.ts';
import { listen } from '../sandbox/server.ts';
import { addAccount } from '../sandbox/store.ts';
import { type Ask, askAt } from './ask.ts';
import { MUTATIONS } from './mutations.ts';
import { ALL_CHECKS, lineOf, runConformance, summaryOf, type Verdict } from './run.ts';
import type { Given } from './session.ts';

const OTHER_KEY = `pk_live_${'b'.repeat(32)}`;
const REVOKED_KEY = `pk_live_${'c'.repeat(32)}`;

/** A sandbox with a payment that waits, another account and a revoked key; and everything the suite can be given. */
const createService = async (options: Parameters<typeof createWorld>[0] = {}) => {
  const world = createWorld(options);
  const { store } = world.service;
  addAccount(store, {
    id: 'other',
    publishable: OTHER_KEY,
    secret: `sk_live_${'b'.repeat(32)}`,
    feeBearer: 'merchant',
  });
  store.keys.set(REVOKED_KEY, { kind: 'publishable', account: 'sandbox', pair: 'key_9', revoked: true });
  const { client_secret } = await world.intent();
  const given: Given = {
    publishableKey: world.sandbox.keys.publishable,
    clientSecret: client_secret,
    payWith: null,
    declineWith: null,
    otherKey: OTHER_KEY,
    revokedKey: REVOKED_KEY,
    exhaustRateLimit: false,
  };
  const ask: Ask = async ({ method, path, headers, body }) => {
    const response = await world.sandbox.fetch(
      new Request(`http://service.test${path}`, { method, headers, body }),
    );
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };
  const said: string[] = [];
  const surroundings = {
    wait: (ms: number) => world.clock.advance(ms),
    now: world.clock.now,
    say: (line: string) => said.push(line),
  };
  return { world, given, ask, surroundings, said };
};

const WITH_PAYING = { payWith: '4242424242424242', declineWith: '4000000000000002', exhaustRateLimit: true };

const brokenIn = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter(({ kind }) => kind === 'broken').map(({ id }) => id);
const idsOf = (verdicts: readonly Verdict[], kind: Verdict['kind']) =>
  verdicts.filter((verdict) => verdict.kind === kind).map(({ id }) => id);

describe('the contract suite and the sandbox', () => {
  it('every rule is kept, in the same process, and none is skipped', async () => {
    const { given, ask, surroundings } = await createService();
    const verdicts = await runConformance({ ...given, ...WITH_PAYING }, ask, surroundings);
    expect(verdicts.filter(({ kind }) => kind !== 'kept').map(lineOf)).toEqual([]);
    expect(verdicts).toHaveLength(ALL_CHECKS.length);
  });

  it('every rule is kept over a real socket', async () => {
    const { world, given, surroundings } = await createService();
    const server = await listen(world.sandbox, { port: 0 });
    const verdicts = await runConformance({ ...given, ...WITH_PAYING }, askAt(server.url), surroundings);
    await world.sandbox.close();
    await server.close();
    expect(verdicts.filter(({ kind }) => kind !== 'kept').map(lineOf)).toEqual([]);
  });

  it.each([
    ['the buyer bears the fees', { feeBearer: 'buyer' as const }, WITH_PAYING],
    ['a failed attempt holds its intent (contract 4.4)', { holdFailedAttempts: true }, WITH_PAYING],
    ['a payment is processing first', {}, { ...WITH_PAYING, payWith: '4000000000010001' }],
  ])('every rule is kept where %s', async (_, options, more) => {
    const { given, ask, surroundings } = await createService(options);
    const verdicts = await runConformance({ ...given, ...more }, ask, surroundings);
    expect(brokenIn(verdicts)).toEqual([]);
  });

  it('without a number to pay with nothing is charged, nothing is attempted, and the payment is as before', async () => {
    const { world, given, ask, surroundings } = await createService();
    const before = await world.client('retrieve', { client_secret: given.clientSecret });
    const verdicts = await runConformance(given, ask, surroundings);
    expect(idsOf(verdicts, 'broken')).toEqual([]);
    expect(idsOf(verdicts, 'skipped')).toEqual([
      'rate-limit',
      'declined',
      'released',
      'paid-once',
      'succeeded',
      'paid-is-paid',
      'status-before-total',
      'release-paid',
    ]);
    expect(world.service.store.charges).toEqual([]);
    const after = await world.client('retrieve', { client_secret: given.clientSecret });
    expect(after.text).toBe(before.text);
  });

  it('service-api, Limits: Browser routes: the suite waits exactly as long as it is told, and says so', async () => {
    const { world, given, ask, surroundings, said } = await createService({ clientRateLimit: 20 });
    const start = world.clock.now();
    expect(brokenIn(await runConformance(given, ask, surroundings))).toEqual([]);
    expect(said).toContain('The service asks to wait 60 seconds.');
    expect(world.clock.now() - start).toBe(said.length * 60_000);
  });

  it('a run without paying stays under 60 requests a minute and route', async () => {
    const { given, ask, surroundings, said } = await createService();
    await runConformance(given, ask, surroundings);
    expect(said).toEqual([]);
  });

  it.each(['succeeded', 'canceled'] as const)(
    'a payment that is %s is said to be of no use, and is not blamed',
    async (status) => {
      const { world, given, ask, surroundings } = await createService();
      for (const intent of world.service.store.intents.values()) {
        intent.status = status;
        if (status === 'succeeded') intent.succeeded_at = 1;
      }
      const verdicts = await runConformance(
        { ...given, ...WITH_PAYING, exhaustRateLimit: false },
        ask,
        surroundings,
      );
      expect(brokenIn(verdicts)).toEqual([]);
      expect(idsOf(verdicts, 'skipped')).toContain('total-lower');
      expect(world.service.store.charges).toEqual([]);
    },
  );
});

describe('a service that is wrong', () => {
  it('never says how a payment ends', async () => {
    const { given, ask, surroundings } = await createService();
    const pays = { ...WITH_PAYING, payWith: '4000000000010100' };
    const verdicts = await runConformance({ ...given, ...pays }, ask, surroundings);
    expect(verdicts.find(({ id }) => id === 'succeeded')).toMatchObject({
      kind: 'broken',
      expected: 'an outcome within a minute',
      came: 'processing',
    });
  });

  it.each(MUTATIONS)('$breaks: $caughtBy', async ({ caughtBy, over }) => {
    const { given, ask, surroundings } = await createService();
    const verdicts = await runConformance({ ...given, ...WITH_PAYING }, over(ask), surroundings);
    expect(brokenIn(verdicts)).toEqual(expect.arrayContaining([...caughtBy]));
  });

  it('each check has such a service that it fails', () => {
    const proven = new Set(MUTATIONS.flatMap(({ caughtBy }) => caughtBy));
    expect([...proven].sort()).toEqual(ALL_CHECKS.map(({ id }) => id).sort());
  });

  it('one that is not there is told once, and the rest is skipped', async () => {
    const { given, surroundings } = await createService();
    const nowhere: Ask = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    const verdicts = await runConformance(given, nowhere, surroundings);
    expect(brokenIn(verdicts)).toEqual(['view']);
    expect(idsOf(verdicts, 'skipped')).toHaveLength(ALL_CHECKS.length - 1);
    expect(verdicts.slice(0, 1).map(lineOf)).toEqual([
      expect.stringMatching(/^FAIL {5}contract 3\.1.*\n +expected an answer\n +came +none \(ECONNREFUSED\)$/),
    ]);
    expect(summaryOf(verdicts)).toMatch(/^\d+ rules: 0 kept, 1 broken, \d+ skipped\.$/);
  });

  it('a wrong client secret is told as what came', async () => {
    const { given, ask, surroundings } = await createService();
    const verdicts = await runConformance({ ...given, clientSecret: 'lg_cs_no' }, ask, surroundings);
    expect(verdicts[0]).toMatchObject({ kind: 'broken', expected: '200', came: '401 invalid_client_secret' });
  });
});
