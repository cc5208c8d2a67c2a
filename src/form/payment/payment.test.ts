import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../api/clock/manual-clock.ts';
import type { Failure, ServiceAnswer } from '../../api/errors.ts';
import type { Money } from '../../api/money.ts';
import { exampleIntent } from './payment.fixture.ts';
import { type Calls, createPayment } from './payment.ts';
import type { Intent, PaymentEvent } from './payment-state.ts';

const SHOWN: Money = { amount: 1234, currency: 'usd' };
const PRESS: PaymentEvent = { type: 'submitted', shown: SHOWN };

const intent = (different: Partial<Intent> = {}): ServiceAnswer<Intent> => ({
  ok: true,
  value: exampleIntent(different),
});
const failed = (failure: Failure): ServiceAnswer<Intent> => ({ ok: false, failure });
const NETWORK = failed({ kind: 'no_answer', reason: 'network' });
const refused = (status: number, code: string): ServiceAnswer<Intent> =>
  failed({ kind: 'refused', status, code, type: 'api_error', message: '', param: null, declineCode: null });

type Call = {
  name: 'retrieve' | 'confirm' | 'release';
  at: number;
  shown?: Money;
  signal: AbortSignal;
  answer(result: ServiceAnswer<Intent>): Promise<void>;
};

/** A payment whose requests are answered by the test. */
const createTrial = ({ random = 0.5 } = {}) => {
  const clock = createManualClock();
  const page = { awake: true };
  const calls: Call[] = [];
  const call = (name: Call['name'], signal: AbortSignal, shown?: Money) =>
    new Promise<ServiceAnswer<Intent>>((resolve) => {
      const answer = (result: ServiceAnswer<Intent>) => {
        resolve(result);
        return clock.advance(0);
      };
      calls.push({ name, at: clock.now(), signal, answer, ...(shown && { shown }) });
    });
  const payment = createPayment({
    clock,
    calls: {
      retrieve: (signal) => call('retrieve', signal),
      confirm: (shown, signal) => call('confirm', signal, shown),
      release: (signal) => call('release', signal),
      waitForTab: async () => undefined,
    },
    random: () => random,
    isAwake: () => page.awake,
  });
  const last = () => {
    const found = calls.at(-1);
    if (!found) throw new Error('nothing was called');
    return found;
  };
  return {
    clock,
    page,
    calls,
    payment,
    last,
    status: () => payment.state.value.status,
    names: () => calls.map(({ name }) => name),
    open: () => calls.filter(({ signal }) => !signal.aborted).length,
    /** Loaded and ready for a press; nothing sent yet. */
    async becomeReady() {
      payment.send({ type: 'opened' });
      await last().answer(intent());
      await clock.advance(1000);
      calls.length = 0;
    },
    /** Pressed; the confirm is open. */
    async press() {
      await this.becomeReady();
      payment.send(PRESS);
      return last();
    },
  };
};

/** A payment whose confirm is open. */
const pressed = async () => {
  const trial = createTrial();
  return { trial, confirm: await trial.press() };
};

/** A payment that is ready for a press, with the test's own calls. */
const readyWith = async (calls: Partial<Calls>, canReplace = false) => {
  const clock = createManualClock();
  const payment = createPayment({
    clock,
    calls: {
      retrieve: async () => intent(),
      confirm: async () => NETWORK,
      release: async () => intent(),
      waitForTab: async () => undefined,
      ...calls,
    },
    random: () => 0.5,
    isAwake: () => true,
    canReplace,
  });
  payment.send({ type: 'opened' });
  await clock.advance(1000);
  return { clock, payment };
};

describe('running the machine', () => {
  it('does nothing before it is opened', async () => {
    const { clock, calls, status } = createTrial();
    await clock.advance(60_000);
    expect([status(), calls.length, clock.waiting()]).toEqual(['booting', 0, 0]);
  });

  it('opened: reads, takes the answer, and nothing is under way then', async () => {
    const { payment, last, status, names, clock } = createTrial();
    payment.send({ type: 'opened' });
    expect(status()).toBe('loading');
    await last().answer(intent());
    expect([status(), names(), clock.waiting()]).toEqual(['ready', ['retrieve'], 0]);
  });

  it('the state has changed when send returns, and the confirm was called with the shown total', async () => {
    const { trial, confirm } = await pressed();
    expect(trial.status()).toBe('confirming');
    expect(confirm).toMatchObject({ name: 'confirm', shown: SHOWN, at: 1000 });
  });

  it('outcomes 2.7: a double press in one task sends one confirm', async () => {
    const trial = createTrial();
    await trial.press();
    trial.payment.send(PRESS);
    trial.payment.send(PRESS);
    await trial.clock.advance(5000);
    trial.payment.send(PRESS);
    expect(trial.names()).toEqual(['confirm']);
  });

  it('outcomes 2.7: a press while another tab pays sends nothing, waits, then reads', async () => {
    let turn = () => {};
    const retrieve = vi.fn(async () => intent());
    const { clock, payment } = await readyWith({
      retrieve,
      confirm: async () => 'other_tab_paying',
      waitForTab: () =>
        new Promise((resolve) => {
          turn = resolve;
        }),
    });
    payment.send(PRESS);
    await clock.advance(1000);
    expect([payment.state.value.status, retrieve.mock.calls.length]).toEqual(['waiting_for_tab', 1]);
    turn();
    await clock.advance(0);
    expect(payment.state.value).toMatchObject({
      status: 'ready',
      feedback: { notice: { kind: 'not_sent' } },
    });
    expect([retrieve.mock.calls.length, clock.waiting()]).toEqual([2, 0]);
  });

  it('promises 1.6: another intent is requested once, then read like the first', async () => {
    const answers = [intent({ status: 'canceled' }), NETWORK, intent({ id: 'lg_pi_2' })];
    const replacements: boolean[] = [];
    const retrieve: Calls['retrieve'] = async (_, asked) => {
      replacements.push(asked);
      return answers.shift() ?? NETWORK;
    };
    const { clock, payment } = await readyWith({ retrieve }, true);
    await clock.advance(4000);
    expect(replacements).toEqual([false, true, false]);
    expect(payment.state.value).toMatchObject({ status: 'ready', intent: { id: 'lg_pi_2' } });
  });

  it('outcomes 2.7: a press from inside the confirm call sends no second confirm', async () => {
    let pressAgain = () => {};
    const confirm = vi.fn((): Promise<ServiceAnswer<Intent>> => {
      if (confirm.mock.calls.length === 1) pressAgain();
      return new Promise(() => {});
    });
    const { payment } = await readyWith({ confirm });
    pressAgain = () => payment.send(PRESS);
    payment.send(PRESS);
    expect(confirm).toHaveBeenCalledOnce();
  });

  it('an effect sees every state once, and nothing for an event that changes nothing', async () => {
    const trial = createTrial();
    const seen: string[] = [];
    trial.payment.state.subscribe(({ status }) => seen.push(status));
    const confirm = await trial.press();
    trial.payment.send(PRESS);
    trial.payment.send({ type: 'refresh_requested' });
    await confirm.answer(intent({ status: 'succeeded' }));
    expect(seen).toEqual(['booting', 'loading', 'ready', 'confirming', 'succeeded']);
  });
});

describe('outcomes 2.3: times', () => {
  it('"still confirming" at 10 s and a read beside the open confirm at 20 s, not sooner', async () => {
    const trial = createTrial();
    await trial.press();
    await trial.clock.advance(9999);
    expect(trial.payment.state.value).toMatchObject({ slow: false });
    await trial.clock.advance(1);
    expect(trial.payment.state.value).toMatchObject({ slow: true });
    await trial.clock.advance(9999);
    expect(trial.names()).toEqual(['confirm']);
    await trial.clock.advance(1);
    expect(trial.names()).toEqual(['confirm', 'retrieve']);
    expect(trial.open(), 'the confirm stays open').toBe(2);
  });

  it.each([
    { random: 0, first: 800, second: 1600 },
    { random: 0.5, first: 1000, second: 2000 },
    { random: 0.999999, first: 1200, second: 2400 },
  ])('a poll is spread by up to a fifth (chance $random): $first ms', async ({ random, first, second }) => {
    const trial = createTrial({ random });
    const confirm = await trial.press();
    await confirm.answer(intent({ status: 'processing' }));
    await trial.clock.advance(first - 1);
    expect(trial.names()).toEqual(['confirm']);
    await trial.clock.advance(1);
    expect(trial.names()).toEqual(['confirm', 'retrieve']);
    await trial.last().answer(intent({ status: 'processing' }));
    await trial.clock.advance(second - 1);
    expect(trial.calls).toHaveLength(2);
    await trial.clock.advance(1);
    expect(trial.calls).toHaveLength(3);
  });

  it.each([0, 0.999999])('retries, "slow" and a stated wait have no jitter (random %d)', async (random) => {
    const loading = createTrial({ random });
    loading.payment.send({ type: 'opened' });
    for (const at of [0, 1000, 4000, 12_000]) {
      await loading.clock.advance(at - loading.clock.now());
      expect(loading.last().at).toBe(at);
      await loading.last().answer(NETWORK);
    }
    expect(loading.status()).toBe('load_failed');

    const confirming = createTrial({ random });
    await confirming.press();
    await confirming.clock.advance(20_000);
    expect(confirming.last()).toMatchObject({ name: 'retrieve', at: 21_000 });

    const waiting = createTrial({ random });
    const confirm = await waiting.press();
    await confirm.answer(failed({ kind: 'throttled', retryAfter: 5, stated: true }));
    await waiting.clock.advance(60_000);
    expect(waiting.last()).toMatchObject({ name: 'retrieve', at: 1000 + 5100 });
  });

  it('outcomes 2.6: 429 counts down by the second, then reads once', async () => {
    const { trial, confirm } = await pressed();
    const seconds: number[] = [];
    trial.payment.state.subscribe((state) => {
      if (state.status === 'throttled') seconds.push(state.secondsLeft);
    });
    await confirm.answer(failed({ kind: 'throttled', retryAfter: 60, stated: true }));
    await trial.clock.advance(60_099);
    expect(trial.names()).toEqual(['confirm']);
    await trial.clock.advance(1);
    expect(trial.names()).toEqual(['confirm', 'retrieve']);
    expect([...new Set(seconds)]).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
  });

  it('outcomes 2.6: 429 of 10^9 s: no overflow, no request, and the time is counted down', async () => {
    const { trial, confirm } = await pressed();
    await confirm.answer(failed({ kind: 'throttled', retryAfter: 1e9, stated: true }));
    await trial.clock.advance(600_000);
    expect(trial.names()).toEqual(['confirm']);
    expect(trial.payment.state.value).toMatchObject({ status: 'throttled', secondsLeft: 1e9 - 599 });
  });

  it('outcomes 2.7, threat-model C67: hidden: no poll, and one at once on waking', async () => {
    const { trial, confirm } = await pressed();
    await confirm.answer(NETWORK);
    trial.page.awake = false;
    await trial.clock.advance(3_600_000);
    expect(trial.names()).toEqual(['confirm']);
    expect(trial.clock.waiting(), 'asleep, it needs no timer').toBe(0);
    trial.page.awake = true;
    trial.payment.send({ type: 'woke', gap: 3_600_000 });
    expect(trial.names()).toEqual(['confirm', 'retrieve']);
  });
});

describe('a change of status aborts running effects', () => {
  it('outcomes 2.7: restored while confirming: the confirm is aborted and its answer dropped', async () => {
    const { trial, confirm } = await pressed();
    trial.payment.send({ type: 'restored' });
    expect(confirm.signal.aborted).toBe(true);
    await confirm.answer(intent({ status: 'succeeded' }));
    expect(trial.status()).toBe('resolving');
    await confirm.answer(refused(402, 'payment_method_declined'));
    expect(trial.status()).toBe('resolving');
  });

  it('outcomes 2.3: a read beside the confirm says succeeded: the confirm is aborted and a later refusal dropped', async () => {
    const { trial, confirm } = await pressed();
    await trial.clock.advance(20_000);
    await trial.last().answer(intent({ status: 'succeeded' }));
    expect(trial.status()).toBe('succeeded');
    expect(confirm.signal.aborted).toBe(true);
    await confirm.answer(refused(402, 'payment_failed'));
    expect([trial.status(), trial.clock.waiting()]).toEqual(['succeeded', 0]);
  });

  it('the confirm is answered while a read is open: the read is aborted and its answer dropped', async () => {
    const { trial, confirm } = await pressed();
    await trial.clock.advance(20_000);
    const read = trial.last();
    await confirm.answer(refused(402, 'payment_failed'));
    expect([trial.status(), read.signal.aborted]).toEqual(['releasing', true]);
    await read.answer(intent({ status: 'succeeded', amount_total: 1 }));
    expect(trial.status()).toBe('releasing');
  });

  it('outcomes 2.7: unmount during a confirm: the request is aborted, but may have acted', async () => {
    const { trial, confirm } = await pressed();
    trial.payment.send({ type: 'closed' });
    expect(confirm.signal.aborted).toBe(true);
    await confirm.answer(intent({ status: 'succeeded' }));
    expect(trial.status()).toBe('destroyed');
  });
});

describe('within a status an effect replaces only one in the same lane', () => {
  it('neither a read beside the confirm nor the wait after it aborts the confirm', async () => {
    const { trial, confirm } = await pressed();
    await trial.clock.advance(20_000);
    await trial.last().answer(intent());
    expect([confirm.signal.aborted, trial.clock.waiting()]).toEqual([false, 1]);
    await trial.clock.advance(1000);
    expect(trial.names()).toEqual(['confirm', 'retrieve', 'retrieve']);
    await confirm.answer(intent({ status: 'succeeded' }));
    expect(trial.status()).toBe('succeeded');
  });

  it('waking reads at once, and the old wait causes no second read or wait', async () => {
    const { trial, confirm } = await pressed();
    await confirm.answer(intent({ status: 'processing' }));
    for (const ms of [1000, 2000, 3000, 5000]) {
      await trial.clock.advance(ms);
      await trial.last().answer(intent({ status: 'processing' }));
    }
    await trial.clock.advance(5000);
    trial.payment.send({ type: 'woke', gap: 1000 });
    const count = trial.calls.length;
    await trial.clock.advance(3000); // the pause of 8 s ends during the open read
    expect(trial.calls).toHaveLength(count);
    await trial.last().answer(intent({ status: 'processing' }));
    expect(trial.clock.waiting()).toBe(1);
    await trial.clock.advance(9999);
    expect(trial.calls).toHaveLength(count);
    await trial.clock.advance(1);
    expect(trial.calls).toHaveLength(count + 1);
  });

  it('never more than one read, one confirm and one wait', async () => {
    const trial = createTrial();
    await trial.press();
    await trial.clock.advance(20_000);
    for (let time = 0; time < 20; time += 1) {
      trial.payment.send({ type: 'woke', gap: 60_000 });
      trial.payment.send({ type: 'refresh_requested' });
      trial.payment.send({ type: 'retry_requested' });
      await trial.clock.advance(1000);
    }
    expect(trial.open()).toBe(2);
    expect(trial.clock.waiting()).toBeLessThanOrEqual(1);
  });
});

describe('outcomes 2.6, release: the body is ignored, the read decides', () => {
  it.each<[string, ServiceAnswer<Intent>]>([
    ['an intent', intent({ status: 'succeeded' })],
    ['a stranger`s intent', intent({ id: 'lg_pi_2' })],
    ['something unreadable', failed({ kind: 'no_answer', reason: 'malformed' })],
  ])('answered with %s: goes on to retrieve', async (_, answer) => {
    const { trial, confirm } = await pressed();
    await confirm.answer(refused(402, 'payment_method_declined'));
    await trial.last().answer(answer);
    expect(trial.names()).toEqual(['confirm', 'release', 'retrieve']);
    expect(trial.status()).toBe('reloading');
  });
});

describe('outcomes I8, I9: no timer and no request after the end', () => {
  type Trial = ReturnType<typeof createTrial>;
  const answerConfirm = (result: ServiceAnswer<Intent>) => async (trial: Trial) => {
    await (await trial.press()).answer(result);
  };

  it.each<[string, (trial: Trial) => Promise<unknown>]>([
    ['booting', async () => {}],
    ['loading', async ({ payment }) => payment.send({ type: 'opened' })],
    ['ready', (trial) => trial.becomeReady()],
    ['confirming', (trial) => trial.press()],
    ['resolving', answerConfirm(NETWORK)],
    ['processing', answerConfirm(intent({ status: 'processing' }))],
    ['releasing', answerConfirm(refused(402, 'payment_failed'))],
    ['reloading', answerConfirm(refused(409, 'payment_intent_updated'))],
    ['throttled', answerConfirm(failed({ kind: 'throttled', retryAfter: 5, stated: true }))],
    ['blocked', answerConfirm(refused(400, 'payment_details_missing'))],
    ['succeeded', answerConfirm(intent({ status: 'succeeded' }))],
  ])('closed while %s', async (status, reach) => {
    const trial = createTrial();
    await reach(trial);
    expect(trial.status()).toBe(status);
    const calls = [...trial.calls];
    trial.payment.send({ type: 'closed' });
    await trial.clock.advance(0);
    expect(trial.clock.waiting()).toBe(0);
    for (const { answer } of calls) await answer(intent({ status: 'succeeded' }));
    const events: readonly PaymentEvent[] = [
      { type: 'opened' },
      PRESS,
      { type: 'woke', gap: 60_000 },
      { type: 'restored' },
      { type: 'refresh_requested' },
      { type: 'retry_requested' },
      { type: 'closed' },
    ];
    for (const event of events) trial.payment.send(event);
    await trial.clock.advance(3_600_000);
    expect(trial.calls).toHaveLength(calls.length);
    expect([trial.status(), trial.clock.waiting()]).toEqual(['destroyed', 0]);
  });

  it('closed while a read is open beside a confirm: both are aborted', async () => {
    const trial = createTrial();
    await trial.press();
    await trial.clock.advance(20_000);
    expect(trial.open()).toBe(2);
    trial.payment.send({ type: 'closed' });
    expect(trial.open()).toBe(0);
  });

  it.each(['succeeded', 'canceled'])('%s: no more requests', async (status) => {
    const trial = createTrial();
    await (await trial.press()).answer(intent({ status }));
    trial.payment.send({ type: 'refresh_requested' });
    trial.payment.send({ type: 'woke', gap: 60_000 });
    await trial.clock.advance(3_600_000);
    expect([trial.names(), trial.clock.waiting()]).toEqual([['confirm'], 0]);
  });
});
