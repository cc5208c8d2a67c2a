import { expect, it } from 'vitest';
import { createAutoAdvance, fieldAfter, fieldBefore } from './auto-advance.ts';

it('goes from the number to the expiry date to the security code, and no further', () => {
  expect([fieldAfter('number'), fieldAfter('expiry'), fieldAfter('cvc')]).toEqual(['expiry', 'cvc', null]);
  expect([fieldBefore('number'), fieldBefore('expiry'), fieldBefore('cvc')]).toEqual([
    null,
    'number',
    'expiry',
  ]);
});

it.each([
  ['at once', 'expiry', 1001, true, true],
  ['within two seconds', 'expiry', 2900, true, true],
  ['later: then it is meant', 'expiry', 3001, true, false],
  ['in another field', 'cvc', 1001, true, false],
  ['that is no Tab', 'expiry', 1001, false, false],
] as const)(
  'after an automatic move, a key %s, is taken for the same move: %#',
  (_, field, at, isTab, isRepeated) => {
    const autoAdvance = createAutoAdvance();
    autoAdvance.noteMove('expiry', 1000);
    expect(autoAdvance.isRepeatedByKey(field, at, isTab)).toBe(isRepeated);
  },
);

it('ignores one Tab after its own move, and none after another key', () => {
  const autoAdvance = createAutoAdvance();
  autoAdvance.noteMove('expiry', 1000);
  expect(autoAdvance.isRepeatedByKey('expiry', 1100, true)).toBe(true);
  expect(autoAdvance.isRepeatedByKey('expiry', 1200, true)).toBe(false);
  autoAdvance.noteMove('cvc', 2000);
  autoAdvance.isRepeatedByKey('cvc', 2100, false);
  expect(autoAdvance.isRepeatedByKey('cvc', 2200, true)).toBe(false);
});
