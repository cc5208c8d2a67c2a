/**
 * Sends every event to every reachable state, at two moments, awake and asleep. The walk tracks the running effects,
 * like payment.ts, so that it knows which events can happen and whether a state hangs.
 */
import { describe, expect, it, vi } from 'vitest';
import type { Failure, Refusal } from '../../api/errors.ts';
import { mayBeAttempting } from './attempts.ts';
import { exampleIntent } from './payment.fixture.ts';
import type { Effect, Intent, PaymentEvent, PaymentState, Step } from './payment-state.ts';
import { TIMING } from './timing.ts';
import { initial, transition } from './transition.ts';

// Few polls and only two durations keep the number of states small: thirty reads in a row show no more than two do.
// transition.*.test.ts tests the real durations.
vi.mock('./timing.ts', async (original) => {
  const { TIMING } = await original<typeof import('./timing.ts')>();
  const LATER = 5000;
  return {
    TIMING: {
      ...TIMING,
      slow: LATER,
      probe: LATER,
      agreement: LATER,
      settleAnswered: LATER,
      settleUnanswered: LATER,
    },
    RETRY_NETWORK: [1000, 3000],
    RETRY_SERVICE: [1000],
    SCHEDULE: [1000, 15_000],
    CHECK_SCHEDULE: [5000],
  };
});

const error = { type: 'card_error', code: 'payment_method_declined', message: 'Declined.' };
const INTENTS: readonly Intent[] = [
  exampleIntent(),
  exampleIntent({ amount_total: 1334 }),
  exampleIntent({ confirmation_attempts: 1, last_payment_error: error }),
  exampleIntent({ confirmation_attempts: null }),
  exampleIntent({ confirmation_attempts: 1, attempts_left: 0 }),
  // From a service that doesn't say whether the attempt is running.
  exampleIntent({
    confirmation_attempts: 1,
    attempts_left: 0,
    attempt_in_progress: null,
    attemptsAreOver: false,
  }),
  exampleIntent({ status: 'processing', confirmation_attempts: 1 }),
  exampleIntent({ status: 'processing', confirmation_attempts: 1, last_payment_error: error }),
  exampleIntent({ status: 'requires_action' }),
  exampleIntent({ status: 'succeeded', confirmation_attempts: 1 }),
  exampleIntent({ status: 'canceled' }),
  exampleIntent({ id: 'lg_pi_2', status: 'succeeded' }),
  exampleIntent({ id: 'lg_pi_2', amount_total: 1334 }),
];

const refused = (status: number, code: string, param: string | null = null): Refusal => ({
  kind: 'refused',
  status,
  code,
  type: 'invalid_request_error',
  message: '',
  param,
  declineCode: null,
});
const FAILURES: readonly Failure[] = [
  { kind: 'no_answer', reason: 'network' },
  { kind: 'no_answer', reason: 'malformed' },
  { kind: 'no_answer', reason: 'no_secret' },
  { kind: 'throttled', retryAfter: 5, stated: true },
  { kind: 'throttled', retryAfter: 1e9, stated: true },
  refused(400, 'validation_error', 'card.number'), // like invalid_billing_details
  refused(400, 'payment_details_missing'),
  refused(400, 'payment_intent_not_pending'),
  refused(400, 'validation_error'),
  refused(401, 'api_key_revoked'),
  refused(402, 'payment_method_declined'),
  refused(409, 'payment_intent_updated'),
  refused(500, 'fee_plan_not_configured'),
  refused(502, 'provider_error'),
  refused(503, 'http_503'),
];
const EVENTS: readonly PaymentEvent[] = [
  { type: 'opened' },
  { type: 'submitted', shown: { amount: 1234, currency: 'usd' } },
  { type: 'submitted', shown: { amount: 1334, currency: 'usd' } },
  { type: 'submitted', shown: { amount: 1234, currency: 'eur' } },
  { type: 'page_answered', answer: { kind: 'allowed' } },
  { type: 'page_answered', answer: { kind: 'refused', message: 'Sold out.' } },
  { type: 'page_answered', answer: { kind: 'failed' } },
  { type: 'waited' },
  { type: 'released' },
  { type: 'other_tab_paying' },
  { type: 'other_tab_done' },
  { type: 'retry_requested' },
  { type: 'refresh_requested' },
  { type: 'woke', gap: 1000 },
  { type: 'woke', gap: 60_000 },
  { type: 'restored' },
  { type: 'closed' },
  ...INTENTS.flatMap((intent): PaymentEvent[] => [
    { type: 'retrieved', intent },
    { type: 'confirmed', intent },
  ]),
  ...FAILURES.flatMap((failure): PaymentEvent[] => [
    { type: 'retrieve_failed', failure },
    { type: 'confirm_failed', failure },
    { type: 'release_failed', failure },
  ]),
];

type Lanes = {
  confirm: boolean;
  request: 'retrieve' | 'release' | null;
  page: boolean;
  wait: boolean;
  tab: boolean;
};
type Node = { state: PaymentState; lanes: Lanes };

const FINAL = new Set(['succeeded', 'canceled', 'exhausted', 'destroyed']);
const WAITING = new Set([
  'loading',
  'asking_page',
  'confirming',
  'waiting_for_tab',
  'resolving',
  'processing',
  'releasing',
  'reloading',
]);

/** The lane whose effect an event ends; null for events of buyers and pages, which can happen at any time. */
const laneOf = (event: PaymentEvent): keyof Lanes | null => {
  if (event.type === 'waited') return 'wait';
  if (/^(confirm|other_tab_paying)/.test(event.type)) return 'confirm';
  if (event.type === 'page_answered') return 'page';
  if (event.type === 'other_tab_done') return 'tab';
  return /^(retrieve|release)/.test(event.type) ? 'request' : null;
};
const couldHappen = (event: PaymentEvent, lanes: Lanes): boolean => {
  const lane = laneOf(event);
  if (lane === 'request') return lanes.request !== null && event.type.startsWith(lanes.request.slice(0, -1));
  return lane === null || Boolean(lanes[lane]);
};

const NONE: Lanes = { confirm: false, request: null, page: false, wait: false, tab: false };

const advance = (before: Node, event: PaymentEvent, { state, effects }: Step): Lanes => {
  const sameStatus = state.status === before.state.status;
  const lanes: Lanes = { ...(sameStatus ? before.lanes : NONE) };
  const ended = laneOf(event);
  if (sameStatus && ended === 'confirm') lanes.confirm = false;
  if (sameStatus && ended === 'request') lanes.request = null;
  if (sameStatus && (ended === 'page' || ended === 'wait' || ended === 'tab')) lanes[ended] = false;
  for (const effect of effects) start(lanes, effect);
  return lanes;
};
const start = (lanes: Lanes, effect: Effect) => {
  if (effect.type === 'wait') lanes.wait = true;
  else if (effect.type === 'wait_for_tab') lanes.tab = true;
  else if (effect.type === 'ask_page') lanes.page = true;
  else if (effect.type === 'confirm') {
    expect(lanes.confirm, 'outcomes I1: at most one confirm is open').toBe(false);
    lanes.confirm = true;
  } else {
    expect(lanes.request, 'at most one request is under way beside the confirm').toBe(null);
    lanes.request = effect.type;
  }
};

/** Makes times relative to now, and drops them where they no longer matter, so that the walk ends. */
const settled = (node: Node, now: number): Node => {
  const state: PaymentState = JSON.parse(JSON.stringify(node.state), (key, value) => {
    if (typeof value !== 'number') return value;
    if (key === 'sentAt' || key === 'startedAt') return Math.max(value - now, -TIMING.settleUnanswered);
    if (key === 'readAt' || key === 'askedAt' || key === 'at' || key === 'usedUpAt')
      return Math.max(value - now, -TIMING.agreement);
    if (key === 'armedAt' || key === 'notBefore' || key === 'until') {
      return Math.min(Math.max(value - now, 0), 2 * TIMING.agreement);
    }
    return value;
  });
  return { state, lanes: node.lanes };
};

const MOMENTS = [0, TIMING.agreement];

type Page = { canReplace: boolean; asksPage: boolean };

const walk = (
  page: Page,
  visit: (before: Node, event: PaymentEvent, now: number, step: Step, after: Lanes) => void,
) => {
  const first: Node = { state: initial, lanes: NONE };
  const known = new Map<string, Node>([[JSON.stringify(first), first]]);
  let pairs = 0;
  for (const node of known.values()) {
    for (const now of MOMENTS) {
      let hasAged = false;
      for (const event of EVENTS) {
        for (const awake of event.type === 'waited' ? [true, false] : [true]) {
          const step = transition(node.state, event, { now, awake, ...page });
          pairs += 1;
          if (!couldHappen(event, node.lanes)) {
            if (step.state !== node.state || step.effects.length > 0) {
              expect.fail(`${node.state.status} answered ${event.type}, which nothing under way can cause`);
            }
            continue;
          }
          const lanes = advance(node, event, step);
          visit(node, event, now, step, lanes);
          // Most events change nothing: all of these lead to the same node, only older.
          if (step.state === node.state && step.effects.length === 0 && laneOf(event) === null) {
            if (hasAged) continue;
            hasAged = true;
          }
          const next = settled({ state: step.state, lanes }, now);
          const key = JSON.stringify(next);
          if (!known.has(key)) known.set(key, next);
        }
      }
    }
  }
  return { states: [...known.values()].map(({ state }) => state), pairs };
};

describe.each([
  { page: 'a page with one intent', canReplace: false, asksPage: false },
  {
    page: 'a page that can give another, and is asked before each confirm',
    canReplace: true,
    asksPage: true,
  },
])('every reachable state and event, for $page', ({ canReplace, asksPage }) => {
  const confirmed: string[] = [];
  const { states, pairs } = walk(
    { canReplace, asksPage },
    (before, event, now, { state, effects }, lanes) => {
      const from = before.state;
      const where = `${from.status} --${event.type}--> ${state.status}`;
      const sent = effects.find((effect) => effect.type === 'confirm');

      if (sent) {
        confirmed.push(where);
        if (from.status === 'asking_page') {
          const isAllowed = event.type === 'page_answered' && event.answer.kind === 'allowed';
          if (!from.allowed && !isAllowed) expect.fail(`I2: ${where} sent a confirm without the page's yes`);
          expect(sent.shown, 'I5: the confirm carries the total that was pressed').toEqual(from.shown);
        } else if (from.status !== 'ready' || event.type !== 'submitted' || asksPage) {
          expect.fail(`I2: ${where} sent a confirm`);
        } else {
          expect(sent.shown, 'I5: the confirm carries the total shown').toEqual({
            amount: from.intent.amount_total,
            currency: from.intent.currency,
          });
          expect(now, 'the press came after the guard').toBeGreaterThanOrEqual(from.armedAt);
        }
      }
      if (
        from.status === 'confirming' &&
        event.type === 'confirm_failed' &&
        event.failure.kind === 'no_answer'
      ) {
        if (state.status !== 'resolving') expect.fail(`after no answer the form polls: ${where}`);
        if (effects.some((effect) => effect.type !== 'wait' && effect.type !== 'retrieve'))
          expect.fail(where);
      }
      if (state.status === 'succeeded' && from.status !== 'succeeded') {
        const read = event.type === 'retrieved' || event.type === 'confirmed';
        if (!read || event.intent.status !== 'succeeded')
          expect.fail(`I3: ${where} without a succeeded intent`);
        if ('intent' in from && from.intent && read) expect(event.intent.id, 'I3').toBe(from.intent.id);
      }
      if (state.status === 'exhausted' && from.status !== 'exhausted' && from.status !== 'loading') {
        // Only after the service said that it is not pending, or has no attempts left, and it was then read as pending.
        if (event.type !== 'retrieved' || event.intent.status !== 'pending') expect.fail(`I4: ${where}`);
        if (mayBeAttempting(state.intent)) expect.fail(`I4: ${where} while an attempt may be running`);
      }
      if (state.status === 'blocked' && from.status === 'confirming') {
        const certain = event.type === 'confirm_failed' && event.failure.kind === 'refused';
        if (!certain) expect.fail(`I4: ${where} without a certain refusal`);
      }
      if (state.status === 'blocked' && (from.status === 'resolving' || from.status === 'processing')) {
        if (event.type !== 'retrieved' || event.intent.status !== 'pending') expect.fail(`I4: ${where}`);
      }
      if (state.status === 'ready' && from.status !== 'ready') {
        const readPending = event.type === 'retrieved' && event.intent.status === 'pending';
        const detailsRefused = event.type === 'confirm_failed' && from.status === 'confirming';
        const nothingSent = from.status === 'asking_page';
        if (!readPending && !detailsRefused && !nothingSent)
          expect.fail(`${where} without having read pending`);
      }
      if (
        from.status === 'confirming' &&
        event.type === 'other_tab_paying' &&
        (lanes.request || lanes.confirm)
      ) {
        expect.fail(`${where} sends, though another tab is paying`);
      }
      for (const effect of effects) {
        if (effect.type !== 'retrieve' || !effect.replacement) continue;
        const intent = 'intent' in event ? event.intent : null;
        const isOver =
          intent?.status === 'canceled' ||
          (state.status === 'loading' && state.replaces?.status === 'exhausted');
        if (!canReplace || !isOver) expect.fail(`G4: ${where} asks for another intent`);
        if (
          state.status === 'loading' &&
          state.replaces?.status === 'exhausted' &&
          intent?.status !== 'pending'
        ) {
          expect.fail(`G4: ${where} without having read that the intent is unpaid`);
        }
      }
      if (state.status === 'throttled' && (lanes.request || lanes.confirm)) expect.fail(`I6: ${where} sends`);
      if (FINAL.has(state.status) || state.status === 'ready' || state.status === 'unknown') {
        if (lanes.request || lanes.page || lanes.wait || lanes.confirm || lanes.tab)
          expect.fail(`outcomes I8 and I9: ${where} left something running`);
      }
      if (FINAL.has(from.status) && state !== from && event.type !== 'closed')
        expect.fail(`${where} left the end`);
      if (WAITING.has(state.status) && !lanes.request && !lanes.wait && !lanes.confirm && !lanes.tab) {
        const asleep = JSON.stringify(state).includes('"activity":"asleep"');
        if (!asleep) expect.fail(`3: ${where} hangs`);
      }
      if (state.status === 'throttled' && !lanes.wait && state.secondsLeft > 0)
        expect.fail(`3: ${where} hangs`);
      for (const effect of effects) {
        if (effect.type === 'wait' && !(effect.ms > 0)) expect.fail(`${where} waits ${effect.ms} ms`);
      }
    },
  );

  it('outcomes 2.2: every state is reachable', () => {
    expect([...new Set(states.map(({ status }) => status))].sort()).toEqual(
      [
        ...(asksPage ? ['asking_page'] : []),
        'blocked',
        'booting',
        'canceled',
        'confirming',
        'destroyed',
        'exhausted',
        'load_failed',
        'loading',
        'processing',
        'ready',
        'releasing',
        'reloading',
        'resolving',
        'succeeded',
        'unknown',
        'throttled',
        'waiting_for_tab',
      ].sort(),
    );
    expect(pairs).toBeGreaterThan(100_000);
  });

  it('outcomes I2: confirm is sent only on a press in `ready`, and only after the page said yes if it is asked', () => {
    const fromReady = ['ready --submitted--> confirming'];
    const fromAsking = ['page_answered', 'retrieved', 'retrieve_failed', 'waited'].map(
      (event) => `asking_page --${event}--> confirming`,
    );
    expect(new Set(confirmed)).toEqual(new Set(asksPage ? fromAsking : fromReady));
  });

  it('no state contains card details', () => {
    const keys = new Set<string>();
    for (const state of states) {
      JSON.stringify(state, (key, value) => {
        keys.add(key);
        return value;
      });
    }
    for (const key of keys)
      expect(key).not.toMatch(/^(pan|number|cvc|exp_?month|exp_?year|expiry|card|billing)/i);
  });
});
