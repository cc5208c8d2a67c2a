/**
 * All messages between loader and frame. The frame parses everything it receives, since the page that embeds it is not
 * trusted. The loader imports only the types: it receives over a port whose other end only our origin holds, and no
 * schema library may reach the merchant's page.
 *
 * No message of the frame has a field that could hold a card number, a security code or an expiry date. Keep it so:
 * tests check every message that the frame posts against schemas (`frame-messages.fixture.ts`).
 *
 * To extend: new message types and new optional fields don't raise PROTOCOL, since both sides ignore what they don't
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
  /** Set if this document has already posted `hello` and the loader requested it again. */
  again?: true | undefined;
};

/**
 * Informs a frame that its form is parked (the option `keep`). Posted to the window, like the hello request that ends
 * the parking, so that the two arrive in order.
 */
export type ParkMessage = { channel: typeof CHANNEL; type: 'park' };

/**
 * The page's answer to `FontRequest`, unparsed: any message with this type. `page-fonts.ts` reads only its own
 * properties `font`, `bytes`, `size` and `status`, each where it is used. So it may hold bytes, which no other message
 * may.
 */
type FontAnswer = { type: 'font'; answer: unknown };

/**
 * The page's answer to `SearchRequest`, within the limits of the channel but unparsed: the script that asked parses it
 * (`search-answer.ts`).
 */
type SearchAnswer = { type: 'search'; answer: unknown };

/**
 * Options that the page changed. `clientSecret` is that of another payment intent, unparsed, or `true` if the page gave
 * none; it is missing in the answer to `LookRequest`, which is not from `update()`.
 */
export type Update = { type: 'update' } & Changes;

/** Stands for an `update()` that the port drops after a violation. Its call still waits for an answer. */
type Dropped = { type: 'dropped' };

/** Loader to frame, over the port. */
export type HostMessage = Update | Dropped | Command | FontAnswer | SearchAnswer;

/** Parses a message of the loader other than a font; null if this release doesn't know it. */
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

/**
 * `HostMessage` before parsing, as the loader posts it: the loader passes the page's answers on without reading them.
 */
export type HostMessageInput =
  | Exclude<HostMessage, { type: 'secret' | 'covers' | 'beforepay' | 'font' | 'search' | 'dropped' }>
  | ({ type: 'covers' } & Partial<CoversAnswer>)
  | ({ type: 'beforepay' } & Partial<BeforePayAnswer>)
  | { type: 'secret'; clientSecret?: string | undefined }
  | ({ type: 'font' } & FontFile)
  | ({ type: 'search' } & PostedSuggestions);

/**
 * The form can't load: one of its scripts could not be fetched or was altered (`integrity`), or the release was
 * withdrawn. `file` is the altered script's address, if known, or advice about a withdrawn release.
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
 * Asks the page what covers these lines of the frame, at most one per place that shows the amount. With `front` the
 * page first brings the form to the front, unless it keeps the buyer from using it; with `false` it puts the form back.
 */
export type CoversRequest = { type: 'covers'; lines: Line[]; front?: boolean | undefined };

/** Asks for the covers of these lines of the frame; with `front`, after moving it to the front or back. */
export type AskCovers = (
  lines: CoversRequest['lines'],
  front?: CoversRequest['front'],
) => Promise<CoversAnswer>;

/** Asks the page for the file of a font, by its place in the option `fonts`. */
type FontRequest = { type: 'font'; font: number };

/**
 * Asks the page for addresses that match what the buyer typed; `search` numbers the requests of this form. Without
 * `query`, it cancels the latest request. A new request replaces the previous one.
 */
type SearchRequest = {
  type: 'search';
  search: number;
  query?: string | undefined;
  country?: string | undefined;
};

/**
 * Asks for an `update` when the backdrop of the form changes, or one of the page's custom properties named in `style`;
 * the first one at once, after a closer look. With `keep` it asks for none, and says whether the form may be parked
 * from now on.
 */
type LookRequest = {
  type: 'update';
  style?: string[] | undefined;
  /** Asks for the look of the elements that `appearance.from` names, which only the page has. */
  from?: true | undefined;
  /** Where to send the answer at once, with nothing but the look: the form has not been painted yet. */
  reply?: MessagePort | undefined;
  keep?: boolean | undefined;
};

/**
 * Answers the earliest unanswered `update()`: null, or the reason why the other payment intent is not in the form.
 * `clientSecret`: that of the intent in the form, if it has one. `update`: the answer to all calls if the page can't
 * load the script that finds the earliest.
 */
export type Updated = {
  type: 'update';
  updated: CardFormError | null;
  clientSecret: string;
  update: CardFormError;
};

/** Calls the page's `beforePay`; `press` numbers the presses of this form. `amountTotal` in minor units. */
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

/** Everything the loader needs to show the frame, posted at each change. */
export type State = {
  type: 'state';
  /** The form's height in whole CSS pixels, at most 4096. */
  height: number;
  /** All of our classes that the container has now. */
  classes: readonly ContainerClass[];
  /** A payment was sent, and its outcome is not known yet. */
  sent: boolean;
};

/** The maximum number of kinds of troubles that `diagnostics()` counts. */
export const MOST_TROUBLES = 40;

/** Events whose detail is a field of the message, named like the event. For the others, the message is the detail. */
type NamedEvent = 'error' | 'result' | 'status';

/** The page's events except `loaderror`, whose detail comes from the loader. */
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
