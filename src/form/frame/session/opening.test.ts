// @vitest-environment happy-dom
/** The payment before `confirm.ts` has arrived: what waits for it, and what becomes of it if it never comes. */
import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { exampleDetails } from '../../../api/confirm-details.fixture.ts';
import { createManualClock } from '../../../clock/manual-clock.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { Ready } from '../../payment/opened.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import type { Intent } from '../../payment/payment-state.ts';
import { exampleInit } from '../merchant/merchant.fixture.ts';
import { readFirst } from './first-read.ts';
import { createOpening, type Opening, PATIENCE, type RunningPayment } from './opening.ts';
import { open as openSession, SHOWN } from './session.fixture.ts';

const failures: unknown[] = [];
beforeEach(() => {
  failures.splice(0);
  vi.stubGlobal('reportError', (failure: unknown) => failures.push(failure));
});

type Start = Awaited<ReturnType<Parameters<Opening['begin']>[0]>>;

/** A form whose first read is answered with `answer`. `arrive` and `fail` end the load of the script that is under way. */
const setUp = (answer: Response | Promise<Response> = Response.json(exampleIntent()), hasPrefetch = true) => {
  const clock = createManualClock();
  const messages: FrameMessage[] = [];
  const online = signal(true);
  const ending = new AbortController();
  const form = { details: () => exampleDetails(), clearCard: vi.fn() };
  const loads: { resolve(start: Start): void; reject(failure: unknown): void }[] = [];
  const abandon = vi.fn();
  const beginning = {
    init: exampleInit(),
    prefetch: hasPrefetch
      ? { body: '', at: 0, answer: Promise.resolve(answer), abandon, isForbidden: () => false }
      : null,
  };
  const opening = createOpening(beginning, {
    clock,
    form,
    lifecycle: { online },
    post: (message) => messages.push(message),
    first: {
      opened: null,
      reading: beginning.prefetch && readFirst(beginning.prefetch.answer, clock.now),
    },
    ending: ending.signal,
  });
  /** The states that payments were started in. */
  const started: (Ready | null)[] = [];
  const done: string[] = [];
  const start: Start = (_, ready) => {
    const { session } = openSession({}, { opened: ready ?? undefined, clock });
    const payment: RunningPayment = {
      session: {
        ...session,
        pay(shown) {
          done.push('pay');
          return session.pay(shown);
        },
      },
      receive: (message) => done.push(message.type),
      refused: (why) => done.push(why),
    };
    started.push(ready);
    return payment;
  };
  opening.begin(() => new Promise((resolve, reject) => loads.push({ resolve, reject })));
  const turns = () => clock.advance(0);
  const arrive = async () => {
    loads.shift()?.resolve(start);
    await turns();
  };
  const fail = async () => {
    loads.shift()?.reject(new Error('not loaded'));
    await turns();
  };
  const heard = () => messages.map(({ type }) => type);
  return {
    opening,
    clock,
    form,
    loads,
    messages,
    heard,
    online,
    ending,
    abandon,
    started,
    done,
    turns,
    arrive,
    fail,
  };
};

/** The same, with a total that has been there for long enough. */
const payable = async (...given: Parameters<typeof setUp>) => {
  const set = setUp(...given);
  await vi.waitFor(async () => {
    await set.turns();
    expect(set.opening.state.peek().status).toBe('ready');
  });
  await set.clock.advance(500);
  return set;
};

const read = (different: Partial<Intent>) => Response.json(exampleIntent(different));

describe('the first read', () => {
  it('is enough to offer its total; the rest is loaded then', async () => {
    const { opening, heard, messages, loads, started } = await payable();
    expect(opening.view.peek()).toMatchObject({ action: { kind: 'pay', total: SHOWN }, locked: false });
    expect(messages).toEqual([{ type: 'ready', amountTotal: 1234, currency: 'usd' }]);
    expect(heard()).toEqual(['ready']);
    expect([loads.length, started.length]).toEqual([1, 0]);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    [
      'a decline',
      () => read({ last_payment_error: { type: 'card_error', code: 'payment_failed', message: '' } }),
    ],
    ['a payment that is over', () => read({ status: 'succeeded' })],
    ['details that are missing', () => read({ missing_details: ['buyer.name'] })],
    ['an error', () => Response.json({}, { status: 500 })],
    ['something unreadable', () => new Response('{')],
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ])('leaves %s to the machine, and offers nothing before it is here', async (_, answer) => {
    const { opening, heard, loads, arrive, started } = setUp(answer());
    await vi.waitFor(() => expect(loads.length).toBe(1));
    expect(opening.view.peek()).toMatchObject({ action: { kind: 'idle', total: null } });
    expect(heard()).toEqual([]);
    await arrive();
    expect(started).toEqual([null]);
  });

  it('is left to the machine if it takes too long, or was never sent', async () => {
    const slow = setUp(new Promise<Response>(() => undefined));
    await slow.clock.advance(PATIENCE - 1);
    expect(slow.loads.length).toBe(0);
    await slow.clock.advance(1);
    expect(slow.loads.length).toBe(1);
    const unsent = setUp(undefined, false);
    expect(unsent.loads.length).toBe(1);
  });

  it('and a script that does not load: the page hears that the form failed to load, and the read is abandoned', async () => {
    const { loads, fail, heard, abandon } = setUp(read({ status: 'succeeded' }));
    await vi.waitFor(() => expect(loads.length).toBe(1));
    await fail();
    expect(heard()).toEqual(['loaderror']);
    expect(abandon).toHaveBeenCalledOnce();
    expect(failures).toHaveLength(1);
  });
});

describe('a press before the script has arrived', () => {
  it('is under way for the buyer, and sent once it is here', async () => {
    const { opening, arrive, done, heard } = await payable();
    const counted = opening.pay(SHOWN);
    expect(opening.view.peek()).toMatchObject({
      locked: true,
      action: { kind: 'busy', message: { key: 'pay.busy' } },
      notices: [{ message: { key: 'notice.confirming' } }],
    });
    await arrive();
    expect(await counted).toBe(true);
    expect(done).toEqual(['pay']);
    expect(opening.state.peek().status).toBe('confirming');
    expect(heard()).toEqual(['ready']); // what follows is told by the session
  });

  it('waits with what the page says, in order', async () => {
    const { opening, arrive, done } = await payable();
    opening.whenStarted(({ receive }) => receive({ type: 'clear' }));
    void opening.pay(SHOWN);
    opening.whenStarted(({ receive }) => receive({ type: 'refresh' }));
    await arrive();
    expect(done).toEqual(['clear', 'pay', 'refresh']);
  });

  it('does not count within half a second of the total', async () => {
    const { opening, clock, turns, done, arrive } = setUp();
    await vi.waitFor(async () => {
      await turns();
      expect(opening.state.peek().status).toBe('ready');
    });
    await clock.advance(499);
    expect(await opening.pay(SHOWN)).toBe(false);
    await arrive();
    expect(done).toEqual([]);
  });

  it('and one that never comes: nothing is sent, and buyer and page are told', async () => {
    const { opening, fail, heard, messages, done } = await payable();
    const counted = opening.pay(SHOWN);
    await fail();
    expect(await counted).toBe(true);
    expect(opening.view.peek()).toMatchObject({
      locked: false,
      action: { kind: 'retry' },
      notices: [{ message: { key: 'notice.load_failed' } }, { message: { key: 'end.not_sent' } }],
    });
    expect(heard()).toEqual(['ready', 'error']);
    expect(messages.at(-1)).toMatchObject({
      error: { code: 'script_failed', charged: 'no', recovery: 'retry' },
    });
    expect(done).toEqual([]);
  });

  it('whose script did not come: "Try again" loads it, and a press is needed again', async () => {
    const { opening, fail, arrive, done } = await payable();
    void opening.pay(SHOWN);
    await fail();
    opening.retry();
    expect(opening.view.peek()).toMatchObject({ action: { kind: 'busy' } });
    await arrive();
    expect(opening.view.peek()).toMatchObject({ action: { kind: 'pay', total: SHOWN }, locked: false });
    expect(done).toEqual([]);
  });

  it('whose script does not come again: the form is given up for a new one', async () => {
    const { opening, fail, heard } = await payable();
    void opening.pay(SHOWN);
    await fail();
    opening.retry();
    await fail();
    expect(heard()).toEqual(['ready', 'error', 'loaderror']);
  });

  it('of a service that does not tell of attempts: whether the buyer was charged is not known', async () => {
    const { opening, fail, messages } = await payable(
      read({ confirmation_attempts: null, attempt_in_progress: null }),
    );
    void opening.pay(SHOWN);
    await fail();
    expect(messages.at(-1)).toMatchObject({ error: { charged: 'unknown' } });
  });
});

describe('a script that does not load while nobody presses', () => {
  it('leaves the form as it is, and is asked for again by the next press', async () => {
    const { opening, fail, arrive, heard, loads, done } = await payable();
    await fail();
    expect(opening.view.peek()).toMatchObject({ action: { kind: 'pay' } });
    expect([heard(), loads.length]).toEqual([['ready'], 0]);
    void opening.pay(SHOWN);
    expect(loads.length).toBe(1);
    await arrive();
    expect(done).toEqual(['pay']);
  });

  it('is asked for again when the connection is back', async () => {
    const { opening, fail, loads, online } = await payable();
    online.value = false;
    expect(opening.view.peek()).toMatchObject({
      action: { kind: 'pay' },
      notices: [{ message: { key: 'notice.offline' } }],
    });
    await fail();
    expect(loads.length).toBe(0);
    online.value = true;
    expect(loads.length).toBe(1);
  });
});

it('a form that is removed starts nothing, sends nothing and forgets the card', async () => {
  const { opening, arrive, started, form, ending, abandon, heard } = await payable();
  void opening.pay(SHOWN);
  ending.abort();
  opening.close();
  await arrive();
  expect(started).toEqual([]);
  expect(form.clearCard).toHaveBeenCalledOnce();
  expect(abandon).toHaveBeenCalledOnce();
  expect(heard()).toEqual(['ready']);
});
