/**
 * The way through number, expiry date and security code without Tab: on when one is whole, back by Backspace from
 * one that is empty. WCAG 2.2, 3.2.2: the number's description says beforehand that the next field follows.
 */
import type { FieldName } from '../../channel/field-names.ts';

/** A field of digits. */
export type DigitsName = Extract<FieldName, 'number' | 'expiry' | 'cvc'>;

/** In the order in which they stand on the card and in the form. */
export const DIGITS: readonly DigitsName[] = ['number', 'expiry', 'cvc'];

/** Who has always pressed Tab here presses it without looking; so long, in ms, after the step it is one and the same. */
const HABIT = 2000;

export type Steps = {
  /** The field after this one, where there is one. */
  after(name: DigitsName): DigitsName | null;
  /** The field before this one, where there is one. */
  before(name: DigitsName): DigitsName | null;
  /** The form has led the buyer to this field, at this time (an event's `timeStamp`, in ms). */
  led(to: DigitsName, at: number): void;
  /** The buyer did something in a field, at this time. True for a Tab that only repeats the form's own step. */
  acted(on: DigitsName, at: number, isTab: boolean): boolean;
};

/** No step has been made. */
export const createSteps = (): Steps => {
  let step: { to: DigitsName; at: number } | null = null;
  return {
    after: (name) => DIGITS[DIGITS.indexOf(name) + 1] ?? null,
    before: (name) => DIGITS[DIGITS.indexOf(name) - 1] ?? null,
    led(to, at) {
      step = { to, at };
    },
    acted(on, at, isTab) {
      const last = step;
      step = null;
      return isTab && last?.to === on && at - last.at < HABIT;
    },
  };
};
