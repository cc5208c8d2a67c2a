/**
 * Moves the focus through number, expiry date and security code without Tab: forward when a field is full, back with
 * Backspace in an empty one. The number's description announces this beforehand (WCAG 2.2, 3.2.2).
 */
import type { FieldName } from '../../channel/fields.ts';

/** A field that takes digits. */
export type DigitsName = Extract<FieldName, 'number' | 'expiry' | 'cvc'>;

/** In the order of the form. */
export const DIGITS: readonly DigitsName[] = ['number', 'expiry', 'cvc'];

/** A Tab this soon after an automatic move was meant for the same move, in ms: many buyers press it by habit. */
const HABITUAL_TAB_WITHIN = 2000;

export type AutoAdvance = {
  /** The form moved the focus to this field. Times are event times (`timeStamp`), in ms. */
  noteMove(to: DigitsName, at: number): void;
  /** Call for each key pressed in this field. Returns true for a Tab that would only repeat the form's own move. */
  isRepeatedByKey(field: DigitsName, at: number, isTab: boolean): boolean;
};

/** The next field, or null. */
export const fieldAfter = (name: DigitsName): DigitsName | null => DIGITS[DIGITS.indexOf(name) + 1] ?? null;

/** The previous field, or null. */
export const fieldBefore = (name: DigitsName): DigitsName | null => DIGITS[DIGITS.indexOf(name) - 1] ?? null;

export const createAutoAdvance = (): AutoAdvance => {
  /** The latest move, until a key is pressed. */
  let move: { to: DigitsName; at: number } | null = null;
  return {
    noteMove(to, at) {
      move = { to, at };
    },
    isRepeatedByKey(field, at, isTab) {
      const last = move;
      move = null;
      return isTab && last?.to === field && at - last.at < HABITUAL_TAB_WITHIN;
    },
  };
};
