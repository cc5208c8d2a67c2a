/** The page's `beforePay`, asked about a press before anything is sent. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { exampleIntent } from './payment.fixture.ts';
import type { PageAnswer, PaymentEvent, PaymentState, Step } from './payment-state.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmed,
  DECLINED,
  NETWORK,
  press,
  READY,
  REFRESH,
  RESTORED,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  retrieved,
  retrieveFailed,
  WAITED,
  woke,
} from './transition.fixture.ts';
import { transition } from './transition.ts';

const SHOWN = { amount: 1234, currency: 'usd' } as const;
const answered = (answer: PageAnswer): PaymentEvent => ({ type: 'page_answered', answer });
const YES = answered({ kind: 'allowed' });
const NO = answered({ kind: 'refused', message: 'Sold out.' });
const FAILED = answered({ kind: 'failed' });

/** Feeds events, each at its time, on a page with `beforePay`. */
const drive = (from: PaymentState, ...moments: readonly (readonly [number, PaymentEvent])[]): Step =>
  moments.reduce<Step>(
    ({ state }, [now, event]) =>
      transition(state, event, { now, awake: true, canReplace: false, asksPage: true }),
    { state: from, effects: [] },
  );

const ASKING = drive(READY.state, [0, press()]);

describe('outcomes 2.2, asking_page: the page is asked after the press passed every rule and before anything is sent', () => {
  it('a press asks the page about the total it showed, and gives it 10 seconds', () => {
    expect(ASKING).toEqual({
      state: {
        status: 'asking_page',
        intent: exampleIntent(),
        shown: SHOWN,
        allowed: false,
        activity: 'waiting',
      },
      effects: [
        { type: 'ask_page', shown: SHOWN },
        { type: 'wait', ms: 10_000, jitter: false },
      ],
    });
  });

  it.each([
    ['too soon', 499 - 1000, press()],
    ['of another total', 0, press(1334)],
  ] as const)('a press %s is not asked about', (_, at, event) => {
    expect(drive(READY.state, [at, event])).toEqual({ state: READY.state, effects: [] });
  });

  it('yes: the confirm is sent with the total that was pressed', () => {
    expect(drive(ASKING.state, [0, YES])).toEqual(CONFIRMING);
  });

  it.each([
    ['no, with a sentence', NO, { kind: 'page_refused', message: 'Sold out.' }],
    ['no, without', answered({ kind: 'refused', message: null }), { kind: 'page_refused', message: null }],
    ['an exception', FAILED, { kind: 'page_failed' }],
    ['10 seconds of silence', WAITED, { kind: 'page_failed' }],
  ] as const)('%s: back to the form, nothing was sent', (_, event, notice) => {
    const { state, effects } = drive(ASKING.state, [3000, event]);
    expect(effects).toEqual([]);
    expect(state).toEqual({
      status: 'ready',
      intent: exampleIntent(),
      feedback: { notice, previousTotal: null },
      readAt: 3000,
      armedAt: 3500,
    });
  });

  it('the next press asks again', () => {
    const again = drive(ASKING.state, [3000, NO], [5000, press()]);
    expect(again).toEqual(ASKING);
  });

  it('ignores every other event, even another press', () => {
    const others = [press(), RETRY, woke(), retrieved({ amount_total: 1 }), retrieveFailed(NETWORK)];
    for (const event of [...others, confirmed({ status: 'succeeded' })]) {
      expect(drive(ASKING.state, [1000, event])).toEqual({ state: ASKING.state, effects: [] });
    }
  });

  it('restored from the back/forward cache: reads, for the answer may never come', () => {
    const step = drive(ASKING.state, [1000, RESTORED]);
    expect(step.state.status).toBe('reloading');
    expect(step.effects).toEqual(RETRIEVE);
  });

  it('the form is removed: nothing is sent', () => {
    expect(drive(ASKING.state, [1000, CLOSED])).toEqual({ state: { status: 'destroyed' }, effects: [] });
  });
});

describe('outcomes 2.2, asking_page: a total that changes while the page is asked returns to the form', () => {
  const READING = drive(ASKING.state, [1000, REFRESH]);

  it('refresh() while the page is asked: reads beside it', () => {
    expect(READING.effects).toEqual(RETRIEVE);
    expect(READING.state).toMatchObject({ status: 'asking_page', activity: 'reading' });
  });

  it('a second refresh() reads no second time', () => {
    expect(drive(READING.state, [1500, REFRESH])).toEqual({ state: READING.state, effects: [] });
  });

  it.each([
    ['before', [retrieved({ amount_total: 1334 })]],
    ['after', [YES, retrieved({ amount_total: 1334 })]],
  ] as const)('another total, read %s the yes: both totals are shown, and nothing is sent', (_, events) => {
    const step = drive(READING.state, ...events.map((event) => [2000, event] as const));
    expect(step.effects).toEqual([]);
    expect(ready(step).feedback).toEqual({ notice: null, previousTotal: SHOWN });
    expect(ready(step).intent.amount_total).toBe(1334);
  });

  it('the yes of the page about the old total is not a yes to the new one', () => {
    const changed = drive(READING.state, [2000, retrieved({ amount_total: 1334 })]);
    expect(drive(changed.state, [2100, YES])).toEqual({ state: changed.state, effects: [] });
  });

  it('the yes waits for the read, which shows the same total: the confirm is sent', () => {
    const allowed = drive(READING.state, [1500, YES]);
    expect(allowed.effects).toEqual([]);
    const step = drive(allowed.state, [2000, retrieved()]);
    expect(step.state.status).toBe('confirming');
    expect(step.effects[0]).toEqual({ type: 'confirm', shown: SHOWN });
  });

  it('the same total is read first: the form goes on waiting for the page', () => {
    const step = drive(READING.state, [2000, retrieved({ description: 'changed' })]);
    expect(step.effects).toEqual([]);
    expect(step.state).toMatchObject({
      status: 'asking_page',
      activity: 'waiting',
      intent: { description: 'changed' },
    });
    expect(drive(step.state, [2500, YES]).state.status).toBe('confirming');
  });

  it.each([
    ['the read fails', retrieveFailed(NETWORK)],
    ['the read is refused', retrieveFailed(refused(401, 'api_key_revoked'))],
    ['the read takes longer than the page had', WAITED],
  ])('%s after a yes: the confirm is sent, and the service decides about its total', (_, event) => {
    const step = drive(READING.state, [1500, YES], [10_000, event]);
    expect(step.effects[0]).toEqual({ type: 'confirm', shown: SHOWN });
  });

  it('a read that fails before the answer: the form goes on waiting for the page', () => {
    const step = drive(READING.state, [1500, retrieveFailed(NETWORK)]);
    expect(step).toEqual({ state: ASKING.state, effects: [] });
  });

  it.each([
    ['paid in another tab', { status: 'succeeded' }, 'succeeded'],
    ['canceled', { status: 'canceled' }, 'canceled'],
    ['processing', { status: 'processing' }, 'processing'],
    ['out of attempts', { attempts_left: 0, last_payment_error: DECLINED }, 'reloading'],
  ] as const)('the intent is %s: the yes sends nothing', (_, different, status) => {
    const step = drive(READING.state, [1500, YES], [2000, retrieved(different)]);
    expect(step.state.status).toBe(status);
    expect(step.effects.filter(({ type }) => type === 'confirm')).toEqual([]);
  });
});

it('a page that allowed the press cannot take it back while the intent is read', () => {
  const allowed = drive(ASKING.state, [100, REFRESH], [200, YES]);
  expect(drive(allowed.state, [300, NO])).toEqual({ state: allowed.state, effects: [] });
});

it.each<[string, PaymentEvent]>([
  ['said no', NO],
  ['failed', FAILED],
])(
  'outcomes 2.6: nothing was sent if the page %s, so a refused read afterwards leaves nothing unknown',
  (_, answer) => {
    const keys = retrieveFailed(refused(401, 'api_key_revoked'));
    const { state } = drive(ASKING.state, [100, answer], [5000, REFRESH], [5100, keys]);
    expect(state).toMatchObject({ status: 'blocked', recoverable: false });
  },
);
