/**
 * `mistakes.js`: explains the script's short errors, with the next step. Loaded by `page.js` on a loopback page or with
 * the option `debug` only. Each explanation has a row in "First-day mistakes" of docs/errors.md.
 */
import { closestName } from '../channel/closest-name.ts';
import { EVENTS } from '../channel/events.ts';
import { keysOf } from '../channel/own-property.ts';
import { ALL, INTERNAL, type Listeners } from './events.ts';
import type { CardFormMistakeCode, LoadErrorReason } from './types.ts';
import { watchPlace } from './watch-place.ts';

/**
 * The last five don't throw, since they do no harm: a method was called on an unmounted form, something cuts off the
 * form, a container came back without its form, and `on()` got an unknown event name or something other than a
 * function. `restored` explains itself (`copied-frames.ts`).
 */
export type MistakeCode =
  | CardFormMistakeCode
  | Exclude<LoadErrorReason, 'restored'>
  | 'unmounted'
  | 'cut_off'
  | 'put_back'
  | 'unknown_event'
  | 'no_handler';

const EVENT_NAMES: readonly string[] = keysOf(EVENTS);

/** Facts about the page that help to explain a mistake. */
export type Facts = {
  /** The missing element may just have been late: it exists now, or the page is still being parsed. */
  isLate: boolean;
  /** The page's protocol, such as `https:`. */
  protocol: string;
  /** The origin of the service. */
  service: string;
};

/** Kinds of values for "got a …". The first pattern that matches the beginning of the value counts. */
const KINDS: readonly [RegExp, string][] = [
  [/^pk_live_/, 'a publishable key'],
  [/^lg_cs_/, 'a client secret'],
  [/^(undefined|null|true|$)/, 'nothing'],
  [/^lg_pi_/, 'the id of a payment intent'],
  [/^\[object/, 'an object (if it is a promise, await it)'],
];

/** Explains why an option was refused. `detail` as in the error: its name, and the beginning of the value. */
const optionMistake = (detail: string): string => {
  const [name = '', value = ''] = detail.split(': ');
  const got = KINDS.find(([begins]) => begins.test(value))?.[1] ?? `something that begins with "${value}"`;
  if (name === 'publishableKey') {
    const next =
      got === 'a client secret'
        ? 'The two are swapped: the client secret (lg_cs_…) belongs in clientSecret.'
        : got === 'a publishable key'
          ? 'It is cut off or has characters around it: it has exactly 40. Copy it again.'
          : 'Give the publishable key of your account (pk_live_…); the sandbox prints its own when it starts.';
    return `publishableKey: got ${got}. ${next}`;
  }
  if (name === 'clientSecret') {
    const next =
      got === 'a publishable key'
        ? 'The two are swapped: the publishable key (pk_live_…) belongs in publishableKey.'
        : 'Give the client_secret (lg_cs_…) from the response that created the payment intent, or use the option fetchClientSecret.';
    return `clientSecret: got ${got}. ${next}`;
  }
  return `The options cannot be read (${detail}). Give signal an AbortSignal, and the others plain values: text, numbers, true and false, lists and objects of these.`;
};

/** Returns the problem and the next step. `detail` is the text of the error after its code. */
export const explanationOf = (
  code: MistakeCode,
  detail: string,
  { isLate, protocol, service }: Facts,
): string => {
  switch (code) {
    case 'target_not_found':
      return isLate
        ? `No element matched "${detail}" yet when mount() was called. Put the script that calls mount() below the element, or call it on DOMContentLoaded.`
        : `No element of the document matches "${detail}". Check the selector (an id needs #), and mount after your framework has rendered the element.`;
    case 'invalid_option':
      return optionMistake(detail);
    case 'secret_key_exposed':
      return 'A secret key (sk_…) was sent to the browser. Remove it from the page and revoke it: everybody who opened the page has it. The form needs the publishable key (pk_live_…).';
    case 'already_mounted':
      return 'This element, or this client secret, has a form already. Call unmount() on it first, as in the cleanup of an effect. Two forms need two payment intents.';
    case 'script_not_found':
      return 'The script could not find its own tag. Load it by a classic <script src> from the service; do not bundle or inline it, nor load it as a module.';
    case 'csp':
      return `Your Content-Security-Policy forbids the form's frame. Add this to it:\nframe-src ${service}/partner/v1/card-form/; script-src ${service}/partner/v1/card-form.js ${service}/partner/v1/card-form/`;
    case 'insecure_context':
      return 'The page is not served over https, so no form is shown. Use https, or open the page at http://localhost instead of a network address.';
    case 'opaque_parent':
      return 'The page has no origin: it was opened as a file, or is in a frame with sandbox but without allow-same-origin. Serve it from http://localhost, or add allow-same-origin. In a WebView of an app, load the page by its https address, or give the HTML a base URL: baseUrl in React Native and Flutter.';
    case 'offline':
      return `The browser is offline, so ${service} cannot be reached. The buyer can press "Try again".`;
    case 'timeout':
    case 'http':
    case 'blocked':
      if (/^(src=|a srcdoc)/.test(detail))
        return `Something on your page removed the address of the form's iframe, which now has ${detail}: a consent manager, a lazy loader or an extension. The form starts when the address is restored. Make an exception for ${service}: the buyer cannot pay without the form.`;
      if (protocol === 'https:' && service.startsWith('http:'))
        return `The page is on https, but ${service} is not: the browser blocks mixed content. Load the script from an https address.`;
      return `${
        {
          timeout: `The form's frame did not answer within ten seconds.`,
          http: `Something other than the form came from ${service}.`,
          blocked: `The form's frame was loaded again and again.`,
        }[code]
      } Open ${detail} in a tab. If it shows the form's page there, find out what keeps it from loading here: an ad blocker or another extension, a proxy, a service worker.`;
    case 'integrity':
      return `A script of the form arrived altered, and the browser did not run it: ${detail}. Check everything between the service and the browser: a cache, a proxy, an extension.`;
    case 'version_mismatch':
      return 'Script and frame are of different releases. Reload without the cache. If this persists, something caches one of them longer than its headers allow.';
    case 'withdrawn':
      return 'The service withdrew the release that this page pinned. Load the moving script, or pin another release (the service lists them in sri.json).';
    case 'unmounted':
      return `${detail}() was called on a form that was unmounted, so it did nothing. Keep what mount() returned last, forget it when you call unmount(), and remove timers and handlers that use it. A form is also unmounted when its container leaves the document or its signal aborts.`;
    case 'cut_off':
      return `An element is smaller than the form and cuts it off: ${detail}. Take off its height, max-height, overflow or contain, or let it scroll. That is fine if you open it before the buyer pays.`;
    case 'put_back':
      return `${detail} was taken out of the page and put back, and its form was unmounted when it was taken out. Call mount() again, in the code that puts it back.`;
    case 'unknown_event': {
      const meant = closestName(detail, EVENT_NAMES);
      return `on("${detail}"): there is no such event. ${meant ? `Did you mean "${meant}"?` : `The events are ${EVENT_NAMES.join(', ')}.`}`;
    }
    case 'no_handler':
      return `on("${detail}", …): the handler is not a function. Pass a function; it is called with the event's detail.`;
    default:
      return code satisfies never;
  }
};

/** Also handles strings that are not selectors, such as a stringified object. */
const hasElement = (selector: string): boolean => {
  try {
    return document.querySelector(selector) !== null;
  } catch {
    return false;
  }
};

/** The methods that do nothing after `unmount()`. The script itself may still post an answer to the frame. */
const METHODS: readonly string[] = ['update', 'refresh', 'focus', 'blur', 'submit', 'clear', 'validate'];

/** The methods called after `unmount()`. Each is explained once, because timers call them again and again. */
const explained = new Set<string>();

/** Watches the place of a form and logs problems with it to the console. */
export const watchPlaceOnConsole = (
  iframe: HTMLElement,
  findCutting: (iframe: HTMLElement) => string | undefined,
  service: string,
): void => watchPlace(iframe, findCutting, (code, element) => explainOnConsole(code, element, service));

/** Events already explained: a form asks more than once. */
const checked = new Set<string>();

/** Logs names given to `on()` that are not events, and handlers that are not functions. */
export const checkListeners = (listeners: Listeners, service: string): void => {
  for (const [name, handlers] of Object.entries(listeners)) {
    const isEvent = name === ALL || EVENT_NAMES.includes(name) || INTERNAL.test(name);
    const isHeard = [...(handlers?.keys() ?? [])].every((handler) => typeof handler === 'function');
    if ((isEvent && isHeard) || checked.has(name)) continue;
    checked.add(name);
    explainOnConsole(isEvent ? 'no_handler' : 'unknown_event', name, service);
  }
};

/** Logs the explanation to the console, beside the error. */
export const explainOnConsole = (code: MistakeCode, detail: string, service: string): void => {
  if (code === 'unmounted') {
    if (!METHODS.includes(detail) || explained.has(detail)) return;
    explained.add(detail);
  }
  const isLate = code === 'target_not_found' && (document.readyState === 'loading' || hasElement(detail));
  const facts: Facts = { isLate, protocol: location.protocol, service };
  // biome-ignore lint/suspicious/noConsole: this is for the developer of the page
  console.warn(
    `CardForm ${code}: ${explanationOf(code, detail, facts)}\nAll mistakes: "First-day mistakes" in ${service}/llms.txt`,
  );
};
