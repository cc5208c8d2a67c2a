/**
 * One payment, from the first read of the intent to its outcome: client, state machine, client secret, tab lock, the
 * buyer's screen and the page's events, wired together. Nothing here knows the DOM. The card form runs it in the
 * browser and the simulation in Node, so that what the simulation proves is what buyers use.
 */
import { computed, effect, type ReadonlySignal } from '@preact/signals';
import { type ClientOptions, createClient, type FollowRequest } from '../../../api/client.ts';
import type { Failure } from '../../../api/errors.ts';
import type { Money } from '../../../api/money.ts';
import type { ClientRoute } from '../../../api/routes.ts';
import type { Clock } from '../../../clock/clock.ts';
import type { ClientSecretSource } from '../../channel/client-secret.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { Ready } from '../../payment/opened.ts';
import { type Calls, createPayment, type PaymentOptions } from '../../payment/payment.ts';
import { type PaymentState, PHASE, seenBefore } from '../../payment/payment-state.ts';
import { type Charged, chargedIn, isPaying, type Told } from '../../payment/told.ts';
import type { FormModel } from '../form/card-form.ts';
import { messagesOf } from '../merchant/events.ts';
import type { View } from '../view/form-view.ts';
import { fieldOfParam, view } from '../view/view.ts';
import { createCalls } from './calls.ts';
import { createClientSecret } from './client-secret.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { NetworkDiagnosis } from './network-diagnosis.ts';
import { followStatus } from './payment-status.ts';
import { createTabLock, type TabSharing } from './tab-lock.ts';
import { holdTabLock } from './tab-lock-holder.ts';

/** What the session needs of the form that the buyer fills in. */
export type SessionForm = Pick<FormModel, 'details' | 'clearCard' | 'clearCvc' | 'markRefused'>;

export type SessionDeps = {
  /** Where and with which key requests are sent; `prefetched` if the first one was sent before this script ran. */
  service: Pick<ClientOptions, 'baseUrl' | 'publishableKey' | 'fetch' | 'prefetched' | 'onAnswer'>;
  clientSecret: ClientSecretSource;
  /** Whether the page can provide the secret of another intent when this one is over. */
  canReplace: boolean;
  /** Whether only the status of the payment is shown. The page is then told it, in place of a result. */
  isStatus?: boolean;
  /** The state after the first read, if it was made and told before the session began. */
  opened?: Ready | undefined;
  /** Asks the page about each press; absent if the page gave no `beforePay`. */
  askPage?: Calls['askPage'];
  form: SessionForm;
  lifecycle: Lifecycle;
  tabs: TabSharing;
  network: NetworkDiagnosis;
  clock: Clock;
  /** From 0 up to 1; spreads the polls of many forms. */
  random(): number;
  /** Sends a message to the merchant's page. */
  post(message: FrameMessage): void;
  /** A request got an error or no answer, and the form had not given it up. */
  onFailure(route: ClientRoute, failure: Failure): void;
  /** A call threw, which none should. The payment goes on as if it had got no answer. */
  onDefect(defect: unknown): void;
  /** Other parts than the form's own: only for tests that must see a wrong one caught. */
  replace?: Pick<PaymentOptions, 'decide' | 'telling'> & {
    calls?: (calls: PaymentOptions['calls']) => PaymentOptions['calls'];
  };
};

export type Session = {
  state: ReadonlySignal<PaymentState>;
  /** What the buyer sees. */
  view: ReadonlySignal<View>;
  /** Whether a confirm was sent whose outcome the page has not been told. */
  isAwaitingOutcome: ReadonlySignal<boolean>;
  /** What the page has been told. */
  told: ReadonlySignal<Told>;
  /** Whether the buyer was charged, as far as this page can know. */
  charged(): Charged;
  /** Whether a payment attempt is under way, whose end the page will be told. */
  isPaying: ReadonlySignal<boolean>;
  /** Confirms with the total the pressed button showed. False if this state takes no press, or not yet. */
  pay(shown: Money): boolean;
  /** "Try again" or "Check status". */
  retry(): void;
  /** Reads the intent again: the merchant's server changed it. */
  refresh(): void;
  /** The page's answer to the request for a client secret; null if it has none. */
  receiveSecret(secret: string | null): void;
  /** The form is removed: nothing more is sent, and the card is forgotten. */
  close(): void;
};

/** Begins with the first read, unless it was made before. */
export const createSession = (deps: SessionDeps): Session => {
  const { form, clock, lifecycle, post, replace, isStatus } = deps; // no closure may keep `deps`, with the client secret
  const ending = new AbortController();

  const secret = createClientSecret({
    first: deps.clientSecret,
    fetchFromPage: (anew) => post({ type: 'secret', anew }),
    clock,
  });
  const client = createClient({
    ...deps.service,
    clientSecret: secret.current,
    clock,
    follow: followRequests(deps, deps.service.prefetched?.at),
  });
  const intentId = () => intentIdIn(payment.state.peek());
  const tabLock = createTabLock({
    ...deps.tabs,
    clock,
    onEnd(id) {
      if (id === intentId()) payment.send({ type: 'refresh_requested' });
    },
  });
  const calls = createCalls({
    client,
    secret,
    tabLock,
    intentId,
    details: form.details,
    askPage: deps.askPage,
  });
  const payment = createPayment({
    ...deps,
    calls: replace?.calls?.(calls) ?? calls,
    isAwake: lifecycle.isAwake,
    isOffline: () => !lifecycle.online.peek(),
    decide: replace?.decide,
    telling: replace?.telling,
    onTell: (event, state) => {
      // A page that goes on at a result, and shows the status on the next page, would go on for ever.
      if (isStatus && event.tell === 'result') return;
      for (const message of messagesOf(event, state)) post(message);
    },
  });

  forgetCard(payment.state, form, secret.forget);
  markRefusedFields(payment.state, form);
  holdTabLock(payment.state, tabLock);
  lifecycle.listen(payment.send, ending.signal);
  if (!deps.opened) payment.send({ type: 'opened' });

  const session: Session = {
    state: payment.state,
    view: computed(() =>
      view(payment.state.value, lifecycle.online.value, chargedIn(payment.state.value, payment.told.value)),
    ),
    isAwaitingOutcome: computed(() => payment.told.value.awaitsOutcome),
    told: payment.told,
    charged: () => chargedIn(payment.state.peek(), payment.told.peek()),
    isPaying: computed(() => isPaying(payment.state.value, payment.told.value)),
    pay(shown) {
      const before = payment.state.peek();
      if (form.details()) payment.send({ type: 'submitted', shown });
      return payment.state.peek() !== before;
    },
    retry: () => payment.send({ type: 'retry_requested' }),
    refresh: () => payment.send({ type: 'refresh_requested' }),
    receiveSecret: secret.receive,
    close() {
      ending.abort();
      payment.send({ type: 'closed' });
      form.clearCard();
      tabLock.close();
    },
  };
  if (isStatus) followStatus(session, (status) => post({ type: 'status', status }));
  return session;
};

/**
 * Names the cause of a read that got no answer, takes every answer for a proof of being online, and reports failures beside
 * the answer, which arrives as soon as without it. `prefetchedAt`: when the first read was sent, in monotonic ms, if that was before now.
 */
const followRequests = (
  { network, lifecycle, onFailure }: SessionDeps,
  prefetchedAt: number | undefined,
): FollowRequest => {
  let sentAt = prefetchedAt;
  return (route, signal, send) => {
    const since = sentAt;
    if (route === 'retrieve') sentAt = undefined;
    const answer = route === 'retrieve' ? network.diagnose(send, since) : send();
    void answer.then((result) => {
      if (result.ok || result.failure.kind !== 'no_answer') lifecycle.online.value = true;
      if (!result.ok && !signal?.aborted) onFailure(route, result.failure);
    });
    return answer;
  };
};

/** Empty until the intent was read. */
const intentIdIn = (state: PaymentState): string => ('intent' in state ? state.intent?.id : undefined) ?? '';

/** The security code is used for one attempt. At the end the whole card is forgotten, and the client secret with it. */
const forgetCard = (
  payment: ReadonlySignal<PaymentState>,
  form: SessionForm,
  forgetSecret: () => void,
): void => {
  effect(() => {
    const state = payment.value;
    switch (PHASE[state.status]) {
      case 'unresolved':
      case 'settling':
        return form.clearCvc();
      case 'ended':
      case 'destroyed':
        forgetSecret();
        return form.clearCard();
      default: // the buyer decides anew with which card to pay another intent, if they have tried to
        if (seenBefore(state)) form.clearCard();
    }
  });
};

const markRefusedFields = (payment: ReadonlySignal<PaymentState>, form: SessionForm): void => {
  effect(() => {
    const state = payment.value;
    if (state.status !== 'ready' || state.feedback.notice?.kind !== 'details_refused') return;
    const field = fieldOfParam(state.feedback.notice.error.param);
    if (field) form.markRefused(field);
  });
};
