/**
 * The payment session, from the first read of the intent to the outcome. Wires together client, state machine, client
 * secret and tab lock. It starts before the form exists: form and page connect later, and events for the page are
 * queued until then. No DOM access here.
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { type ClientOptions, createClient, type FollowRequest } from '../../../api/client.ts';
import type { Clock } from '../../../api/clock/clock.ts';
import type { Failure } from '../../../api/errors.ts';
import type { Money } from '../../../api/money.ts';
import type { ClientRoute } from '../../../api/routes.ts';
import type { ClientSecretSource } from '../../channel/client-secret.ts';
import { type Calls, createPayment, type Payment, type PaymentOptions } from '../../payment/payment.ts';
import { type PaymentState, PHASE, seenBefore } from '../../payment/payment-state.ts';
import { type Charged, chargedIn, isPaying, type PageEvent, type Told } from '../../payment/told.ts';
import type { FormModel } from '../form/card-form.ts';
import { createCalls } from './calls.ts';
import { type ClientSecret, createClientSecret } from './client-secret.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { NetworkDiagnosis } from './network-diagnosis.ts';
import { createTabLock, type TabLock, type TabSharing } from './tab-lock.ts';
import { holdTabLock } from './tab-lock-holder.ts';

/** The part of the filled-in form and its page that a payment uses. */
export type FilledForm = Pick<FormModel, 'details' | 'clearCard' | 'clearCvc'> & {
  /** Calls the page's `beforePay` on each press; absent if the page has none. */
  askPage?: Calls['askPage'];
};

export type BeginDeps = {
  /** Base URL and key of requests; `prefetched` if the first request was sent before this script ran. */
  service: Pick<ClientOptions, 'baseUrl' | 'publishableKey' | 'fetch' | 'prefetched' | 'onAnswer'>;
  clientSecret: ClientSecretSource;
  /** True if the page can provide the client secret of another intent when this one is over. */
  canReplace: boolean;
  /** Asks the page for a client secret; `anew` asks for another intent's. */
  askSecret(anew: boolean): void;
  /** True if the page has `beforePay`, which is called on each press. */
  asksPage: boolean;
  lifecycle: Lifecycle;
  tabs: TabSharing;
  network: NetworkDiagnosis;
  clock: Clock;
  /** Returns a number in [0, 1), to spread the polling of many forms. */
  random(): number;
  /** A request failed or got no answer, and the form had not aborted it. */
  onFailure(route: ClientRoute, failure: Failure): void;
  /** A call threw, which is a bug. The payment continues as if the call got no answer. */
  onDefect(defect: unknown): void;
  /** Test doubles, for tests that prove a faulty part is caught. */
  replace?: Pick<PaymentOptions, 'decide' | 'telling'> & {
    calls?: (calls: PaymentOptions['calls']) => PaymentOptions['calls'];
  };
};

type Tell = (event: PageEvent, state: PaymentState) => void;

export type BegunSession = {
  state: ReadonlySignal<PaymentState>;
  /** True while a confirm has been sent and the page has not been given its outcome. */
  isAwaitingOutcome: ReadonlySignal<boolean>;
  /** Record of the events sent to the page. */
  told: ReadonlySignal<Told>;
  /** Tells if the buyer was charged, as far as this page can know. */
  charged(): Charged;
  /** True while a payment attempt is in progress that will end with an event for the page. */
  isPaying: ReadonlySignal<boolean>;
  /** Connects form and page once the page's options are valid. `tell` receives the queued events first. */
  connect(form: FilledForm, tell: Tell): void;
  /** Confirms with the total shown on the pressed button. Returns false if this state doesn't accept a press (yet). */
  pay(shown: Money): boolean;
  /** "Try again" or "Check status". */
  retry(): void;
  /** Reads the intent again, because the merchant's server changed it. */
  refresh(): void;
  /** Used to put another intent in this form (`swap.ts`). */
  parts: { payment: Payment; secret: ClientSecret; tabLock: TabLock };
  /** The page's reply with a client secret; null if it has none. */
  receiveSecret(secret: string | null): void;
  /** True if the intent has been read since the last request to reread it. */
  isRead: ReadonlySignal<boolean>;
  /** True if `secret` is this payment's client secret and is still needed. */
  isFor(secret: string): boolean;
  /** True if the form may be parked: it can be paid, and none of its presses has charged or still may. */
  canPark: ReadonlySignal<boolean>;
  /** While parked, nothing is sent and no press counts. `false` rereads the intent before a press counts again. */
  park(isParked: boolean): void;
  /** Removes the form: nothing more is sent, and the card is cleared. */
  close(): void;
};

/** Starts with the first read. The client secret is cleared once nothing more will be sent (threat-model C20). */
export const beginSession = (deps: BeginDeps): BegunSession => {
  const { clock, lifecycle, replace, askSecret } = deps;
  const ending = new AbortController();
  const form = signal<FilledForm | null>(null);
  const untold: Parameters<Tell>[] = [];
  let tell: Tell = (...told) => void untold.push(told);

  const secret = createClientSecret({ first: deps.clientSecret, fetchFromPage: askSecret, clock });
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
      if (id === intentId()) send({ type: 'refresh_requested' });
    },
  });
  const calls = createCalls({
    client,
    secret,
    tabLock,
    intentId,
    details: () => form.peek()?.details() ?? null,
    askPage: deps.asksPage
      ? async (shown, signal) => form.peek()?.askPage?.(shown, signal) ?? { kind: 'failed' }
      : undefined,
  });
  const payment = createPayment({
    ...deps,
    calls: replace?.calls?.(calls) ?? calls,
    isAwake: lifecycle.isAwake,
    isOffline: () => !lifecycle.online.peek(),
    decide: replace?.decide,
    telling: replace?.telling,
    onTell: (event, state) => tell(event, state),
  });

  let isParked = false;
  const send: typeof payment.send = (event) => {
    if (!isParked) payment.send(event);
  };

  forgetCard(payment.state, form, secret.forget);
  holdTabLock(payment.state, tabLock);
  lifecycle.listen(send, ending.signal);
  payment.send({ type: 'opened' });

  return {
    state: payment.state,
    isAwaitingOutcome: computed(() => payment.told.value.awaitsOutcome),
    told: payment.told,
    charged: () => chargedIn(payment.state.peek(), payment.told.peek()),
    isPaying: computed(() => isPaying(payment.state.value, payment.told.value)),
    connect(filled, receive) {
      form.value = filled;
      tell = receive;
      for (const told of untold.splice(0)) receive(...told);
    },
    pay(shown) {
      const before = payment.state.peek();
      if (form.peek()?.details()) send({ type: 'submitted', shown });
      return payment.state.peek() !== before;
    },
    retry: () => send({ type: 'retry_requested' }),
    refresh: () => send({ type: 'refresh_requested' }),
    parts: { payment: { ...payment, send }, secret, tabLock },
    receiveSecret: secret.receive,
    isRead: computed(() => PHASE[payment.state.value.status] !== 'rereading'),
    isFor: (given) => given === secret.current(),
    canPark: computed(
      () =>
        payment.state.value.status === 'ready' && chargedIn(payment.state.value, payment.told.value) === 'no',
    ),
    park(parked) {
      isParked = parked;
      send({ type: 'restored' }); // as from the back/forward cache
    },
    close() {
      ending.abort();
      payment.send({ type: 'closed' });
      form.peek()?.clearCard();
      tabLock.close();
    },
  };
};

/**
 * Finds the cause of reads that get no answer, takes any answer as proof of being online, and reports failures
 * without delaying the answer. `prefetchedAt`: when the first read was sent, in monotonic ms, if before now.
 */
const followRequests = (
  { network, lifecycle, onFailure }: BeginDeps,
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

/** Empty until the intent has been read. */
const intentIdIn = (state: PaymentState): string => ('intent' in state ? state.intent?.id : undefined) ?? '';

/** Clears the security code after one attempt. Clears the whole card and the client secret at the end. */
const forgetCard = (
  payment: ReadonlySignal<PaymentState>,
  filled: ReadonlySignal<FilledForm | null>,
  forgetSecret: () => void,
): void => {
  effect(() => {
    const state = payment.value;
    const form = filled.value;
    switch (PHASE[state.status]) {
      case 'unresolved':
      case 'settling':
        return form?.clearCvc();
      case 'ended':
      case 'destroyed':
        forgetSecret();
        return form?.clearCard();
      default: // after an attempt, the buyer chooses the card for another intent again
        if (seenBefore(state)) form?.clearCard();
    }
  });
};
