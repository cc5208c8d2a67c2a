/** contract 4.6: evidence of a read about the attempts of an intent. */
import { describe, expect, it } from 'vitest';
import {
  afterDecline,
  hasFailedAttempt,
  mayBeAttempting,
  whileConfirmIsOpen,
  withKnownAttempts,
} from './attempts.ts';
import { exampleIntent } from './payment.fixture.ts';
import { DECLINED } from './transition.fixture.ts';

describe('contract 4.6: attempts', () => {
  it.each([
    ['pending', true],
    ['processing', true],
    ['succeeded', false],
    ['canceled', false],
  ])(
    'an intent that is %s, with an error: its failed attempt is still to be released: %s',
    (status, expected) => {
      expect(hasFailedAttempt(exampleIntent({ status, last_payment_error: DECLINED }))).toBe(expected);
    },
  );

  it.each([
    ['pending', true],
    ['processing', true],
    ['succeeded', false],
    ['canceled', false],
  ])(
    'an intent that is %s, without a report that its attempts are over: one may be running: %s',
    (status, expected) => {
      expect(mayBeAttempting(exampleIntent({ status, attemptsAreOver: false }))).toBe(expected);
    },
  );

  it.each([
    ['no attempt was counted', { confirmation_attempts: 0 }, true],
    ['one was counted', { confirmation_attempts: 1 }, false],
    ['one was counted, and failed', { confirmation_attempts: 1, last_payment_error: DECLINED }, true],
    [
      'one was counted, and the service says that none runs',
      { confirmation_attempts: 1, attempt_in_progress: false },
      true,
    ],
  ])('%s: the attempts are over by the first read: %s', (_, different, isOver) => {
    const { attemptsAreOver, ...read } = exampleIntent({ attempt_in_progress: null, ...different });
    expect(withKnownAttempts(null, read).attemptsAreOver === true).toBe(isOver);
  });

  it('a decline is counted, if the service counts', () => {
    expect(afterDecline(exampleIntent({ confirmation_attempts: 1 })).confirmation_attempts).toBe(2);
    expect(afterDecline(exampleIntent({ confirmation_attempts: null })).confirmation_attempts).toBe(null);
  });

  it('while a confirm is open, an attempt may run that a service without counts would not show', () => {
    expect(whileConfirmIsOpen(exampleIntent({ confirmation_attempts: null })).attemptsAreOver).toBe(false);
    expect(whileConfirmIsOpen(exampleIntent({ confirmation_attempts: 0 })).attemptsAreOver).toBe(true);
  });
});
