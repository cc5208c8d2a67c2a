/** Which presses count. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { totalOf } from '../../api/money.ts';
import { exampleIntent } from './payment.fixture.ts';
import type { PaymentEvent, PaymentState } from './payment-state.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmed,
  confirmFailed,
  drive,
  LOADING,
  NETWORK,
  NOT_PENDING,
  PROCESSING,
  play,
  press,
  READY,
  RESTORED,
  refused,
  retrieved,
  retrieveFailed,
  SILENT,
  throttled,
  UNKNOWN,
} from './transition.fixture.ts';
import { initial } from './transition.ts';

describe('outcomes 2.7: presses', () => {
  it('the second press of a double click changes nothing and sends nothing', () => {
    const again = drive(CONFIRMING, [0, press()]);
    expect(again.state).toBe(CONFIRMING.state);
    expect(again.effects).toEqual([]);
  });

  const appeared = drive(LOADING, [0, retrieved()]);

  it.each([0, 1, 499, 499.9])('a press %d ms after the form appeared does not count', (after) => {
    expect(drive(appeared, [after, press()])).toEqual({ state: appeared.state, effects: [] });
  });

  it('a press 500 ms after the form appeared counts', () => {
    expect(drive(appeared, [500, press()]).state.status).toBe('confirming');
  });

  it.each<[string, PaymentEvent]>([
    ['another total', press(1334)],
    ['a lower total', press(1233)],
    ['another currency', press(1234, 'eur')],
    ['NaN', press(Number.NaN)],
  ])('outcomes I5: a press on a button that shows %s sends nothing', (_, event) => {
    expect(drive(READY, [0, event])).toEqual({ state: READY.state, effects: [] });
  });

  it('a press in any other state sends nothing', () => {
    const states: readonly PaymentState[] = [
      initial,
      LOADING.state,
      CONFIRMING.state,
      SILENT.state,
      PROCESSING.state,
      UNKNOWN.state,
      play(LOADING, 0, () => retrieveFailed(NETWORK)).state,
      drive(READY, [0, RESTORED]).state,
      drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]).state,
      drive(CONFIRMING, [0, confirmFailed(throttled(5))]).state,
      drive(CONFIRMING, [0, confirmFailed(refused(400, 'payment_details_missing'))]).state,
      drive(CONFIRMING, [0, confirmed({ status: 'succeeded' })]).state,
      drive(CONFIRMING, [0, confirmed({ status: 'canceled' })]).state,
      play(drive(CONFIRMING, [0, confirmFailed(NOT_PENDING)]), 0, () => retrieved()).state,
      drive(READY, [0, CLOSED]).state,
    ];
    expect(new Set(states.map(({ status }) => status)).size).toBe(states.length);
    for (const state of states) {
      const step = drive(state, [1e7, press()]);
      expect(step.state, state.status).toBe(state);
      expect(step.effects, state.status).toEqual([]);
    }
  });

  it('the next press discards earlier notices', () => {
    const declined = play(drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]), 0, () =>
      retrieved(),
    );
    const again = drive(declined.state, [5000, press()]);
    expect(again.state.status).toBe('confirming');
    expect(again.state).not.toHaveProperty('feedback');
  });

  it('the total of an intent', () => {
    expect(totalOf(exampleIntent({ amount_total: 5, currency: 'eur' }))).toEqual({
      amount: 5,
      currency: 'eur',
    });
  });
});
