/**
 * One payment, from the first read of the intent to its outcome: client, state machine, client secret and tab lock, wired
 * together. It begins before there is a form: that and the page are connected to it later, and what it tells the page is kept
 * until then. Nothing here knows the DOM.
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { type ClientOptions, createClient, type FollowRequest } from '../../../api/client.ts';
import type { Failure } from '../../../api/errors.ts';
import type { Money } from '../../../api/money.ts';
import type { ClientRoute } from '../../../api/routes.ts';
import type { Clock } from '../../../clock/clock.ts';
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

/** What a payment needs of the form that the buyer fills in, and of the page it is on. */
export type FilledForm = Pick<FormModel, 'details' | 'clearCard' | 'clearCvc'> & {
  /** Asks the page about each press; absent if the page gave no `beforePay`. */
  askPage?: Calls['askPage'];
};

export type BeginDeps = {
  /** Where and with which key requests are sent; `prefetched` if the first one was sent before this script ran. */
  service: Pick<ClientOptions, 'baseUrl' | 'publishableKey' | 'fetch' | 'prefetched' | 'onAnswer'>;
  clientSecret: ClientSecretSource;
  /** Whether the page can provide the secret of another intent when this one is over. */
  canReplace: boolean;
  /** Asks the page for a client secret; `anew`: for that of another intent. */
  askSecret(anew: boolean): void;
  /** Whether the page gave `beforePay`, so that it is asked about each press. */
  asksPage: boolean;
  lifecycle: Lifecycle;
  tabs: TabSharing;
  network: NetworkDiagnosis;
  clock: Clock;
  /** From 0 up to 1; spreads the polls of many forms. */
  random(): number;
  /** A request got an error or no answer, and the form had not given it up. */
  onFailure(route: ClientRoute, failure: Failure): void;
  /** A call threw, which none should. The payment goes on as if it had got no answer. */
  onDefect(defect: unknown): void;
  /** Other parts than the form's own: only for tests that must see a wrong one caught. */
  replace?: Pick<PaymentOptions, 'decide' | 'telling'> & {
    calls?: (calls: PaymentOptions['calls']) => PaymentOptions['calls'];
  };
};

type Tell = (event: PageEvent, state: PaymentState) => void;

export type BegunSession = {
  state: ReadonlySignal<PaymentState>;
  /** Whether a confirm was sent whose outcome the page has not been told. */
  isAwaitingOutcome: ReadonlySignal<boolean>;
  /** What the page has been told. */
  told: ReadonlySignal<Told>;
  /** Whether the buyer was charged, as far as this page can know. */
  charged(): Charged;
  /** Whether a payment attempt is under way, whose end the page will be told. */
  isPaying: ReadonlySignal<boolean>;
  /** The form is there, and the page's options are in order: `tell` gets what the page is told, and first what it was to be told before. */
  connect(form: FilledForm, tell: Tell): void;
  /** Confirms with the total the pressed button showed. False if this state takes no press, or not yet. */
  pay(shown: Money): boolean;
  /** "Try again" or "Check status". */
  retry(): void;
  /** Reads the intent again: the merchant's server changed it. */
  refresh(): void;
  /** What another intent in this form needs (`swap.ts`). */
  parts: { payment: Payment; secret: ClientSecret; tabLock: TabLock };
  /** The page's answer to the request for a client secret; null if it has none. */
  receiveSecret(secret: string | null): void;
  /** Whether the intent has been read since something asked for another look at it. */
  isRead: ReadonlySignal<boolean>;
  /** Whether this is the client secret of the payment, and it is still needed. */
  isFor(secret: string): boolean;
  /** Whether the form may be parked: it can be paid, and no press of it may have charged or still may. */
  canPark: ReadonlySignal<boolean>;
  /** While parked nothing is sent, whatever happens, and no press counts. With `false` the intent is read before one does again. */
  park(isParked: boolean): void;
  /** The form is removed: nothing more is sent, and the card is forgotten. */
  close(): void;
};

/** Begins with the first read. Once nothing will be sent any more, nobody has the client secret (threat-model C20). */
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
 * Names the cause of a read that got no answer, takes every answer for a proof of being online, and reports failures beside
 * the answer, which arrives as soon as without it. `prefetchedAt`: when the first read was sent, in monotonic ms, if that was before now.
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

/** Empty until the intent was read. */
const intentIdIn = (state: PaymentState): string => ('intent' in state ? state.intent?.id : undefined) ?? '';

/** The security code is used for one attempt. At the end the whole card is forgotten, and the client secret with it. */
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
      default: // the buyer decides anew with which card to pay another intent, if they have tried to
        if (seenBefore(state)) form?.clearCard();
    }
  });
};
