/**
 * Hints for the page's developer. Each is logged to the console once and, with a sandbox key, shown in the form
 * (`problem-panel.ts`). Loaded only on a loopback address or with the option `debug`. `loader/mistakes.ts` explains
 * errors that happen before the form exists.
 */
import type { FrameMessage } from '../../channel/messages.ts';
import { SMALLEST_FRAME, SMALLEST_SIZE } from '../press/smallest-frame.ts';
import type { DiagnosticsLog } from './diagnostics.ts';
import { optionHints } from './option-hints.ts';
import { createProblemPanel } from './problem-panel.ts';

/** Advice on errors that only a developer can fix. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client_secret:
    'No payment intent of this account has this client secret. Use the client_secret from the response that created the intent, and make sure that publishableKey and the secret key of your server belong to the same account.',
  payment_intent_not_found:
    'No payment intent of this account has this client secret: publishableKey and the secret key of your server belong to different accounts.',
  invalid_api_key:
    'The service does not know this publishableKey. Copy it again: every service and every sandbox has its own keys.',
  api_key_revoked: 'This publishableKey was revoked. Use the new one.',
  payment_details_missing:
    'The payment intent lacks details that only your server can add: buyer, order_reference or shipping_details. Update the intent, then call refresh(). If the service sends missing_details, a warning names them before the buyer pays.',
  no_secret: 'fetchClientSecret() must resolve to a client secret (lg_cs_…) within 30 seconds.',
  protocol:
    'The page called update() or other methods too often: the form accepts 20 calls a second. Call them when something changes, not on every animation frame or key.',
  payment_intent_canceled:
    'The payment intent of this client secret was canceled and can never be paid. Create another intent for the order, or pass fetchClientSecret, which the form then calls for another one.',
  payment_intent_not_pending:
    'All attempts of this payment intent are used. Create another intent for the order, or pass fetchClientSecret, which the form then calls for another one.',
  already_paid:
    'This client secret was used already: its payment had succeeded before this form read it. Nothing is left to do for that order. Another order needs another payment intent, so derive the Idempotency-Key from the order.',
  internal_csp: 'The service must send the frame with the headers in headers.json.',
  too_soon:
    'Pay was pressed before the total had been in view for half a second since it last changed. Keep the total or the button in view. In tests use a click() that waits until the button can be clicked.',
  moved:
    'The button moved under the pointer right before it was pressed. Reserve the height of the form, and do not add or remove content above it.',
  obscured:
    'An element of the page lies over the total or the Pay button. Look for an element positioned over the form, even one with pointer-events: none; document.elementsFromPoint() finds it once pointer-events is auto. You also get this hint if the form is scaled below half its size, more than half transparent or blurred, as in a dialog that is still opening.',
  too_small: `Give the container at least ${SMALLEST_SIZE}.`,
  incomplete: 'submit() was called before the form was complete. The form shows the buyer what is missing.',
};

/** Hints caused by pressing too early. Anybody can do that, so they don't count as problems of the page. */
const ABOUT_ONE_PRESS: readonly string[] = ['incomplete', 'too_soon'];

/** The first read may fail for this long before a hint is logged, in ms. The form itself retries for longer. */
const UNREACHED_AFTER = 3000;

const UNREACHED =
  'The requests of the form to /partner/v1/client/ get no response, although the form itself was loaded from the same service. Look for them in the network panel: ERR_BLOCKED_BY_CLIENT means an extension such as an ad blocker, which must allow the address. Anything else is a proxy, a firewall, or a service that has stopped.';

/** Problems with the form's width and height, in CSS pixels. */
const SIZE_HINTS = {
  hidden:
    'The form is not shown: its container, or an element around it, has display: none, as in a closed tab, accordion or dialog. That is fine if you show it before the buyer pays. The form need not be mounted again then.',
  flat: `The container has no width, as an empty flex item, an inline element or a float has. Give it a width, such as width: 100%; the form needs at least ${SMALLEST_SIZE} to take a payment.`,
  small: `The form needs at least ${SMALLEST_SIZE} to take a payment.`,
};

/**
 * A size must be stable for this long before it is checked, in ms. An opening dialog or accordion passes through sizes
 * that are too small.
 */
const SETTLES_AFTER = 500;

/** Width of the frame if its container has none, in CSS pixels: the room for the focus ring on both sides. */
const NO_WIDTH = 8;

const sizeProblem = (width: number, height: number): keyof typeof SIZE_HINTS | null => {
  if (width <= NO_WIDTH) return height === 0 ? 'hidden' : 'flat';
  return width < SMALLEST_FRAME.width || height < SMALLEST_FRAME.height ? 'small' : null;
};

type Parts = {
  /** The page's `init` without its client secret. */
  options: object;
  /** Holds the events from before this script loaded, and the failed requests. */
  diagnostics: Pick<DiagnosticsLog, 'answer'>;
  /** True if the page is on the developer's machine. */
  isLocal: boolean;
  publishableKey: string;
  /** Sends the page a warning, which comes back here as a message. */
  warn(about: string, hint: string): void;
};

/** Checks the page's options now. Call the returned function with every message sent to the page. */
export const createDevHints = ({
  options,
  diagnostics,
  isLocal,
  publishableKey,
  warn,
}: Parts): ((message: FrameMessage) => void) => {
  const show = createProblemPanel();
  const isSandbox = publishableKey.startsWith('pk_live_sandbox');
  const said = new Set<string>();
  /** `isProblem`: the page has to be changed. */
  const say = (cause: string, remedy: string, isProblem = true) => {
    const text = `${cause}: ${remedy}`;
    if (said.has(text)) return;
    said.add(text);
    // biome-ignore lint/suspicious/noConsole: this is for the developer of the page
    console.warn(`CardForm: ${text}`);
    if (isProblem) show({ cause, remedy });
  };
  const explain = (code: string) => {
    const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
    if (advice !== undefined) say(code, advice, !ABOUT_ONE_PRESS.includes(code));
  };
  const repeat = (about: string, hint: string) =>
    say(about, hint, about !== 'connection' && hint !== SIZE_HINTS.hidden);

  /** Logs which sandbox this is: several may run on one machine, and they look alike. */
  const nameSandbox = () => {
    // biome-ignore lint/suspicious/noConsole: this is for the developer of the page
    console.info(
      `CardForm: ready. The service is the sandbox at ${location.origin}, with the publishable key …${publishableKey.slice(-5)}. Open that address to see its payments.`,
    );
  };

  const recorded = () =>
    diagnostics.answer({ type: 'diagnostics', release: '', timeOrigin: 0, timings: { mounted: 0 } });

  /** True once the form has waited for a payment's outcome. Otherwise the payment was over at the first read. */
  let wasUnderWay = false;
  const follow = (event: string, what: string) => {
    if (event === 'processing') wasUnderWay = true;
    if (event === 'error') explain(what);
    // Not for a form that shows an error or an outcome.
    if (event === 'ready' && isSandbox && recorded().timings.payable !== undefined) nameSandbox();
    if (event === 'result' && what === 'canceled') explain('payment_intent_canceled');
    if (event === 'result' && what === 'succeeded' && !wasUnderWay) explain('already_paid');
  };

  for (const { event, what = '' } of recorded().entries) {
    follow(event, what);
    const [, about = '', hint = ''] = /^([^:]*): (.*)$/s.exec(event === 'warning' ? what : '') ?? [];
    if (about) repeat(about, hint);
  }
  setTimeout(() => {
    const { troubles, timings, entries } = recorded();
    const isUnread = timings.payable === undefined && entries.every(({ event }) => !IS_READ.includes(event));
    const hasFailed = Object.keys(troubles).some((trouble) => UNANSWERED.test(trouble));
    if (isUnread && hasFailed && navigator.onLine) say('blocked_requests', UNREACHED);
  }, UNREACHED_AFTER);

  for (const { option, message } of optionHints(options)) queueMicrotask(() => warn(option, message));
  if (isSandbox && !isLocal) {
    queueMicrotask(() =>
      warn(
        'publishableKey',
        'This is the key of a sandbox, but the page is not on a loopback address: no payment here moves money. Use the publishableKey of the service.',
      ),
    );
  }
  const checkSize = () => {
    const { innerWidth, innerHeight } = window;
    const problem = sizeProblem(innerWidth, innerHeight);
    if (problem) warn('container', SIZE_HINTS[problem]); // each warning is sent once
  };
  let check: ReturnType<typeof setTimeout>;
  const checkOnceSettled = () => {
    clearTimeout(check);
    check = setTimeout(checkSize, SETTLES_AFTER);
  };
  addEventListener('resize', checkOnceSettled);
  checkOnceSettled();

  return (message) => {
    switch (message.type) {
      case 'warning':
        return repeat(message.about, message.hint);
      case 'error':
        follow('error', message.error.code);
        if (message.error.code === 'invalid_option') say(`${message.error.param}`, message.error.message);
        return;
      case 'result':
        follow('result', message.result.outcome);
        if (message.result.outcome === 'failed') explain(message.result.error.code);
        return;
      default:
        follow(message.type, '');
    }
  };
};

/** Events that only occur after the intent has been read. */
const IS_READ: readonly string[] = ['processing', 'result'];

/** Unanswered reads, as `diagnostics()` counts them. */
const UNANSWERED = /^retrieve\.(network|blocked_fetch|timeout)$/;
