/**
 * A service that counts an attempt, calls the intent `pending` while it runs, and does not say that it runs. Contract 4.6
 * forbids it, but money may not depend on that. Times in ms from the press.
 */
import { describe, expect, it } from 'vitest';
import { createListener } from '../frame/merchant/page.fixture.ts';
import type { Intent, PaymentEvent } from './payment-state.ts';
import {
  confirmFailed,
  DECLINED,
  drive,
  driveReplacing,
  LOADING,
  NETWORK,
  NOT_PENDING,
  play,
  press,
  RETRIEVE,
  refused,
  retrieved,
  throttled,
  WAITED,
} from './transition.fixture.ts';

/** A read that does not tell whether an attempt is running. */
const silentRead = (different: Partial<Intent> = {}): PaymentEvent =>
  retrieved({ attempt_in_progress: null, attemptsAreOver: false, ...different });
const LAST = { confirmation_attempts: 1, attempts_left: 0 } as const;

const READY = drive(LOADING, [-1000, silentRead()]);
const CONFIRMING = drive(READY, [0, press()]);
const SILENT = drive(CONFIRMING, [7000, confirmFailed(NETWORK)]);

describe('contract 4.6: while an attempt may be running, the form neither denies a charge nor asks for another intent', () => {
  it('no answer, and an attempt was counted: not "declined", and no end is believed until the service tells one', () => {
    const story = play(SILENT, 7000, () => silentRead({ confirmation_attempts: 1, attempts_left: 4 }));
    expect(story.state.status).toBe('unknown');
  });

  it.each<[string, Partial<Intent>, string]>([
    ['that it failed', { last_payment_error: DECLINED }, 'releasing'],
    ['that none is running', { attempt_in_progress: false }, 'releasing'],
    ['that it succeeded', { status: 'succeeded' }, 'succeeded'],
  ])('until the service tells %s', (_, told, status) => {
    const running = { confirmation_attempts: 1, attempts_left: 4 };
    const seen: string[] = [];
    let step = SILENT;
    for (let now = 7000; now < 120_000; ) {
      const [effect] = step.effects;
      if (!effect || seen.includes(status)) break;
      if (effect.type === 'wait') now += effect.ms;
      const answer = silentRead(now < 60_000 ? running : { ...running, ...told });
      step = drive(step, [now, effect.type === 'wait' ? { type: 'waited' } : answer]);
      if (now < 60_000) expect(step.state.status).toMatch(/resolving|processing/);
      else seen.push(step.state.status);
    }
    expect(seen).toContain(status);
  });

  it('400 payment_intent_not_pending, and reads tell of attempts that are left: the intent is not over', () => {
    const counted = { confirmation_attempts: 1, attempts_left: 4 } as const;
    const pressed = drive(LOADING, [-1000, retrieved(counted)], [0, press()]);
    const refusedByOther = drive(pressed, [0, confirmFailed(NOT_PENDING)]);
    const { state } = play(refusedByOther, 0, () => retrieved(counted));
    expect(state).toMatchObject({ status: 'ready', feedback: { notice: { kind: 'not_charged' } } });
    const spent = { confirmation_attempts: 1, attempts_left: 0 } as const;
    expect(play(refusedByOther, 0, () => retrieved(spent)).state.status).toBe('exhausted');
  });

  it('a read beside the open confirm tells of an attempt; a 429 after it does not deny a charge', () => {
    const told = { status: 'processing', confirmation_attempts: 1, attempt_in_progress: true };
    const reading = drive(CONFIRMING, [8000, WAITED], [20_000, WAITED]);
    const step = drive(
      reading,
      [21_000, retrieved({ ...told, attemptsAreOver: false })],
      [22_000, confirmFailed(throttled(5))],
    );
    const knowledge = createListener();
    knowledge.pass(step.state);
    expect([step.state.status, knowledge.charged()]).toEqual(['throttled', 'unknown']);
  });

  it('400 payment_intent_not_pending while the last attempt runs: never exhausted', () => {
    const step = drive(CONFIRMING, [1000, confirmFailed(NOT_PENDING)]);
    expect(play(step, 1000, () => silentRead(LAST)).state.status).toBe('unknown');
  });

  it('a page that opens while the last attempt runs: no other intent', () => {
    const step = driveReplacing(LOADING.state, [0, silentRead(LAST)]);
    expect(step.state.status).toBe('processing');
    expect(play(step, 0, () => silentRead(LAST)).state.status).toBe('unknown');
  });

  it('where attempts are not counted either, 400 is no proof', () => {
    const uncounted = { confirmation_attempts: null, attempts_left: null };
    const ready = drive(LOADING, [-1000, silentRead(uncounted)]);
    const step = drive(ready, [0, press()], [1000, confirmFailed(NOT_PENDING)]);
    expect(play(step, 1000, () => silentRead(uncounted)).state.status).toBe('unknown');
  });
});

describe('contract 4.6: what tells that the counted attempts are over', () => {
  it('the 402 of the only attempt since: used up, another intent may follow', () => {
    const declined = drive(CONFIRMING, [1000, confirmFailed(refused(402, 'payment_method_declined'))]);
    expect(play(declined, 1000, () => silentRead(LAST)).state.status).toBe('exhausted');
  });

  it('but not that of one attempt among two', () => {
    const declined = drive(CONFIRMING, [1000, confirmFailed(refused(402, 'payment_method_declined'))]);
    const both = { confirmation_attempts: 2, attempts_left: 0 };
    expect(play(declined, 1000, () => silentRead(both)).state.status).toBe('unknown');
  });

  it('`processing` that goes back to `pending`', () => {
    const counted = { confirmation_attempts: 1, attempts_left: 4 };
    const processing = drive(
      SILENT,
      [8000, { type: 'waited' }],
      [8000, silentRead({ ...counted, status: 'processing' })],
    );
    const story = play(processing, 8000, () => silentRead(counted), 60_000);
    expect(story.releases).toHaveLength(1);
  });
});

describe('outcomes 2.4: a read is as old as its question', () => {
  it('asked 10 s after the press and answered at 20 s, it does not say that the press is lost', () => {
    let step = drive(SILENT, [8000, { type: 'waited' }], [8000, silentRead()]);
    step = drive(step, [10_000, { type: 'waited' }], [20_500, silentRead()]);
    expect(step.state.status).toBe('resolving');
    const wait = step.effects[0];
    expect(wait?.type).toBe('wait');
    const asked = drive(step, [21_000, { type: 'waited' }]);
    expect(asked.effects).toEqual(RETRIEVE);
    expect(drive(asked, [21_100, silentRead()]).state).toMatchObject({
      status: 'ready',
      feedback: { notice: { kind: 'not_charged' } },
    });
  });
});
