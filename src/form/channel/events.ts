/**
 * The table of events that the page receives, each with its detail. The types are part of the public interface
 * (`loader/types.ts`). It has no schema and uses no package.
 */
import type { Brand } from '../card/brand-names.ts';
import type { FieldName, Place } from './fields.ts';
import type { CardFormError, CardFormStatus, Result } from './result.ts';

/** A field of the form. Billing details have the same names as in the service's API. */
export type CardFormField = FieldName;

/**
 * The place of the buyer's focus, as the page learns it. The three card fields are one place, `card`: a page that knew
 * which of them has the focus could time an attack on the keyboard input.
 */
export type CardFormPlace = Place;

/** A card brand by name. */
export type CardFormBrand = Brand;

/**
 * The reason why the form could not be shown. The container shows the buyer a message, with a "Try again" button where
 * that can help.
 */
export type LoadErrorReason =
  /**
   * Something on the page or in the browser reloaded the frame repeatedly or while a payment was in flight, or removed
   * its address.
   */
  | 'blocked'
  /** The page's Content-Security-Policy forbids the frame: add the service's origin to `frame-src`. */
  | 'csp'
  /** The browser is offline. Takes precedence over other reasons. */
  | 'offline'
  /** The frame did not answer within ten seconds, or one of its scripts could not be fetched. */
  | 'timeout'
  /** A script of the form was altered, so the browser did not run it. `message` names the script if it is known. */
  | 'integrity'
  /** The frame's address returned something other than the form, such as an error page of the service or of a proxy. */
  | 'http'
  /** The script and the frame are of different releases. Reload the page. */
  | 'version_mismatch'
  /** The service withdrew the release that the page pinned. Load the moving script, or pin another release. */
  | 'withdrawn'
  /**
   * Without code: a library restored the page from a copy of a page loaded earlier, which has no client secret. Load
   * the page again; `data-restored="reload"` on the script tag does it.
   */
  | 'restored'
  /** The page is not served over https. Loopback addresses such as `http://localhost` are fine. */
  | 'insecure_context'
  /** The page has an opaque origin (`file:`, or a sandboxed frame), so the form cannot tell who embeds it. */
  | 'opaque_parent';

/**
 * The events and their details. Handlers run asynchronously, never before `mount()` or `unmount()` has returned. A
 * detail of type `object` has no documented fields.
 */
export type CardFormEvents = {
  /**
   * The buyer can type, and the first read of the payment has ended; sent once for each form that loads. The total is
   * in minor units. Both are null if the form shows no total: the read failed, or the payment is already over.
   */
  ready: { amountTotal: number; currency: 'usd' | 'eur' } | { amountTotal: null; currency: null };
  /**
   * Something in this detail changed; not sent for every key. `empty`: nothing was typed into the card fields. `brand`
   * is null while the number fits no brand, or more than one.
   */
  change: CardFormValidation & { empty: boolean; brand: CardFormBrand | null };
  /** The buyer entered a field, or the card (its three fields count as one). */
  focus: { field: CardFormPlace };
  /** The buyer left a field, or the card. */
  blur: { field: CardFormPlace };
  /** The buyer pressed Escape in the form. Close the dialog around it, if there is one. */
  escape: object;
  /**
   * Only with `payButton: 'host'`: the buyer pressed Enter in a field while the payment can be paid. Do what your own
   * button does.
   *
   * @example
   * form.on('submitrequest', () => form.submit());
   */
  submitrequest: object;
  /** The total changed, in minor units. The buyer sees the old and the new one and must press Pay again. */
  amountchange: { previous: number; current: number; currency: 'usd' | 'eur' };
  /**
   * The payment was sent, and its outcome is awaited. `pressed`: true if this form sent it, false if the intent was
   * already processing when the form loaded.
   */
  processing: { pressed: boolean };
  /** The card was declined. Nothing was charged, and the buyer may try again. */
  decline: { error: CardFormError };
  /**
   * The service asked the form to wait; `retryAfter` in seconds. The form shows a countdown and continues
   * automatically. An `error` event with the same value follows.
   */
  ratelimited: { retryAfter: number };
  /** Something went wrong, but the payment goes on. */
  error: CardFormError;
  /**
   * A hint for developers; the form still works. `about` is the subject: the name of an option, or a word such as
   * `connection`.
   */
  warning: { about: string; hint: string };
  /**
   * The outcome, as in the promise `result`. After `unknown`, a second event can follow if the buyer lets the form
   * check again. Never fulfil an order on this event: rely on your server and its webhooks.
   */
  result: Result;
  /** Only with `view: 'status'`: the payment so far; sent once it has been read, and at each change. */
  status: CardFormStatus;
  /**
   * The form could not be shown. `message` has the reason and the frame's address; for `csp`, the source to add to your
   * page's policy.
   */
  loaderror: { reason: LoadErrorReason; message: string };
};

/** The fields that still need input, by name. The three card fields are one place, `card`. */
export type CardFormValidation = {
  /** True if all values can be sent. */
  complete: boolean;
  /** Fields whose value the form shows to be wrong. */
  invalid: readonly CardFormPlace[];
  /** Fields that are incomplete for another reason: empty or only partly filled. */
  missing: readonly CardFormPlace[];
  /**
   * True if form and payment would accept a press on Pay. It may still be too soon: the total must have been in view
   * for half a second.
   */
  canPay: boolean;
};

/** The name of an event. */
export type CardFormEventName = keyof CardFormEvents;

/** An event name and its detail, as a handler for `*` receives them. Comparing the name gives the detail its type. */
export type CardFormEvent = {
  [Name in CardFormEventName]: [name: Name, detail: CardFormEvents[Name]];
}[CardFormEventName];

/** Every event, with the name of its handler in React. Vue and Svelte put `on` in front of the event's own name. */
export const EVENTS = {
  ready: 'onReady',
  change: 'onChange',
  focus: 'onFocus',
  blur: 'onBlur',
  escape: 'onEscape',
  submitrequest: 'onSubmitRequest',
  amountchange: 'onAmountChange',
  processing: 'onProcessing',
  decline: 'onDecline',
  ratelimited: 'onRateLimited',
  error: 'onError',
  warning: 'onWarning',
  result: 'onResult',
  status: 'onStatus',
  loaderror: 'onLoadError',
} as const satisfies Readonly<Record<CardFormEventName, `on${string}`>>;
