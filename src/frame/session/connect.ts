/**
 * Connects a session with the merchant's page and the form on the screen, in the browser. Reads top to bottom: the
 * page's options, the payment, the press, the page's messages.
 */
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { systemClock } from '../../api/clock.ts';
import { FIELD_NAMES, placeOf } from '../../channel/field-names.ts';
import type { HandshakeResult } from '../../channel/handshake.ts';
import {
  type DiagnosticsRequest,
  type FrameMessage,
  type HostMessage,
  readInit,
} from '../../channel/messages.ts';
import { ownProperty } from '../../channel/own-property.ts';
import { createFramePort } from '../../channel/port.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { type PaymentState, PHASE } from '../../payment/payment-state.ts';
import type { Prefetch } from '../first/prefetch.ts';
import type { CardForm } from '../form/card-form.ts';
import { focusField } from '../form/focus-field.ts';
import { createBeforePay } from '../merchant/before-pay.ts';
import { createCommands } from '../merchant/commands.ts';
import { createCoverQuestions } from '../merchant/cover-questions.ts';
import { createDiagnosticsLog } from '../merchant/diagnostics.ts';
import { createEventLog } from '../merchant/event-log.ts';
import { afterProtocolViolation, pressRefused } from '../merchant/events.ts';
import { watchFocus } from '../merchant/focus-watch.ts';
import { reportChanges, reportFocus, reportState, reportSubmitRequests } from '../merchant/form-events.ts';
import { holdChanges } from '../merchant/held-changes.ts';
import { changeFields } from '../merchant/live-fields.ts';
import { warnOfMissingDetails } from '../merchant/missing-details.ts';
import {
  findInvalidKey,
  findInvalidList,
  findMissingDefault,
  type OptionProblem,
} from '../merchant/option-problems.ts';
import { followOptions, type Update } from '../merchant/options.ts';
import { validate } from '../merchant/validation.ts';
import { createWarn } from '../merchant/warnings.ts';
import { afterPointer } from '../press/after-pointer.ts';
import { createGuard, type Guard, type Payable } from '../press/guard.ts';
import { createPress, type Press, totalToPay } from '../press/press.ts';
import { readOnlyView, type View } from '../view/view.ts';
import type { Words } from '../view/words.ts';
import { createLifecycle } from './lifecycle.ts';
import { createNetworkDiagnosis } from './network-diagnosis.ts';
import { refuseInit } from './refuse-init.ts';
import { createSession } from './session.ts';

/** What the components can ask for. */
export type FormActions = {
  /** The one way to pay. */
  press: Press;
  /** Judges whether a press may count. */
  guard: Guard;
  /** "Try again" or "Check status". */
  retry(): void;
  /** The buyer went back to the fields: the hint about the last press is out of date. */
  clearPressHint(): void;
};

export type Connection = {
  /** What the buyer sees. */
  view: ReadonlySignal<View>;
  /** Null if the page's `init` was refused: nothing can be paid. */
  actions: FormActions | null;
};

type Deps = {
  form: CardForm;
  /** Why the last press was refused, as a message to the buyer. */
  pressHint: Signal<MessageKey | null>;
  /** Whether the page took the focus from a card field that the buyer was typing in. */
  isInterrupted: Signal<boolean>;
  /** Whether the page has the Pay button. */
  isButtonless: Signal<boolean>;
  words: Words;
  /** The first read, if it was sent while this script was loading. */
  prefetch: Prefetch | null;
  /** Applies another look or language. Resolves with the problems in the appearance. */
  changeLook: Parameters<typeof followOptions>[1]['changeLook'];
};

/** Connects after the handshake. If the page's `init` cannot be used, says so and never sends a request. */
export const connect = ({ data, port, origin }: HandshakeResult, deps: Deps): Connection => {
  const { form, pressHint, isInterrupted, isButtonless, words, prefetch, changeLook } = deps;
  const ending = new AbortController();
  const log = createEventLog(systemClock.now);
  const diagnostics = createDiagnosticsLog(performance, log.entries);
  const brokeProtocol = signal(false);
  const framePort = createFramePort(port, {
    onMessage: (message) => receive(message),
    onViolation: () => {
      diagnostics.troubled('protocol');
      brokeProtocol.value = true;
    },
    now: systemClock.now,
  });
  let advise = (_: FrameMessage) => {};
  const post = (message: FrameMessage) => {
    log.note(message);
    framePort.post(message);
    advise(message);
  };
  const answerDiagnostics = (request: DiagnosticsRequest) =>
    framePort.post({ type: 'diagnostics', diagnostics: diagnostics.answer(request) });
  const answerValidate = (screen: View, canPay: boolean) =>
    framePort.post({ type: 'validate', ...validate(form, screen, canPay) });
  /** Until the options turned out to be usable or not. */
  let receive = (_: HostMessage) => {};
  const abandonPrefetch = prefetch?.abandon; // no closure may keep `prefetch`: its body holds the client secret
  const refuse = (problem: OptionProblem | null): Connection => {
    abandonPrefetch?.();
    const view = refuseInit(problem, post);
    receive = (message) => {
      if (message.type === 'diagnostics') answerDiagnostics(message);
      if (message.type === 'validate') answerValidate(view, false);
    };
    return { view: signal(view), actions: null };
  };
  const warn = createWarn(post);
  if (ownProperty(data, 'debug') === true || isLoopback(origin)) {
    const names = Object.keys(Object(data)); // option names only: the values include the client secret
    const isPublicSandbox =
      !isLoopback(origin) && `${ownProperty(data, 'publishableKey')}`.startsWith('pk_live_sandbox');
    import('../merchant/dev-hints.ts')
      .then(({ createDevHints }) => {
        advise = createDevHints({ names, diagnostics, isPublicSandbox, warn });
      })
      .catch(() => undefined); // no payment needs it
  }

  // The page's options.
  const init = readInit(data);
  if (!init) return refuse(findInvalidKey(data));
  const unknown = findInvalidList(init);
  if (unknown) return refuse(unknown);
  isButtonless.value = init.payButton === 'host'; // nothing below may keep `init`: it holds the client secret
  const options = followOptions(init, { form, words, changeLook, warn });
  const missing = findMissingDefault(init, form);
  if (missing) return refuse(missing);

  // The payment.
  const beforePay = createBeforePay(framePort.post, warn);
  const lifecycle = createLifecycle(systemClock.now);
  const session = createSession({
    service: {
      baseUrl: location.origin,
      publishableKey: init.publishableKey,
      prefetched: prefetch ?? undefined,
    },
    clientSecret: init.clientSecret,
    canReplace: init.fetchClientSecret ?? false,
    askPage: init.beforePay && beforePay.ask,
    form: {
      details: form.details,
      clearCard: form.clearCard,
      clearCvc: form.clearCvc,
      cardNumber: () => form.fields.number.text.peek(),
      markRefused: (field) => form.fields[field].refuse(),
    },
    lifecycle,
    tabs: { locks: navigator.locks, openChannel: () => new BroadcastChannel('card-form') },
    network: createNetworkDiagnosis(
      {
        now: systemClock.now,
        isOnline: () => lifecycle.online.peek(),
        origin: location.origin,
        isForbidden: prefetch?.isForbidden() ?? false,
      },
      ending.signal,
    ),
    clock: systemClock,
    random: Math.random,
    post,
    onFailure: diagnostics.requestFailed,
    onDefect: reportError,
  });
  const shown = computed(() =>
    options.readOnly.value ? readOnlyView(session.view.value) : session.view.value,
  );

  const canBePaid = computed(() => totalToPay(shown.value) !== null);

  // The press.
  const covers = createCoverQuestions(framePort.post, warn);
  const guard = createGuard({
    clock: systemClock,
    payable: computed(() => payableIn(session.state.value, isButtonless.value)),
    ask: covers.ask,
    ending: ending.signal,
  });
  const watch = watchFocus(
    {
      isComplete: (name) => form.fields[name].isComplete.peek(),
      onBack: () =>
        afterPointer(() => {
          pressHint.value = null;
          isInterrupted.value = true;
        }),
    },
    ending.signal,
  );
  const press = createPress({
    form,
    screen: shown,
    actions: {
      pay: session.pay,
      retry: session.retry,
      refused: (why) => post(pressRefused(why, session.charged())),
      counted: diagnostics.pressRefused,
    },
    guard,
    pressHint,
    isInterrupted,
    clock: systemClock,
    // A page that has the button could otherwise use a press to take the focus back to a card field.
    focusField: (field) => {
      if (placeOf(field) !== 'card' || !watch.isInterrupted()) focusField(field);
    },
    showButton: () => document.querySelector('.pay')?.scrollIntoView({ block: 'nearest' }),
  });

  // What the page hears besides the payment's events.
  reportChanges(form, canBePaid, post);
  const hasFocus = reportFocus(post, ending.signal);
  reportSubmitRequests(() => isButtonless.peek() && canBePaid.peek(), post, ending.signal);
  reportState(post, form, hasFocus, session.isAwaitingOutcome);
  askBeforeLeaving(session.state, ending.signal);
  warnOfMissingDetails(session.state, warn);
  effect(() => {
    if (lifecycle.online.value) return;
    diagnostics.troubled('offline');
    warn('connection', 'The browser is offline.');
  });
  effect(() => {
    if (payableIn(session.state.value, isButtonless.peek())) diagnostics.payable();
  });
  effect(() => {
    const message = brokeProtocol.value && afterProtocolViolation(session.state.value, session.charged());
    if (!message) return;
    brokeProtocol.value = false; // said once
    post(message);
  });

  // What the page may do.
  const canEdit = computed(() => session.view.value.screen === 'form' && !session.view.value.locked);
  const change = holdChanges<Pick<Update, 'fields' | 'payButton'>>(canEdit, ({ fields, payButton }) => {
    if (fields) changeFields(form, fields, options.defaults(), warn);
    if (!payButton || isButtonless.peek() === (payButton === 'host')) return;
    if (payButton === 'host' && hasCard(form)) return warn('payButton', HOST_REFUSED);
    isButtonless.value = payButton === 'host';
  });
  const commands = createCommands({
    form,
    guard,
    watch,
    warn,
    canClear: canEdit,
    defaults: options.defaults,
  });
  receive = (message) => {
    switch (message.type) {
      case 'update':
        options.update(message);
        return change({
          ...(message.fields && { fields: message.fields }),
          ...(message.payButton && { payButton: message.payButton }),
        });
      case 'focus':
        return commands.focus(message.field);
      case 'blur':
        return commands.blur();
      case 'clear':
        return commands.clear();
      case 'validate':
        return answerValidate(shown.peek(), canBePaid.peek());
      case 'diagnostics':
        return answerDiagnostics(message);
      case 'refresh':
        return session.refresh();
      case 'submit':
        if (isButtonless.peek()) void press('host');
        return;
      case 'covers':
        return covers.answer(message);
      case 'beforepay':
        return beforePay.answer(message);
      case 'secret':
        return session.receiveSecret(message.clientSecret);
      case 'destroy':
        ending.abort();
        session.close();
        return framePort.close();
    }
  };

  return {
    view: shown,
    actions: {
      guard,
      press,
      retry: session.retry,
      clearPressHint: () => {
        pressHint.value = null;
      },
    },
  };
};

const hasCard = ({ fields }: CardForm): boolean =>
  FIELD_NAMES.some((name) => placeOf(name) === 'card' && fields[name].text.peek() !== '');

/** A script of the page could otherwise take the button once a card is there, and press it (threat-model 1.4). */
const HOST_REFUSED =
  "The button stays in the form: update({ payButton: 'host' }) counts only while the card fields are empty.";

/** Whether a page of this origin is on the developer's own machine. */
const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(localhost|[^/:]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);

/** What a press would pay in this state, for the guard. */
const payableIn = (state: PaymentState, isButtonless: boolean): Payable | null =>
  state.status === 'ready'
    ? {
        // A button that changes its place has to be seen anew.
        amount: `${state.intent.amount_total} ${state.intent.currency} ${isButtonless}`,
        notBefore: state.armedAt,
      }
    : null;

/** Only while a confirm may be under way: a permanent handler would keep the page out of the back/forward cache. */
const askBeforeLeaving = (payment: ReadonlySignal<PaymentState>, ending: AbortSignal): void => {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  effect(() => {
    const phase = PHASE[payment.value.status];
    if (phase === 'confirming' || phase === 'unresolved') {
      window.addEventListener('beforeunload', ask, { signal: ending });
    } else {
      window.removeEventListener('beforeunload', ask);
    }
  });
};
