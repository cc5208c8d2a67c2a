import { expect, it } from 'vitest';
import { createSteps } from './auto-advance.ts';

it('leads from the number over the date to the code, and no further', () => {
  const { after, before } = createSteps();
  expect([after('number'), after('expiry'), after('cvc')]).toEqual(['expiry', 'cvc', null]);
  expect([before('number'), before('expiry'), before('cvc')]).toEqual([null, 'number', 'expiry']);
});

it.each([
  ['at once', 'expiry', 1001, true, true],
  ['after a look', 'expiry', 2900, true, true],
  ['by somebody who means it', 'expiry', 3001, true, false],
  ['in another field', 'cvc', 1001, true, false],
  ['which is no Tab', 'expiry', 1001, false, false],
] as const)('takes a key %s for the step it has just made itself: %#', (_, on, at, isTab, isRepeated) => {
  const steps = createSteps();
  steps.led('expiry', 1000);
  expect(steps.acted(on, at, isTab)).toBe(isRepeated);
});

it('takes one Tab for its own step, and none after anything was typed', () => {
  const steps = createSteps();
  steps.led('expiry', 1000);
  expect(steps.acted('expiry', 1100, true)).toBe(true);
  expect(steps.acted('expiry', 1200, true)).toBe(false);
  steps.led('cvc', 2000);
  steps.acted('cvc', 2100, false);
  expect(steps.acted('cvc', 2200, true)).toBe(false);
});
