import { expect, it } from 'vitest';
import type { Client } from '../../../api/client.ts';
import { exampleDetails } from '../../../api/confirm-details.fixture.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import { type CallDeps, createCalls } from './calls.ts';
import type { TabLock } from './tab-lock.ts';

const SHOWN = { amount: 5804, currency: 'usd' } as const;

/** Records everything sent and returned, in order, by calls with these means. `acquire`: takes the tab lock. */
const calling = ({
  acquire = async () => true,
  ...means
}: Partial<CallDeps & Pick<TabLock, 'acquire'>> = {}) => {
  const done: string[] = [];
  const answer = async (what: string) => {
    done.push(what);
    return { ok: true, value: exampleIntent() } as const;
  };
  const client: Client = {
    retrieve: () => answer('retrieve'),
    release: () => answer('release'),
    confirm: ({ billing_details }, { amount }) => answer(`confirm ${amount} ${billing_details.name}`),
  };
  const calls = createCalls({
    client,
    secret: { ensure: async () => true },
    tabLock: { acquire, release: () => done.push('release lock'), whenFree: async () => undefined },
    intentId: () => 'pi_1',
    details: () => exampleDetails('Ada'),
    ...means,
  });
  return { calls, done };
};

const live = () => new AbortController().signal;

it('contract 3.4: without a client secret nothing is asked', async () => {
  const { calls, done } = calling({ secret: { ensure: async () => false } });
  expect(await calls.retrieve(live(), false)).toEqual({
    ok: false,
    failure: { kind: 'no_answer', reason: 'no_secret' },
  });
  expect(done).toEqual([]);
});

it('outcomes 2.7: where another tab has the turn nothing is sent', async () => {
  const taken: string[] = [];
  const { calls, done } = calling({
    async acquire(id) {
      taken.push(id);
      return false;
    },
  });
  expect(await calls.confirm(SHOWN, live())).toBe('other_tab_paying');
  expect([taken, done]).toEqual([['pi_1'], []]);
});

it('a turn that nobody waits for any more is given back', async () => {
  const { calls, done } = calling();
  const abort = new AbortController();
  const confirming = calls.confirm(SHOWN, abort.signal);
  abort.abort();
  await confirming;
  expect(done[0]).toBe('release lock');
});

it('sends the values of the form at the press, whatever is typed while waiting for the turn', async () => {
  let name = 'Ada';
  let mine = (_: boolean) => {};
  const { calls, done } = calling({
    details: () => exampleDetails(name),
    acquire: () =>
      new Promise((resolve) => {
        mine = resolve;
      }),
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
