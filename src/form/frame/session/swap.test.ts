/** promises 1.6, threat-model C84: `update({ clientSecret })`, from the page's message to the reply. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { FrameMessage } from '../../channel/messages.ts';
import { intentIs, jsonResponse, never, open, SHOWN } from './session.fixture.ts';
import { createSwap } from './swap.ts';
import type { TabSharing } from './tab-lock.ts';

const loadSwap = async () => ({ createSwap });
const OTHER = { id: 'lg_pi_2', amount_total: 2000 };
const other = intentIs(OTHER);
const reset = () => Promise.reject(new Error('reset'));

let answers: FrameMessage[] = [];
beforeEach(() => {
  answers = [];
});

const opened = async (...[replies, changes]: Parameters<typeof open>) => {
  const made = open(replies, { loadSwap, ...changes });
  await made.clock.advance(1000);
  return {
    ...made,
    ask: (secret: unknown) => made.session.swaps.ask(secret, (answer) => answers.push(answer)),
  };
};
const said = () => answers.map((answer) => ('updated' in answer ? answer.updated?.code : 'none') ?? null);

it('reads the known intent, then the other with its own secret, and the page hears of the total', async () => {
  const { session, ask, clock, requests, heard, messages } = await opened({
    retrieve: [intentIs(), intentIs(), other],
  });
  ask('lg_cs_2');
  expect(session.pay(SHOWN), 'at once').toBe(false);
  await clock.advance(1000);
  expect(requests).toEqual(['retrieve', 'retrieve', 'retrieve']);
  expect(answers).toEqual([
    {
      type: 'update',
      updated: null,
      clientSecret: 'lg_cs_2',
      update: expect.objectContaining({ code: 'script_failed', charged: 'unknown' }),
    },
  ]);
  expect(heard()).toEqual(['ready', 'amountchange']);
  expect(messages.at(-1)).toMatchObject({ previous: 1234, current: 2000 });
  expect(session.pay(SHOWN), 'the old total').toBe(false);
  expect(session.pay({ amount: 2000, currency: 'usd' })).toBe(true);
});

it('an update without a client secret is answered in its turn, and counts for no press', async () => {
  const { session, ask, clock } = await opened({ retrieve: [intentIs(), intentIs(), other] });
  ask('lg_cs_2');
  ask(true);
  expect(session.swaps.drops()).toBe(1);
  await clock.advance(1000);
  expect(said()).toEqual([null, null]);
});

it('promises 1.9: after the page broke a limit of the channel, a call is answered in its turn, and swaps nothing', async () => {
  const { session, ask, clock, requests } = await opened({ retrieve: [intentIs(), intentIs(), other] });
  ask('lg_cs_2');
  session.swaps.refuse((answer) => answers.push(answer));
  await clock.advance(1000);
  expect(said()).toEqual([null, 'protocol']);
  expect(answers[1]).toMatchObject({
    clientSecret: 'lg_cs_2',
    updated: { charged: 'no', recovery: 'fix_integration' },
  });
  expect([requests.length, session.swaps.drops()]).toEqual([3, 1]);
});

it('the same secret changes nothing, and reads nothing', async () => {
  const { session, ask, clock, requests } = await opened();
  ask('lg_cs_1');
  await clock.advance(1000);
  expect([said(), requests, session.swaps.drops()]).toEqual([[null], ['retrieve'], 0]);
});

it('two at once: one after the other, each by the rules', async () => {
  const third = intentIs({ id: 'lg_pi_3' });
  const { session, ask, clock } = await opened({ retrieve: [intentIs(), intentIs(), other, other, third] });
  ask('lg_cs_2');
  ask('lg_cs_3');
  await clock.advance(3000);
  expect(said()).toEqual([null, null]);
  expect(session.state.peek()).toMatchObject({ status: 'ready', intent: { id: 'lg_pi_3' } });
});

it('back to the secret that the form had, while another is on its way: each answer says which one is there', async () => {
  const { session, ask, clock } = await opened({
    retrieve: [intentIs(), intentIs(), other, other, intentIs()],
  });
  ask('lg_cs_2');
  ask('lg_cs_1');
  expect(session.swaps.drops()).toBe(2);
  await clock.advance(3000);
  expect(answers).toMatchObject([
    { updated: null, clientSecret: 'lg_cs_2' },
    { updated: null, clientSecret: 'lg_cs_1' },
  ]);
  expect(session.state.peek()).toMatchObject({ status: 'ready', intent: { id: 'lg_pi_1' } });
});

it('while the first read is under way, it begins after it', async () => {
  const { session, clock } = open({ retrieve: [never, other] }, { loadSwap });
  session.swaps.ask('lg_cs_2', (answer) => answers.push(answer));
  await clock.advance(5000);
  expect([session.state.peek().status, answers]).toEqual(['loading', []]);
});

describe('the form keeps its intent', () => {
  it('while a confirm is open, and says so', async () => {
    const { session, ask, clock } = await opened();
    session.pay(SHOWN);
    ask('lg_cs_2');
    await clock.advance(1000);
    expect(answers).toMatchObject([
      {
        updated: { code: 'payment_in_progress', charged: 'unknown', recovery: 'wait' },
        clientSecret: 'lg_cs_1',
      },
    ]);
    expect(session.state.peek().status).toBe('confirming');
  });

  it('after a confirm without an answer, although the buyer may press again: it may still arrive', async () => {
    const { session, ask, clock } = await opened({
      confirm: [reset],
    });
    session.pay(SHOWN);
    await clock.advance(40_000);
    expect(session.state.peek().status).toBe('ready');
    ask('lg_cs_2');
    await clock.advance(6000);
    expect(said()).toEqual(['payment_in_progress']);
    expect(session.state.peek()).toMatchObject({ status: 'ready', intent: { id: 'lg_pi_1' } });
  });

  it('while another tab has the lock of it', async () => {
    const locks: TabSharing['locks'] = Object.create({
      request: async (_: string, __: LockOptions, grant: (lock: Lock | null) => unknown) => grant(null),
    });
    const { session, ask, clock, requests } = await opened({}, { tabs: { locks, openChannel: () => null } });
    ask('lg_cs_2');
    await clock.advance(6000);
    expect(said()).toEqual(['payment_in_progress']);
    expect([session.state.peek().status, requests]).toEqual(['ready', ['retrieve', 'retrieve']]);
  });

  it.each<[string, Parameters<typeof open>[0], string]>([
    ['if it was paid', { retrieve: [intentIs(), intentIs({ status: 'succeeded' })] }, 'payment_over'],
    [
      'if it is being paid',
      { retrieve: [intentIs(), intentIs({ status: 'processing' })] },
      'payment_in_progress',
    ],
    [
      'if the other is canceled',
      { retrieve: [intentIs(), intentIs(), intentIs({ ...OTHER, status: 'canceled' })] },
      'payment_intent_not_pending',
    ],
    [
      'if the secret of the other is refused',
      {
        retrieve: [
          intentIs(),
          intentIs(),
          () =>
            jsonResponse(401, {
              error: { type: 'authentication_error', code: 'invalid_client_secret', message: '' },
            }),
        ],
      },
      'invalid_client_secret',
    ],
    [
      'if the other cannot be read, however often it is tried',
      { retrieve: [intentIs(), intentIs(), reset, reset, reset, reset] },
      'network',
    ],
  ])('%s, with its secret', async (_, replies, code) => {
    const { ask, clock } = await opened(replies);
    ask('lg_cs_2');
    await clock.advance(20_000);
    expect(said()).toEqual([code]);
    expect(answers).toMatchObject([{ clientSecret: code === 'payment_over' ? '' : 'lg_cs_1' }]);
  });

  it.each([['pi_secret'], [42], [`lg_cs_${'x'.repeat(200)}`]])(
    'if %s is no client secret',
    async (secret) => {
      const { ask, clock, requests } = await opened();
      ask(secret);
      await clock.advance(6000);
      expect([said(), requests]).toEqual([['invalid_option'], ['retrieve', 'retrieve']]);
    },
  );

  it('if its script cannot be loaded: another try loads it again', async () => {
    let loads = 0;
    const { session, ask, clock } = await opened(
      { retrieve: [intentIs(), intentIs(), intentIs(), other] },
      {
        async loadSwap() {
          loads += 1;
          if (loads === 1) throw new Error('offline');
          return { createSwap };
        },
      },
    );
    ask('lg_cs_2');
    await clock.advance(6000);
    expect([said(), session.state.peek().status]).toEqual([['script_failed'], 'ready']);
    ask('lg_cs_2');
    await clock.advance(6000);
    expect(said()).toEqual(['script_failed', null]);
  });

  it('once the form is removed', async () => {
    const { session, ask, clock, requests } = await opened();
    ask('lg_cs_2');
    session.close();
    await clock.advance(6000);
    expect([said(), requests]).toEqual([['payment_over'], ['retrieve']]);
  });
});
