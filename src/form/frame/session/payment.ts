/**
 * The payment, before there is a form: reads the intent, runs the machine, judges presses, and puts the total into the prerendered
 * form and on its button, as the components will. A press that comes before `form.js` is judged and held for it. If that script
 * cannot be loaded, nothing was sent: the buyer reads so, and can try again.
 *
 * Session, guard and the conversation with the page begin here, once for every form.
 */
import { computed, effect, signal } from '@preact/signals-core';
import { type Money, totalOf } from '../../../api/money.ts';
import { systemClock } from '../../../clock/clock.ts';
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
  /** Null if the page's `init` could not be read: nothing is sent then. */
  session: BegunSession | null;
  drawing: Drawing | null;
};

type Parts = {
  port: MessagePort;
  /** The button's text, with a placeholder for the amount. */
  sentence: string;
};

/** Begins the payment with the first read, and draws what it tells. */
export const createOffer = (init: Init | null, prefetch: Prefetch | null, parts: Parts): Offer => {
  const begun = begin(parts.port, init?.payButton === 'host');
  if (!init) return { ...begun, session: null, drawing: null };
  const session = startSession(init, prefetch, begun);
  followPayable(session, begun);
  const canBePaid = init.view !== 'status' && init.readOnly !== true;
  // A button of the page, or with words of the page, needs what comes later.
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

/** What a press would pay in this state, for the guard. A button that changes its place has to be seen again. */
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

/** The total of a payment of which nothing else is to be told, or null. */
const plainTotal = (state: PaymentState): Money | null =>
  state.status === 'ready' &&
  !state.feedback.notice &&
  !state.feedback.previousTotal &&
  !state.intent.missing_details?.length
    ? totalOf(state.intent)
    : null;

/** The prerendered form until the components take it over: its total, the button, and what is said if they never do. */
export type Drawing = {
  /** The total that stands there; null if there is none. */
  total(): Money | null;
  /** Whether it is on the button, too. */
  isOffered(): boolean;
  /** Whether it would be, with the form: then there is something to try again for. */
  canFail(): boolean;
  /** The form is about to be hydrated: nothing more is drawn. */
  end(): void;
  /** From now on the components hear the presses. Returns the press that is held, if there is one. */
  endHolding(): HeldPress | null;
  /** The form could not be loaded: drops the press that is held, and says so. Resolves when the form is to be loaded again. */
  fail(texts: PaymentTexts): Promise<'by the buyer' | 'online'>;
};

type PaymentTexts = Pick<Catalog, keyof typeof enPayment>;

/** `sentence`: the text of the button; null if that is left to the components. */
const draw = (session: BegunSession, sentence: string | null, begun: Begun): Drawing | null => {
  const { guard, page, ending } = begun;
  const summary = document.querySelector('.total [data-amount]');
  const notices = document.querySelector('.notices');
  const place = document.querySelector<HTMLElement>('.pay-place');
  const button = sentence === null ? null : place?.querySelector<HTMLElement>('.pay');
  if (!summary || !notices) return null;
  const total = computed(() => plainTotal(session.state.value));
  /** Once the form could not be loaded, no press is taken before it is there: what else can be pressed, or nothing. */
  const instead = signal<string | null>(null);
  const hold = place && button ? holdPress(place, () => total.peek(), guard) : null;
  const ends = [
    effect(() => {
      const now = total.value;
      summary.textContent = now ? written(now) : '';
      if (!now || !button || instead.value !== null) return;
      guard.watch('total', summary);
      guard.watch('button', button);
      page.followPlace(); // before a press can ask what lies over the form
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

/** Draws the total to pay, what else can be pressed, or that it is loading. Returns what ends it. */
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

/** The form is about to be hydrated: nothing more is drawn. The total that stands there, and whether it is on the button. */
export const endDrawing = ({ drawing }: Offer): { total: Money | null; isOffered: boolean } => {
  drawing?.end();
  return { total: drawing?.total() ?? null, isOffered: drawing?.isOffered() ?? false };
};

/** As the hydrated form writes it. */
const written = (total: Money): string => formatMoney(total, document.documentElement.lang);

/**
 * Loads the form. If that fails while a press could be made, buyer and page are told that nothing was sent, and it is loaded again
 * when the connection is back or the buyer tries again. Rejects if it fails with nothing to press, or when the buyer has tried again.
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

/** What the page is told of a press that was not sent. `mayRun`: an attempt of another tab may be running. */
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
