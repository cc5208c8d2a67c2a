/**
 * All messages between loader and frame. The frame parses what it receives, since the page that embeds it is not
 * trusted. The loader imports only the types: its messages come over a port whose other end only our origin holds, and no
 * schema library may reach the merchant's page.
 *
 * No message of the frame has a field that could hold a card number, a security code or an expiry date. Keep it so: tests
 * hold every message that the frame posts against schemas (`frame-messages.fixture.ts`).
 *
 * To extend: new message types and new optional fields do not raise PROTOCOL, since both sides ignore what they do not
 * know. A change of meaning does.
 */
import { type BeforePayAnswer, Command, type CoversAnswer } from './commands.ts';
import type { CardFormDiagnostics } from './diagnostics.ts';
import type { CardFormEvents, CardFormValidation } from './events.ts';
import { ownProperty } from './own-property.ts';
import type { FontFile } from './page-font.ts';
import type { CHANNEL } from './protocol.ts';
import { type Changes, readChanges } from './read-changes.ts';
import type { CardFormError, CardFormStatus } from './result.ts';
import type { PostedSuggestions } from './suggestion.ts';

/** The frame's first message, to its parent. It holds no secret, so it may go to any origin. */
export type Hello = {
  channel: typeof CHANNEL;
  type: 'hello';
  /** All protocol versions that the frame supports. */
  protocols: number[];
  /** Package version and content hash of the frame's build. */
  release: string;
  /** Set if this document has said hello before and the loader requested it again. */
  again?: true | undefined;
};

/**
 * Tells a frame that its form is parked (the option `keep`). It goes to the window, as the hello request that ends the parking does, so
 * that the two arrive in order.
 */
export type ParkMessage = { channel: typeof CHANNEL; type: 'park' };

/**
 * The page's answer to `FontRequest`, unread: a message of any kind that says it is one. Only its own properties `font`, `bytes`,
 * `size` and `status` are read, each where it is used (`page-fonts.ts`), so that it may hold bytes, which no other message may.
 */
type FontAnswer = { type: 'font'; answer: unknown };

/** The page's answer to `SearchRequest`, within the limits of the channel but unparsed: the script that asked parses it (`search-answer.ts`). */
type SearchAnswer = { type: 'search'; answer: unknown };

/**
 * Options that the page changed. `clientSecret`: of another payment intent, unread, or `true` if the page gave none; not there if it is not
 * of `update()`, but the answer to `LookRequest`.
 */
export type Update = { type: 'update' } & Changes;

/** Loader to frame, over the port. */
export type HostMessage = Update | Command | FontAnswer | SearchAnswer;

/** Parses a message of the loader other than a font; null if it is none that this release knows. */
export const readHostMessage = (data: unknown): HostMessage | null => {
  const type = ownProperty(data, 'type');
  if (type === 'search') return { type, answer: data };
  if (type === 'update') {
    const changes = readChanges(data);
    return changes && { type, ...changes };
  }
  const parsed = Command.safeParse(data);
  return parsed.success ? parsed.data : null;
};

/** `HostMessage` before parsing, as the loader posts it: it passes answers of the page on without reading them. */
export type HostMessageInput =
  | Exclude<HostMessage, { type: 'secret' | 'covers' | 'beforepay' | 'font' | 'search' }>
  | ({ type: 'covers' } & Partial<CoversAnswer>)
  | ({ type: 'beforepay' } & Partial<BeforePayAnswer>)
  | { type: 'secret'; clientSecret?: string | undefined }
  | ({ type: 'font' } & FontFile)
  | ({ type: 'search' } & PostedSuggestions);

/**
 * The form cannot load: one of its scripts could not be fetched, or was altered (`integrity`), or the release was
 * withdrawn. `file` is the altered script's address, if known, or says what to do about a withdrawn release.
 */
type LoadError = {
  type: 'loaderror';
  reason?: 'integrity' | 'withdrawn' | undefined;
  file?: string | undefined;
};

/** Asks the page for a client secret; with `anew` for another one, because the last one can no longer be paid. */
type SecretRequest = { type: 'secret'; anew: boolean };

/**
 * A line of text in the frame: its start, middle, length and height as fractions of the frame's width and height.
 * `button`: it is on the button, which the buyer must be able to press.
 */
export type Line = {
  left: number;
  top: number;
  length: number;
  height: number;
  button?: boolean | undefined;
};

/**
 * Asks the page what covers these lines of the frame, at most one for each place that shows the amount. With `front` it
 * brings the form to the front before, unless the page keeps the buyer from it; with `false` it puts it back.
 */
export type CoversRequest = { type: 'covers'; lines: Line[]; front?: boolean | undefined };

/** Asks what lies over these lines of the frame; with `front` after it was brought to the front, or put back. */
export type AskCovers = (
  lines: CoversRequest['lines'],
  front?: CoversRequest['front'],
) => Promise<CoversAnswer>;

/** Asks the page for the file of a font, by its place in the option `fonts`. */
type FontRequest = { type: 'font'; font: number };

/**
 * Asks the page for addresses that fit what the buyer typed; `search` numbers the questions of this form. Without `query`, an answer
 * to the latest one is not wanted any more. A question takes the place of the one before.
 */
type SearchRequest = {
  type: 'search';
  search: number;
  query?: string | undefined;
  country?: string | undefined;
};

/**
 * Asks for an `update` when what is behind the form changes, or a custom property of the page that is named in `style`; the first
 * time at once, after a closer look. With `keep` it asks for none, and says whether the form may be parked from now on.
 */
type LookRequest = {
  type: 'update';
  style?: string[] | undefined;
  /** `appearance.from` as the frame has it: asks how what it names looks. */
  from?: unknown;
  /** Where the answer goes at once, with nothing but that: the form has not been painted yet. */
  reply?: MessagePort | undefined;
  keep?: boolean | undefined;
};

/**
 * The answer to the earliest `update()` that has none: null, or why the other payment intent is not in the form. `clientSecret`: of
 * the one that is, if the form has one.
 */
type Updated = { type: 'update'; updated: CardFormError | null; clientSecret: string };

/** Asks the page's `beforePay`; `press` numbers the presses of this form. `amountTotal` in minor units. */
type BeforePayRequest = {
  type: 'beforepay';
  press: number;
  amountTotal: number;
  currency: 'usd' | 'eur';
};

/** The classes that the loader sets on the container, for the page's style sheet. */
export const CONTAINER_CLASSES = [
  'CardForm--focus',
  'CardForm--invalid',
  'CardForm--complete',
  'CardForm--empty',
] as const;
export type ContainerClass = (typeof CONTAINER_CLASSES)[number];

/** What the loader needs to show the frame, posted at each change. */
export type State = {
  type: 'state';
  /** The form's height in whole CSS pixels, at most 4096. */
  height: number;
  /** All of our classes that the container has now. */
  classes: readonly ContainerClass[];
  /** A payment was sent, and its outcome is not known yet. */
  sent: boolean;
};

/** `diagnostics()` counts at most this many kinds of troubles. */
export const MOST_TROUBLES = 40;

/** The events whose detail is under their name in the message. That of the others is the message. */
type NamedEvent = 'error' | 'result' | 'status';

/** The page's events, except for `loaderror`, whose detail is the loader's. */
type EventMessage = {
  [Name in keyof CardFormEvents]: Name extends NamedEvent
    ? { type: Name } & Record<Name, CardFormEvents[Name]>
    : { type: Name } & CardFormEvents[Name];
}[Exclude<keyof CardFormEvents, 'loaderror'>];

/** Frame to loader, over the port. */
export type FrameMessage =
  | EventMessage
  | LoadError
  | SecretRequest
  | CoversRequest
  | LookRequest
  | Updated
  | BeforePayRequest
  | FontRequest
  | SearchRequest
  | State
  | ({ type: 'validate' } & CardFormValidation)
  | { type: 'refresh'; refresh: CardFormStatus }
  | { type: 'diagnostics'; diagnostics: CardFormDiagnostics };
