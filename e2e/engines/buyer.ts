/**
 * The buyer's actions on a checkout page, implemented once for Playwright and once for WebDriver. A value that is not
 * there yet is null; callers poll.
 */
import type { FieldName } from '../support/checkout-page.ts';

export type Key = 'Tab' | 'Enter' | 'Escape';

export type Buyer = {
  /** Opens a checkout page. */
  open(url: string): Promise<void>;
  /** Opens a page without a form. */
  visit(url: string): Promise<void>;
  reload(): Promise<void>;

  /** Clicks into a field, once. */
  click(field: FieldName): Promise<void>;
  /** Types by keyboard, replacing the field's content. */
  type(field: FieldName, text: string): Promise<void>;
  /** Picks an option of a field by its value. */
  choose(field: FieldName, value: string): Promise<void>;
  value(field: FieldName): Promise<string | null>;

  /** Moves the focus to the start of the page. */
  begin(): Promise<void>;
  press(key: Key): Promise<void>;
  /** Presses a key while holding another. */
  hold(held: 'Shift' | 'Control', key: string): Promise<void>;
  /** Types wherever the focus is. */
  write(text: string): Promise<void>;
  /** The accessible name of the focused element, within the form. */
  focused(): Promise<string | null>;

  /** Presses the mouse `times` times at one place, and drags it to another while it is down. */
  mouse(at: Spot, times: number, to?: Spot): Promise<void>;
  /** False if the driver reports the second press of a double click as a separate click. */
  readonly canDoubleClick: boolean;
  /** Taps with a finger. */
  tap(at: Spot): Promise<void>;

  /** Clicks Pay, once. */
  pay(): Promise<void>;

  /** The text on the form's only button. */
  button(): Promise<string | null>;
  total(): Promise<string | null>;
  /** The live region. */
  notice(): Promise<string | null>;
  /** The sentence that replaces the form once the payment has ended. */
  outcome(): Promise<string | null>;

  /** The number of confirms the form sent; null if the engine does not tell, and delivers each only once. */
  sent(): Promise<number | null>;
  /** Events of one kind that the page has received so far. */
  events(name: string): Promise<readonly unknown[]>;

  /** Runs a function in the page, as a script of the page would. It uses nothing but its argument. */
  inPage<Given>(act: (given: Given) => unknown, given: Given): Promise<unknown>;
  /** Does the same in the form, as an extension or a password manager does. */
  inForm<Given>(act: (given: Given) => unknown, given: Given): Promise<unknown>;
  /** True if a press of Pay would count now. */
  canPay(): Promise<boolean>;
  /** The place of the first matching element of the form on the page, in CSS pixels. */
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
