/** The promises of the form (I1 to I9 of research 2.2), watched while a plan runs and again at its end. */
import type { Clock } from '../api/clock.ts';
import { isSameMoney } from '../api/money.ts';
import { CLIENT_ROUTES } from '../api/routes.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { createNews } from '../frame/merchant/events.ts';
import { type PaymentState, PHASE, type Phase } from '../payment/payment-state.ts';
import type { Service } from '../sandbox/service.ts';
import type { Press, Tab, Watcher } from './tab.ts';

/** What can be seen in a run, for the table: the more of it, the more the run was worth. In the table's order. */
export const SIGHTS = [
  'a confirm was sent',
  'money moved',
  'more deliveries of a confirm than presses',
  'a confirm got no answer',
  'a confirm was declined: 402',
  'the total had changed: 409',
  'a confirm was not pending: 400',
  'a confirm failed: 5xx',
  'a wait was asked for: 429',
  'the form looked what became of a press',
  'the form said that nothing was charged',
  'the form did not know',
  'the form blamed the integration',
  'tries were used up',
  'two tabs pressed',
  'a press let another tab go first',
  'another intent took the place of one that was over',
  'the page slept while a press was under way',
] as const;
export type Sight = (typeof SIGHTS)[number];

export type Promises = {
  watcher: Watcher;
  broken: readonly string[];
  seen: ReadonlySet<Sight>;
  note(sight: Sight): void;
  /** A tab was closed, and what follows from that has happened. */
  closed(tab: Tab): void;
  /** The network is well and everything had time; `pressed` are all presses, of all tabs. */
  atRest(tabs: readonly Tab[], pressed: readonly Press[]): void;
};

const MINUTE = 60_000;
/** Moments are sums of fractions: a wait until a minute after one ends a hair before or after it. In ms. */
const ROUNDING = 0.001;

/** Watches every tab of one order. */
export const createPromises = (
  service: Service,
  clock: Clock,
  { attempts }: { attempts: number },
): Promises => {
  const broken: string[] = [];
  const seen = new Set<Sight>();
  const isBroken = (promise: string) => {
    if (!broken.includes(promise)) broken.push(promise);
  };
  /** When a tab asked what, by tab and address: moments in ms. */
  const asked = new Map<Tab, Map<string, number[]>>();
  const closedUntil = new Map<Tab, Map<string, number>>();
  /** What each tab tells its page, and the state it told of last. */
  const pages = new Map<Tab, { tell: ReturnType<typeof createNews>; before: PaymentState }>();
  /** What was told to a merchant as `failed`, about the presses made until then. */
  const reports: { tab: Tab; status: PaymentState['status']; intent: string; press: number }[] = [];

  const recordOf = (id: string) => {
    const intent = service.store.intents.get(id);
    if (!intent) throw new Error(`The service knows no intent ${id}.`);
    return intent;
  };
  const assertChargedOnce = () => {
    if (service.store.charges.length > 1) isBroken('charged twice');
  };

  const watcher: Watcher = {
    confirming(tab, shown) {
      seen.add('a confirm was sent');
      if (tab.confirms > tab.presses.length) isBroken('I2: a confirm without a press');
      if (tab.openConfirms > 1) isBroken('I1: two confirms are open at once in one form');
      const button = tab.presses.at(-1)?.shown;
      if (!button || !isSameMoney(button, shown)) {
        isBroken('I5: a confirm with another total than the pressed button showed');
      }
    },
    asking(tab, url) {
      const state = tab.payment.state.peek();
      const now = clock.now();
      if (state.status === 'throttled' && now < state.until) isBroken('I6: a request while waiting');
      if (FINAL.has(PHASE[state.status])) isBroken('I8: a request after the end');
      if ((closedUntil.get(tab)?.get(url) ?? 0) > now) isBroken('I6: a request before Retry-After was over');
      const recent = (asked.get(tab)?.get(url) ?? []).filter((at) => now - at < MINUTE - ROUNDING);
      recent.push(now);
      asked.set(tab, (asked.get(tab) ?? new Map()).set(url, recent));
      if (recent.length > 20) isBroken('I7: more than 20 requests a minute on one route');
    },
    heard(tab, url, answer) {
      if (url.endsWith(CLIENT_ROUTES.confirm)) noteAnswer(answer?.status ?? null);
      if (answer?.status !== 429) return;
      seen.add('a wait was asked for: 429');
      const stated = answer.headers.get('Retry-After') ?? '';
      const seconds = /^\d+$/.test(stated) ? Number(stated) : 60;
      closedUntil.set(tab, (closedUntil.get(tab) ?? new Map()).set(url, clock.now() + seconds * 1000));
    },
    state(tab, state) {
      assertChargedOnce();
      noteState(state);
      const { status } = state;
      if (status === 'succeeded') {
        const { status: truth, amount_total } = recordOf(state.intent.id);
        if (truth !== 'succeeded') isBroken('I3: said succeeded, and it is not');
        if (amount_total !== state.intent.amount_total) isBroken('I5: shows another amount than was charged');
      }
      if (status === 'canceled' && recordOf(state.intent.id).status !== 'canceled') {
        isBroken('said canceled, and it is not');
      }
      if (status === 'exhausted' && recordOf(state.intent.id).confirmation_attempts < attempts) {
        isBroken('said that all tries were used, and they are not');
      }
      const { tell, before } = pages.get(tab) ?? { tell: createNews(), before: BOOTING };
      const isDenied = tell(before, state).some(denies);
      pages.set(tab, { tell, before: state });
      if (isDenied && 'intent' in state && state.intent) {
        reports.push({ tab, status, intent: state.intent.id, press: tab.presses.at(-1)?.number ?? 0 });
      }
    },
    renewing(over) {
      if (!over) return;
      seen.add('another intent took the place of one that was over');
      const { status, confirmation_attempts } = recordOf(over.intent.id);
      const isOver = status === 'canceled' || (status === 'pending' && confirmation_attempts >= attempts);
      if (!isOver) isBroken('asked for another intent while the one it had could be paid or was');
    },
    defect: (defect) => isBroken(`a defect: ${String(defect)}`),
  };

  const noteAnswer = (status: number | null) => {
    if (status === null) seen.add('a confirm got no answer');
    else if (status === 400) seen.add('a confirm was not pending: 400');
    else if (status === 402) seen.add('a confirm was declined: 402');
    else if (status === 409) seen.add('the total had changed: 409');
    else if (status >= 500) seen.add('a confirm failed: 5xx');
  };

  const noteState = (state: PaymentState) => {
    if (state.status === 'resolving') seen.add('the form looked what became of a press');
    if (state.status === 'ready' && state.feedback.notice?.kind === 'not_charged') {
      seen.add('the form said that nothing was charged');
    }
    if (state.status === 'unknown') seen.add('the form did not know');
    if (state.status === 'waiting_for_tab') seen.add('a press let another tab go first');
    if (state.status === 'blocked') seen.add('the form blamed the integration');
    if (state.status === 'exhausted') seen.add('tries were used up');
  };

  const assertTruthful = (state: PaymentState) => {
    if (UNRESTING.has(PHASE[state.status])) isBroken(`a hang in ${state.status}`);
    const mayAsk = 'notBefore' in state && state.notBefore !== null && state.notBefore <= clock.now();
    // A failed attempt whose release was forbidden for years: the service itself does not say more.
    const isHeld = 'intent' in state && state.intent && recordOf(state.intent.id).status === 'processing';
    if (mayAsk && !isHeld) isBroken(`${state.status}, though the network is well and somebody asked`);
    if (state.status !== 'ready') return;
    const { status, amount_total } = recordOf(state.intent.id);
    if (status !== 'pending') isBroken(`offers to pay what is ${status}, after reading`);
    if (amount_total !== state.intent.amount_total) {
      isBroken('I5: shows another total than the service has, after reading');
    }
  };

  /** I4: `failed` was told, and the attempt it was told about went through. */
  const assertNoLie = (paid: string, winner: Press) => {
    for (const { tab, status, intent, press } of reports) {
      if (intent !== paid) continue;
      const isAboutIt = status !== 'blocked' || (tab === winner.tab && winner.number <= press);
      if (isAboutIt) isBroken(`I4: said ${status} about a payment that went through`);
    }
  };

  return {
    watcher,
    broken,
    seen,
    note: (sight) => seen.add(sight),
    closed(tab) {
      if (tab.life.waiting() > 0) isBroken('I9: a timer after the form is gone');
    },
    atRest(tabs, pressed) {
      assertChargedOnce();
      for (const tab of tabs) {
        const state = tab.payment.state.peek();
        assertTruthful(state);
        if (FINAL.has(PHASE[state.status]) && tab.life.waiting() > 0) isBroken('I8: a timer after the end');
      }
      for (const { intent: id, amount, currency } of service.store.charges) {
        seen.add('money moved');
        const name = recordOf(id).billing_details?.name;
        const winner = pressed.find(({ number }) => `${number}` === name);
        if (!winner) {
          isBroken('charged without a press');
          continue;
        }
        const { shown } = winner;
        if (shown.amount !== amount || shown.currency !== currency) {
          isBroken('I5: charged another amount than the pressed button showed');
        }
        assertNoLie(id, winner);
      }
    },
  };
};

const BOOTING: PaymentState = { status: 'booting' };

/** A result that says that nothing was charged. */
const denies = (message: FrameMessage): boolean =>
  message.type === 'result' &&
  (message.result.outcome === 'canceled' ||
    (message.result.outcome === 'failed' && message.result.error.charged === 'no'));

const FINAL: ReadonlySet<Phase> = new Set(['ended', 'destroyed']);
/** In these something is under way, so that the machine must leave them by itself. */
const UNRESTING: ReadonlySet<Phase> = new Set([
  'opening',
  'confirming',
  'unresolved',
  'settling',
  'rereading',
]);
