/**
 * What a developer is told while the page is their own (a loopback address, or the option `debug`): on the console,
 * once each. Fetched only there.
 */
import type { Diagnosis, FrameMessage } from '../../channel/messages.ts';

/** Every option of the script, and what else stands in an `init`. */
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
const OURS = ['channel', 'protocol', 'colorScheme'];

/** What to do about an error that only a developer can put right. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client_secret:
    'No payment intent of this account has this client secret. Take clientSecret from the answer that created the intent, and see that publishableKey is of the same account as the secret key of your server.',
  payment_intent_not_found:
    'No payment intent of this account has this client secret: publishableKey and the secret key of your server are of different accounts.',
  invalid_api_key:
    'The service does not know this publishableKey. Copy it anew; the server of another service or sandbox has other keys.',
  api_key_revoked: 'This publishableKey was revoked. Give the page the new one.',
  payment_details_missing:
    'The payment intent lacks details that only your server can add: buyer, items or shipping_details. Update it, then call refresh(). The browser is never told who the buyer is, so this shows only when it is paid.',
  no_secret: 'fetchClientSecret() must fulfil with a client secret (lg_cs_…) within 30 seconds.',
  protocol:
    'update() and the other methods are for changes, not for every frame or key: the form listens to 20 calls a second.',
  internal_csp: 'The service must send the headers of headers.json with the frame.',
  too_soon:
    'Pay was pressed before the total had been in view for half a second since it last changed. Keep the total or the button in view, and let a test press after it has been: a plain click() of a test tool waits by itself.',
  moved:
    'The button moved under the pointer right before it was pressed. Let the form keep its place: reserve its height, and put nothing above it that comes or goes late.',
  obscured:
    'Something of the page lies over the total or the Pay button. Look for what is positioned over the form, also if it lets the pointer through; document.elementsFromPoint() finds it once pointer-events is auto.',
  too_small: 'Give the container at least 200 by 120 CSS pixels.',
  incomplete: 'submit() before everything was filled in: the form shows the buyer what is missing.',
};

/** The option that was probably meant, or null: the nearest that can be had with a third of its letters changed. */
export const closestOption = (name: string): string | null => {
  const plain = (text: string) => text.replace(/[^a-z]/gi, '').toLowerCase();
  const near = OPTIONS.map((option) => ({ option, far: distance(plain(name), plain(option)) }))
    .filter(({ option, far }) => far <= option.length / 3)
    .sort((a, b) => a.far - b.far);
  return near[0]?.option ?? null;
};

/** Levenshtein's. */
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
  /** Of all that the page's `init` has; not what, which is a secret among others. */
  names: readonly string[];
  /** What the page was told before this was there. */
  entries: readonly Diagnosis[];
  /** The key is of a sandbox, and the page is not on the developer's own machine. */
  isAstray: boolean;
  /** A warning for the page; it comes back here as a message. */
  warn(about: string, hint: string): void;
};

/** Looks at what the page gave, and returns what hears what it is told from now on. */
export const assist = ({ names, entries, isAstray, warn }: Parts): ((message: FrameMessage) => void) => {
  const told = new Set<string>();
  const tell = (text: string) => {
    if (told.has(text)) return;
    told.add(text);
    // biome-ignore lint/suspicious/noConsole: the developer of the page is the one to know
    console.warn(`CardForm: ${text}`);
  };
  const explain = (code: string) => {
    const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
    if (advice !== undefined) tell(`${code}: ${advice}`);
  };

  for (const { event, what = '' } of entries) {
    if (event === 'warning') tell(what);
    if (event === 'error') explain(what);
  }
  for (const name of names) {
    if (OPTIONS.includes(name) || OURS.includes(name)) continue;
    const option = closestOption(name);
    const hint = option ? `Did you mean ${option}?` : `There are ${OPTIONS.join(', ')}.`;
    queueMicrotask(() => warn(name, `There is no such option. ${hint}`));
  }
  if (isAstray) {
    queueMicrotask(() =>
      warn(
        'publishableKey',
        'This key is of a sandbox, and this page is not on a loopback address: nobody who pays here pays. Give the page the publishableKey of the service.',
      ),
    );
  }
  const measure = () => {
    const { innerWidth, innerHeight } = window;
    if (innerWidth >= 200 && innerHeight >= 120) return;
    removeEventListener('resize', measure); // said once, whatever its size is next
    warn(
      'container',
      `The form has ${innerWidth} by ${innerHeight} CSS pixels; it needs 200 by 120 to be paid in.`,
    );
  };
  addEventListener('resize', measure);
  queueMicrotask(measure);

  return (message) => {
    if (message.type === 'warning') tell(`${message.about}: ${message.hint}`);
    if (message.type === 'error') {
      explain(message.error.code);
      if (message.error.code === 'invalid_option') tell(`${message.error.param}: ${message.error.message}`);
    }
  };
};
