// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NoAnswer, ServiceAnswer } from '../../../api/errors.ts';
import { createNetworkDiagnosis, type NetworkDiagnosis } from './network-diagnosis.ts';

let now = 0;
let online = true;
let ending: AbortController;
let network: NetworkDiagnosis;

beforeEach(() => {
  now = 0;
  online = true;
  ending = new AbortController();
  const browser = { now: () => now, isOnline: () => online, origin: 'https://pay.example' };
  network = createNetworkDiagnosis(browser, ending.signal);
});
afterEach(() => ending.abort());

const fails =
  (after: number, reason: NoAnswer = 'network') =>
  async (): Promise<ServiceAnswer<null>> => {
    now += after;
    return { ok: false, failure: { kind: 'no_answer', reason } };
  };
const succeeds = async (): Promise<ServiceAnswer<null>> => ({ ok: true, value: null });
const named = async (ask: () => Promise<ServiceAnswer<null>>) => {
  const result = await network.diagnose(ask);
  return result.ok || result.failure.kind !== 'no_answer' ? null : result.failure.reason;
};
const namedAll = async (...asks: (() => Promise<ServiceAnswer<null>>)[]) => {
  const names: unknown[] = [];
  for (const ask of asks) names.push(await named(ask));
  return names;
};

const violate = (changes: object = {}) =>
  document.dispatchEvent(
    Object.assign(new Event('securitypolicyviolation'), {
      disposition: 'enforce',
      effectiveDirective: 'connect-src',
      blockedURI: 'https://pay.example/partner/v1/client/payment_intents/retrieve',
      ...changes,
    }),
  );

describe('outcomes 2.7, blocked fetch: after 3 immediate (< 50 ms) TypeErrors', () => {
  it('says blocked_fetch, and network before', async () => {
    const asked = await namedAll(fails(49), fails(0), fails(49), fails(1));
    expect(asked).toEqual(['network', 'network', 'blocked_fetch', 'blocked_fetch']);
  });

  it.each<[string, () => Promise<ServiceAnswer<null>>]>([
    ['took 50 ms', fails(50)],
    ['was answered by something unreadable', fails(0, 'malformed')],
    ['had no secret to ask with', fails(0, 'no_secret')],
    ['succeeded', succeeds],
  ])('restarts the count after one that %s', async (_, other) => {
    const [, , , ...later] = await namedAll(fails(0), fails(0), other, fails(0), fails(0), fails(0));
    expect(later).toEqual(['network', 'network', 'blocked_fetch']);
  });

  it('blames nobody while the browser says that it is offline', async () => {
    online = false;
    expect(await namedAll(fails(0), fails(0), fails(0), fails(0))).toEqual(Array(4).fill('network'));
  });
});

describe('outcomes 2.7, CSP of the frame blocks our own call: internal_csp', () => {
  it('is reported as soon as the browser reports it, and only for unanswered requests', async () => {
    violate();
    expect(await namedAll(fails(200), succeeds, fails(0, 'timeout'))).toEqual([
      'internal_csp',
      null,
      'timeout',
    ]);
  });

  it.each([
    ['a policy that only reports', { disposition: 'report' }],
    ['another address', { blockedURI: 'https://pay.example.evil/' }],
    ['an image', { effectiveDirective: 'img-src' }],
  ])('is not reported for %s', async (_, changes) => {
    violate(changes);
    expect(await named(fails(200))).toBe('network');
  });

  it('stops listening when the form is removed', async () => {
    ending.abort();
    violate();
    expect(await named(fails(200))).toBe('network');
  });
});

describe('of a request that was sent before anybody listened', () => {
  it('the time of sending counts, not the time of its failure', async () => {
    now = 1000;
    const named = [];
    for (const since of [900, undefined, undefined, undefined]) {
      const result = await network.diagnose(fails(0), since);
      named.push(result.ok || result.failure.kind !== 'no_answer' ? null : result.failure.reason);
    }
    expect(named).toEqual(['network', 'network', 'network', 'blocked_fetch']);
  });

  it('that a policy blocked, the policy is reported', async () => {
    const browser = { now: () => now, isOnline: () => online, origin: 'https://pay.example' };
    network = createNetworkDiagnosis({ ...browser, isForbidden: true }, ending.signal);
    expect(await named(fails(0))).toBe('internal_csp');
  });
});
