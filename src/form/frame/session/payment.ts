/**
 * The payment before hydration: reads the intent, runs the state machine, judges presses, and draws the total into the
 * prerendered form and on its button, exactly as the components will. A press made before `form.js` has loaded is
 * judged and held. If that script fails to load, nothing was sent: the form says so, and the buyer can try again.
 *
 * Session, guard and page link are created here, once per form.
 */
import { computed, effect, signal } from '@preact/signals-core';
import { systemClock } from '../../../api/clock/clock.ts';
import { type Money, totalOf } from '../../../api/money.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { Init } from '../../channel/read-options.ts';
import type { Catalog } from '../../i18n/en.ts';
import { enPayment } from '../../i18n/en-payment.ts';
import { formatMoney } from '../../i18n/money.ts';
import { mayBeAttempting } from '../../payment/attempts.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import type { LoadedLanguage } from '../first/language.ts';
import type { Prefetch } from '../first/prefetch.ts';
import { followNextKey } from '../form/next-key.ts';
import { createGuard, type Payable } from '../press/guard.ts';
import { type HeldPress, holdPress } from '../press/hold-press.ts';
import { attributesOf, type ButtonFace, labelKey, labelOf } from '../view/button-face.ts';
import type { BegunSession } from './begin-session.ts';
import { createLifecycle } from './lifecycle.ts';
import { createPageLink } from './page-link.ts';
import type { Begun } from './parts.ts';
import { createServiceTime } from './service-time.ts';
import { startSession } from './start-session.ts';

export type Offer = Begun & {
  /** Null if the page's `init` could not be read; nothing is sent then. */
  session: BegunSession | null;
  drawing: Drawing | null;
};

type Parts = {
  port: MessagePort;
  /** The button's text, with a placeholder for the amount. */
  sentence: string;
};

/** Starts the payment with the first read, and draws its state. */
export const createOffer = (init: Init | null, prefetch: Prefetch | null, parts: Parts): Offer => {
  const begun = begin(parts.port, init?.payButton === 'host');
  if (!init) return { ...begun, session: null, drawing: null };
  const session = startSession(init, prefetch, begun);
  followPayable(session, begun);
  const canBePaid = init.view !== 'status' && init.readOnly !== true;
  // A button on the page, or one with the page's wording, needs code that loads later.
  const isPlain = init.payButton !== 'host' && !init.translations && !init.buttonType;
  const drawing = draw(session, canBePaid && isPlain ? parts.sentence : null, begun);
  return { ...begun, session, drawing };
};

const begin = (port: MessagePort, isHost: boolean): Begun => {
  const page = createPageLink(port);
  const ending = new AbortController();
  followNextKey(ending.signal);
  const payable = signal<Payable | null>(null);
  return {
    page,
    guard: createGuard({ clock: systemClock, payable, ask: page.askCovers, ending: ending.signal }),
    lifecycle: createLifecycle(systemClock.now, ending.signal),
    time: createServiceTime(),
    isButtonless: signal(isHost),
    payable,
    ending,
  };
};

/** Gives the guard what a press would pay now. A button that moves to or from the page must be seen again. */
const followPayable = ({ state, receiveSecret }: BegunSession, { payable, isButtonless, page }: Begun) => {
  page.hearSecret(receiveSecret);
  effect(() => {
    const now = state.value;
    const isAtPage = isButtonless.value;
    payable.value =
      now.status === 'ready'
        ? {
            amount: `${now.intent.id} ${now.intent.amount_total} ${now.intent.currency} ${isAtPage}`,
            notBefore: now.armedAt,
          }
        : null;
    if (payable.value) page.diagnostics.payable();
  });
};

/** The total, if the payment has nothing else to show; otherwise null. */
const plainTotal = (state: PaymentState): Money | null =>
  state.status === 'ready' &&
  !state.feedback.notice &&
  !state.feedback.previousTotal &&
  !state.intent.missing_details?.length
    ? totalOf(state.intent)
    : null;

/** Draws the prerendered form until the components take over: total, button, and the message if they fail to load. */
export type Drawing = {
  /** The total on screen; null if there is none. */
  total(): Money | null;
  /** True if the total is on the button, too. */
  isOffered(): boolean;
  /** True if the button would show the total once the form loads, so trying again makes sense. */
  canFail(): boolean;
  /** Stops drawing, before hydration. */
  end(): void;
  /** Hands presses over to the components. Returns the held press, if any. */
  endHolding(): HeldPress | null;
  /** Drops the held press and says the form could not be loaded. Resolves when it is time to load the form again. */
  fail(texts: PaymentTexts): Promise<'by the buyer' | 'online'>;
};

type PaymentTexts = Pick<Catalog, keyof typeof enPayment>;

/** `sentence`: the button's text; null if the components draw the button. */
const draw = (session: BegunSession, sentence: string | null, begun: Begun): Drawing | null => {
  const { guard, page, ending } = begun;
  const summary = document.querySelector('.total [data-amount]');
  const notices = document.querySelector('.notices');
  const place = document.querySelector<HTMLElement>('.pay-place');
  const button = sentence === null ? null : place?.querySelector<HTMLElement>('.pay');
  if (!summary || !notices) return null;
  const total = computed(() => plainTotal(session.state.value));
  /** After a failed load no press is accepted until the form is there: the text of the other action, or empty. */
  const instead = signal<string | null>(null);
  const hold = place && button ? holdPress(place, () => total.peek(), guard) : null;
  const ends = [
    effect(() => {
      const now = total.value;
      summary.textContent = now ? written(now) : '';
      if (!now || !button || instead.value !== null) return;
      guard.watch('total', summary);
      guard.watch('button', button);
      page.followPlace(); // before a press can ask the page about covers
    }),
    button ? drawButton(button, sentence ?? '', begun, () => instead.value ?? total.value) : () => {},
  ];
  const canFail = () => Boolean(button && total.peek());
  return {
    total: () => total.peek(),
    isOffered: () => canFail() && instead.peek() === null,
    canFail,
    end() {
      for (const end of ends) end();
    },
    endHolding() {
      const held = hold?.() ?? null;
      return instead.peek() === null ? held : null;
    },
    async fail(texts) {
      instead.value = texts['action.try_again'];
      hold?.();
      notices.append(
        ...[texts['notice.load_failed'], texts['end.not_sent']].map((text) =>
          Object.assign(document.createElement('p'), { className: 'notice', textContent: text }),
        ),
      );
      const done = new AbortController();
      const { signal: listening } = done;
      ending.signal.addEventListener('abort', () => done.abort(), { signal: listening });
      const why = await new Promise<'by the buyer' | 'online'>((resolve) => {
        place?.addEventListener('click', () => resolve('by the buyer'), { signal: listening });
        addEventListener('online', () => resolve('online'), { signal: listening });
      });
      done.abort();
      notices.replaceChildren();
      instead.value = '';
      return why;
    },
  };
};

/** Draws the total to pay, the other action, or the loading state. Returns a function that stops drawing. */
const drawButton = (
  button: HTMLElement,
  sentence: string,
  { guard }: Begun,
  what: () => Money | string | null,
): (() => void) => {
  const label = button.lastElementChild;
  const loading: ButtonFace = { kind: 'loading', text: button.textContent.trim() };
  let key = labelKey(loading);
  return effect(() => {
    const now = what();
    const face: ButtonFace = !now
      ? loading
      : typeof now === 'string'
        ? { kind: 'retry', text: now }
        : { kind: 'pay', text: sentence, amount: written(now), isEarly: !guard.armed.value };
    setAttributes(button, attributesOf(face));
    if (labelKey(face) !== key) label?.replaceChildren(...labelOf(face, createElement));
    key = labelKey(face);
  });
};

const createElement = (
  tag: 'span' | 'bdi',
  attributes: Readonly<Record<string, string>> | null,
  ...children: (HTMLElement | string)[]
): HTMLElement => {
  const element = document.createElement(tag);
  setAttributes(element, attributes ?? {});
  element.append(...children);
  return element;
};

const setAttributes = (element: Element, attributes: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
};

/** Stops drawing before hydration. Returns the total on screen and whether it is on the button. */
export const endDrawing = ({ drawing }: Offer): { total: Money | null; isOffered: boolean } => {
  drawing?.end();
  return { total: drawing?.total() ?? null, isOffered: drawing?.isOffered() ?? false };
};

/** Formats the total as the hydrated form does. */
const written = (total: Money): string => formatMoney(total, document.documentElement.lang);

/**
 * Loads the form. If that fails while a press is possible, buyer and page learn that nothing was sent, and the form is
 * loaded again when the connection is back or the buyer tries again. Rejects if nothing could be pressed, or if loading
 * fails after the buyer tried again.
 */
export const loadForm = async <Form>(
  { drawing, session, page }: Offer,
  load: () => Promise<Form>,
  language: Promise<LoadedLanguage | null>,
): Promise<Form> => {
  for (;;) {
    try {
      return await load();
    } catch (failure) {
      const state = session?.state.peek();
      if (!drawing?.canFail() || state?.status !== 'ready') throw failure;
      reportError(failure);
      page.post(notSent(mayBeAttempting(state.intent)));
      const texts = (await language)?.catalog ?? enPayment;
      if ((await drawing.fail(texts)) === 'by the buyer') return load();
    }
  }
};

/** The page's error for a press that was not sent. `mayRun`: an attempt from another tab may be in progress. */
const notSent = (mayRun: boolean): FrameMessage => ({
  type: 'error',
  error: {
    type: 'api_connection_error',
    code: 'script_failed',
    message: 'A script of the form could not be loaded, so nothing was sent.',
    charged: mayRun ? 'unknown' : 'no',
    recovery: 'retry',
  },
});
