import { expect, it } from 'vitest';
import type { Client, ConfirmDetails } from '../api/client.ts';
import { exampleIntent } from '../payment/example-intent.ts';
import { createCalls, type Means } from './calls.ts';

const SHOWN = { amountTotal: 5804, currency: 'usd' } as const;

const detailsOf = (name: string): ConfirmDetails => ({
  card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
  billing_details: {
    email: 'ada@example.com',
    name,
    address: {
      line1: '12 Orchard Lane',
      line2: null,
      city: null,
      state: null,
      postal_code: '97205',
      country: 'US',
    },
  },
});

/** What was sent and given back, in order, by calls with these means. */
const calling = (means: Partial<Means> = {}) => {
  const done: string[] = [];
  const answer = async (what: string) => {
    done.push(what);
    return { ok: true, value: exampleIntent() } as const;
  };
  const client: Client = {
    retrieve: () => answer('retrieve'),
    release: () => answer('release'),
    confirm: ({ billing_details }, { amountTotal }) =>
      answer(`confirm ${amountTotal} ${billing_details.name}`),
  };
  const calls = createCalls({
    client,
    secrets: { have: async () => true },
    tabs: { take: async () => true, leave: () => done.push('leave'), queue: async () => undefined },
    intentId: () => 'pi_1',
    details: () => detailsOf('Ada'),
    ...means,
  });
  return { calls, done };
};

const live = () => new AbortController().signal;

it('contract 1: without a client secret nothing is asked', async () => {
  const { calls, done } = calling({ secrets: { have: async () => false } });
  expect(await calls.retrieve(live(), false)).toEqual({
    ok: false,
    failure: { kind: 'no_answer', reason: 'no_secret' },
  });
  expect(done).toEqual([]);
});

it('research 2.7: where another tab has the turn nothing is sent', async () => {
  const taken: string[] = [];
  const { calls, done } = calling({
    tabs: {
      async take(id) {
        taken.push(id);
        return false;
      },
      leave: () => undefined,
      queue: async () => undefined,
    },
  });
  expect(await calls.confirm(SHOWN, live())).toBe('overtaken');
  expect([taken, done]).toEqual([['pi_1'], []]);
});

it('a turn that nobody waits for any more is given back', async () => {
  const { calls, done } = calling();
  const abort = new AbortController();
  const confirming = calls.confirm(SHOWN, abort.signal);
  abort.abort();
  await confirming;
  expect(done[0]).toBe('leave');
});

it('what is sent is what stood in the form at the press, whatever is typed while the turn is awaited', async () => {
  let name = 'Ada';
  let mine = (_: boolean) => {};
  const { calls, done } = calling({
    details: () => detailsOf(name),
    tabs: {
      take: () =>
        new Promise((resolve) => {
          mine = resolve;
        }),
      leave: () => undefined,
      queue: async () => undefined,
    },
  });
  const confirming = calls.confirm(SHOWN, live());
  name = 'Grace';
  mine(true);
  await confirming;
  expect(done).toEqual(['confirm 5804 Ada']);
});

it('a press with an incomplete form sends nothing and takes no turn', async () => {
  const { calls, done } = calling({ details: () => null });
  await expect(calls.confirm(SHOWN, live())).rejects.toThrow('incomplete form');
  expect(done).toEqual([]);
});
