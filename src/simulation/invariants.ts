/** The form's invariants (outcomes I1 to I9), checked while a plan runs and again at its end. */
import type { Clock } from '../api/clock.ts';
import { isSameMoney, type Money } from '../api/money.ts';
import { CLIENT_ROUTES } from '../api/routes.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { type PaymentState, PHASE, type Phase } from '../payment/payment-state.ts';
import { TIMING } from '../payment/timing.ts';
import type { Service } from '../sandbox/http/service.ts';
import type { IntentRecord } from '../sandbox/store/records.ts';
import { NEW_YEAR, type Plan } from './plan.ts';
import type { Observer, PageQuestion, Press, Tab } from './simulated-tab.ts';

/** What a run can cover, in the order of the printed table. */
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
  'the page was asked about a press',
  'the page refused a press',
  'the page gave no answer to a press',
  'the total changed while the page was asked',
  'two tabs pressed',
  'a press let another tab go first',
  'another intent took the place of one that was over',
  'the page slept while a press was under way',
  'an attempt ran while its intent was read',
  'a charge was denied',
] as const;
export type Sight = (typeof SIGHTS)[number];

export type Invariants = {
  observer: Observer;
  broken: readonly string[];
  seen: ReadonlySet<Sight>;
  note(sight: Sight): void;
  /** A tab was closed, and what follows from that has happened. */
  closed(tab: Tab): void;
  /** The network works, and for longer than any state may wait nobody did anything. */
  untouched(tabs: readonly Tab[]): void;
  /** The network works and everything had time to settle; `pressed` are all presses, of all tabs. */
  atRest(tabs: readonly Tab[], pressed: readonly Press[]): void;
};

const MINUTE = 60_000;
/** Times are sums of fractions, so a wait of a minute may end slightly before or after it. In ms. */
const ROUNDING = 0.001;

/** Checks every tab of one order. */
export const createInvariants = (
  service: Service,
  clock: Clock,
  { attempts, attempt, beforePay }: Pick<Plan, 'attempts' | 'attempt' | 'beforePay'>,
): Invariants => {
  const broken: string[] = [];
  const seen = new Set<Sight>();
  const fail = (invariant: string) => {
    if (!broken.includes(invariant)) broken.push(invariant);
  };
  /** When requests were sent, by tab and address, in ms. */
  const requested = new Map<Tab, Map<string, number[]>>();
  const closedUntil = new Map<Tab, Map<string, number>>();
  /** When a page was told that nothing was charged: about this intent, and the presses made until then. */
  const reports: { tab: Tab; status: PaymentState['status']; intent: string; press: number }[] = [];

  /** When the confirm of each press was sent, in ms, until the service refuses it; by the number of the press. */
  const sent = new Map<string, number>();

  /** The latest question to each tab's page. An answer to an earlier one allows nothing, however late it comes. */
  const asked = new Map<Tab, PageQuestion>();
  /** What the page of each tab allowed to be confirmed; each yes is for one confirm. */
  const allowed = new Map<Tab, Money>();

  const recordOf = (id: string) => {
    const intent = service.store.intents.get(id);
    if (!intent) throw new Error(`The service knows no intent ${id}.`);
    return intent;
  };
  const assertChargedOnce = () => {
    if (service.store.charges.length > 1) fail('charged twice');
  };

  const observer: Observer = {
    confirming(tab, shown) {
      seen.add('a confirm was sent');
      if (tab.confirms > tab.presses.length) fail('I2: a confirm without a press');
      if (tab.openConfirms > 1) fail('I1: two confirms are open at once in one form');
      const button = tab.presses.at(-1)?.shown;
      sent.set(`${tab.presses.at(-1)?.number}`, clock.now());
      if (!button || !isSameMoney(button, shown)) {
        fail('I5: a confirm with another total than the pressed button showed');
      }
      if (!beforePay) return;
      const yes = allowed.get(tab);
      allowed.delete(tab);
      if (!yes || !isSameMoney(yes, shown)) fail("I2: a confirm without the page's yes to its total");
    },
    askingPage(tab, question) {
      seen.add('the page was asked about a press');
      asked.set(tab, question);
      allowed.delete(tab);
    },
    answeredByPage(tab, question, { kind }) {
      if (kind === 'allowed' && asked.get(tab) === question) allowed.set(tab, question.shown);
      if (kind === 'refused') seen.add('the page refused a press');
    },
    requesting(tab, url) {
      const state = tab.session.state.peek();
      const now = clock.now();
      if (state.status === 'throttled' && now < state.until) fail('I6: a request while waiting');
      if (FINAL.has(PHASE[state.status])) fail('I8: a request after the end');
      if ((closedUntil.get(tab)?.get(url) ?? 0) > now) fail('I6: a request before Retry-After was over');
      const recent = (requested.get(tab)?.get(url) ?? []).filter((at) => now - at < MINUTE - ROUNDING);
      recent.push(now);
      requested.set(tab, (requested.get(tab) ?? new Map()).set(url, recent));
      if (recent.length > 20) fail('I7: more than 20 requests a minute on one route');
    },
    answered(tab, url, answer) {
      if (url.endsWith(CLIENT_ROUTES.confirm)) {
        noteAnswer(answer?.status ?? null);
        if (answer && answer.status >= 400 && answer.status < 500)
          sent.delete(`${tab.presses.at(-1)?.number}`);
      }
      if (answer?.status !== 429) return;
      seen.add('a wait was asked for: 429');
      const stated = answer.headers.get('Retry-After') ?? '';
      const seconds = /^\d+$/.test(stated) ? Number(stated) : 60;
      closedUntil.set(tab, (closedUntil.get(tab) ?? new Map()).set(url, clock.now() + seconds * 1000));
    },
    state(state) {
      assertChargedOnce();
      if ('intent' in state && state.intent && recordOf(state.intent.id).attempt) {
        seen.add('an attempt ran while its intent was read');
      }
      noteState(state);
      noteAsking(state);
      const { status } = state;
      if (status === 'succeeded') {
        const { status: truth, amount_total } = recordOf(state.intent.id);
        if (truth !== 'succeeded') fail('I3: said succeeded, and it is not');
        if (amount_total !== state.intent.amount_total) fail('I5: shows another amount than was charged');
      }
      if (status === 'canceled' && recordOf(state.intent.id).status !== 'canceled') {
        fail('said canceled, and it is not');
      }
      if (status === 'exhausted') {
        const truth = recordOf(state.intent.id);
        if (truth.confirmation_attempts < attempts) fail('said that all tries were used, and they are not');
        const { status: now } = truth; // the merchant may have canceled it since
        if (now !== 'pending' && now !== 'canceled')
          fail('said that all tries were used, and the last one was running');
      }
    },
    event(tab, message) {
      const state = tab.session.state.peek();
      assertNotDenied(tab, message);
      if (deniesCharge(message) && 'intent' in state && state.intent) {
        const press = tab.presses.at(-1)?.number ?? 0;
        reports.push({ tab, status: state.status, intent: state.intent.id, press });
      }
    },
    fetchingSecret(over) {
      if (!over) return;
      seen.add('another intent took the place of one that was over');
      const { status, confirmation_attempts } = recordOf(over.intent.id);
      const isOver = status === 'canceled' || (status === 'pending' && confirmation_attempts >= attempts);
      if (!isOver) fail('asked for another intent while the one it had could be paid or was');
    },
    defect: (defect) => fail(`a defect: ${String(defect)}`),
  };

  /**
   * `charged: 'no'` is said only of a press that was not charged by then and that is not being tried. Presses that arrive
   * later than the form waits for them are left out (outcomes 2.4).
   */
  const assertNotDenied = (tab: Tab, message: FrameMessage) => {
    const state = tab.session.state.peek();
    if (!('error' in message) || message.error.charged !== 'no' || !('intent' in state) || !state.intent)
      return;
    seen.add('a charge was denied');
    const record = recordOf(state.intent.id);
    const at = sent.get(record.billing_details?.name ?? '');
    const isOwn = tab.presses.some(({ number }) => `${number}` === record.billing_details?.name);
    const began = startOf(record);
    if (at === undefined || !isOwn || began === null || began > at + TIMING.settleUnanswered) return;
    fail(`said charged: no (${message.error.code}) about a press that is ${record.status}`);
  };
  /** When the latest attempt began, in ms of the plan's clock; null unless it is running or has been charged. */
  const startOf = (record: IntentRecord): number | null => {
    const ms = (seconds: number) => seconds * 1000 - NEW_YEAR;
    if (record.attempt) return ms(record.attempt.endsAt - attempt.seconds);
    return record.succeeded_at === null ? null : ms(record.succeeded_at - attempt.seconds);
  };

  const noteAnswer = (status: number | null) => {
    if (status === null) seen.add('a confirm got no answer');
    else if (status === 400) seen.add('a confirm was not pending: 400');
    else if (status === 402) seen.add('a confirm was declined: 402');
    else if (status === 409) seen.add('the total had changed: 409');
    else if (status >= 500) seen.add('a confirm failed: 5xx');
  };

  let isAsking = false;
  const noteAsking = (state: PaymentState) => {
    if (isAsking && state.status === 'ready' && state.feedback.previousTotal) {
      seen.add('the total changed while the page was asked');
    }
    isAsking = state.status === 'asking_page';
  };

  const noteState = (state: PaymentState) => {
    if (state.status === 'resolving') seen.add('the form looked what became of a press');
    if (state.status === 'ready' && state.feedback.notice?.kind === 'not_charged') {
      seen.add('the form said that nothing was charged');
    }
    if (state.status === 'ready' && state.feedback.notice?.kind === 'page_failed') {
      seen.add('the page gave no answer to a press');
    }
    if (state.status === 'unknown') seen.add('the form did not know');
    if (state.status === 'waiting_for_tab') seen.add('a press let another tab go first');
    if (state.status === 'blocked') seen.add('the form blamed the integration');
    if (state.status === 'exhausted') seen.add('tries were used up');
  };

  const assertResting = ({ status }: PaymentState) => {
    if (UNRESTING.has(PHASE[status]) || status === 'asking_page') fail(`a hang in ${status}`);
  };

  const assertTruthful = (state: PaymentState) => {
    assertResting(state);
    const mayAsk = 'notBefore' in state && state.notBefore !== null && state.notBefore <= clock.now();
    // A failed attempt whose release was forbidden for years: the service itself does not say more.
    const isHeld = 'intent' in state && state.intent && recordOf(state.intent.id).status === 'processing';
    const isUntold = attempt.told === 'nothing';
    if (mayAsk && !isHeld && !isUntold)
      fail(`${state.status}, though the network is well and somebody asked`);
    if (state.status !== 'ready') return;
    const { status, amount_total } = recordOf(state.intent.id);
    if (status !== 'pending') fail(`offers to pay what is ${status}, after reading`);
    if (amount_total !== state.intent.amount_total) {
      fail('I5: shows another total than the service has, after reading');
    }
  };

  /** I4: the page was told `failed`, and the attempt it was told about went through. */
  const assertNoLie = (paid: string, winner: Press) => {
    for (const { tab, status, intent, press } of reports) {
      if (intent !== paid) continue;
      const isAboutIt = status !== 'blocked' || (tab === winner.tab && winner.number <= press);
      if (isAboutIt) fail(`I4: said ${status} about a payment that went through`);
    }
  };

  return {
    observer,
    broken,
    seen,
    note: (sight) => seen.add(sight),
    closed(tab) {
      if (tab.life.waiting() > 0) fail('I9: a timer after the form is gone');
    },
    untouched(tabs) {
      for (const { session } of tabs) assertResting(session.state.peek());
    },
    atRest(tabs, pressed) {
      assertChargedOnce();
      for (const tab of tabs) {
        const state = tab.session.state.peek();
        assertTruthful(state);
        if (FINAL.has(PHASE[state.status]) && tab.life.waiting() > 0) fail('I8: a timer after the end');
      }
      for (const { intent: id, amount, currency } of service.store.charges) {
        seen.add('money moved');
        const name = recordOf(id).billing_details?.name;
        const winner = pressed.find(({ number }) => `${number}` === name);
        if (!winner) {
          fail('charged without a press');
          continue;
        }
        const { shown } = winner;
        if (shown.amount !== amount || shown.currency !== currency) {
          fail('I5: charged another amount than the pressed button showed');
        }
        assertNoLie(id, winner);
      }
    },
  };
};

/** Whether it is a result that says that nothing was charged. */
const deniesCharge = (message: FrameMessage): boolean =>
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
