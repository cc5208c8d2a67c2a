/**
 * Connects a session with the merchant's page and the visible form, in the browser. Reads top to bottom: the page's
 * options, the payment, the press, the page's messages.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { HandshakeResult } from '../../channel/handshake.ts';
import type { Init } from '../../channel/read-options.ts';
import type { FormModel } from '../form/card-form.ts';
import { messagesOf } from '../merchant/events.ts';
import { changeOf } from '../merchant/form-events.ts';
import {
  findInvalidKey,
  findInvalidList,
  findMissingDefault,
  type OptionProblem,
} from '../merchant/option-problems.ts';
import { followOptions } from '../merchant/options.ts';
import type { Press } from '../press/press.ts';
import { FIRST_VIEW, type View } from '../view/form-view.ts';
import type { Words } from '../view/words.ts';
import type { BegunSession } from './begin-session.ts';
import type { Keeping } from './keep.ts';
import { loadDevHints } from './load-dev-hints.ts';
import { offerSession } from './offered.ts';
import { paidWith } from './paid-with.ts';
import type { Shared, ShownForm } from './parts.ts';
import type { Offer } from './payment.ts';
import { refuseInit } from './refuse-init.ts';
import { reportPayment } from './report-payment.ts';
import { reportToPage } from './report-to-page.ts';
import { surroundingsOf } from './surroundings.ts';

/** Actions for the components. */
export type FormActions = {
  /** The one way to pay. */
  press: Press;
  /** "Try again" or "Check status". */
  retry(): void;
  /** The card used for the payment, if certain: "Visa •••• 4242". */
  paidWith: ReadonlySignal<string>;
  /** Removes the hint about the last press, once the buyer is back in the fields. */
  clearPressHint(): void;
};

export type FormConnection = {
  /** The buyer's screen. */
  view: ReadonlySignal<View>;
  /** Null if the page's `init` was refused; nothing can be paid. */
  actions: FormActions | null;
};

type Deps = Shared & {
  words: Words;
  /** The payment started before hydration. */
  offer: Offer;
  /** Applies a new look or language. Resolves with the problems found in the appearance. */
  changeLook: Parameters<typeof followOptions>[1]['changeLook'];
};

/**
 * Connects after the handshake. If the page's `init` is invalid, says so and ends the payment. `init` is null if the
 * first stage could not read it.
 */
export const connect = (
  greeting: HandshakeResult,
  init: Init | null,
  { words, offer, changeLook, ...shared }: Deps,
): FormConnection => {
  const { page, session } = offer;
  const { form } = shared;
  loadDevHints(greeting, page);

  const problem = init ? findInvalidList(init) : findInvalidKey(greeting.data);
  if (!init || !session || problem) return refuse(problem, form, offer);
  const options = followOptions(init, { form, words, changeLook, warn: page.warn });
  const missing = findMissingDefault(init, form);
  if (missing) return refuse(missing, form, offer);
  const isStatus = init.view === 'status';
  const keeping = init.keep && !isStatus ? { ...greeting, init, changed: {} } : null;
  return offerPayment({ ...shared, ...offer, options }, session, offer.drawing, isStatus, keeping);
};

/** `problem` is null if the message isn't from the loader. */
const refuse = (
  problem: OptionProblem | null,
  form: FormModel,
  { page, session, drawing }: Offer,
): FormConnection => {
  session?.close();
  drawing?.endHolding();
  const screen = signal(FIRST_VIEW);
  page.listen(refuseInit(problem, { form, page, screen }).receive);
  return { view: screen, actions: null };
};

/** Offers the payment to the buyer, and listens to the page. */
const offerPayment = (
  shown: ShownForm,
  begun: BegunSession,
  drawing: Offer['drawing'],
  isStatus: boolean,
  keeping: Keeping | null,
): FormConnection => {
  const { form, page, ending, pressHint } = shown;
  const offered = offerSession(shown, begun, isStatus, surroundingsOf(shown));
  const { session, screen, press, receive } = offered;
  reportToPage({ ...shown, ...offered });
  reportPayment(session, shown);
  if (keeping) {
    const ready = () => messagesOf({ tell: 'ready' }, session.state.peek());
    const change = () => changeOf(form, offered.canBePaid);
    import('./keep.ts')
      .then((script) => script.keepForm({ ...shown, ...offered, ready, change }, keeping))
      .catch(() => {}); // the form then can't be parked
  }
  page.listen((message) => {
    if (keeping && message.type === 'update') {
      const { clientSecret: _, ...changed } = message; // only the session keeps the secret
      Object.assign(keeping.changed, changed);
    }
    if (message.type !== 'destroy') return receive(message);
    ending.abort();
    session.close();
    page.close();
  });
  const held = drawing?.endHolding();
  if (held) void press('buyer', held);
  return {
    view: screen,
    actions: {
      // With the button on the page, the page's own checks come first.
      press: async (presser, held) =>
        shown.isButtonless.peek() && offered.canBePaid.peek()
          ? page.post({ type: 'submitrequest' })
          : press(presser, held),
      retry: session.retry,
      paidWith: paidWith(session.state, { brand: form.brand, number: form.fields.number }),
      clearPressHint: () => {
        pressHint.value = null;
      },
    },
  };
};
