/**
 * The whole public interface: options and methods here; events, results and diagnostics in the files named below.
 * Anything else is internal and may change with any release.
 */
import type { CardFormButtonType } from '../channel/button-types.ts';
import type { CardFormDiagnostics } from '../channel/diagnostics.ts';
import type {
  CardFormBrand,
  CardFormEvent,
  CardFormEventName,
  CardFormEvents,
  CardFormField,
  CardFormValidation,
} from '../channel/events.ts';
import type { BillingOption, BillingValues } from '../channel/fields.ts';
import type { CHANGEABLE_OPTIONS } from '../channel/options.ts';
import type { CardFormError, CardFormStatus, Result } from '../channel/result.ts';
import type { MessageKey } from '../i18n/en.ts';

export type { CardFormButtonType } from '../channel/button-types.ts';
export type {
  CardFormDiagnosis,
  CardFormDiagnostics,
  CardFormPressReason,
  CardFormTimings,
} from '../channel/diagnostics.ts';
export type { CardFormDeclineCode, CardFormErrorCode, CardFormErrorType } from '../channel/error-codes.ts';
export type {
  CardFormBrand,
  CardFormEvent,
  CardFormEventName,
  CardFormEvents,
  CardFormField,
  CardFormPlace,
  CardFormValidation,
  LoadErrorReason,
} from '../channel/events.ts';
export type { CardFormError, CardFormStatus, ClientPaymentIntent, Result } from '../channel/result.ts';

/**
 * The options of `mount()`. A `warning` event reports an unknown option and suggests the closest known one; on a
 * loopback page, such as `http://localhost`, so does the console.
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
   * The `client_secret` of the payment intent that your server created, `lg_cs_…`. Required unless `fetchClientSecret`
   * is given.
   */
  clientSecret?: string | undefined;
  /**
   * Fetches a client secret from your server. Called by `mount()` if `clientSecret` is not given, and again when the
   * intent was canceled or has no attempts left; the billing details that the buyer typed are kept. In both cases the
   * order is unpaid.
   *
   * On your server, tie the intent to the order with an `Idempotency-Key`, and create another intent only if the last
   * one is `canceled` or has no attempts left. The form waits 30 seconds. If the promise rejects, the form tells the
   * buyer that it could not load, or that this payment is over.
   *
   * @example
   * fetchClientSecret: async () => (await (await fetch('/checkout/intent', { method: 'POST' })).json()).clientSecret
   */
  fetchClientSecret?: (() => Promise<string>) | undefined;
  /**
   * Called when a press has passed every rule, before anything is sent: are the terms accepted, is the order saved, is
   * it still in stock? `amountTotal` is the total on the pressed button, in minor units. Meanwhile the button shows
   * that work is under way. Resolve to `true` to send the payment, with exactly this total.
   *
   * With `false` or `{ message }` nothing is sent, and the form says that the store could not accept the order, or
   * shows `message`: plain text of at most 300 characters. If your server has changed the amount, call `refresh()`
   * before you return; the buyer then sees both totals and has to press again. After an error, any other value, or 10
   * seconds, the form says that the store did not answer, and a `warning` tells you why.
   *
   * @example
   * beforePay: async () => {
   *   const order = await saveOrder();
   *   return order.inStock || { message: 'The blue one was just sold. Please choose another colour.' };
   * }
   */
  beforePay?:
    | ((total: CardFormTotal) => CardFormBeforePayAnswer | Promise<CardFormBeforePayAnswer>)
    | undefined;
  /**
   * Finds addresses that match what the buyer types into the first line of the address. The form suggests them below
   * the field, and one press fills in the whole address. Called with the typed text while the buyer types, only if the
   * form asks for the address, and never with a text of seven or more digits. `signal` is aborted once the answer is no
   * longer needed. The form shows at most 8 suggestions, and none if there is no answer within 5 seconds.
   *
   * @example
   * addressLookup: async ({ query, country, signal }) => {
   *   const response = await fetch(`/addresses?${new URLSearchParams({ query, country })}`, { signal });
   *   return response.json();
   * }
   */
  addressLookup?: ((question: CardFormAddressQuestion) => Promise<readonly CardFormSuggestion[]>) | undefined;
  /** A language tag such as `de` or `pt-BR`. Default `auto`: the language of the buyer's browser. */
  locale?: 'auto' | (string & {}) | undefined;
  /**
   * Where the Pay button is. `frame` (default): in the form, with the total on it, where no script of your page can
   * press it. `host`: your page has its own button and calls `submit()`; the form still shows the total.
   */
  payButton?: 'frame' | 'host' | undefined;
  /**
   * The view to mount. `form` (default). `status`: the state of the payment, for the page after checkout: the buyer can
   * neither type nor pay, and the event `status` reports it to your page.
   *
   * @example
   * CardForm.mount('#status', { publishableKey: 'pk_live_…', clientSecret: 'lg_cs_…', view: 'status' });
   */
  view?: 'form' | 'status' | undefined;
  /**
   * The wording of the form's button, with the total: `Donate $58.04`. Default `pay`. Each type is translated into
   * every language; `order`, `book` and `subscribe` say that the buyer pays, as consumer law requires: in German
   * `Zahlungspflichtig bestellen – 58,04 €`. Your own words (`translations.pay`) override them.
   */
  buttonType?: CardFormButtonType | undefined;
  /**
   * The look of the form. A `warning` reports a value that cannot be used; it is ignored and never keeps the form from
   * loading. A colour with too little contrast is moved towards black or white until it can be read.
   */
  appearance?: CardFormAppearance | undefined;
  /**
   * Fonts of your page, at most four files of 300 kB each, named in `fontFamily` of the appearance. They are used for
   * the letters of labels, headings, hints, typed names and addresses. Digits, the total, the button and the card's
   * fields use the next font in `fontFamily`. Your page fetches the files, so CORS and your policy (`connect-src`) have
   * to allow them; a `warning` reports what cannot be used.
   *
   * @example
   * fonts: [{ family: 'Brand', src: '/fonts/brand.woff2', weight: '100 900' }],
   * appearance: { variables: { fontFamily: 'Brand, sans-serif' } },
   */
  fonts?: readonly CardFormFont[] | undefined;
  /**
   * `true` (default): the focus moves from a full card field to the next one, and Backspace in an empty one moves it
   * back. `false`: it stays.
   */
  autoAdvance?: boolean | undefined;
  /**
   * Billing details that you know. Email, name and address each appear as text with a "Change" button if they are
   * complete and valid for their country; otherwise the form asks for them, with the values filled in. `update()` fills
   * in whatever the buyer has not changed.
   */
  defaultValues?: CardFormDefaultValues | undefined;
  /**
   * The billing details that the form asks for. Set what you already know to `never`, and pass it in `defaultValues`,
   * since the service requires it. If it is missing there, the form ends with a `result` that says so.
   *
   * @example
   * fields: { billingDetails: { email: 'never' } },
   * defaultValues: { billingDetails: { email: 'ada@example.com' } }
   */
  fields?: CardFormFields | undefined;
  /**
   * The countries a buyer can choose for the billing address, as ISO 3166-1 alpha-2 codes. Default: all. With an empty
   * list or an unknown code the form ends with a `result` that says so.
   *
   * @example
   * allowedCountries: ['DE', 'AT', 'CH']
   */
  allowedCountries?: readonly string[] | undefined;
  /**
   * The card brands you accept. Default: all. With an empty list or an unknown brand the form ends with a `result` that
   * says so.
   *
   * @example
   * acceptedBrands: ['visa', 'mastercard']
   */
  acceptedBrands?: readonly CardFormBrand[] | undefined;
  /**
   * Your own texts, by text key, in any language, instead of the form's. A `warning` reports a text that is ignored
   * because its key is unknown, its `{placeholders}` differ from the original's, or it contains a price.
   *
   * @example
   * translations: { pay: 'Donate {amount}', 'field.name': 'Name as printed on the card' }
   */
  translations?: CardFormTranslations | undefined;
  /** While `true`, the buyer can neither type nor pay. Typed values are kept. */
  readOnly?: boolean | undefined;
  /**
   * Keeps what the buyer typed when they leave the payment step and come back. `unmount()` then parks the form, hidden
   * and inert at the end of the document. The next `mount()` takes it back, in any container, if `clientSecret` is the
   * same and the other options differ only in what `update()` can change. The security code is cleared, and the payment
   * is read again before it can be paid. Kept for at most 15 minutes, one form at a time, and never if a press may have
   * charged. Call `unmount()` while the container is still in the page.
   *
   * Needs `moveBefore()`: in other browsers, and with only `fetchClientSecret`, the form loads again, as with `false`
   * (default).
   */
  keep?: boolean | undefined;
  /**
   * Unmounts the form when it aborts. If it has already aborted, `mount()` throws its reason.
   *
   * @example
   * const leaving = new AbortController();
   * CardForm.mount('#card-form', { …, signal: leaving.signal });
   */
  signal?: AbortSignal | undefined;
  /** Logs hints for developers to the console. On loopback pages they are always logged. */
  debug?: boolean | undefined;
};

/**
 * The options that `update()` can change. All others are fixed: to change them, unmount the form and mount it again.
 *
 * `fields` replaces the previous ones completely. Values that the form no longer asks for are sent as they are; if they
 * are incomplete, the form still asks for them, and a `warning` says so. `fields` and `payButton` take effect after an
 * attempt that is under way. `payButton: 'host'` takes effect only while the card fields are empty.
 *
 * @example
 * form.update({ locale: 'fr', appearance: { theme: 'dark' } });
 */
export type CardFormUpdate = Pick<CardFormOptions, keyof typeof CHANGEABLE_OPTIONS> & {
  /** The client secret of the payment intent that replaces the one in the form. Leave it out to keep that one. */
  clientSecret?: string;
};

/** Texts by key. An editor shows the keys, with the form's own English text. */
export type CardFormTranslations = { readonly [Key in MessageKey]?: string | undefined };

/** A total, in minor units. */
export type CardFormTotal = { amountTotal: number; currency: 'usd' | 'eur' };

/** The answer of `beforePay`. */
export type CardFormBeforePayAnswer = boolean | { message: string };

/** `never`: the form does not ask, and takes the value from `defaultValues`. Default `auto`. */
export type CardFormFields = {
  /** Email, name on card, and the whole address including the country. */
  billingDetails?: { [Option in BillingOption]?: 'auto' | 'never' | undefined } | undefined;
};

/** The argument of `addressLookup`. */
export type CardFormAddressQuestion = {
  /** The text in the first line of the address, from 3 characters on. */
  query: string;
  /** The selected country: ISO 3166-1 alpha-2. */
  country: string;
  /** Aborted once the buyer types on or leaves the field, or the form is removed. */
  signal: AbortSignal;
};

/** An address that `addressLookup` found. No text may be longer than its field allows. */
export type CardFormSuggestion = {
  /** The text of the suggestion that the buyer sees: at most 200 characters. */
  label: string;
  address: {
    line1: string;
    line2?: string | null | undefined;
    city?: string | null | undefined;
    /** The state's code or name. */
    state?: string | null | undefined;
    postal_code?: string | null | undefined;
    /** ISO 3166-1 alpha-2. Default: the selected country. */
    country?: string | null | undefined;
  };
};

/** A font file of your page. */
export type CardFormFont = {
  /** The family name used in `fontFamily`. Files of one family share it. */
  family: string;
  /** The address of the file. */
  src: string;
  /** As in `@font-face`: `400`, `bold`, or a range such as `100 900` of a variable font. Default `normal`. */
  weight?: number | string | undefined;
  /** Default `normal`. */
  style?: 'normal' | 'italic' | 'oblique' | undefined;
};

/** The fonts that the service hosts for the form. The form fetches only the one you name. */
export type CardFormHostedFont =
  | 'DM Sans'
  | 'IBM Plex Sans'
  | 'Inter'
  | 'Montserrat'
  | 'Noto Sans'
  | 'Nunito Sans'
  | 'Open Sans'
  | 'Roboto'
  | 'Source Sans 3'
  | 'Work Sans';

/**
 * The look of the form: a fixed set of values, not CSS.
 *
 * @example
 * appearance: {
 *   variables: { colorPrimary: '#9a3412', borderRadius: '4px', fontFamily: 'Georgia, serif' },
 *   darkVariables: { colorPrimary: '#fdba74' },
 * }
 */
export type CardFormAppearance = {
  /** `auto` (default) follows the background behind the form: light on a light page, dark on a dark one. */
  theme?: 'auto' | 'light' | 'dark' | undefined;
  /**
   * `above` (default): labels are above their fields. `floating`: a label is inside its field while that is empty, and
   * above the value after that. `hidden`: only screen readers get the labels; an empty field shows its example or, if
   * it has none, its label.
   */
  labels?: 'above' | 'floating' | 'hidden' | undefined;
  /**
   * `separate` (default): each field has an outline. `grouped`: the card's fields share one outline, and those of the
   * address another; labels are then `floating` or `hidden`.
   */
  fields?: 'separate' | 'grouped' | undefined;
  /** `row`: with `hidden` labels, number, expiry date and security code share a line where they have 472 pixels. */
  card?: 'lines' | 'row' | undefined;
  /** `first`: the cardholder's name comes before the card number, on the screen and for the Tab key. */
  nameField?: 'last' | 'first' | undefined;
  /** `hidden`: no examples in the fields. `translations` sets their texts. */
  placeholders?: 'shown' | 'hidden' | undefined;
  /** `hidden`: no card brand marks. */
  brands?: 'shown' | 'hidden' | undefined;
  /**
   * Elements of your page whose look the form copies and follows. Values in `variables` and `rules` override it.
   *
   * @example
   * from: { field: '#email', button: '.btn-primary' }
   */
  from?: CardFormLookSource | undefined;
  /** For the light and the dark theme. */
  variables?: CardFormVariables | undefined;
  /** For the dark theme; overrides `variables` of the same names. */
  darkVariables?: CardFormVariables | undefined;
  /** Parts of the form, at rest and in their states, for the light and the dark theme. */
  rules?: CardFormRules | undefined;
  /** For the dark theme; overrides the same properties of `rules`. */
  darkRules?: CardFormRules | undefined;
};

/** Elements of your page, or their selectors. */
export type CardFormLookSource = {
  /** A text field, or the element around it that draws its background and border, as in Material UI. */
  field?: string | Element | undefined;
  /** The button that the form's Pay button looks like. */
  button?: string | Element | undefined;
  /** A label. Default: the label of `field`, if it is above the field. */
  label?: string | Element | undefined;
};

/**
 * Styles by part and state. A part without a state sets the look at rest; only there can you set sizes. If two states
 * apply, the later of hover, complete, focus, invalid and disabled wins.
 *
 * @example
 * rules: {
 *   field: { backgroundColor: '#f4f4f5', boxShadow: '0 1px 2px #0000001a' },
 *   'field:focus': { borderColor: '#2557d6', outlineWidth: '3px' },
 *   button: { textTransform: 'uppercase', letterSpacing: '0.05em' },
 * }
 */
export type CardFormRules = {
  field?:
    | (CardFormFieldRule & {
        /** For all sides, or for each: `0 0 2px`. `0` to `4px`, with at least `1px` on one. */
        borderWidth?: string | undefined;
        /** For all corners, or for each: `4px 4px 0 0`. `0` to `32px`. */
        borderRadius?: string | undefined;
        /** At both ends of the value. `0` to `32px`. */
        padding?: string | undefined;
        /** `36px` to `80px`; at least `44px` for fingers, and `50px` with `floating` labels. */
        height?: string | undefined;
        /** `12px` to `20px`; at least `16px` is used. */
        fontSize?: string | undefined;
        /** 300 to 800. */
        fontWeight?: number | string | undefined;
        /** `0` to `0.2em`. */
        letterSpacing?: string | undefined;
        /** `0` to `300ms`, for changes of state. */
        transitionDuration?: string | undefined;
      })
    | undefined;
  'field:hover'?: CardFormFieldRule | undefined;
  /** The field's value can be sent. */
  'field:complete'?: CardFormFieldRule | undefined;
  'field:focus'?: (CardFormFieldRule & CardFormOutlineRule) | undefined;
  'field:invalid'?: CardFormFieldRule | undefined;
  'field:disabled'?: CardFormFieldRule | undefined;
  label?:
    | (CardFormTextRule & {
        /** `12px` to `20px`. */
        fontSize?: string | undefined;
        /** Between label and field. `0` to `16px`. */
        gap?: string | undefined;
      })
    | undefined;
  'label:hover'?: Pick<CardFormTextRule, 'color'> | undefined;
  'label:complete'?: Pick<CardFormTextRule, 'color'> | undefined;
  'label:focus'?: Pick<CardFormTextRule, 'color'> | undefined;
  'label:invalid'?: Pick<CardFormTextRule, 'color'> | undefined;
  'label:disabled'?: Pick<CardFormTextRule, 'color'> | undefined;
  /** Text beside a label, and below the button. */
  hint?: CardFormTextRule | undefined;
  /** Error messages of fields. */
  error?: CardFormTextRule | undefined;
  button?:
    | (CardFormSurfaceRule &
        Omit<CardFormTextRule, 'color'> & {
          /** For all sides, or for each. `0` to `4px`, with at least `1px` on one. */
          borderWidth?: string | undefined;
          /** For all corners, or for each. `0` to `32px`. */
          borderRadius?: string | undefined;
          /** `36px` to `80px`; at least `44px` for fingers. */
          height?: string | undefined;
          /** `12px` to `20px`. */
          fontSize?: string | undefined;
          /** `0` to `300ms`, for changes of state. */
          transitionDuration?: string | undefined;
        })
    | undefined;
  'button:hover'?: CardFormSurfaceRule | undefined;
  'button:focus'?: (CardFormSurfaceRule & CardFormOutlineRule) | undefined;
  /** While the button cannot be pressed. */
  'button:disabled'?: CardFormSurfaceRule | undefined;
  total?: Pick<CardFormTextRule, 'color' | 'fontWeight'> | undefined;
  /** The breakdown of the total, and the control that opens it. The states are those of the control. */
  details?: Pick<CardFormTextRule, 'color' | 'fontWeight'> | undefined;
  'details:hover'?: Pick<CardFormTextRule, 'color'> | undefined;
  'details:focus'?: Pick<CardFormTextRule, 'color'> | undefined;
  notice?:
    | (CardFormSurfaceRule & {
        /** `0` to `32px`. */
        padding?: string | undefined;
        /** 300 to 800. */
        fontWeight?: number | string | undefined;
      })
    | undefined;
  /** The notice of a failed payment. */
  'notice:invalid'?: CardFormSurfaceRule | undefined;
};

/** Text with too little contrast is moved towards black or white. */
export type CardFormSurfaceRule = {
  color?: string | undefined;
  backgroundColor?: string | undefined;
  borderColor?: string | undefined;
  /**
   * `none`, or up to four shadows that extend at most 8 px, `inset` ones at most 4. A strong one is drawn fainter.
   */
  boxShadow?: string | undefined;
};

export type CardFormFieldRule = CardFormSurfaceRule & {
  placeholderColor?: string | undefined;
};

/** The outline that field and button always have on focus if they have rules. */
export type CardFormOutlineRule = {
  /** Default: `borderColor` of the same rule, else `colorPrimary`. */
  outlineColor?: string | undefined;
  /** `2px` (default) to `4px`. */
  outlineWidth?: string | undefined;
  /** `0` (default) to `4px` outside the border. */
  outlineOffset?: string | undefined;
};

export type CardFormTextRule = {
  color?: string | undefined;
  /** 300 to 800. */
  fontWeight?: number | string | undefined;
  /** `0` to `0.2em`. */
  letterSpacing?: string | undefined;
  textTransform?: 'none' | 'uppercase' | 'lowercase' | 'capitalize' | undefined;
};

/**
 * Colours are `#rgb` or `#rrggbb` (also with alpha), `rgb()`, `hsl()`, `oklch()`, or a basic colour name. Lengths are
 * in `px` or `rem` (16 px). Any value may be a custom property of the page: `var(--brand)`.
 */
export type CardFormVariables = {
  /** Links, focus rings, and the Pay button unless `buttonColorBackground` is given. */
  colorPrimary?: string | undefined;
  /**
   * The form's background, ideally the colour of your page; must be opaque. Without it the form is transparent, unless
   * the theme differs from the page's or could not be read on it.
   */
  colorBackground?: string | undefined;
  /** Text, including the total. It must be readable on the background behind the form. */
  colorText?: string | undefined;
  /** Hints and descriptions. */
  colorTextSecondary?: string | undefined;
  colorTextPlaceholder?: string | undefined;
  /** Error messages and fields with errors. */
  colorDanger?: string | undefined;
  /** The check mark of a successful payment. */
  colorSuccess?: string | undefined;
  /** Outlines of fields. */
  colorBorder?: string | undefined;
  colorFieldBackground?: string | undefined;
  /** Default: `colorPrimary`. */
  buttonColorBackground?: string | undefined;
  /** Default: white or black, whichever is easier to read. */
  buttonColorText?: string | undefined;
  /**
   * Fonts in order of preference, such as `Inter, sans-serif`: hosted by the service (`CardFormHostedFont`), installed
   * with an operating system, or, for letters only, given in the option `fonts`.
   */
  // `string & {}` keeps the names as editor suggestions.
  fontFamily?: CardFormHostedFont | (string & {}) | undefined;
  /** `14px` to `20px`, default `16px`. Text in fields is at least 16 px, below which phones zoom in on focus. */
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
  /** The unit of all gaps and paddings. `3px` to `6px`, default `4px`. */
  spacingUnit?: string | undefined;
  /** Space around the form. `4px` (default) to `40px`. */
  formPadding?: string | undefined;
};

/**
 * Billing details that you already know, with the field names of the service's API. The country is an ISO 3166-1
 * alpha-2 code, such as `DE`.
 */
export type CardFormDefaultValues = {
  billingDetails?: BillingValues | undefined;
  /**
   * Set to true if the order is delivered to this address. The form then calls it the billing and delivery address,
   * until the buyer changes it.
   */
  sameAsShipping?: boolean | undefined;
};

/** A form on the page. */
export type CardFormInstance = {
  /**
   * Resolves when the buyer can type and the first read of the payment has ended, with the detail of the event `ready`.
   * Never rejects: a form that does not load emits `loaderror`.
   *
   * @example
   * const { amountTotal, currency } = await form.ready;
   */
  readonly ready: Promise<CardFormEvents['ready']>;
  /**
   * Resolves once, with the outcome of the payment. Never rejects.
   *
   * @example
   * const { outcome } = await form.result;
   * if (outcome === 'succeeded') location.assign('/thanks');
   */
  readonly result: Promise<Result>;
  /**
   * Adds a handler for every event, including those of later releases.
   *
   * @example
   * form.on('*', (name, detail) => console.log(name, detail));
   */
  on(name: '*', handler: (...event: CardFormEvent) => void): () => void;
  // A handler without the detail: TypeScript doesn't see that it accepts the name of every event.
  on(name: '*', handler: (name: CardFormEventName) => void): () => void;
  /**
   * Adds a handler for an event and returns a function that removes it.
   *
   * @example
   * form.on('result', ({ outcome }) => {
   *   if (outcome === 'succeeded') location.assign('/thanks');
   * });
   */
  on<Name extends CardFormEventName>(name: Name, handler: (detail: CardFormEvents[Name]) => void): () => void;
  /** Like `on`, but for the next event only. For what may have happened already, await `ready` or `result`. */
  once(name: '*', handler: (...event: CardFormEvent) => void): () => void;
  once(name: '*', handler: (name: CardFormEventName) => void): () => void;
  once<Name extends CardFormEventName>(
    name: Name,
    handler: (detail: CardFormEvents[Name]) => void,
  ): () => void;
  /** Removes a handler. */
  off(name: '*', handler: (...event: CardFormEvent) => void): void;
  off(name: '*', handler: (name: CardFormEventName) => void): void;
  off<Name extends CardFormEventName>(name: Name, handler: (detail: CardFormEvents[Name]) => void): void;
  /**
   * Changes options of the mounted form without reloading it or losing what was typed. A `warning` reports an option
   * that cannot change.
   *
   * With `clientSecret`, another payment intent replaces the one in the form: the buyer sees the old and the new total,
   * and presses Pay again. Works only if nothing was charged with the old intent and no attempt is under way; cancel
   * the old intent on your server first, since both can be paid. Resolves to null once the changes are in the form, or
   * to a {@link CardFormError} that says why the form keeps its old intent. Calls are carried out one after the other.
   * Never rejects. Throws a {@link CardFormMistake} if another form has that client secret, or if the options can't be
   * used, as `mount()` does.
   *
   * @example
   * const error = await form.update({ clientSecret: cart.clientSecret });
   */
  update(changes: CardFormUpdate): Promise<CardFormError | null>;
  /**
   * Reads the payment intent again. Call it when your server has changed the intent: the buyer sees the old and new
   * total. Resolves to the state of the payment that the buyer then sees; never rejects.
   *
   * @example
   * const { outcome } = await form.refresh();
   */
  refresh(): Promise<CardFormStatus>;
  /**
   * Pays; only with `payButton: 'host'`. If the payment cannot be sent now, an `error` says so with `charged: 'no'` and
   * a `code`: `incomplete` (the form shows what is missing), `not_ready`, `too_soon` (the total has been visible for
   * less than half a second), `obscured` or `too_small`.
   */
  submit(): void;
  /**
   * Moves the focus to a field, or to the first incomplete one. Works once `ready` has resolved. If the page took the
   * focus away from a card field, the card fields cannot be focused until the buyer acts in the form; a `warning` says
   * so.
   */
  focus(field?: CardFormField): void;
  /** Removes the focus from the form. */
  blur(): void;
  /**
   * Shows the buyer what is wrong or missing, like a press on Pay, but neither pays nor moves the focus. A card field
   * in which the buyer is typing shows its error when they leave it. Never rejects; if no form has loaded, everything
   * is missing. `canPay` is false if the form has just asked the buyer to look at something unusual: call it again.
   *
   * @example
   * const { canPay, missing } = await form.validate();
   */
  validate(): Promise<CardFormValidation>;
  /** Resets the form to `defaultValues`. Does nothing while a payment is in flight. */
  clear(): void;
  /**
   * The history of this form, for bug reports and production monitoring: names of events, codes, hints, times and
   * counts, but no card data, no personal data and no secret. It is not sent anywhere. Never rejects.
   *
   * @example
   * report.attach(JSON.stringify(await form.diagnostics()));
   */
  diagnostics(): Promise<CardFormDiagnostics>;
  /**
   * Removes the form and resolves `result` as `unknown` if it is still pending. Does not stop a payment in flight: to
   * learn its outcome, mount the same intent again or ask the service from your server.
   */
  unmount(): void;
} & {
  /**
   * Same as `unmount`, for `using`. Needs `Symbol.dispose`, in the browser or from a polyfill loaded before the script,
   * and in the compiler: TypeScript 5.2 with `esnext.disposable` in `lib`. Otherwise this method does not exist.
   */
  [Name in SymbolConstructor[Extract<'dispose', keyof SymbolConstructor>]]: () => void;
};

/** The API of the script: the global `CardForm`. */
export type CardFormApi = {
  /** The release of the script, as in the address that pins it. */
  readonly version: string;
  /**
   * Mounts the form in an element and returns at once. If the element contains an iframe with `data-card-form-frame`
   * (see `earlyFrame()`), or is one, the form uses that iframe. Throws a {@link CardFormMistake} for an integration
   * error and the browser's own `SyntaxError` for an invalid selector.
   *
   * @example
   * const form = CardForm.mount('#card-form', { publishableKey: 'pk_live_…', clientSecret: 'lg_cs_…' });
   */
  mount(target: string | Element, options: CardFormOptions): CardFormInstance;
  /**
   * Reads the state of a payment without showing it, for example on the page after checkout; `view: 'status'` shows it.
   * Resolves to `unknown` if it cannot be read. Rejects with a {@link CardFormMistake} for an integration error, also
   * if a form of this payment is mounted: use that form instead. Before you fulfil an order, ask the service from your
   * server.
   *
   * @example
   * const { outcome } = await CardForm.retrieve({ publishableKey: 'pk_live_…', clientSecret: 'lg_cs_…' });
   */
  retrieve(
    options: Pick<CardFormOptions, 'publishableKey' | 'clientSecret' | 'debug'>,
  ): Promise<CardFormStatus>;
};

/** The codes of integration errors, thrown by the script and by `mount()`. */
export type CardFormMistakeCode =
  | 'target_not_found'
  | 'invalid_option'
  | 'secret_key_exposed'
  | 'already_mounted'
  | 'script_not_found';

/** An integration error, thrown so that a developer sees it at once. Check `name` or `code`, not `message`. */
export type CardFormMistake = Error & { name: 'CardFormError'; code: CardFormMistakeCode };
