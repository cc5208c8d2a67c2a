/** Connects client, machine and the merchant's page to the form's signals, and decides nothing itself. */
import { effect, type Signal, signal } from '@preact/signals';
import { type Client, createClient } from '../../api/client.ts';
import { systemClock } from '../../api/clock.ts';
import type { Refusal } from '../../api/errors.ts';
import type { AppearanceProblem } from '../../appearance/resolve.ts';
import { digitsOf } from '../../card/caret.ts';
import { type FieldName, placeOf } from '../../channel/field-names.ts';
import type { HandshakeResult } from '../../channel/handshake.ts';
import {
  type CoversAnswer,
  type FrameMessage,
  type HostMessage,
  type Init,
  readInit,
} from '../../channel/messages.ts';
import { createFramePort } from '../../channel/port.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { createPayment, type Payment } from '../../payment/payment.ts';
import { type PaymentState, PHASE } from '../../payment/payment-state.ts';
import { focusField } from '../first/controls.ts';
import type { Ahead } from '../first/prefetch.ts';
import type { CardForm } from '../form/card-form.ts';
import { createNews, deafened, notPressed } from '../merchant/events.ts';
import { watchFocus } from '../merchant/focus-watch.ts';
import { type Misfit, misfitOf, ungiven } from '../merchant/option-problems.ts';
import { createLog, createPage, tellTheState, tellTheWay } from '../merchant/options.ts';
import { afterPointer } from '../press/after-pointer.ts';
import { createGuard, type Guard, type Payable } from '../press/guard.ts';
import { createPress, type Press, type Till } from '../press/press.ts';
import { fieldOfParam, type View, view } from '../view/view.ts';
import type { Words } from '../view/words.ts';
import { createCalls, intentIdOf } from './calls.ts';
import { createSecrets, type Secrets } from './client-secret.ts';
import { createLifecycle } from './lifecycle.ts';
import { createBlocked } from './network-diagnosis.ts';
import { createTabs } from './tabs.ts';
import { keepTurn } from './turn.ts';

/** What the screen can ask for. */
export type Desk = {
  /** The one way to pay. */
  press: Press;
  /** Who judges whether a press may count. */
  guard: Guard;
  /** "Try again" or "Check status". */
  retry(): void;
  /** The buyer went back to the fields: the hint about the last press is out of date. */
  clearPressHint(): void;
};

/** What ends an attempt for the page. */
const ENDS: readonly FrameMessage['type'][] = ['amountchange', 'decline', 'error', 'result'];

/** While the page wants nothing to change, nothing can be typed or paid; to look again is no change. */
const heldStill = (shown: View): View => {
  if (shown.screen !== 'form') return shown;
  const action = shown.action.kind === 'pay' ? ({ ...shown.action, kind: 'idle' } as const) : shown.action;
  return { ...shown, locked: true, action };
};

/** What the page may change about how the form looks and sounds. */
export type Dress = Partial<Pick<Init, 'locale' | 'colorScheme' | 'appearance'>>;

export type Parts = {
  form: CardForm;
  screen: Signal<View>;
  /** Why the last press did not count, as a message to the buyer. */
  pressHint: Signal<MessageKey | null>;
  /** Whether the page took the focus from a card field the buyer was typing in. */
  isInterrupted: Signal<boolean>;
  words: Words;
  /** The read that was sent as soon as it was known whom to ask. */
  ahead: Ahead | null;
  /** Fields that are not asked for. */
  hidden: Signal<readonly FieldName[]>;
  /** Told whenever the page changes its mind. Fulfils with what of the appearance cannot be worn. */
  dress(options: Dress): Promise<readonly AppearanceProblem[]>;
};

/** All that is kept of it: the rest holds the client secret. */
const kept = ({
  payButton,
  fetchClientSecret,
  allowedCountries,
  acceptedBrands,
  translations,
  readOnly,
  defaultValues,
  fields,
}: Init) => ({
  payButton,
  canReplace: fetchClientSecret ?? false,
  allowedCountries,
  acceptedBrands,
  translations,
  readOnly,
  defaultValues,
  fields,
});

const COULD_NOT_LOOK =
  "The page's script could not look whether something lies over the total: its second file did not load. Allow the folder of the card form in script-src, with a slash at its end: https://…/partner/v1/card-form/";

/** Whether a page of this origin is a developer's own. */
const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(localhost|[^/:]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);

/** Takes over after the handshake. Where the page's `init` does not parse, it says so and nothing is ever sent. */
export const openDesk = (
  { data, port, origin }: HandshakeResult,
  { form, screen, pressHint, isInterrupted, dress, words, ahead, hidden }: Parts,
): Desk => {
  const payable = signal<Payable | null>(null);
  /** Questions to the page's script that it has not answered yet, oldest first. */
  const asked: ((answer: CoversAnswer) => void)[] = [];
  const ending = new AbortController();
  const guard = createGuard({
    clock: systemClock,
    payable,
    ask: (lines) =>
      new Promise((resolve) => {
        asked.push((answer) => {
          if (lines.length > 0 && answer.covers.length === 0) page.warn('script-src', COULD_NOT_LOOK);
          resolve(answer);
        });
        framePort.post({ type: 'covers', lines: [...lines] });
      }),
    ending: ending.signal,
  });
  const init = readInit(data);
  if (!init) {
    ahead?.abandon();
    return refuse(port, screen, guard);
  }
  const misfit = misfitOf(init);
  if (misfit) {
    ahead?.abandon();
    return refuse(port, screen, guard, unusable(misfit));
  }
  const log = createLog(systemClock.now);
  const isDeaf = signal(false);
  const framePort = createFramePort(port, {
    onMessage: (message) => receive(message),
    onViolation: () => {
      isDeaf.value = true;
    },
    now: systemClock.now,
  });
  /** A payment was sent, and its outcome is not known. */
  const inFlight = signal(false);
  let help = (_: FrameMessage) => {};
  const post = (message: FrameMessage) => {
    if (message.type === 'error' && message.error.retryAfter !== undefined) {
      post({ type: 'ratelimited', retryAfter: message.error.retryAfter });
    }
    log.note(message);
    framePort.post(message);
    if (message.type === 'processing') inFlight.value = true;
    else if (ENDS.includes(message.type)) inFlight.value = false;
    help(message);
  };
  const { payButton, canReplace, ...options } = kept(init);
  const watch = watchFocus(
    {
      isDone: (name) => form.fields[name].isComplete.peek(),
      onBack: () =>
        afterPointer(() => {
          pressHint.value = null;
          isInterrupted.value = true;
        }),
    },
    ending.signal,
  );
  const page = createPage({ form, words, guard, watch, screen, hidden, post, options });
  const lacking = ungiven(init, form);
  if (lacking) {
    ahead?.abandon();
    return refuse(port, screen, guard, unusable(lacking));
  }
  const wear = async (look: Dress) => {
    for (const { option, message } of await dress(look)) page.warn(option, message);
  };

  const lifecycle = createLifecycle(systemClock.now);
  const secrets = createSecrets({
    first: init.clientSecret,
    ask: (anew) => post({ type: 'secret', anew }),
    clock: systemClock,
  });
  const client = createClient({
    baseUrl: location.origin,
    publishableKey: init.publishableKey,
    clientSecret: secrets.current,
    clock: systemClock,
    typed: () => digitsOf(form.fields.number.text.peek()),
    firstRead: ahead ?? undefined,
  });
  const blocked = createBlocked(
    {
      now: systemClock.now,
      isOnline: () => lifecycle.online.peek(),
      origin: location.origin,
      isForbidden: ahead?.isForbidden() ?? false,
    },
    ending.signal,
  );
  let sentAt = ahead?.at;
  const retrieve: Client['retrieve'] = (abort) => {
    const since = sentAt;
    sentAt = undefined;
    return blocked.name(() => client.retrieve(abort), since);
  };
  const intentId = () => intentIdOf(payment);
  const tabs = createTabs({
    locks: navigator.locks,
    channel: () => new BroadcastChannel('card-form'),
    clock: systemClock,
    onEnd(id) {
      if (id === intentId()) payment.send({ type: 'refresh_requested' });
    },
  });
  const payment: Payment = createPayment({
    calls: createCalls({ client: { ...client, retrieve }, secrets, tabs, intentId, details: form.details }),
    clock: systemClock,
    random: Math.random,
    isAwake: lifecycle.isAwake,
    canReplace,
    onDefect: reportError,
  });

  const close = () => {
    ending.abort();
    payment.send({ type: 'closed' });
    form.clearCard();
    tabs.close();
    framePort.close();
  };
  const till: Till = {
    pay(shown) {
      const before = payment.state.peek();
      if (form.details()) payment.send({ type: 'submitted', shown });
      return payment.state.peek() !== before;
    },
    notPressed: (why) => post(notPressed(why)),
    retry: () => payment.send({ type: 'retry_requested' }),
  };
  // A page with the button could have the focus brought back by a press, too.
  const lead = (field: FieldName) => {
    if (placeOf(field) !== 'card' || !watch.isInterrupted()) focusField(field);
  };
  const press = createPress({
    form,
    screen,
    till,
    guard,
    pressHint,
    isInterrupted,
    clock: systemClock,
    lead,
    reveal: () => document.querySelector('.pay')?.scrollIntoView({ block: 'nearest' }),
  });
  const receive = (message: HostMessage) => {
    switch (message.type) {
      case 'update':
        void wear(message);
        return page.update(message);
      case 'focus':
        return page.focus(message.field);
      case 'blur':
        return page.blur();
      case 'clear':
        return page.clear();
      case 'diagnostics':
        return post({ type: 'diagnostics', diagnostics: log.entries() });
      case 'refresh':
        return payment.send({ type: 'refresh_requested' });
      case 'submit':
        if (payButton === 'host') void press('host');
        return;
      case 'covers':
        return asked.shift()?.(message);
      case 'secret':
        return secrets.give(message.clientSecret);
      case 'destroy':
        return close();
    }
  };
  const focused = signal(false);
  effect(() => {
    payable.value = payableIn(payment.state.value);
  });
  effect(() => {
    const shown = view(payment.state.value, lifecycle.online.value);
    screen.value = page.readOnly.value ? heldStill(shown) : shown;
    if (!lifecycle.online.value) page.warn('connection', 'The browser is offline.');
  });
  tellThePage(payment, post, form);
  tellTheState(post, form, focused, () => inFlight.value);
  tellTheWay(post, ending.signal, focused);
  effect(() => {
    const message = isDeaf.value && deafened(payment.state.value);
    if (!message) return;
    isDeaf.value = false; // once
    post(message);
  });
  guardSecrets(payment, form, secrets);
  keepTurn(payment, tabs);
  markRefused(payment, form);
  lifecycle.tell(payment.send, ending.signal);
  askBeforeLeaving(payment, ending.signal);

  void wear(init); // worn already, as far as it was known; what is wrong with it is told now
  payment.send({ type: 'opened' });
  const isLocal = isLoopback(origin);
  if (init.debug || isLocal) {
    // Not `data` itself: it would stay as long as the form, and the client secret with it.
    const names = Object.keys(Object(data));
    const isAstray = !isLocal && init.publishableKey.startsWith('pk_live_sandbox');
    import('../merchant/dev-hints.ts')
      .then(({ assist }) => {
        help = assist({ names, entries: log.entries(), isAstray, warn: page.warn });
      })
      .catch(() => undefined); // nothing that a payment needs
  }

  return {
    guard,
    press,
    retry: till.retry,
    clearPressHint: () => {
      pressHint.value = null;
    },
  };
};

/** What the guard follows. */
const payableIn = (state: PaymentState): Payable | null =>
  state.status === 'ready'
    ? {
        amount: `${state.intent.amount_total} ${state.intent.currency}`,
        notBefore: state.armedAt,
      }
    : null;

/** Such an `init` comes of another script than ours, or of options that cannot be followed; the buyer must not look at an empty box all the same. */
const refuse = (port: MessagePort, screen: Signal<View>, guard: Guard, error = INVALID_INIT): Desk => {
  const framePort = createFramePort(port, {
    onMessage: () => undefined,
    onViolation: () => undefined,
    now: systemClock.now,
  });
  const blocked: PaymentState = { status: 'blocked', intent: null, error, recoverable: false };
  screen.value = view(blocked, true);
  for (const message of createNews()({ status: 'booting' }, blocked)) framePort.post(message);
  return { guard, press: async () => undefined, retry: () => undefined, clearPressHint: () => undefined };
};

const unusable = ({ option, why }: Misfit): Refusal => ({
  ...INVALID_INIT,
  code: 'invalid_option',
  message: why,
  param: option,
});

const INVALID_INIT: Refusal = {
  kind: 'refused',
  status: 400,
  code: 'invalid_init',
  type: 'invalid_request_error',
  message: 'The page began the form with a message it could not read. Use the card-form script unchanged.',
  param: null,
  declineCode: null,
};

const tellThePage = (payment: Payment, post: (message: FrameMessage) => void, form: CardForm) => {
  const newsOf = createNews();
  let previous = payment.state.peek();
  effect(() => {
    const state = payment.state.value;
    for (const message of newsOf(previous, state)) post(message);
    previous = state;
  });
  let told = '';
  effect(() => {
    const change = {
      complete: form.isComplete.value,
      empty: form.isEmpty.value,
      brand: form.brand.value,
    };
    const words = JSON.stringify(change);
    const isFirst = told === '';
    if (words === told) return;
    told = words;
    if (!isFirst) post({ type: 'change', ...change });
  });
};

/** The security code is used for one attempt; after the end the whole card is forgotten, and what was to ask with. */
const guardSecrets = (payment: Payment, form: CardForm, secrets: Secrets) => {
  effect(() => {
    const state = payment.state.value;
    switch (PHASE[state.status]) {
      case 'unresolved':
      case 'settling':
        return form.clearCvc();
      case 'ended':
      case 'destroyed':
        secrets.forget();
        return form.clearCard();
      default: // another payment wants another look at the card
        if (state.status === 'loading' && state.replaces) form.clearCard();
    }
  });
};

/** A field the service refused is marked as such until it is changed. */
const markRefused = (payment: Payment, form: CardForm) => {
  effect(() => {
    const state = payment.state.value;
    if (state.status !== 'ready' || state.feedback.notice?.kind !== 'details_refused') return;
    const field = fieldOfParam(state.feedback.notice.error.param);
    if (field) form.fields[field].refuse();
  });
};

/** Only while an attempt is under way: a permanent handler would keep the page out of the cache. */
const askBeforeLeaving = (payment: Payment, ending: AbortSignal) => {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  effect(() => {
    const phase = PHASE[payment.state.value.status];
    if (phase === 'confirming' || phase === 'unresolved') {
      window.addEventListener('beforeunload', ask, { signal: ending });
    } else {
      window.removeEventListener('beforeunload', ask);
    }
  });
};
