/** Running effects: calls that throw, and the limit of reads. Times in ms. */
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../api/clock/manual-clock.ts';
import type { ServiceAnswer } from '../../api/errors.ts';
import { exampleIntent } from './payment.fixture.ts';
import { type Calls, createPayment } from './payment.ts';
import type { Effect, Intent, PageAnswer, PaymentEvent } from './payment-state.ts';

const PRESS: PaymentEvent = { type: 'submitted', shown: { amount: 1234, currency: 'usd' } };
const intent = (): ServiceAnswer<Intent> => ({ ok: true, value: exampleIntent() });
const malformed = (): ServiceAnswer<Intent> => ({
  ok: false,
  failure: { kind: 'no_answer', reason: 'malformed' },
});
const declined = (): ServiceAnswer<Intent> => ({
  ok: false,
  failure: {
    kind: 'refused',
    status: 402,
    code: 'payment_method_declined',
    type: 'card_error',
    message: '',
    param: null,
    declineCode: null,
  },
});
const never = () => new Promise<never>(() => undefined);
const broken = async (): Promise<never> => {
  throw new Error('a defect');
};

/** A payment that was opened, and pressed a second later. */
const pressed = async (calls: Partial<Calls>) => {
  const clock = createManualClock();
  const defects: unknown[] = [];
  const payment = createPayment({
    clock,
    calls: {
      retrieve: async () => intent(),
      confirm: never,
      release: async () => intent(),
      waitForTab: never,
      ...calls,
    },
    random: () => 0.5,
    isAwake: () => true,
    onDefect: (defect) => defects.push(defect),
  });
  payment.send({ type: 'opened' });
  await clock.advance(1000);
  payment.send(PRESS);
  await clock.advance(0);
  return { clock, defects, state: () => payment.state.value };
};

describe('a call that throws counts as one without an answer, and is reported as a defect', () => {
  it('confirm: the buyer may have been charged, so the form polls', async () => {
    const { state, defects } = await pressed({ confirm: broken });
    expect(state()).toMatchObject({ status: 'resolving', polling: { reason: { kind: 'no_answer' } } });
    expect(defects).toEqual([new Error('a defect')]);
  });

  it('retrieve: read again later', async () => {
    const { state, clock, defects } = await pressed({ retrieve: broken });
    expect(state()).toMatchObject({ status: 'loading', failures: 2, activity: 'pausing' });
    await clock.advance(20_000);
    expect(state()).toMatchObject({
      status: 'load_failed',
      failure: { kind: 'no_answer', reason: 'network' },
    });
    expect(defects).toHaveLength(4);
  });

  it('release: tried again later', async () => {
    const { state } = await pressed({ confirm: async () => declined(), release: broken });
    expect(state()).toMatchObject({ status: 'releasing', failures: 1, activity: 'pausing' });
  });

  it('beforePay: nothing is sent, and the buyer may press again', async () => {
    const { state } = await pressed({ askPage: broken, confirm: broken });
    expect(state()).toMatchObject({ status: 'ready', feedback: { notice: { kind: 'page_failed' } } });
  });

  it('the wait for another tab: the intent is read', async () => {
    const { state, defects } = await pressed({ confirm: async () => 'other_tab_paying', waitForTab: broken });
    expect(state()).toMatchObject({ status: 'ready', feedback: { notice: { kind: 'not_sent' } } });
    expect(defects).toHaveLength(1);
  });

  it('a wait: it is over', async () => {
    const clock = createManualClock();
    const waits: number[] = [];
    const payment = createPayment({
      clock: {
        now: clock.now,
        wait: (ms) => {
          waits.push(ms);
          return waits.length === 1 ? broken() : never();
        },
      },
      calls: { retrieve: async () => malformed(), confirm: never, release: never, waitForTab: never },
      random: () => 0.5,
      isAwake: () => true,
    });
    payment.send({ type: 'opened' });
    await clock.advance(0);
    expect(waits).toEqual([1000, 2000]);
  });
});

describe('promises 1: the page is asked about a press', () => {
  const answers: readonly [PageAnswer, string][] = [
    [{ kind: 'allowed' }, 'confirming'],
    [{ kind: 'refused', message: null }, 'ready'],
    [{ kind: 'failed' }, 'ready'],
  ];
  it.each(answers)('its answer %o decides', async (answer, status) => {
    const { state } = await pressed({ askPage: async () => answer });
    expect(state().status).toBe(status);
  });
});

describe('outcomes I7, threat-model C66: at most 20 reads in any minute', () => {
  /** A machine that reads once per `opened`, and ends when it is closed. Each read awaits `answer`. */
  const reader = (answer: (read: number) => Promise<unknown>) => {
    const clock = createManualClock();
    const reads: number[] = [];
    const retrieve: readonly Effect[] = [{ type: 'retrieve' }];
    const payment = createPayment({
      clock,
      calls: {
        retrieve: async () => {
          reads.push(clock.now());
          await answer(reads.length);
          return intent();
        },
        confirm: never,
        release: never,
        waitForTab: never,
      },
      random: () => 0.5,
      isAwake: () => true,
      decide: (state, event) =>
        event.type === 'opened'
          ? { state, effects: retrieve }
          : { state: event.type === 'closed' ? { status: 'destroyed' } : state, effects: [] },
    });
    /** Requests reads, a second apart. */
    const ask = async (count: number) => {
      for (let read = 0; read < count; read += 1) {
        payment.send({ type: 'opened' });
        await clock.advance(1000);
      }
    };
    return { clock, reads, payment, ask };
  };

  it('the 21st is sent when the first is a minute old', async () => {
    const { clock, reads, ask } = reader(async () => undefined);
    await ask(21);
    await clock.advance(38_999);
    expect(reads).toHaveLength(20);
    await clock.advance(1);
    expect(reads.slice(19)).toEqual([19_000, 60_000]);
    await ask(1);
    expect(reads.slice(20)).toEqual([60_000, 61_000]);
    await ask(19);
    expect(reads.at(-1)).toBe(79_000);
    await ask(1);
    expect(reads).toHaveLength(40);
    await clock.advance(39_000);
    expect(reads.at(-1)).toBe(120_000);
  });

  it('a read that waits is not sent any more once the form has ended', async () => {
    const { clock, reads, payment, ask } = reader(async () => undefined);
    await ask(21);
    payment.send({ type: 'closed' });
    await clock.advance(100_000);
    expect(reads).toHaveLength(20);
  });

  it('a read counts from its answer, since the page may have been asked for a secret before it was sent', async () => {
    const { clock, reads, ask } = reader(async (read) => (read === 1 ? clock.wait(10_000) : undefined));
    await ask(1);
    await clock.advance(9000);
    await ask(20);
    await clock.advance(39_999);
    expect(reads).toHaveLength(20);
    await clock.advance(1);
    expect(reads.at(-1)).toBe(70_000);
  });

  it('the late answer to a read that was replaced does not count for the one that replaced it', async () => {
    const { clock, reads, ask } = reader(async (read) => (read === 1 ? clock.wait(5000) : undefined));
    await ask(2);
    await clock.advance(3000);
    await ask(20); // the last two wait, and the second replaces the first
    await clock.advance(35_000);
    await ask(1);
    expect(reads.slice(19)).toEqual([22_000, 60_000, 61_000]);
  });
});
