/**
 * promises 1.6 and outcomes 2.4, "Another intent in the same form": a swap is a reload that also changes which intent
 * is read.
 */
import { describe, expect, it } from 'vitest';
import { exampleIntent, exampleState, STATUSES } from './payment.fixture.ts';
import type { Intent, PaymentEvent, PaymentState, Step, World } from './payment-state.ts';
import { withSwap } from './swap.ts';
import { NETWORK, refused, throttled } from './transition.fixture.ts';
import { transition } from './transition.ts';

const decide = withSwap(transition);
const WORLD: World = { now: 1000, awake: true, canReplace: false, asksPage: false };

const drive = (from: PaymentState, ...events: readonly PaymentEvent[]): Step =>
  events.reduce<Step>(({ state }, event) => decide(state, event, WORLD), { state: from, effects: [] });

const REQUESTED = { type: 'swap_requested' } as const;
const BEGUN = { type: 'swap_begun' } as const;
const read = (intent: Intent): PaymentEvent => ({ type: 'retrieved', intent });
const NO_SECRET = { kind: 'no_answer', reason: 'no_secret' } as const;
const ready = exampleState('ready');
const other = (different: Partial<Intent> = {}) => exampleIntent({ id: 'lg_pi_2', ...different });

/** Up to the read of the other intent; the known one was found unchanged. */
const UNTOUCHED = [REQUESTED, BEGUN, read(exampleIntent())] as const;

describe('"from here on no press counts, and one that the page is asked about is dropped"', () => {
  it.each(['ready', 'asking_page'] as const)('in %s', (status) => {
    const { state, effects } = drive(exampleState(status), REQUESTED);
    expect(state).toMatchObject({ status: 'reloading', swap: 'asked', activity: 'pausing' });
    expect(effects).toEqual([{ type: 'wait', ms: 4000, jitter: false }]);
    const pressed: readonly PaymentEvent[] = [
      { type: 'submitted', shown: { amount: 1234, currency: 'usd' } },
      { type: 'page_answered', answer: { kind: 'allowed' } },
    ];
    for (const event of pressed) expect(drive(state, event)).toEqual({ state, effects: [] });
  });

  it('also for an order that the merchant has to mend', () => {
    const { state } = drive(exampleState('blocked', { recoverable: true }), REQUESTED);
    expect(state).toMatchObject({ status: 'reloading', swap: 'asked' });
  });
});

it('"while anything is open or unknown, or all is over, no other intent takes the place": the state stays as it is', () => {
  for (const status of STATUSES) {
    if (status === 'ready' || status === 'asking_page') continue;
    const state = exampleState(status);
    expect(drive(state, REQUESTED), status).toEqual({ state, effects: [] });
  }
});

describe('"the known intent is read once more, and gives way if nothing was charged and nothing of it runs"', () => {
  it.each([
    ['pending, nothing tried', exampleIntent()],
    ['pending, a failed attempt is over', exampleIntent({ confirmation_attempts: 1 })],
    ['out of attempts', exampleIntent({ confirmation_attempts: 5, attempts_left: 0 })],
    ['canceled by the merchant', exampleIntent({ status: 'canceled' })],
  ])('%s', (_, intent) => {
    const { state, effects } = drive(ready, REQUESTED, BEGUN, read(intent));
    expect(state).toMatchObject({ status: 'reloading', intent: ready.intent, swap: intent });
    expect(effects).toEqual([{ type: 'retrieve', replacement: true }]);
  });

  it.each([
    ['succeeded', exampleIntent({ status: 'succeeded' }), 'succeeded'],
    ['processing', exampleIntent({ status: 'processing' }), 'processing'],
    [
      'an attempt may be running',
      exampleIntent({ confirmation_attempts: 1, attempt_in_progress: null, attemptsAreOver: false }),
      'ready',
    ],
  ])('not if it is %s: it goes on as after any read', (_, intent, status) => {
    const step = drive(ready, REQUESTED, BEGUN, read(intent));
    expect(step).toEqual(
      transition(
        exampleState('reloading', { intent: ready.intent, feedback: { ...ready.feedback, isShown: true } }),
        read(intent),
        WORLD,
      ),
    );
    expect(step.state.status).toBe(status);
  });

  it.each([NETWORK, throttled(7), refused(502, 'provider_error')])(
    'not if it cannot be read: %o',
    (failure) => {
      const { state } = drive(ready, REQUESTED, BEGUN, { type: 'retrieve_failed', failure });
      expect(state).toMatchObject({ status: 'reloading', intent: ready.intent, activity: 'pausing' });
      expect(state).not.toHaveProperty('swap');
    },
  );

  it('not if another intent is read in its place', () => {
    const { state } = drive(ready, REQUESTED, BEGUN, read(other()));
    expect(state).toMatchObject({ status: 'reloading', intent: ready.intent, activity: 'pausing' });
  });
});

describe('"the other intent is in the form as after its first read, and the buyer sees the old and the new total"', () => {
  it('with another total', () => {
    const { state } = drive(ready, ...UNTOUCHED, read(other({ amount_total: 2000, currency: 'eur' })));
    expect(state).toMatchObject({
      status: 'ready',
      intent: { id: 'lg_pi_2' },
      feedback: { notice: null, previousTotal: { amount: 1234, currency: 'usd' } },
      armedAt: 1500,
    });
  });

  it('with the same total: nothing is told, but it counts only after half a second', () => {
    const { state } = drive(ready, ...UNTOUCHED, read(other()));
    expect(state).toMatchObject({
      status: 'ready',
      intent: { id: 'lg_pi_2' },
      feedback: { notice: null, previousTotal: null },
      armedAt: 1500,
    });
  });

  it('what was said of an attempt with the intent before it is not said again', () => {
    const declined = exampleState('ready', {
      feedback: { notice: { kind: 'declined', error: null }, previousTotal: null },
    });
    const { state } = drive(declined, ...UNTOUCHED, read(other()));
    expect(state).toMatchObject({ feedback: { notice: null } });
  });

  it.each([
    ['processing', 'processing'],
    ['succeeded', 'succeeded'],
  ])('one that is %s is seen as such', (status, expected) => {
    expect(drive(ready, ...UNTOUCHED, read(other({ status }))).state.status).toBe(expected);
  });

  it('one whose failed attempt is held is released first', () => {
    const error = { type: 'card_error', code: 'payment_method_declined', message: '' };
    const { state, effects } = drive(ready, ...UNTOUCHED, read(other({ last_payment_error: error })));
    expect([state.status, effects]).toEqual(['releasing', [{ type: 'release' }]]);
  });
});

describe('"whatever stands against it, the known intent stays"', () => {
  const kept = { status: 'ready', intent: { id: ready.intent.id }, armedAt: 1500 };

  it.each([
    ['the other is canceled', read(other({ status: 'canceled' }))],
    ['the other has no attempt left', read(other({ confirmation_attempts: 5, attempts_left: 0 }))],
    ['the other cannot be read', { type: 'retrieve_failed', failure: NO_SECRET } as const],
    [
      'its secret is refused',
      { type: 'retrieve_failed', failure: refused(401, 'invalid_client_secret') } as const,
    ],
  ])('%s', (_, event) => {
    expect(drive(ready, ...UNTOUCHED, event).state).toMatchObject(kept);
  });

  it('a read of the other that may succeed later is tried again, so that it takes the place of one that was canceled', () => {
    const failed = { type: 'retrieve_failed', failure: NETWORK } as const;
    const canceled = read(exampleIntent({ status: 'canceled' }));
    const waiting = drive(ready, REQUESTED, BEGUN, canceled, failed);
    expect(waiting.effects).toEqual([{ type: 'wait', ms: 1000, jitter: false }]);
    const again = drive(waiting.state, { type: 'waited' });
    expect(again.effects).toEqual([{ type: 'retrieve', replacement: true }]);
    expect(drive(again.state, read(other())).state).toMatchObject({
      status: 'ready',
      intent: { id: 'lg_pi_2' },
    });
    const waited = { type: 'waited' } as const;
    const { state } = drive(again.state, failed, waited, failed, waited, failed);
    expect(state.status).toBe('canceled');
  });

  it('outcomes I6: after a 429 to the read of the other, nothing is sent until its time has come', () => {
    const { state, effects } = drive(ready, ...UNTOUCHED, { type: 'retrieve_failed', failure: throttled(7) });
    expect(state).toMatchObject({ status: 'reloading', intent: ready.intent, activity: 'pausing' });
    expect(effects).toEqual([{ type: 'wait', ms: 7100, jitter: false }]);
  });

  it('with the total that the read before found, of which the buyer is told', () => {
    const raised = exampleIntent({ amount_total: 1500 });
    const { state } = drive(ready, REQUESTED, BEGUN, read(raised), {
      type: 'retrieve_failed',
      failure: NO_SECRET,
    });
    expect(state).toMatchObject({
      status: 'ready',
      intent: raised,
      feedback: { previousTotal: { amount: 1234, currency: 'usd' } },
    });
  });

  it('if it does not begin in time, as when its script does not load: with this layer, and without', () => {
    for (const machine of [decide, transition]) {
      const { state } = drive(ready, REQUESTED);
      const step = machine(state, { type: 'waited' }, WORLD);
      expect(step.effects).toEqual([{ type: 'retrieve' }]);
      expect(drive(step.state, BEGUN).state).toEqual(step.state);
      expect(drive(step.state, read(exampleIntent())).state).toMatchObject(kept);
    }
  });
});

it('the time that it may take to begin ends no read that has begun', () => {
  for (const events of [[REQUESTED, BEGUN], UNTOUCHED]) {
    const { state } = drive(ready, ...events);
    expect(drive(state, { type: 'waited' })).toEqual({ state, effects: [] });
  }
});

it('the end of the form ends it, and whatever else happens does not', () => {
  const others: readonly PaymentEvent[] = [
    { type: 'restored' },
    { type: 'woke', gap: 60_000 },
    { type: 'refresh_requested' },
    REQUESTED,
    { type: 'released' },
  ];
  for (const way of [[REQUESTED], [REQUESTED, BEGUN], UNTOUCHED]) {
    const { state } = drive(ready, ...way);
    for (const event of others) expect(drive(state, event), event.type).toEqual({ state, effects: [] });
    expect(drive(state, { type: 'closed' }).state).toEqual({ status: 'destroyed' });
  }
});
