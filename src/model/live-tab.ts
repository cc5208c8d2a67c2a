/**
 * One tab with the session that buyers use (`createSession`, with its client, tab lock and merchant events), alone in a
 * world that only moves when it is told: it gets one input at a time and says what the tab did about it.
 */
import { signal } from '@preact/signals';
import type { Clock } from '../api/clock.ts';
import { exampleDetails } from '../api/confirm-details.fixture.ts';
import type { Money } from '../api/money.ts';
import { CLIENT_ROUTES } from '../api/routes.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { createBeforePay } from '../frame/merchant/before-pay.ts';
import { createChargeKnowledge } from '../frame/merchant/charged.ts';
import { createSession } from '../frame/session/session.ts';
import type { TabSharing } from '../frame/session/tab-lock.ts';
import { type PaymentEvent, type PaymentState, PHASE } from '../payment/payment-state.ts';
import { TIMING } from '../payment/timing.ts';
import type { Mutation } from '../simulation/simulated-tab.ts';
import { idOf, type Reply, type Route, secretOf, wireOf } from './service.ts';

export type TabInput =
  /** Time passes, in ms, and the timers that are due run. */
  | { do: 'pass'; ms: number }
  /** The computer sleeps: time passes, and the timers that are due run when it goes on. */
  | { do: 'sleep'; ms: number }
  /** Of the open requests of this tab, in the order in which they were sent. */
  | { do: 'answer'; request: number; reply: Reply }
  | { do: 'fail'; request: number }
  /** The browser's word about a lock that was asked for. */
  | { do: 'lock'; isFree: boolean }
  | { do: 'lock_freed' }
  | { do: 'other_tab_ended'; intent: number }
  /** The page's answer to the request for another secret; null if it has none. */
  | { do: 'secret'; intent: number | null }
  /** The page's answer to a question about a press. */
  | { do: 'page_says'; question: number; word: PageWord }
  | {
      do: 'press' | 'retry' | 'refresh' | 'restore' | 'hide' | 'show' | 'close' | 'go_offline' | 'go_online';
    };

/** `failed`: `beforePay` threw, or returned something else. */
export type PageWord = 'yes' | 'no' | 'failed';

export type TabOutput =
  | { did: 'send'; route: Route; amount: number | null; intent: string }
  | { did: 'abort'; request: number }
  | { did: 'say'; message: FrameMessage }
  | { did: 'ask_lock' | 'free_lock' }
  | { did: 'tell_end'; id: string }
  | { did: 'ask_secret'; anew: boolean }
  | { did: 'ask_page'; question: number };

/** What can be seen of a tab between two inputs. Times in ms from now. */
export type TabFacts = {
  status: PaymentState['status'];
  /** What the Pay button shows, if Pay is offered; it counts `payableIn` ms from now. */
  pays: Money | null;
  payableIn: number;
  /** "Try again" or "Check status". */
  offersRetry: boolean;
  /** The next moment at which something may change by itself, or a threshold of the machine is passed. */
  nextIn: number | null;
  isHidden: boolean;
  isOffline: boolean;
  holdsLock: boolean;
  isWaitingForLock: boolean;
  /** How many waits of the schedule of polls are used up. */
  polls: number;
  /** A confirm of this page was sent, and its outcome is not known. */
  isPaying: boolean;
  /** Rules of the form that this state breaks, whatever the service did. */
  broken: readonly string[];
};

type Timer = { due: number; ms: number; order: number; end(): void };
type Request = {
  route: Route;
  body: string;
  answer(response: Response): void;
  fail(reason: unknown): void;
};

export type LiveTab = {
  /** What it did while it was opened. */
  first: readonly TabOutput[];
  give(input: TabInput): Promise<readonly TabOutput[]>;
  facts(): TabFacts;
  /** Equal for tabs that will do the same from now on, as far as anyone can see. */
  fingerprint(): string;
};

// Read at load: tests may replace the timers of the global object.
const immediate = setImmediate;
/** Everything that needs no time has happened. */
const settled = () => new Promise<void>((resolve) => immediate(resolve));

/** Opens a form for an intent. */
export const openLiveTab = async (
  intent: number,
  { canReplace, hasLocks, beforePay, mutation }: TabSetting,
): Promise<LiveTab> => {
  let now = 0;
  let order = 0;
  /** The intent that the page gave last. */
  let secret = intent;
  /** Whether the page was told `ready`, which it is once. */
  let isReady = false;
  let outputs: TabOutput[] = [];
  const did = (output: TabOutput) => {
    outputs.push(output);
  };

  const timers = new Set<Timer>();
  const clock: Clock = {
    now: () => now,
    wait: (ms, stop) =>
      new Promise<void>((resolve) => {
        if (ms <= 0 || stop?.aborted) return resolve();
        order += 1;
        const end = () => {
          timers.delete(timer);
          stop?.removeEventListener('abort', end);
          resolve();
        };
        const timer: Timer = { due: now + ms, ms, order, end };
        timers.add(timer);
        stop?.addEventListener('abort', end);
      }),
  };
  const byTime = () => [...timers].sort((a, b) => a.due - b.due || a.order - b.order);

  const requests: Request[] = [];
  const closedUntil = new Map<Route, number>();
  /** When reads were sent, to see that there are not too many (outcomes I7). */
  const reads: number[] = [];
  const fetch: typeof globalThis.fetch = (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const route = routeOf(String(input));
      const body = String(init?.body);
      if (init?.signal?.aborted) return reject(new DOMException('aborted', 'AbortError'));
      if (route === 'retrieve') reads.push(now);
      if (route === 'confirm') hasSent = true;
      const leave = () => {
        requests.splice(requests.indexOf(request), 1);
        init?.signal?.removeEventListener('abort', abort);
      };
      const abort = () => {
        did({ did: 'abort', request: requests.indexOf(request) });
        leave();
        reject(new DOMException('aborted', 'AbortError'));
      };
      const request: Request = {
        route,
        body,
        answer(response) {
          leave();
          resolve(mutation.fetch ? mutation.fetch(response) : response);
        },
        fail(reason) {
          leave();
          reject(reason);
        },
      };
      requests.push(request);
      init?.signal?.addEventListener('abort', abort);
      const { amount_total = null, client_secret } = JSON.parse(body);
      did({ did: 'send', route, amount: amount_total, intent: client_secret });
    });

  const browser = createBrowser(did);
  const sharing = hasLocks ? browser.sharing : NO_SHARING;

  const online = signal(true);
  /** Since when the page is hidden or offline. */
  let asleepSince: number | null = null;
  let send = (_: PaymentEvent) => {};
  let presses = 0;
  /** A confirm was sent since the form was at rest. */
  let hasSent = false;
  const page = createPage();
  const asking = createBeforePay(
    (message) => {
      if (message.type === 'beforepay') did({ did: 'ask_page', question: message.press });
    },
    () => undefined,
  );

  const { fetch: _fetch, tabs, ...replace } = mutation;
  const session = createSession({
    service: { baseUrl: '', publishableKey: 'pk', fetch },
    clientSecret: { kind: 'given', value: secretOf(intent) },
    canReplace,
    askPage: beforePay ? asking.ask : undefined,
    form: {
      details: () => DETAILS,
      cardNumber: () => '',
      clearCard: () => undefined,
      clearCvc: () => undefined,
      markRefused: () => undefined,
    },
    lifecycle: {
      online,
      isAwake: () => asleepSince === null,
      listen(listener, ending) {
        send = listener;
        ending.addEventListener('abort', () => {
          send = () => {};
        });
      },
    },
    tabs: tabs ? tabs(sharing) : sharing,
    network: { diagnose: (ask) => ask() },
    clock,
    random: () => 0.5,
    post(message) {
      if (message.type === 'secret') return did({ did: 'ask_secret', anew: message.anew });
      isReady ||= message.type === 'ready';
      page.hear(message);
      did({ did: 'say', message });
    },
    onFailure: () => undefined,
    onDefect: (defect) => page.fail(`a defect: ${String(defect)}`),
    replace,
  });

  // What the session knows of charges cannot be read from outside; the same code, given the same states, knows the same.
  const knowledge = createChargeKnowledge();
  /** Notices and totals that were in a `ready` state: the page hears of each once. */
  const shown = new WeakSet<object>();
  let before: PaymentState = { status: 'booting' };
  session.state.subscribe((state) => {
    knowledge.note(before);
    knowledge.note(state);
    before = state;
    if (AT_REST.has(PHASE[state.status])) hasSent = false;
    if (state.status !== 'ready') return;
    const { notice, previousTotal } = state.feedback;
    if (notice) shown.add(notice);
    if (previousTotal) shown.add(previousTotal);
  });
  await settled();

  /** Runs the timers that are due, each followed by all that needs no time. */
  const runTimers = async () => {
    for (let next = byTime()[0]; next && next.due <= now; next = byTime()[0]) {
      next.end();
      await settled();
    }
  };

  const act = async (input: TabInput): Promise<void> => {
    switch (input.do) {
      case 'pass':
        now += input.ms;
        return runTimers();
      case 'sleep':
        now += input.ms;
        return;
      case 'answer': {
        const request = requests[input.request];
        if (!request) throw new Error(`There is no request ${input.request}.`);
        if (input.reply.kind === 'refused' && input.reply.code === 'rate_limited') {
          closedUntil.set(request.route, now + 5000);
        }
        if (request.route === 'confirm') {
          const { reply } = input;
          page.wasUpdated(reply.kind === 'refused' && reply.code === 'payment_intent_updated');
        }
        request.answer(responseOf(input.reply));
        return;
      }
      case 'fail': {
        const request = requests[input.request];
        if (!request) throw new Error(`There is no request ${input.request}.`);
        return request.fail(new TypeError('fetch failed'));
      }
      case 'lock':
        return browser.answerLock(input.isFree);
      case 'lock_freed':
        return browser.freeLock();
      case 'other_tab_ended':
        return browser.hearEnd(idOf(input.intent));
      case 'secret':
        secret = input.intent ?? secret;
        return session.receiveSecret(input.intent === null ? null : secretOf(input.intent));
      case 'press': {
        const seen = session.view.peek();
        const total =
          seen.screen === 'form' && (seen.action.kind === 'pay' || seen.action.kind === 'idle')
            ? seen.action.total
            : null;
        if (session.pay(total ?? ANY_TOTAL)) presses += 1;
        return;
      }
      case 'retry':
        return session.retry();
      case 'refresh':
        return session.refresh();
      case 'restore':
        return send({ type: 'restored' });
      case 'page_says':
        return asking.answer(
          input.word === 'failed'
            ? { type: 'beforepay', press: input.question, mistake: 'It threw.' }
            : { type: 'beforepay', press: input.question, allowed: input.word === 'yes' },
        );
      case 'go_offline':
        online.value = false;
        asleepSince = now;
        return;
      case 'hide':
        asleepSince = now;
        return;
      case 'go_online':
      case 'show': {
        online.value = true;
        const gap = now - (asleepSince ?? now);
        asleepSince = null;
        return send({ type: 'woke', gap });
      }
      case 'close':
        return session.close();
      default:
        input satisfies never;
    }
  };

  const facts = (): TabFacts => {
    const state = session.state.peek();
    const seen = session.view.peek();
    const isResting = timers.size === 0 && requests.length === 0 && !browser.isBusy();
    const moments = [...byTime().map(({ due }) => due), ...thresholdsOf(state)]
      .map((at) => Math.max(at - now, 0))
      .filter((ms, index) => ms > 0 || index < timers.size);
    const pays = seen.screen === 'form' && seen.action.kind === 'pay' ? seen.action.total : null;
    const isUnderWay = UNDER_WAY.has(PHASE[state.status]);
    const broken = [...page.broken()];
    if (isResting && state.status !== 'destroyed' && asleepSince === null) {
      const isStuck =
        seen.screen === 'form'
          ? seen.action.kind === 'busy' || (seen.action.kind === 'idle' && seen.notices.length === 0)
          : seen.tone === 'busy';
      if (isStuck) broken.push(`a dead end: ${state.status}, and nothing is under way`);
    }
    const isToldByNow = state.status === 'ready' || PHASE[state.status] === 'ended';
    if (isToldByNow && page.awaits()) broken.push('a press ended without an event for the page');
    const isEnd = PHASE[state.status] === 'ended' || state.status === 'destroyed';
    if (isEnd && timers.size + requests.length > 0) broken.push('outcomes I8: something runs after the end');
    if (reads.filter((at) => now - at < 60_000).length > 20) broken.push('outcomes I7: too many reads');
    return {
      status: state.status,
      pays,
      payableIn: state.status === 'ready' ? Math.max(state.armedAt - now, 0) : 0,
      offersRetry: seen.screen === 'form' ? seen.action.kind === 'retry' : seen.action === 'check_status',
      nextIn: moments.length === 0 ? null : Math.min(...moments),
      isHidden: asleepSince !== null && online.peek(),
      isOffline: !online.peek(),
      holdsLock: browser.holdsLock(),
      isWaitingForLock: browser.isWaiting(),
      polls: 'polling' in state ? state.polling.reads : 'reads' in state ? state.reads : 0,
      isPaying: isUnderWay && hasSent,
      broken,
    };
  };

  const fingerprint = (): string => {
    const state = session.state.peek();
    const notice = 'feedback' in state ? state.feedback.notice : null;
    const previous = 'feedback' in state ? state.feedback.previousTotal : null;
    return JSON.stringify([
      stateFrom(state, now),
      byTime().map(({ due, ms }) => [Math.max(due - now, 0), ms]),
      requests.map(({ route, body }) => [route, body]),
      secret, // which one the next request will use
      [...closedUntil].filter(([, until]) => until > now).map(([route, until]) => [route, until - now]),
      browser.fingerprint(),
      asleepSince === null ? null : [online.peek(), Math.max(asleepSince - now, -LONGEST_GAP)],
      [presses, hasSent, isReady],
      page.fingerprint(),
      [knowledge.mayArrive(), session.charged(), session.isAwaitingOutcome.peek()],
      [notice && shown.has(notice), previous && shown.has(previous)],
    ]);
  };

  const first = outputs;
  return {
    first,
    async give(input) {
      outputs = [];
      await act(input);
      await settled();
      return outputs;
    },
    facts,
    fingerprint,
  };
};

export type TabSetting = {
  canReplace: boolean;
  hasLocks: boolean;
  beforePay: boolean;
  mutation: TabMutation;
};

/** A session with a mistake in it, to show that the explorer finds it. */
export type TabMutation = Mutation & { tabs?: (sharing: TabSharing) => TabSharing };

const DETAILS = exampleDetails();
const ANY_TOTAL: Money = { amount: 1, currency: 'usd' };
const UNDER_WAY: ReadonlySet<string> = new Set(['confirming', 'unresolved', 'settling']);
const AT_REST: ReadonlySet<string> = new Set(['opening', 'idle', 'ended', 'destroyed']);
const NO_SHARING: TabSharing = { locks: undefined, openChannel: () => null };
/** A page that was hidden longer than this reads again; how much longer makes no difference. */
const LONGEST_GAP = TIMING.staleAfter + 1;

const routeOf = (url: string): Route => {
  if (url === CLIENT_ROUTES.retrieve) return 'retrieve';
  return url === CLIENT_ROUTES.confirm ? 'confirm' : 'release';
};

/**
 * When the machine will decide otherwise although no timer of it runs: a press counts, a retry reads at once, silence is
 * believed.
 */
const thresholdsOf = (state: PaymentState): readonly number[] => {
  switch (state.status) {
    case 'ready':
      return [state.armedAt];
    case 'load_failed':
      return [state.notBefore];
    case 'unknown':
      return state.notBefore === null ? [] : [state.notBefore];
    case 'confirming':
      return [state.sentAt + TIMING.settleUnanswered];
    case 'resolving':
      return [state.polling.startedAt + TIMING.settleUnanswered];
    default:
      return [];
  }
};

/**
 * How long ago matters, in ms. A read is heard 10 s after it was asked at the latest, or after a sleep, and is judged
 * by when it was asked: while one is under way, times before it matter, too.
 */
const READING = 60_000;
const stateFrom = (state: PaymentState, now: number): string => {
  const isReading = 'polling' in state && state.polling.activity === 'reading';
  const least = isReading ? -READING : -TIMING.settleUnanswered;
  return JSON.stringify(state, (key, value) => {
    if (typeof value !== 'number') return value;
    switch (key) {
      case 'sentAt':
      case 'startedAt':
      case 'at':
        return Math.max(value - now, least);
      case 'askedAt':
        return isReading ? Math.max(value - now, least) : null;
      case 'readAt':
      case 'usedUpAt':
        return Math.max(value - now, -TIMING.agreement);
      case 'armedAt':
      case 'notBefore':
      case 'until':
        return Math.max(value - now, 0);
      default:
        return value;
    }
  });
};

/** What a page makes of the events: whether it shows a spinner, and what it was told last. */
const createPage = () => {
  let awaits = false;
  /** The latest confirm was refused because the total had changed: the page hears of both totals, and of no error. */
  let hasOldTotal = false;
  let final: string | null = null;
  /** Codes of errors. A form remembers what it has told, and nobody can see that from outside. */
  const told = new Set<string>();
  const wrong = new Set<string>();
  return {
    hear(message: FrameMessage) {
      if (final !== null && message.type !== 'ready')
        wrong.add(`an event after the end: ${message.type} after ${final}`);
      switch (message.type) {
        case 'processing':
          if (message.pressed && awaits) wrong.add('a press was told before the one before it had ended');
          awaits ||= message.pressed;
          hasOldTotal = false;
          return;
        case 'decline':
        case 'error':
          told.add(message.error.code);
          awaits = false;
          return;
        case 'amountchange':
          if (hasOldTotal) awaits = false;
          return;
        case 'result':
          awaits = false;
          if (message.result.outcome !== 'unknown') final = message.result.outcome;
      }
    },
    fail: (problem: string) => void wrong.add(problem),
    wasUpdated(isSo: boolean) {
      hasOldTotal = isSo;
    },
    awaits: () => awaits,
    broken: () => [...wrong],
    fingerprint: () => [awaits, awaits && hasOldTotal, final, [...told].sort(), ...wrong],
  };
};

/** The lock and the channel that a browser gives to the tabs of one origin, as one of these tabs sees them. */
const createBrowser = (did: (output: TabOutput) => void) => {
  type Waiter = { grant(lock: Lock | null): unknown; resolve(): void };
  let asked: Waiter | null = null;
  let waiting: Waiter | null = null;
  let holds = false;
  const channel: { onmessage: ((event: { data: unknown }) => void) | null } = { onmessage: null };
  const lock: Lock = { name: 'card-form', mode: 'exclusive' };

  const request = (_: string, options: LockOptions, grant: (lock: Lock | null) => unknown) =>
    new Promise<void>((resolve, reject) => {
      const waiter = { grant, resolve };
      if (options.ifAvailable) {
        asked = waiter;
        did({ did: 'ask_lock' });
        return;
      }
      waiting = waiter;
      options.signal?.addEventListener('abort', () => {
        if (waiting === waiter) waiting = null;
        reject(new DOMException('aborted', 'AbortError'));
      });
    });

  const sharing: TabSharing = {
    locks: standIn({ request }),
    openChannel: () =>
      standIn(
        Object.assign(channel, {
          postMessage: (id: string) => did({ did: 'tell_end', id }),
          close: () => {
            channel.onmessage = null;
          },
        }),
      ),
  };

  return {
    sharing,
    answerLock(isFree: boolean) {
      const waiter = asked;
      asked = null;
      if (!waiter) throw new Error('No lock was asked for.');
      const held = waiter.grant(isFree ? lock : null);
      if (isFree && held instanceof Promise) {
        holds = true;
        void held.then(() => {
          holds = false;
          did({ did: 'free_lock' });
          waiter.resolve();
        });
        return;
      }
      waiter.resolve();
    },
    freeLock() {
      const waiter = waiting;
      waiting = null;
      waiter?.grant(lock);
      waiter?.resolve();
    },
    hearEnd: (id: string) => channel.onmessage?.({ data: id }),
    holdsLock: () => holds,
    isWaiting: () => waiting !== null,
    isBusy: () => asked !== null || waiting !== null,
    fingerprint: () => [asked !== null, waiting !== null, holds],
  };
};

/** As much of the browser's object as the form uses. */
const standIn = (object: object) => Object.setPrototypeOf(object, null);

const JSON_BODY = { 'content-type': 'application/json' };
const encoder = new TextEncoder();

/** As much of a `Response` as the client reads; a real one takes most of the time of a step. */
const responseOf = (reply: Reply): Response => {
  const { status, retryAfter, json } = wireOf(reply);
  const headers = new Map(Object.entries(json === null ? {} : JSON_BODY));
  if (retryAfter !== null) headers.set('retry-after', retryAfter);
  const parts = json === null ? [] : [encoder.encode(json)];
  const body = {
    cancel: async () => undefined,
    getReader: () => ({
      async read() {
        const value = parts.shift();
        return value === undefined ? { done: true } : { done: false, value };
      },
      cancel: async () => undefined,
    }),
  };
  return standIn({
    status,
    headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null },
    body,
  });
};
