/**
 * Connects a session with the merchant's page and the form on the screen, in the browser. Reads top to bottom: the
 * page's options, the payment, the press, the page's messages.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { systemClock } from '../../../clock/clock.ts';
import type { HandshakeResult } from '../../channel/handshake.ts';
import type { Init } from '../../channel/read-options.ts';
import type { Prefetch } from '../first/prefetch.ts';
import type { FormModel } from '../form/card-form.ts';
import {
  findInvalidKey,
  findInvalidList,
  findMissingDefault,
  type OptionProblem,
} from '../merchant/option-problems.ts';
import { followOptions } from '../merchant/options.ts';
import { type Press, totalToPay } from '../press/press.ts';
import { FIRST_VIEW, readOnlyView, type View } from '../view/form-view.ts';
import { laterView } from '../view/later-view.ts';
import type { Words } from '../view/words.ts';
import type { ConfirmScript } from './confirm-script.ts';
import { connectPress } from './connect-press.ts';
import { createLifecycle } from './lifecycle.ts';
import { loadDevHints } from './load-dev-hints.ts';
import { endHolding, type Offer } from './offer.ts';
import { createOpening } from './opening.ts';
import { paidWith } from './paid-with.ts';
import type { Shared, ShownForm } from './parts.ts';
import { reportToPage } from './report-to-page.ts';
import { followWait } from './waited.ts';

/** What the components can ask for. */
export type FormActions = {
  /** The one way to pay. */
  press: Press;
  /** "Try again" or "Check status". */
  retry(): void;
  /** The card that the payment was made with, if it is certain: "Visa •••• 4242". */
  paidWith: ReadonlySignal<string>;
  /** The buyer went back to the fields: the hint about the last press is out of date. */
  clearPressHint(): void;
};

export type FormConnection = {
  /** What the buyer sees. */
  view: ReadonlySignal<View>;
  /** Null if the page's `init` was refused: nothing can be paid. */
  actions: FormActions | null;
};

type Deps = Shared & {
  words: Words;
  /** The first read, if it was sent while this script was loading. */
  prefetch: Prefetch | null;
  /** What was begun before the form was hydrated. */
  offer: Offer;
  /** Applies another look or language. Resolves with the problems in the appearance. */
  changeLook: Parameters<typeof followOptions>[1]['changeLook'];
  /** Loads what a press needs, and what is rare. Rejects if that fails; it may be called again then. */
  load(): Promise<ConfirmScript>;
};

/**
 * Connects after the handshake. If the page's `init` cannot be used, says so and never sends a request. `init` is null if
 * the first stage could not read it.
 *
 * No closure may be made in this function: it could keep `greeting`, `init` or `prefetch`, which hold the client secret.
 */
export const connect = (
  greeting: HandshakeResult,
  init: Init | null,
  { words, prefetch, offer, changeLook, load, ...shared }: Deps,
): FormConnection => {
  const { page, ending } = offer;
  const { form, isButtonless } = shared;
  loadDevHints(greeting, page);

  const problem = init ? findInvalidList(init) : findInvalidKey(greeting.data);
  if (!init || problem) return refuse(problem, form, offer, prefetch, load);
  isButtonless.value = init.payButton === 'host';
  const options = followOptions(init, { form, words, changeLook, warn: page.warn });
  const missing = findMissingDefault(init, form);
  if (missing) return refuse(missing, form, offer, prefetch, load);

  const { now } = systemClock;
  const lifecycle = createLifecycle(now, ending.signal);
  const { post } = page;
  const opening = createOpening(
    { init, prefetch },
    { clock: systemClock, form, lifecycle, post, ending: ending.signal, first: offer },
  );
  return offerPayment(
    { ...shared, page, options, lifecycle, ending, opening },
    init.view === 'status',
    offer,
    load,
  );
};

/** `problem` is null if the message was not of the loader at all. */
const refuse = (
  problem: OptionProblem | null,
  form: FormModel,
  offer: Offer,
  prefetch: Prefetch | null,
  load: Deps['load'],
): FormConnection => {
  const { page } = offer;
  prefetch?.abandon();
  endHolding(offer);
  const screen = signal(FIRST_VIEW);
  const refused = load().then(({ refuseInit }) => refuseInit(problem, { form, page, screen }));
  refused.catch((failure: unknown) => {
    reportError(failure);
    page.post({ type: 'loaderror' });
  });
  page.listen((message) => {
    if (message.type === 'submit' || message.type === 'destroy') return;
    refused.then(
      ({ receive }) => receive(message),
      () => undefined,
    );
  });
  return { view: screen, actions: null };
};

/** Offers the payment to the buyer, and listens to the page. */
const offerPayment = (
  opened: ShownForm,
  isStatus: boolean,
  offer: Offer,
  load: Deps['load'],
): FormConnection => {
  const { opening, options, page, ending, isButtonless, pressHint } = opened;
  const waited = followWait(opening.state, systemClock, ending.signal);
  const screen = computed(() => {
    const shown = laterView(opening.view.value, waited.value);
    return isStatus || options.readOnly.value ? readOnlyView(shown) : shown;
  });
  const canBePaid = computed(() => totalToPay(screen.value) !== null);
  const canEdit = computed(() => opening.view.value.screen === 'form' && !opening.view.value.locked);
  const parts = { ...opened, screen, canBePaid, canEdit };
  const paying = connectPress(parts, offer);
  const { press } = paying;
  reportToPage(parts);
  opening.begin(async () => {
    const { startPayment } = await load();
    return (beginning, ready) => startPayment(beginning, ready, { ...parts, ...paying });
  });
  page.listen((message) => {
    switch (message.type) {
      case 'submit':
        if (isButtonless.peek()) void press('host');
        return;
      case 'destroy':
        ending.abort();
        opening.close();
        return page.close();
      case 'update': // a form that may not be paid any more must not wait for a script
        options.update(message);
        break;
    }
    opening.whenStarted(({ receive }) => receive(message));
  });
  const held = endHolding(offer);
  if (held) void press('buyer', held);
  return {
    view: screen,
    actions: {
      press,
      retry: opening.retry,
      paidWith: paidWith(opening.state, { brand: opened.form.brand, number: opened.form.fields.number }),
      clearPressHint: () => {
        pressHint.value = null;
      },
    },
  };
};
