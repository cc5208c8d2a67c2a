/**
 * Hints for the developer of the page, each written to the console once. Loaded only on a loopback address or with the
 * option `debug`.
 */
import type { Diagnosis, FrameMessage } from '../../channel/messages.ts';
import { SMALLEST_FRAME, SMALLEST_SIZE } from '../press/smallest-frame.ts';

/** Every option a page can give. */
const OPTIONS = [
  'publishableKey',
  'clientSecret',
  'fetchClientSecret',
  'locale',
  'payButton',
  'appearance',
  'defaultValues',
  'fields',
  'allowedCountries',
  'acceptedBrands',
  'translations',
  'readOnly',
  'signal',
  'debug',
];

/** What the loader adds to them in `init`. */
const ADDED_BY_LOADER = ['channel', 'protocol', 'colorScheme'];

/** What to do about errors that only a developer can fix. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client_secret:
    'No payment intent of this account has this client secret. Use the client_secret from the response that created the intent, and make sure that publishableKey and the secret key of your server belong to the same account.',
  payment_intent_not_found:
    'No payment intent of this account has this client secret: publishableKey and the secret key of your server belong to different accounts.',
  invalid_api_key:
    'The service does not know this publishableKey. Copy it again: every service and every sandbox has its own keys.',
  api_key_revoked: 'This publishableKey was revoked. Use the new one.',
  payment_details_missing:
    'The payment intent lacks details that only your server can add: buyer, order_reference or shipping_details. Update the intent, then call refresh(). A service that sends missing_details has them named in a warning before the buyer pays.',
  no_secret: 'fetchClientSecret() must resolve to a client secret (lg_cs_…) within 30 seconds.',
  protocol:
    'The page called update() or other methods too often: the form accepts 20 calls a second. Call them when something changes, not on every animation frame or key.',
  internal_csp: 'The service must send the frame with the headers in headers.json.',
  too_soon:
    'Pay was pressed before the total had been in view for half a second since it last changed. Keep the total or the button in view. In tests use a click() that waits until the button can be clicked.',
  moved:
    'The button moved under the pointer right before it was pressed. Reserve the height of the form, and do not add or remove content above it.',
  obscured:
    'An element of the page lies over the total or the Pay button. Look for an element positioned over the form, even one with pointer-events: none; document.elementsFromPoint() finds it once pointer-events is auto.',
  too_small: `Give the container at least ${SMALLEST_SIZE}.`,
  incomplete: 'submit() was called before the form was complete. The form shows the buyer what is missing.',
};

/** The option with the smallest edit distance, if that is at most a third of its length; otherwise null. */
export const closestOption = (name: string): string | null => {
  const lettersOf = (text: string) => text.replace(/[^a-z]/gi, '').toLowerCase();
  const candidates = OPTIONS.map((option) => ({
    option,
    edits: distance(lettersOf(name), lettersOf(option)),
  }))
    .filter(({ option, edits }) => edits <= option.length / 3)
    .sort((a, b) => a.edits - b.edits);
  return candidates[0]?.option ?? null;
};

/** Levenshtein distance. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const [left = 0, up = 0, corner = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, up + 1, corner + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

type Parts = {
  /** Option names only: the values include the client secret. */
  names: readonly string[];
  /** The page's events before this script had loaded. */
  entries: readonly Diagnosis[];
  /** Whether the key is a sandbox's although the page is not on the developer's own machine. */
  isPublicSandbox: boolean;
  /** Sends the page a warning; it comes back here as a message. */
  warn(about: string, hint: string): void;
};

/** Checks the page's options now. Call the result with every message that is sent to the page. */
export const createDevHints = ({
  names,
  entries,
  isPublicSandbox,
  warn,
}: Parts): ((message: FrameMessage) => void) => {
  const logged = new Set<string>();
  const log = (text: string) => {
    if (logged.has(text)) return;
    logged.add(text);
    // biome-ignore lint/suspicious/noConsole: this is for the developer of the page
    console.warn(`CardForm: ${text}`);
  };
  const explain = (code: string) => {
    const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
    if (advice !== undefined) log(`${code}: ${advice}`);
  };

  for (const { event, what = '' } of entries) {
    if (event === 'warning') log(what);
    if (event === 'error') explain(what);
  }
  for (const name of names) {
    if (OPTIONS.includes(name) || ADDED_BY_LOADER.includes(name)) continue;
    const option = closestOption(name);
    const hint = option ? `Did you mean ${option}?` : `The options are ${OPTIONS.join(', ')}.`;
    queueMicrotask(() => warn(name, `Unknown option. ${hint}`));
  }
  if (isPublicSandbox) {
    queueMicrotask(() =>
      warn(
        'publishableKey',
        'This is the key of a sandbox, but the page is not on a loopback address: no payment here moves money. Use the publishableKey of the service.',
      ),
    );
  }
  const checkSize = () => {
    const { innerWidth, innerHeight } = window;
    if (innerWidth >= SMALLEST_FRAME.width && innerHeight >= SMALLEST_FRAME.height) return;
    removeEventListener('resize', checkSize); // one warning is enough
    warn(
      'container',
      `The form has ${innerWidth} by ${innerHeight} CSS pixels; it needs at least ${SMALLEST_SIZE} to take a payment.`,
    );
  };
  addEventListener('resize', checkSize);
  queueMicrotask(checkSize);

  return (message) => {
    if (message.type === 'warning') log(`${message.about}: ${message.hint}`);
    if (message.type === 'error') {
      explain(message.error.code);
      if (message.error.code === 'invalid_option') log(`${message.error.param}: ${message.error.message}`);
    }
  };
};
