/** Events that nothing under way can cause, and answers that arrive when nothing waits for them. */
import { describe, expect, it } from 'vitest';
import type { PaymentEvent, PaymentState } from './payment-state.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmed,
  confirmFailed,
  drive,
  LOADING,
  NETWORK,
  press,
  READY,
  RESTORED,
  refused,
  releaseFailed,
  retrieved,
  retrieveFailed,
  SILENT,
  throttled,
  WAITED,
} from './transition.fixture.ts';
import { transition } from './transition.ts';

const RELOADING = drive(READY, [1000, RESTORED]);
const RELEASING = drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_method_declined'))]);
const ASKING = transition(READY.state, press(), { now: 0, awake: true, canReplace: false, asksPage: true });
const RELEASED: PaymentEvent = { type: 'released' };

const READ = [retrieved(), retrieveFailed(NETWORK)];
const CONFIRM = [
  confirmed({ status: 'succeeded' }),
  confirmFailed(NETWORK),
  { type: 'other_tab_paying' as const },
];
const RELEASE = [RELEASED, releaseFailed(NETWORK)];
const PAGE: readonly PaymentEvent[] = [{ type: 'page_answered', answer: { kind: 'allowed' } }];

describe('an event that a state does not expect returns the same state and no effects', () => {
  it.each<[string, PaymentState, readonly PaymentEvent[]]>([
    ['loading, reading', LOADING.state, [WAITED, ...CONFIRM, ...RELEASE, ...PAGE]],
    [
      'loading, pausing',
      drive(LOADING, [0, retrieveFailed(NETWORK)]).state,
      [...READ, ...CONFIRM, ...RELEASE, press()],
    ],
    ['ready', READY.state, [WAITED, ...READ, ...CONFIRM, ...RELEASE, ...PAGE]],
    ['asking_page, waiting', ASKING.state, [...READ, ...CONFIRM, ...RELEASE]],
    ['confirming, pausing', CONFIRMING.state, [...READ, ...RELEASE, ...PAGE]],
    ['confirming, reading', drive(CONFIRMING, [20_000, WAITED]).state, [WAITED, ...RELEASE, ...PAGE]],
    ['releasing', RELEASING.state, [WAITED, ...READ, ...CONFIRM, ...PAGE]],
    [
      'releasing, pausing',
      drive(RELEASING, [0, releaseFailed(NETWORK)]).state,
      [...READ, ...CONFIRM, ...RELEASE],
    ],
    ['reloading, reading', RELOADING.state, [WAITED, ...CONFIRM, ...RELEASE]],
    [
      'reloading, pausing',
      drive(RELOADING, [1000, retrieveFailed(NETWORK)]).state,
      [...READ, ...CONFIRM, press()],
    ],
    ['resolving, pausing', SILENT.state, [...READ, ...CONFIRM, ...RELEASE]],
    ['resolving, reading', drive(SILENT, [1000, WAITED]).state, [WAITED, ...CONFIRM, ...RELEASE]],
  ])('%s', (_, state, events) => {
    for (const event of events) {
      const step = drive(state, [20_000, event]);
      expect(step.state, event.type).toBe(state);
      expect(step.effects, event.type).toEqual([]);
    }
  });

  it('the second end of a form', () => {
    const { state } = drive(READY, [0, CLOSED]);
    expect(drive(state, [0, CLOSED]).state).toBe(state);
  });

  it('a wait that ends once the seconds of a 429 have been counted down', () => {
    const { state } = drive(CONFIRMING, [0, confirmFailed(throttled(3601))], [3_601_100, WAITED]);
    expect(state).toMatchObject({ status: 'throttled', secondsLeft: 0 });
    expect(drive(state, [3_601_200, WAITED]).state).toBe(state);
  });
});

describe('an intent with another id is no answer about this payment', () => {
  it('to a confirm: it is not known whether the buyer was charged', () => {
    const step = drive(CONFIRMING, [0, confirmed({ id: 'lg_pi_2', status: 'succeeded' })]);
    expect(step.state).toMatchObject({
      status: 'resolving',
      intent: { id: 'lg_pi_1' },
      polling: { reason: { kind: 'no_answer' }, answered: false },
    });
  });

  it('to a read: as unreadable as one that is malformed', () => {
    const stranger = retrieved({ id: 'lg_pi_2' });
    let step = RELOADING;
    for (const ms of [1000, 2000, 4000, 8000]) {
      step = drive(step, [1000, stranger]);
      expect(step.effects).toEqual([{ type: 'wait', ms, jitter: false }]);
      step = drive(step, [1000, WAITED]);
    }
    expect(drive(step, [1000, stranger]).state).toMatchObject({
      status: 'load_failed',
      failure: { kind: 'no_answer', reason: 'malformed' },
    });
  });
});
