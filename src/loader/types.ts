/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The public interface, whole: the one file a merchant's developer reads. What is not listed here is not
 * public and may change with any release.
 */
import type { CardFormError, ClientPaymentIntent, Result } from './result.ts';

export type { CardFormError, ClientPaymentIntent, Result };

/**
 * What `mount()` takes. Of an option that is not listed a `warning` says which one was probably meant, on a loopback
 * page also on the console.
 *
 * @example
 * CardForm.mount('#card-form', {
 *   publishableKey: 'pk_live_…',
 *   clientSecret: 'lg_cs_…',
 *   locale: 'de',
 *   defaultValues: { billingDetails: { email: 'ada@example.com', address: { country: 'DE' } } },
 * });
 */
export type CardFormOptions = {
  /** Your publishable key, `pk_live_…`. Never the secret key: that one must not reach a browser. */
  publishableKey: string;
  /**
   * `client_secret` of the answer with which your server created the payment intent, `lg_cs_…`. Required, unless
   * `fetchClientSecret` is given.
   */
  clientSecret?: string | undefined;
  /**
   * Gets a client secret from your server: at once where `clientSecret` is not given, and again when the intent
   * was canceled or has no attempts left, for an order that was proven unpaid. What the buyer typed of the
   * billing details stays. Let your server bind the intent to the order by an `Idempotency-Key`, and make another
   * only where the last one is `canceled` or has no attempts left. Within 30 seconds; when it rejects, the form
   * says that it could not load, or that this payment is over.
   *
   * @example
   * fetchClientSecret: async () => (await (await fetch('/checkout/intent', { method: 'POST' })).json()).clientSecret
   */
  fetchClientSecret?: (() => Promise<string>) | undefined;
  /** A language tag such as `de` or `pt-BR`, or `auto` (default): the buyer's browser decides. */
  locale?: 'auto' | (string & {}) | undefined;
  /**
   * `host`: the page has the Pay button and calls `submit()`; the total still stands in the form. Default `frame`,
   * with the total on the button, where no script of the page can press it.
   */
  payButton?: 'frame' | 'host' | undefined;
  /**
   * How the form looks. What cannot be used of it is left out, and the form stands all the same: a colour that
   * cannot be read where it stands is moved towards black or white until it can.
   */
  appearance?: CardFormAppearance | undefined;
  /** What the form begins with. The buyer can change all of it that is shown. */
  defaultValues?: CardFormDefaultValues | undefined;
  /**
   * Billing details that are not asked for, because you know them: give them as `defaultValues`, the service
   * requires them. What is `never` and missing there is refused with a `result` that says so.
   *
   * @example
   * fields: { billingDetails: { email: 'never' } },
   * defaultValues: { billingDetails: { email: 'ada@example.com' } }
   */
  fields?: CardFormFields | undefined;
  /**
   * The countries a buyer can choose for the billing address, ISO 3166-1 alpha-2. Default: all. An empty
   * list, or a code that is no country, is refused with a `result` that says so.
   *
   * @example
   * allowedCountries: ['DE', 'AT', 'CH']
   */
  allowedCountries?: readonly string[] | undefined;
  /**
   * The card brands you take. Default: all. What holds for countries holds for brands.
   *
   * @example
   * acceptedBrands: ['visa', 'mastercard']
   */
  acceptedBrands?: readonly CardFormBrand[] | undefined;
  /**
   * Your own words in place of the form's, by the form's names for its sentences and in whatever language. A text
   * that cannot stand there (an unknown name, another number of `{places}`, a price of its own) is left out with a
   * `warning`.
   *
   * @example
   * translations: { pay: 'Donate {amount}', 'field.name': 'Name as printed on the card' }
   */
  translations?: Readonly<Record<string, string>> | undefined;
  /** While true nothing can be typed or paid. What was typed stays. */
  readOnly?: boolean | undefined;
  /**
   * Unmounts the form when it aborts; `mount()` throws its reason where it has.
   *
   * @example
   * const leaving = new AbortController();
   * CardForm.mount('#card-form', { …, signal: leaving.signal });
   */
  signal?: AbortSignal | undefined;
  /** Tells on the console what could be better, as it does on every loopback page anyway. */
  debug?: boolean | undefined;
};

/**
 * What `update()` takes. The other options are fixed: unmount and mount anew for another payment.
 *
 * @example
 * form.update({ locale: 'fr', appearance: { theme: 'dark' } });
 */
export type CardFormUpdate = Pick<
  CardFormOptions,
  'locale' | 'appearance' | 'translations' | 'readOnly' | 'allowedCountries' | 'acceptedBrands'
>;

/** `never`: not asked for, taken from `defaultValues`. Default: `auto`. */
export type CardFormFields = {
  billingDetails?:
    | {
        email?: 'auto' | 'never' | undefined;
        /** Name on card. */
        name?: 'auto' | 'never' | undefined;
        /** With the country. */
        address?: 'auto' | 'never' | undefined;
      }
    | undefined;
};

/** A field of the form, named as the service names it where it does. */
export type CardFormField =
  | 'number'
  | 'expiry'
  | 'cvc'
  | 'name'
  | 'email'
  | 'country'
  | 'line1'
  | 'line2'
  | 'city'
  | 'state'
  | 'postal_code';

/** Where in the form the buyer is: in a field, or in the card, whose fields no page is told apart. */
export type CardFormPlace = 'card' | Exclude<CardFormField, 'number' | 'expiry' | 'cvc'>;

/** A card brand by name. */
export type CardFormBrand =
  | 'visa'
  | 'mastercard'
  | 'amex'
  | 'discover'
  | 'diners'
  | 'jcb'
  | 'unionpay'
  | 'maestro'
  | 'mir'
  | 'elo'
  | 'hiper'
  | 'hipercard'
  | 'naranja'
  | 'troy'
  | 'verve';

/**
 * A closed list of values, never CSS.
 *
 * @example
 * appearance: {
 *   variables: { colorPrimary: '#9a3412', borderRadius: '4px', fontFamily: 'Georgia, serif' },
 *   darkVariables: { colorPrimary: '#fdba74' },
 * }
 */
export type CardFormAppearance = {
  /** `auto` (default) follows the `color-scheme` of the page around the form. */
  theme?: 'auto' | 'light' | 'dark' | undefined;
  /** Labels above their fields (default), or in them until there is something in the field. */
  labels?: 'above' | 'floating' | undefined;
  /** In light and in dark. */
  variables?: CardFormVariables | undefined;
  /** In dark, in place of `variables` of the same names. */
  darkVariables?: CardFormVariables | undefined;
};

/**
 * Colours are `#rgb`, `#rrggbb` (also with alpha), `rgb()`, `hsl()`, `oklch()` or a basic name; lengths are `px` or
 * `rem` (16 px).
 */
export type CardFormVariables = {
  /** Links, focus, and the button unless it has a colour of its own. */
  colorPrimary?: string | undefined;
  /**
   * What the form stands on, best the colour of your page; opaque. Without it the page shows through, unless a
   * text colour is given or the theme is not the page's.
   */
  colorBackground?: string | undefined;
  /** Text, also of the total. Give `colorBackground` with it. */
  colorText?: string | undefined;
  /** Hints and descriptions. */
  colorTextSecondary?: string | undefined;
  colorTextPlaceholder?: string | undefined;
  /** What is wrong. */
  colorDanger?: string | undefined;
  /** The mark of a payment that was received. */
  colorSuccess?: string | undefined;
  /** The outline of fields. */
  colorBorder?: string | undefined;
  colorFieldBackground?: string | undefined;
  /** Default: `colorPrimary`. */
  buttonColorBackground?: string | undefined;
  /** Default: white or black, whichever can be read. */
  buttonColorText?: string | undefined;
  /** Fonts that come with a system, such as `Georgia, serif`. Fonts of a page cannot be loaded into the form. */
  fontFamily?: string | undefined;
  /** `14px` to `20px`, default `16px`. Text in fields is never smaller than 16 px: a phone would zoom into it. */
  fontSizeBase?: string | undefined;
  /** 300 to 500, default 400. */
  fontWeightNormal?: number | string | undefined;
  /** Labels. 400 to 700, default 500. */
  fontWeightMedium?: number | string | undefined;
  /** Total, headings, button. 500 to 800, default 600. */
  fontWeightBold?: number | string | undefined;
  /** `0` to `24px`, default `10px`. */
  borderRadius?: string | undefined;
  /** `0` to `32px`. Default: `borderRadius`. */
  buttonBorderRadius?: string | undefined;
  /** The measure of all gaps. `3px` to `6px`, default `4px`. */
  spacingUnit?: string | undefined;
  /** Around the form. `4px` (default) to `40px`. */
  formPadding?: string | undefined;
};

/** Billing details you already know. Field names are the service's. */
export type CardFormDefaultValues = {
  billingDetails?:
    | {
        email?: string | undefined;
        name?: string | undefined;
        address?:
          | {
              line1?: string | undefined;
              line2?: string | undefined;
              city?: string | undefined;
              state?: string | undefined;
              postal_code?: string | undefined;
              /** ISO 3166-1 alpha-2, `DE`. */
              country?: string | undefined;
            }
          | undefined;
      }
    | undefined;
};

/** Why no form could be shown. The container then says so to the buyer and offers to try again. */
export type LoadErrorReason =
  /** Something on the page or in the browser loaded the frame's document again and again, or during a payment. */
  | 'blocked'
  /** The page's Content-Security-Policy does not allow the frame: add the service to `frame-src`. */
  | 'csp'
  /** The browser is offline, whatever else is wrong. */
  | 'offline'
  /** The frame did not answer within ten seconds, or a part that it needs could not be fetched. */
  | 'timeout'
  /** A script of the form came, but not as it was built: the browser did not run it. `message` names it where it can. */
  | 'integrity'
  /** Something else than the form came from its address: an error of the service, or of what stands between. */
  | 'http'
  /** Script and frame are of releases that do not understand each other. Reload the page. */
  | 'version_mismatch'
  /** The page is not served over https. Loopback addresses such as `http://localhost` are fine. */
  | 'insecure_context'
  /** The page has no origin (`file:`, or a sandboxed frame): nothing secret can be sent from it. */
  | 'opaque_parent';

/**
 * What each event carries. Handlers run soon after the fact, never before `mount()` or `unmount()` returns.
 * `object`: nothing to rely on yet.
 */
export type CardFormEvents = {
  /** The buyer can type. */
  ready: object;
  /** Completeness or brand changed; not sent for every key. `brand` is a name such as `visa`, or null. */
  change: { complete: boolean; empty: boolean; brand: CardFormBrand | null };
  /** The buyer came to a field. Its name, never what is in it; the fields of the card are one, `card`. */
  focus: { field: CardFormPlace };
  /** The buyer left a field, or the card. */
  blur: { field: CardFormPlace };
  /** The buyer pressed Escape in the form, as to close the dialog around it. */
  escape: object;
  /** The total differs from the one shown before, in minor units. The buyer sees both and must press again. */
  amountchange: { previous: number; current: number; currency: 'usd' | 'eur' };
  /**
   * The payment was sent and its outcome is awaited. `pressed`: by a press in this form; false where it was found so on
   * load.
   */
  processing: { pressed: boolean };
  /** The card was refused; nothing was charged, and the buyer may try again. */
  decline: { error: CardFormError };
  /**
   * The service asked to wait, in seconds; the form does, with a countdown, and then goes on. An `error` says the
   * same.
   */
  ratelimited: { retryAfter: number };
  /** Something went wrong that does not end the payment. */
  error: CardFormError;
  /**
   * Something in the integration could be better, and the form stands all the same: what it is about (an option's
   * name, `connection`, `sandbox`) and a hint.
   */
  warning: { about: string; hint: string };
  /**
   * The end, as the promise `result` has it. After `unknown` a second one can follow, when the buyer lets the form
   * check again. Fulfil on your server's word, never on this event.
   */
  result: Result;
  /**
   * No form could be shown. `message` names the reason and the frame's address; for `csp` the line to add to the
   * page's policy.
   */
  loaderror: { reason: LoadErrorReason; message: string };
};

/** The name of an event. */
export type CardFormEventName = keyof CardFormEvents;

/** A form on the page. */
export type CardFormInstance = {
  /** Fulfils when the buyer can type. Never rejects: what keeps the form from loading is a `loaderror`. */
  readonly ready: Promise<void>;
  /**
   * Fulfils once with what became of the payment; never rejects.
   *
   * @example
   * const { outcome } = await form.result;
   * if (outcome === 'succeeded') location.assign('/thanks');
   */
  readonly result: Promise<Result>;
  /**
   * Calls the handler for each such event and returns what removes it again.
   *
   * @example
   * form.on('result', ({ outcome }) => {
   *   if (outcome === 'succeeded') location.assign('/thanks');
   * });
   */
  on<Name extends CardFormEventName>(name: Name, handler: (detail: CardFormEvents[Name]) => void): () => void;
  /** As `on`, for the next such event only. For what may have happened already, await `ready` or `result`. */
  once<Name extends CardFormEventName>(
    name: Name,
    handler: (detail: CardFormEvents[Name]) => void,
  ): () => void;
  /** Removes a handler. */
  off<Name extends CardFormEventName>(name: Name, handler: (detail: CardFormEvents[Name]) => void): void;
  /**
   * Changes options while the form stands: never mounts anew, never loses what was typed. What it cannot change is a
   * `warning`.
   */
  update(changes: CardFormUpdate): void;
  /** Reads the intent again: call it when your server changed it. The buyer sees old and new total. */
  refresh(): void;
  /**
   * Presses Pay, only with `payButton: 'host'`. What keeps the press from counting is an `error` with `charged: 'no'`
   * and a `code`: `incomplete` (the form shows what is missing), `not_ready`, `too_soon` (the total stood there for
   * less than half a second), `obscured`, `too_small`.
   */
  submit(): void;
  /**
   * Brings the focus to a field, or to the first that is not done. From `ready` on. After the page took the focus from
   * a card field it is refused for these, with a `warning`, until the buyer does something in the form.
   */
  focus(field?: CardFormField): void;
  /** Takes the focus from the form. */
  blur(): void;
  /** Empties the form but for `defaultValues`; nothing while a payment is under way. */
  clear(): void;
  /**
   * What happened in this form, oldest first: names of events, codes and hints; no card, no buyer, no secret. At most
   * 99 entries; sent nowhere. Where no form stands, what the script itself knows: the last `loaderror`, or nothing.
   *
   * @example
   * report.attach(JSON.stringify(await form.diagnostics()));
   */
  diagnostics(): Promise<readonly CardFormDiagnosis[]>;
  /**
   * Removes the form and settles `result` as `unknown`, if it was not settled before. A payment on its way is
   * not stopped by it: mount the same intent again, or ask the service from your server.
   */
  unmount(): void;
  /** As `unmount`, for `using`. Where the browser, or a polyfill before the script, knows `Symbol.dispose`. */
  [Symbol.dispose](): void;
};

/** One entry of `diagnostics()`. */
export type CardFormDiagnosis = {
  /** Milliseconds since the form was opened; 0 where none was. */
  at: number;
  /** The name of an event, or `opened`. */
  event: string;
  /** Its code, outcome or hint, where it has one. */
  what?: string | undefined;
};

/** The one global, `CardForm`. */
export type CardFormApi = {
  /** The release of the script, as in the address it can be pinned to. */
  readonly version: string;
  /**
   * Puts the form into an element and returns at once; an iframe with `data-card-form-frame` that stands there, or
   * is the target itself, becomes the form's. Throws a {@link CardFormMistake} for what only a
   * developer can get wrong, and the browser's own `SyntaxError` for what is no selector.
   *
   * @example
   * const form = CardForm.mount('#card-form', { publishableKey: 'pk_live_…', clientSecret: 'lg_cs_…' });
   */
  mount(target: string | Element, options: CardFormOptions): CardFormInstance;
};

/** What a developer's mistake throws: an Error with `name: 'CardFormError'` and one of these codes. */
export type CardFormMistakeCode =
  | 'target_not_found'
  | 'invalid_option'
  | 'secret_key_exposed'
  | 'already_mounted'
  | 'script_not_found';

/** Recognise it by `name` or `code`. The message says what was expected, what came, and what to do. */
export type CardFormMistake = Error & { name: 'CardFormError'; code: CardFormMistakeCode };
