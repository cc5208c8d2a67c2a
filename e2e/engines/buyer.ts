/**
 * The buyer's actions on a checkout page, implemented once for Playwright and once for WebDriver. A value that is not
 * there yet is null; callers poll.
 */
import type { FieldName } from '../support/checkout-page.ts';

export type Key = 'Tab' | 'Enter' | 'Escape';

export type Buyer = {
  /** Opens a checkout page. */
  open(url: string): Promise<void>;
  /** Opens a page on which no form will stand. */
  visit(url: string): Promise<void>;
  reload(): Promise<void>;

  /** Clicks into a field, once. */
  click(field: FieldName): Promise<void>;
  /** Types by the keyboard, over whatever stands in the field. */
  type(field: FieldName, text: string): Promise<void>;
  /** Picks an option of a field by its value. */
  choose(field: FieldName, value: string): Promise<void>;
  value(field: FieldName): Promise<string | null>;

  /** Puts the keyboard at the start of the page. */
  begin(): Promise<void>;
  press(key: Key): Promise<void>;
  /** Presses a key while another is held. */
  hold(held: 'Shift' | 'Control', key: string): Promise<void>;
  /** Types wherever the keyboard is. */
  write(text: string): Promise<void>;
  /** The accessible name of what the keyboard is at, within the form. */
  focused(): Promise<string | null>;

  /** Presses the mouse as often as `times` says at one place, and drags it to another while it is down. */
  mouse(at: Spot, times: number, to?: Spot): Promise<void>;
  /** False where the driver reports the second press of a double click as another click. */
  readonly canDoubleClick: boolean;
  /** Taps with a finger. */
  tap(at: Spot): Promise<void>;

  /** Clicks Pay, once. */
  pay(): Promise<void>;

  /** The words on the form's one button. */
  button(): Promise<string | null>;
  total(): Promise<string | null>;
  /** The live region. */
  notice(): Promise<string | null>;
  /** The sentence that replaces the form once the payment has ended. */
  outcome(): Promise<string | null>;

  /** How many confirms the form itself asked for; null where the engine does not tell, and delivers each but once. */
  sent(): Promise<number | null>;
  /** What the page heard of one kind so far. */
  events(name: string): Promise<readonly unknown[]>;

  /** Runs a function in the page, as a script of it would, which uses nothing but its argument. */
  inPage<Given>(act: (given: Given) => unknown, given: Given): Promise<unknown>;
  /** The same in the form, as an extension or a password manager does. */
  inForm<Given>(act: (given: Given) => unknown, given: Given): Promise<unknown>;
  /** True if a press of Pay counts by now. */
  canPay(): Promise<boolean>;
  /** Where the first element of the form that matches stands on the page, in CSS pixels. */
  place(selector: string): Promise<Place>;
};

/** On the page, in CSS pixels. */
export type Spot = { readonly x: number; readonly y: number };

export type Place = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};
