/**
 * Strict schemas of all messages of the frame, so that tests can check what a message could contain. The frame posts
 * whatever its types allow and doesn't parse its own messages.
 */
import { expectTypeOf } from 'vitest';
import * as z from 'zod/mini';
import { BRANDS } from '../card/brand-names.ts';
import type * as codes from './error-codes.ts';
import { PLACES } from './field-names.ts';
import type * as messages from './messages.ts';
import { CONTAINER_CLASSES, MOST_TROUBLES } from './messages.ts';
import { CHANNEL } from './protocol.ts';
import type * as result from './result.ts';

const upTo = (length: number) => z.string().check(z.maxLength(length));
const listOf = <Schema extends z.ZodMiniType>(schema: Schema, most: number) =>
  z.array(schema).check(z.maxLength(most));
const countUpTo = (most: number) => z.int().check(z.nonnegative(), z.maximum(most));

export const HelloSchema = z.object({
  channel: z.literal(CHANNEL),
  type: z.literal('hello'),
  protocols: listOf(z.int(), 20),
  release: upTo(100),
  again: z.optional(z.literal(true)),
});

/** At most twelve digits, so that no card number fits: the shortest has thirteen. */
const minorUnits = countUpTo(999_999_999_999);
const Currency = z.literal(['usd', 'eur']);
const text = upTo(2000);

/** A word of which the public types list the known values; a later service may add more. */
const word = <Word extends string>() => z.custom<Word>((value) => upTo(100).safeParse(value).success);

/** An error from the service, with `type`, `code`, `param` and `decline_code` from closed lists, or from the form. */
export const CardFormErrorSchema = z.strictObject({
  type: word<codes.CardFormErrorType>(),
  code: word<codes.CardFormErrorCode>(),
  /** For the merchant's logs. The buyer reads the form's own text. */
  message: text,
  param: z.optional(z.nullable(upTo(500))),
  decline_code: z.optional(z.nullable(word<codes.CardFormDeclineCode>())),
  /** How long the service asked to wait, in seconds. */
  retryAfter: z.optional(minorUnits),
  /** Tells if the buyer was charged. `unknown` is not `no`: ask the service before offering another payment. */
  charged: z.literal(['no', 'yes', 'unknown']),
  /** What can be done about it, and by whom. */
  recovery: z.literal([
    'fix_input',
    'use_other_card',
    'review_amount',
    'wait',
    'retry',
    'new_payment',
    'contact_merchant',
    'fix_integration',
  ]),
});

/** The payment intent as the browser may see it, with the field names of the service's API. Amounts in minor units. */
export const ClientPaymentIntentSchema = z.strictObject({
  id: upTo(200),
  object: z.literal('payment_intent'),
  status: word<result.ClientPaymentIntent['status']>(),
  currency: Currency,
  amount: minorUnits,
  fee_buyer: minorUnits,
  amount_total: minorUnits,
  confirmation_attempts: z.nullable(minorUnits),
  description: z.nullable(text),
  items: z.nullable(
    z.array(
      z.strictObject({ name: text, quantity: z.number(), unit_amount: minorUnits, amount: minorUnits }),
    ),
  ),
  shipping_amount: z.nullable(minorUnits),
  tax_amount: z.nullable(minorUnits),
  discount_amount: z.nullable(minorUnits),
  items_difference: z.nullable(z.int()),
  created: z.nullable(minorUnits),
  succeeded_at: z.nullable(minorUnits),
  last_payment_error: z.nullable(
    z.strictObject({
      type: word<codes.CardFormErrorType>(),
      code: word<codes.CardFormErrorCode>(),
      message: text,
      param: z.optional(z.nullable(upTo(500))),
      decline_code: z.optional(z.nullable(word<codes.CardFormDeclineCode>())),
    }),
  ),
});

/** The outcome of the payment. `unknown`: it may or may not have been paid; never charge again before asking. */
export const ResultSchema = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('succeeded'), paymentIntent: ClientPaymentIntentSchema }),
  z.strictObject({ outcome: z.literal('canceled'), paymentIntent: ClientPaymentIntentSchema }),
  z.strictObject({ outcome: z.literal('failed'), error: CardFormErrorSchema }),
  z.strictObject({
    outcome: z.literal('unknown'),
    reason: z.literal(['unmounted', 'unresolved']),
    paymentIntent: z.nullable(ClientPaymentIntentSchema),
  }),
]);

/** The buyer can type, and the first read has ended. Both values are null if the form shows no total. */
const Ready = z.strictObject({
  type: z.literal('ready'),
  amountTotal: z.nullable(minorUnits),
  currency: z.nullable(Currency),
});

/**
 * The form can't load: one of its scripts could not be fetched or was altered (`integrity`), or the release was
 * withdrawn. `file` is the altered script's address, if known, or advice about a withdrawn release.
 */
const LoadError = z.strictObject({
  type: z.literal('loaderror'),
  reason: z.optional(z.literal(['integrity', 'withdrawn'])),
  file: z.optional(z.string()),
});

/** Asks the page for a client secret; with `anew` for another one, because the last one can no longer be paid. */
const SecretRequest = z.strictObject({ type: z.literal('secret'), anew: z.boolean() });

/** A horizontal line in the frame: its start and length as fractions of the frame's width and height. */
const Line = z.strictObject({
  left: z.number(),
  top: z.number(),
  length: z.number(),
  height: z.number(),
  button: z.optional(z.boolean()),
});

/** Asks the page what covers these lines of the frame. */
const CoversRequest = z.strictObject({
  type: z.literal('covers'),
  lines: listOf(Line, 3),
  front: z.optional(z.boolean()),
});

/**
 * Asks for the page's look; `style` names custom properties of the page. With `updated` it is the answer to `update()`;
 * the page already has the client secret. With `keep` it says whether the form may be parked.
 */
const LookRequest = z.strictObject({
  type: z.literal('update'),
  style: z.optional(listOf(z.string().check(z.regex(/^--[\w-]+$/)), 1000)),
  updated: z.optional(z.nullable(CardFormErrorSchema)),
  update: z.optional(CardFormErrorSchema),
  clientSecret: z.optional(z.string().check(z.regex(/^(?:lg_cs_.{1,193})?$/))),
  keep: z.optional(z.boolean()),
  // The page's value: `true` for that of mount(), selectors for that of update().
  from: z.optional(z.unknown()),
  reply: z.optional(z.instanceof(MessagePort)),
});

/** Calls the page's `beforePay`; `press` numbers the presses of this form. `amountTotal` in minor units. */
const BeforePayRequest = z.strictObject({
  type: z.literal('beforepay'),
  press: z.int(),
  amountTotal: minorUnits,
  currency: Currency,
});

/** Asks the page for a font file. */
const FontRequest = z.strictObject({ type: z.literal('font'), font: countUpTo(3) });

/** Asks the page for addresses. A text with seven digits can't pass. */
const SearchRequest = z.strictObject({
  type: z.literal('search'),
  search: countUpTo(9_999),
  query: z.optional(z.string().check(z.maxLength(200), z.regex(/^\P{N}*(\p{N}\P{N}*){0,6}$/u))),
  country: z.optional(z.string().check(z.regex(/^([A-Z]{2})?$/))),
});

const Place = z.literal(PLACES);

/** Names, each at most once. The card fields count as one, for the reason given at `PLACES`. */
const Places = z.readonly(listOf(Place, PLACES.length));

/** The page's view of the fields and of Pay. `frame/merchant/validation.ts` defines the lists. */
const validated = <Type extends string, More extends z.core.$ZodShape>(type: Type, more: More) =>
  z.strictObject({
    type: z.literal(type),
    complete: z.boolean(),
    invalid: Places,
    missing: Places,
    /** True if form and payment would accept a press on Pay now. */
    canPay: z.boolean(),
    ...more,
  });

/** Says whether the form is complete and which fields it lacks; never what was typed. */
const Change = validated('change', { empty: z.boolean(), brand: z.nullable(z.literal(BRANDS)) });

/** The answer to `ValidateRequest`. */
const Validation = validated('validate', {});

/** The focus entered or left a field; the card fields count as one. */
const Focused = z.strictObject({ type: z.literal('focus'), field: Place });
const Blurred = z.strictObject({ type: z.literal('blur'), field: Place });

/** The buyer pressed Escape. */
const Escape = z.strictObject({ type: z.literal('escape') });

/** The buyer pressed Enter in a field, and the page has the Pay button. */
const SubmitRequest = z.strictObject({ type: z.literal('submitrequest') });

/** Everything the loader needs to show the frame, posted at each change. */
const State = z.strictObject({
  type: z.literal('state'),
  /** The form's height in CSS pixels. */
  height: countUpTo(4096),
  /** All of our classes that the container has now. */
  classes: z.readonly(listOf(z.literal(CONTAINER_CLASSES), 4)),
  /** A payment was sent, and its outcome is not known yet. */
  sent: z.boolean(),
});

/** The service asked the form to wait; `retryAfter` in seconds. */
const RateLimited = z.strictObject({ type: z.literal('ratelimited'), retryAfter: minorUnits });

/** A hint for the merchant's developer. Never contains anything that the buyer typed. */
const Warning = z.strictObject({ type: z.literal('warning'), about: upTo(100), hint: upTo(500) });

/** A number of events, or a time in ms: at most twelve digits, so that no card number fits. */
const count = minorUnits;

/**
 * Counts by `offline`, by `protocol`, or by a route and the reason why a request to it failed. A status has three
 * digits. Marked as pure, because the frame never parses this message: no byte of it reaches a buyer.
 */
const Troubles = /* @__PURE__ */ (() =>
  z
    .record(
      z
        .string()
        .check(
          z.regex(
            /^(offline|protocol|(retrieve|confirm|release)\.(network|timeout|malformed|no_secret|blocked_fetch|internal_csp|[2-9]\d\d))$/,
          ),
        ),
      count,
    )
    .check(z.refine((troubles) => Object.keys(troubles).length <= MOST_TROUBLES)))();

/** The form's history: no card data, no personal data, no secret. */
const Diagnostics = z.strictObject({
  type: z.literal('diagnostics'),
  diagnostics: z.strictObject({
    release: upTo(100),
    /** In ms since the page's navigation; missing until it has happened. */
    timings: z.strictObject({ mounted: count, typeable: z.optional(count), payable: z.optional(count) }),
    /** Refused presses, by reason. */
    presses: z.partialRecord(
      z.literal(['not_ready', 'incomplete', 'too_soon', 'moved', 'too_small', 'obscured']),
      count,
    ),
    troubles: Troubles,
    entries: listOf(
      z.strictObject({
        /** Milliseconds since the form was opened. */
        at: count,
        event: upTo(30),
        what: z.optional(upTo(500)),
      }),
      99,
    ),
  }),
});

/** The total changed. The buyer sees it and must press Pay again. */
const AmountChange = z.strictObject({
  type: z.literal('amountchange'),
  previous: minorUnits,
  current: minorUnits,
  currency: Currency,
});

/** The payment was sent and its outcome is awaited. Followed by `decline`, `error`, `amountchange` or `result`. */
const Processing = z.strictObject({
  type: z.literal('processing'),
  /** True if this form sent it; false if the intent was already processing when it was first read. */
  pressed: z.boolean(),
});

/** The card was declined, nothing was charged, and the buyer may try again. */
const Decline = z.strictObject({ type: z.literal('decline'), error: CardFormErrorSchema });

/** Something went wrong. The buyer sees it, and the payment is not over. */
const Failure = z.strictObject({ type: z.literal('error'), error: CardFormErrorSchema });

/** The outcome of the payment. */
const Settled = z.strictObject({ type: z.literal('result'), result: ResultSchema });

const StatusSchema = z.union([
  ResultSchema,
  z.strictObject({ outcome: z.literal(['pending', 'processing']), paymentIntent: ClientPaymentIntentSchema }),
]);

/** The state of the payment so far, and the answer to `refresh()`. */
const Status = z.strictObject({ type: z.literal('status'), status: StatusSchema });
const Refreshed = z.strictObject({ type: z.literal('refresh'), refresh: StatusSchema });

/** Frame to loader, over the port. A test checks that no card data fits into any field. */
export const FrameMessageSchema = z.discriminatedUnion('type', [
  Ready,
  LoadError,
  SecretRequest,
  CoversRequest,
  LookRequest,
  BeforePayRequest,
  FontRequest,
  SearchRequest,
  Change,
  Validation,
  Focused,
  Blurred,
  Escape,
  SubmitRequest,
  State,
  RateLimited,
  Warning,
  Diagnostics,
  AmountChange,
  Processing,
  Decline,
  Failure,
  Settled,
  Status,
  Refreshed,
]);

// `tsc` fails unless the schemas match the types.
expectTypeOf<z.infer<typeof HelloSchema>>().toEqualTypeOf<messages.Hello>();
expectTypeOf<z.infer<typeof CardFormErrorSchema>>().toEqualTypeOf<result.CardFormError>();
expectTypeOf<z.infer<typeof ClientPaymentIntentSchema>>().toEqualTypeOf<result.ClientPaymentIntent>();
expectTypeOf<z.infer<typeof ResultSchema>>().toEqualTypeOf<result.Result>();
expectTypeOf<z.infer<typeof StatusSchema>>().toEqualTypeOf<result.CardFormStatus>();
expectTypeOf<z.infer<typeof FrameMessageSchema>['type']>().toEqualTypeOf<messages.FrameMessage['type']>();
expectTypeOf<messages.FrameMessage>().toExtend<z.input<typeof FrameMessageSchema>>();
