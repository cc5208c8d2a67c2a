/**
 * A payment session with its form: derives the buyer's screen and the page's events from `begin-session.ts`. No DOM
 * access here: the card form runs it in the browser and the simulation in Node, so the simulation proves the code that
 * buyers use.
 */
import { computed, effect, type ReadonlySignal } from '@preact/signals';
import type { FrameMessage } from '../../channel/messages.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { chargedIn } from '../../payment/told.ts';
import type { FormModel } from '../form/card-form.ts';
import { messagesOf } from '../merchant/events.ts';
import type { View } from '../view/form-view.ts';
import { fieldOfParam, view } from '../view/view.ts';
import { type BeginDeps, type BegunSession, beginSession, type FilledForm } from './begin-session.ts';
import { followStatus } from './payment-status.ts';
import { createSwaps, type SwapScript, type Swaps } from './swaps.ts';

/** The part of the filled-in form that the session uses. */
export type SessionForm = Omit<FilledForm, 'askPage'> & Pick<FormModel, 'markRefused'>;

type ConnectDeps = Pick<BeginDeps, 'lifecycle'> & {
  /** True if only the payment's status is shown. The page then gets `status` messages, not a result. */
  isStatus?: boolean;
  form: SessionForm;
  askPage?: FilledForm['askPage'];
  /** Imports the swap script; replaces the browser's `import()`. */
  loadSwap?: (() => Promise<SwapScript>) | undefined;
  /** Sends a message to the merchant's page. */
  post(message: FrameMessage): void;
};

export type SessionDeps = Omit<BeginDeps, 'askSecret' | 'asksPage'> & ConnectDeps;

export type Session = Omit<BegunSession, 'connect' | 'parts'> & {
  /** The buyer's screen. */
  view: ReadonlySignal<View>;
  swaps: Swaps;
};

/** Starts a session with an existing form. */
export const createSession = (deps: SessionDeps): Session => {
  const { post, askPage } = deps;
  const askSecret = (anew: boolean) => post({ type: 'secret', anew });
  return connectSession(beginSession({ ...deps, askSecret, asksPage: Boolean(askPage) }), deps);
};

/** Connects form and page with a session that has already started. */
export const connectSession = (
  begun: BegunSession,
  { form, askPage, lifecycle, post, isStatus, loadSwap }: ConnectDeps,
): Session => {
  const { state, told } = begun;
  begun.connect({ ...form, askPage }, (event, after) => {
    // A page that redirects on a result to one that shows the status would redirect forever.
    if (isStatus && event.tell === 'result') return;
    for (const message of messagesOf(event, after)) post(message);
  });
  markRefusedFields(state, form);
  if (isStatus) followStatus(begun, (status) => post({ type: 'status', status }));
  return {
    ...begun,
    swaps: createSwaps(begun, loadSwap),
    view: computed(() => view(state.value, lifecycle.online.value, chargedIn(state.value, told.value))),
  };
};

const markRefusedFields = (payment: ReadonlySignal<PaymentState>, form: SessionForm): void => {
  effect(() => {
    const state = payment.value;
    if (state.status !== 'ready' || state.feedback.notice?.kind !== 'details_refused') return;
    const field = fieldOfParam(state.feedback.notice.error.param);
    if (field) form.markRefused(field);
  });
};
