/**
 * Commands from the loader to the frame, except `update`, which `read-changes.ts` reads. The frame parses them, since
 * the page that the loader runs in is not trusted.
 */
import * as z from 'zod/mini';
import { FIELD_NAMES } from './field-names.ts';
import { CLIENT_SECRET, LONGEST_SECRET } from './protocol.ts';

const upTo = (length: number) => z.string().check(z.maxLength(length));

/** For optional extras: an invalid value counts as missing. */
const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

/** Reads the intent again: the merchant's server changed it. */
const Refresh = z.object({ type: z.literal('refresh') });

/** Pays: the buyer pressed the page's own button. */
const Submit = z.object({ type: z.literal('submit') });

const ClientSecret = upTo(LONGEST_SECRET).check(z.regex(new RegExp(CLIENT_SECRET)));

/** The page's answer to `SecretRequest`. Null if it has no client secret or an invalid one. */
const SecretAnswer = z.object({
  type: z.literal('secret'),
  clientSecret: z.catch(z.nullable(ClientSecret), null),
});

const Field = z.literal(FIELD_NAMES);

/**
 * The kind of cover over a line of the frame: `none`; `fixed`, an element such as a sticky header, which stays in place
 * while the page scrolls; `over`, any other element of the page.
 */
const Cover = z.literal(['none', 'fixed', 'over']);
export type Cover = z.infer<typeof Cover>;

/** One line per place that shows the amount. */
const MOST_LINES = 3;

/**
 * The answer to `CoversRequest`: the cover of each line, in order, and where the page last saw the mouse. `covers` is
 * empty if the page could not check, because the loader's second file didn't load.
 */
const CoversAnswer = z.object({
  type: z.literal('covers'),
  covers: z.catch(z.array(Cover).check(z.maxLength(MOST_LINES)), []),
  /** True if the form is in front; undefined if the browser can't bring it there. */
  front: lenient(z.boolean()),
  /** `screenX`, `screenY` and the age in ms; null if the mouse has not been over the page. */
  pointer: z.catch(z.nullable(z.object({ x: z.number(), y: z.number(), age: z.number() })), null),
});
export type CoversAnswer = z.infer<typeof CoversAnswer>;

/**
 * The answer to `BeforePayRequest` with the same `press`. If `allowed` is missing, there was no answer, and `mistake`
 * says why. If `press` is missing, the loader's second file didn't load.
 */
const BeforePayAnswer = z.object({
  type: z.literal('beforepay'),
  press: lenient(z.int()),
  allowed: lenient(z.boolean()),
  /** A sentence for the buyer, checked before the form shows it. */
  message: lenient(upTo(2000)),
  /** For the developer. */
  mistake: lenient(upTo(200)),
});
export type BeforePayAnswer = z.infer<typeof BeforePayAnswer>;

/** Focuses a field, or the first incomplete one. */
const Focus = z.object({ type: z.literal('focus'), field: z.optional(Field) });

/** Removes the focus from the form. */
const Blur = z.object({ type: z.literal('blur') });

/** Resets the form to `defaultValues`. */
const Clear = z.object({ type: z.literal('clear') });

/** Shows what is wrong or missing and posts `Validation`. Doesn't pay or move the focus. */
const ValidateRequest = z.object({ type: z.literal('validate') });

/** Posts `Diagnostics`. */
const DiagnosticsRequest = z.object({
  type: z.literal('diagnostics'),
  /** The release of the page's script, and so of the frame. */
  release: upTo(100),
  /** When the page's navigation began, in ms since 1970. */
  timeOrigin: z.number(),
  /** When `mount()` was called, in ms since the navigation. */
  timings: z.object({ mounted: z.number() }),
});
export type DiagnosticsRequest = z.infer<typeof DiagnosticsRequest>;

/** Ends the session: the form is about to be removed. */
const Destroy = z.object({ type: z.literal('destroy') });

/** All commands. The build compiles this schema for the frame (`src/build/compiled-schemas.ts`). */
export const Command = z.union([
  Refresh,
  Submit,
  SecretAnswer,
  CoversAnswer,
  BeforePayAnswer,
  Focus,
  Blur,
  Clear,
  ValidateRequest,
  DiagnosticsRequest,
  Destroy,
]);
export type Command = z.infer<typeof Command>;
