/**
 * A payment's timeline, built from the sandbox's records: the payment and its refunds, the requests that named it, the
 * changes made through control routes, and its webhooks. Pure.
 */

import type { EventDetails, PaymentDetails } from '../service/control/overview.ts';
import type { ControlAction } from '../service/core/control-log.ts';
import type { RequestLogEntry } from '../service/core/request-log.ts';
import { formatDuration, formatMinor } from './format.ts';

/** `server` is the merchant's. `control` is a change through a control route, such as the inspector makes. */
export type Actor = 'form' | 'server' | 'service' | 'webhook' | 'control';

/** `good` and `bad` are outcomes; `wait` is in progress; everything else is plain. */
export type Tone = 'plain' | 'good' | 'bad' | 'wait';

export type Entry = {
  /** In milliseconds; `null` if the time is unknown. */
  at: number | null;
  actor: Actor;
  tone: Tone;
  title: string;
  /** Short phrases. */
  details: readonly string[];
  /**
   * The number of equal consecutive entries that this one stands for. If more than 1, `at` is the time of the first and
   * `lastAt` of the last.
   */
  count: number;
  lastAt: number | null;
};

export type TimelineData = {
  /** Oldest first. */
  past: readonly Entry[];
  /** Entries that will happen without further requests, next first. */
  upcoming: readonly Entry[];
  /** What may be missing, as sentences. */
  gaps: readonly string[];
};

/** An entry before sorting and merging. `order` sorts entries with the same time; equal entries merge if `repeats`. */
type Draft = Entry & { order: number; repeats: boolean };

const draft = (
  at: number | null,
  actor: Actor,
  title: string,
  more: Partial<Omit<Draft, 'at' | 'actor' | 'title'>> = {},
): Draft => ({
  at,
  actor,
  title,
  tone: 'plain',
  details: [],
  count: 1,
  lastAt: null,
  order: 0,
  repeats: false,
  ...more,
});

/** Builds a payment's timeline. `now` is in milliseconds on the sandbox's clock. */
export const buildTimeline = (facts: PaymentDetails, now: number): TimelineData => {
  const creation = creationEntry(facts);
  const drafts = [
    creation,
    ...facts.requests.flatMap((request) => requestEntries(request, facts)),
    ...facts.actions
      .filter(({ at, intent }) => intent !== null || creation.at === null || at >= creation.at)
      .flatMap((action) => controlEntries(action, facts.payment.currency)),
    ...chargeEntries(facts),
    ...outcomeEntries(facts),
    ...facts.refunds.flatMap((refund) => refundEntries(refund, facts)),
    ...facts.payment.unlock_schedule.map((step) => unlockEntry(step, facts.payment.currency)),
    ...facts.events.flatMap(webhookEntries),
  ];
  const isUpcoming = ({ at, tone }: Draft) => (at === null ? tone === 'wait' : at > now);
  const byTime = (timeIfUnknown: number) => (a: Draft, b: Draft) =>
    (a.at ?? timeIfUnknown) - (b.at ?? timeIfUnknown) || a.order - b.order;
  return {
    past: mergeRepeats(drafts.filter((entry) => !isUpcoming(entry)).sort(byTime(now))),
    upcoming: drafts.filter(isUpcoming).sort(byTime(Infinity)).map(entryOf),
    gaps: gapsIn(facts),
  };
};

const entryOf = ({ order: _, repeats: __, ...entry }: Draft): Entry => entry;

/** Merges equal consecutive entries, such as those of a form that polls, which would fill the page. */
const mergeRepeats = (drafts: readonly Draft[]): Entry[] => {
  const merged: Draft[] = [];
  for (const entry of drafts) {
    const before = merged.at(-1);
    if (before?.repeats && entry.repeats && isSameText(before, entry)) {
      merged[merged.length - 1] = { ...before, count: before.count + 1, lastAt: entry.at };
    } else merged.push(entry);
  }
  return merged.map(entryOf);
};

const isSameText = (a: Draft, b: Draft): boolean =>
  a.title === b.title && a.tone === b.tone && a.details.join() === b.details.join();

/**
 * Returns the total at creation, or `null` if a request may have changed it since, because the request log keeps no
 * amounts.
 */
const firstTotal = ({ payment, requests, actions }: PaymentDetails): number | null => {
  const [change] = actions.filter((action) => action.action === 'amount_changed');
  const first = change?.at ?? Infinity;
  const unknown = requests.some(
    ({ at, route, code }) =>
      at <= first && (route === 'payment_intents.update' || code === 'payment_intent_updated'),
  );
  return unknown ? null : (change?.from ?? payment.amount_total);
};

const creationEntry = (facts: PaymentDetails): Draft => {
  const { payment } = facts;
  const request = createRequest(facts);
  // `created` is in whole seconds, the request log in milliseconds.
  const at = request?.at ?? payment.created * 1000;
  const total = firstTotal(facts);
  return draft(at, request === undefined ? 'service' : 'server', 'Created', {
    order: -1,
    details: [
      ...(total === null ? [] : [formatMinor(total, payment.currency)]),
      ...(request === undefined ? [] : detailsOf(request)),
    ],
  });
};

/**
 * The routes whose requests get their own entry. `refunds.create` does only if the request had a fault, since the
 * refund itself has an entry.
 */
const REQUESTS: Partial<Record<RequestLogEntry['route'], { actor: Actor; title: string; repeats: boolean }>> =
  {
    'client.retrieve': { actor: 'form', title: 'Retrieved by the form', repeats: true },
    'client.release': { actor: 'form', title: 'Released by the form', repeats: false },
    'payment_intents.create': {
      actor: 'server',
      title: 'Created again with the same idempotency key: the same payment',
      repeats: true,
    },
    'payment_intents.retrieve': {
      actor: 'server',
      title: "Retrieved by the merchant's server",
      repeats: true,
    },
    'payment_intents.update': { actor: 'server', title: "Changed by the merchant's server", repeats: false },
    'refunds.retrieve': {
      actor: 'server',
      title: "Refund retrieved by the merchant's server",
      repeats: true,
    },
  };

const FAULTY: typeof REQUESTS = {
  'refunds.create': { actor: 'server', title: "Refund requested by the merchant's server", repeats: false },
};

const requestEntries = (request: RequestLogEntry, facts: PaymentDetails): Draft[] => {
  if (request.route === 'client.confirm') return [confirmEntry(request)];
  if (request === createRequest(facts)) return [];
  const known = REQUESTS[request.route] ?? (request.fault === null ? undefined : FAULTY[request.route]);
  if (known === undefined) return [];
  const { actor, title, repeats } = known;
  return [
    draft(request.at, actor, title, {
      repeats,
      tone: isError(request) ? 'bad' : 'plain',
      details: detailsOf(request),
    }),
  ];
};

/**
 * Returns the request that created the payment. Later ones with the same idempotency key return it again. Its response
 * may have been lost; only a request that acted names the payment.
 */
const createRequest = ({ requests }: PaymentDetails): RequestLogEntry | undefined =>
  requests.find(({ route }) => route === 'payment_intents.create');

const isError = ({ status }: RequestLogEntry): boolean =>
  status === 'cut' || status === 'refused' || (typeof status === 'number' && status >= 400);

/** Returns the status and code of the response, unless it was a plain success. */
const describeResponse = ({ status, code }: RequestLogEntry): string[] => {
  if (status === null) return ['not answered yet'];
  if (status === 'cut') return ['the connection ended before the response', ...(code === null ? [] : [code])];
  if (status === 'refused') return ['the connection was refused'];
  if (status < 400 && code === null) return [];
  return [code === null ? `${status}` : `${status} ${code}`];
};

const detailsOf = (request: RequestLogEntry): string[] => {
  const { took, fault, delivery } = request;
  return [
    ...describeResponse(request),
    ...(delivery > 1 ? [`delivered for the ${delivery === 2 ? '2nd' : '3rd'} time`] : []),
    ...(took !== null && took >= 1000 ? [`answered after ${formatDuration(took)}`] : []),
    ...(fault === null ? [] : [`fault: ${fault}`]),
  ];
};

const DECLINES: readonly (string | null)[] = ['payment_method_declined', 'payment_failed'];

const confirmEntry = (request: RequestLogEntry): Draft => {
  const { at, attempt, code, status } = request;
  const entry = (title: string, tone: Tone) =>
    draft(at, 'form', title, { tone, details: detailsOf(request) });
  if (attempt === null)
    return status === null ? entry('Confirm in progress', 'plain') : entry('Confirm had no effect', 'bad');
  if (DECLINES.includes(code)) return entry(`Declined, attempt ${attempt}`, 'bad');
  return entry(`Confirmed, attempt ${attempt}`, isError(request) ? 'bad' : 'plain');
};

const controlEntries = (action: ControlAction, currency: string): Draft[] => {
  const entries = (title: string, tone: Tone = 'plain') => [draft(action.at, 'control', title, { tone })];
  const money = (minor: number) => formatMinor(minor, currency);
  switch (action.action) {
    case 'amount_changed':
      return entries(`Total changed from ${money(action.from)} to ${money(action.to)}`);
    case 'canceled':
      return entries('Canceled', 'bad');
    case 'refunds_refused':
      return entries('The payment network refuses refunds from now on');
    case 'refunds_allowed':
      return entries('The payment network accepts refunds again');
    case 'account_changed':
      return entries('Account settings changed');
    case 'step_released':
      return entries(`Unlock step ${action.step} released early`);
    case 'step_rescheduled':
      return entries(`Unlock step ${action.step} rescheduled`);
    case 'clock_moved':
      return entries(`Clock moved forward by ${formatDuration(action.ms)}`);
    default:
      return action satisfies never;
  }
};

/**
 * A charge has whole seconds, so it takes the time of the confirm that made it, unless it was made later without one.
 */
const chargeEntries = ({ charges, requests }: PaymentDetails): Draft[] =>
  charges.map(({ at, amount, currency }) => {
    const confirm = requests.findLast(
      (one) => one.route === 'client.confirm' && one.attempt !== null && Math.floor(one.at / 1000) === at,
    );
    return draft(confirm?.at ?? at * 1000, 'service', 'Paid', {
      tone: 'good',
      order: 1,
      details: [formatMinor(amount, currency)],
    });
  });

/** The outcome of an attempt that is or was processing, and a cancellation at an unknown time. */
const outcomeEntries = ({
  payment,
  settles_at,
  last_payment_error,
  actions,
  requests,
}: PaymentDetails): Draft[] => {
  const wait = (title: string, at: number | null = null) => [draft(at, 'service', title, { tone: 'wait' })];
  if (payment.status === 'canceled' && !actions.some(({ action }) => action === 'canceled'))
    return [draft(null, 'service', 'Canceled', { tone: 'bad' })];
  const attempt = requests.findLast((one) => one.route === 'client.confirm' && one.attempt !== null);
  const failure =
    last_payment_error !== null && attempt !== undefined && attempt.code === null
      ? [draft(null, 'service', 'The attempt failed', { tone: 'bad', details: [last_payment_error.code] })]
      : [];
  if (payment.status !== 'processing') return failure;
  if (settles_at !== null) return wait('Outcome of the attempt', settles_at * 1000);
  return [
    ...failure,
    ...wait(
      last_payment_error === null ? 'Processing without an end' : 'The form releases the failed attempt',
    ),
  ];
};

const refundEntries = (refund: PaymentDetails['refunds'][number], { events }: PaymentDetails): Draft[] => {
  const { id, amount, refund_fee, currency, status, made_at, deduction } = refund;
  const money = formatMinor(amount, currency);
  const details = [
    id,
    ...(refund_fee > 0 ? [`fee ${formatMinor(refund_fee, currency)}`] : []),
    ...deduction.steps.map((part) => `${formatMinor(part.amount, currency)} from step ${part.step}`),
    ...(deduction.available > 0
      ? [`${formatMinor(deduction.available, currency)} from the available balance`]
      : []),
  ];
  const made = draft(made_at, 'service', `Refund of ${money} begun`, { details });
  if (status !== 'succeeded' && status !== 'failed')
    return [made, draft(null, 'service', `Outcome of the refund of ${money}`, { tone: 'wait' })];
  const end = events.find((event) => event.refund === id);
  return [
    made,
    draft(
      end === undefined ? made_at : Math.max(end.created * 1000, made_at),
      'service',
      `Refund of ${money} ${status}`,
      {
        order: 1,
        tone: status === 'succeeded' ? 'good' : 'bad',
        details: [id],
      },
    ),
  ];
};

const unlockEntry = (step: PaymentDetails['payment']['unlock_schedule'][number], currency: string): Draft =>
  draft(step.available_at * 1000, 'service', `Step ${step.step} available`, {
    order: 2,
    details: [
      formatMinor(step.remaining, currency),
      ...(step.deducted > 0 ? [`${formatMinor(step.deducted, currency)} was refunded`] : []),
      ...(step.rescheduled ? ['rescheduled'] : []),
    ],
  });

const webhookEntries = ({ type, deliveries }: EventDetails): Draft[] =>
  deliveries.flatMap(({ attempts, url, status, next_attempt_at, failures }) => {
    const endpoint = url ?? 'a deleted endpoint';
    const sent = attempts.map(({ at, duration_ms, http_status, error, reason }) =>
      draft(at, 'webhook', `Webhook ${type} ${error === null ? 'delivered' : 'not delivered'}`, {
        order: 3,
        tone: error === null ? 'good' : 'bad',
        details: [
          endpoint,
          ...(http_status === null ? [] : [`HTTP ${http_status}`]),
          ...(error === null ? [] : [error]),
          ...(reason === 'schedule' ? [] : [reason === 'manual' ? 'by hand' : 'a copy']),
          ...(duration_ms >= 1000 ? [`took ${formatDuration(duration_ms)}`] : []),
        ],
      }),
    );
    if (status !== 'pending') return sent;
    const next =
      failures > 0
        ? `attempt ${failures + 1} of 8`
        : next_attempt_at === null
          ? 'held back'
          : 'first attempt';
    return [
      ...sent,
      draft(next_attempt_at, 'webhook', `Webhook ${type}`, {
        order: 3,
        tone: 'wait',
        details: [endpoint, next],
      }),
    ];
  });

const gapsIn = ({ payment, known_since, requests_left_off }: PaymentDetails): string[] => [
  ...(payment.created * 1000 + 999 < known_since
    ? ['Requests from before the sandbox started, or no longer in its request log, are missing here.']
    : []),
  ...(requests_left_off > 0 ? [`${requests_left_off} earlier requests are left out.`] : []),
];
