/**
 * The story of a payment, told from what the sandbox keeps of it: the payment and its refunds, the requests that named
 * it, what was done to it by hand, and its webhooks. Pure: facts and the present in, entries out.
 */
import type { Deed } from '../deeds.ts';
import type { JournalEntry } from '../journal.ts';
import type { EventFacts, PaymentFacts } from '../overview.ts';
import { lengthText, moneyText } from './words.ts';

/** Who did it. */
export type Actor = 'form' | 'server' | 'service' | 'webhook' | 'you';

/** `good` and `bad` are outcomes; `wait` is under way; everything else is plain. */
export type Tone = 'plain' | 'good' | 'bad' | 'wait';

export type Entry = {
  /** Milliseconds; `null` where nobody kept when it was. */
  at: number | null;
  by: Actor;
  tone: Tone;
  title: string;
  /** Facts beside it, each a phrase. */
  details: readonly string[];
  /** More than 1 where the same followed itself; `at` is then the first and `last` the last of them. */
  count: number;
  last: number | null;
};

export type Timeline = {
  /** In order of time. */
  past: readonly Entry[];
  /** What is still to come by itself, the nearest first. */
  coming: readonly Entry[];
  /** What the story may lack, in sentences. */
  gaps: readonly string[];
};

/** Before it is told, an entry knows its place among those of the same moment. */
type Draft = Entry & { order: number; repeats: boolean };

const draft = (
  at: number | null,
  by: Actor,
  title: string,
  more: Partial<Omit<Draft, 'at' | 'by' | 'title'>> = {},
): Draft => ({
  at,
  by,
  title,
  tone: 'plain',
  details: [],
  count: 1,
  last: null,
  order: 0,
  repeats: false,
  ...more,
});

/** The story up to `now` (milliseconds on the sandbox's clock), and what comes. */
export const timelineOf = (facts: PaymentFacts, now: number): Timeline => {
  const first = created(facts);
  const drafts = [
    first,
    ...facts.requests.flatMap((request) => requested(request, facts)),
    ...facts.deeds
      .filter(({ at, intent }) => intent !== null || first.at === null || at >= first.at)
      .flatMap((deed) => done(deed, facts.payment.currency)),
    ...paid(facts),
    ...ended(facts),
    ...facts.refunds.flatMap((refund) => refunded(refund, facts)),
    ...facts.payment.unlock_schedule.map((step) => unlocked(step, facts.payment.currency)),
    ...facts.events.flatMap(told),
  ];
  const isComing = ({ at, tone }: Draft) => (at === null ? tone === 'wait' : at > now);
  const inOrder = (a: Draft, b: Draft) => (a.at ?? now) - (b.at ?? now) || a.order - b.order;
  return {
    past: together(drafts.filter((one) => !isComing(one)).sort(inOrder)),
    coming: drafts.filter(isComing).sort(byWhen).map(entryOf),
    gaps: gapsIn(facts),
  };
};

const byWhen = (a: Draft, b: Draft): number => (a.at ?? Infinity) - (b.at ?? Infinity) || a.order - b.order;

const entryOf = ({ order: _, repeats: __, ...entry }: Draft): Entry => entry;

/** Entries of which several in a row say the same become one: a form that polls would fill the page. */
const together = (drafts: readonly Draft[]): Entry[] => {
  const told: Draft[] = [];
  for (const one of drafts) {
    const before = told.at(-1);
    if (before?.repeats && one.repeats && saysTheSame(before, one)) {
      told[told.length - 1] = { ...before, count: before.count + 1, last: one.at };
    } else told.push(one);
  }
  return told.map(entryOf);
};

const saysTheSame = (a: Draft, b: Draft): boolean =>
  a.title === b.title && a.tone === b.tone && a.details.join() === b.details.join();

/** The total it was created with, where nothing but known changes can have changed it since. */
const firstTotal = ({ payment, requests, deeds }: PaymentFacts): number | null => {
  const [change] = deeds.filter((deed) => deed.deed === 'amount_changed');
  const first = change?.at ?? Infinity;
  const unknown = requests.some(
    ({ at, route, code }) =>
      at <= first && (route === 'payment_intents.update' || code === 'payment_intent_updated'),
  );
  return unknown ? null : (change?.from ?? payment.amount_total);
};

const created = (facts: PaymentFacts): Draft => {
  const { payment, requests } = facts;
  const making = requests.find(({ route, status }) => route === 'payment_intents.create' && status === 200);
  // Whole seconds in the payment; the journal knows it better.
  const at = making?.at ?? payment.created * 1000;
  const total = firstTotal(facts);
  return draft(at, making === undefined ? 'service' : 'server', 'Created', {
    order: -1,
    details: total === null ? [] : [moneyText(total, payment.currency)],
  });
};

/** Where the title of a request comes from, and whether it is told once for many. */
const REQUESTS: Partial<Record<JournalEntry['route'], { by: Actor; title: string; repeats: boolean }>> = {
  'client.retrieve': { by: 'form', title: 'Retrieved by the form', repeats: true },
  'client.release': { by: 'form', title: 'Released by the form', repeats: false },
  'payment_intents.create': {
    by: 'server',
    title: 'Created again with the same idempotency key: the same payment',
    repeats: true,
  },
  'payment_intents.retrieve': { by: 'server', title: "Retrieved by the merchant's server", repeats: true },
  'payment_intents.update': { by: 'server', title: "Changed by the merchant's server", repeats: false },
  'refunds.retrieve': { by: 'server', title: "Refund retrieved by the merchant's server", repeats: true },
};

const requested = (request: JournalEntry, facts: PaymentFacts): Draft[] => {
  const { route, at } = request;
  const details = detailsOf(request);
  if (route === 'client.confirm') return [draft(at, 'form', ...confirmWords(request, details))];
  // The refund itself is told; and so is the first creation.
  if (route === 'refunds.create') return [];
  if (route === 'payment_intents.create' && request === firstCreate(facts)) return [];
  const words = REQUESTS[route];
  if (words === undefined) return [];
  const failed = isError(request);
  return [
    draft(at, words.by, words.title, {
      repeats: words.repeats,
      tone: request.status === null ? 'plain' : failed ? 'bad' : 'plain',
      details: [...answerWords(request), ...details],
    }),
  ];
};

const firstCreate = ({ requests }: PaymentFacts): JournalEntry | undefined =>
  requests.find(({ route, status }) => route === 'payment_intents.create' && status === 200);

const isError = ({ status }: JournalEntry): boolean =>
  status === 'cut' || status === 'refused' || (typeof status === 'number' && status >= 400);

/** What was answered, where it was not what one expects. */
const answerWords = ({ status, code }: JournalEntry): string[] => {
  if (status === null) return ['not answered yet'];
  if (status === 'cut') return ['the connection ended before the answer', ...(code === null ? [] : [code])];
  if (status === 'refused') return ['the connection was refused'];
  if (status < 400 && code === null) return [];
  return [code === null ? `${status}` : `${status} ${code}`];
};

const detailsOf = ({ took, fault, delivery }: JournalEntry): string[] => [
  ...(delivery > 1 ? [`delivered for the ${delivery === 2 ? '2nd' : '3rd'} time`] : []),
  ...(took !== null && took >= 1000 ? [`answered after ${lengthText(took)}`] : []),
  ...(fault === null ? [] : [`fault: ${fault}`]),
];

const DECLINES: readonly (string | null)[] = ['payment_method_declined', 'payment_failed'];

const confirmWords = (
  request: JournalEntry,
  details: string[],
): [string, { tone: Tone; details: string[] }] => {
  const { attempt, code } = request;
  const all = [...answerWords(request), ...details];
  if (attempt === null) {
    const waits = request.status === null;
    return [
      waits ? 'Confirm under way' : 'Confirm came to nothing',
      { tone: waits ? 'plain' : 'bad', details: all },
    ];
  }
  if (DECLINES.includes(code)) return [`Declined, attempt ${attempt}`, { tone: 'bad', details: all }];
  return [`Confirmed, attempt ${attempt}`, { tone: isError(request) ? 'bad' : 'plain', details: all }];
};

const done = (deed: Deed, currency: string): Draft[] => {
  const at = (title: string, tone: Tone = 'plain') => [draft(deed.at, 'you', title, { tone })];
  switch (deed.deed) {
    case 'amount_changed':
      return at(`Total changed from ${moneyText(deed.from, currency)} to ${moneyText(deed.to, currency)}`);
    case 'canceled':
      return at('Canceled', 'bad');
    case 'refunds_refused':
      return at('From now on the payment network refuses refunds');
    case 'refunds_allowed':
      return at('The payment network takes refunds again');
    case 'account_changed':
      return at('Account settings changed');
    case 'step_released':
      return at(`Unlock step ${deed.step} released early`);
    case 'step_rescheduled':
      return at(`Unlock step ${deed.step} rescheduled`);
    case 'clock_moved':
      return at(`Clock moved forward by ${lengthText(deed.ms)}`);
    default:
      return deed satisfies never;
  }
};

/** Charges have whole seconds. One of a confirm follows it; one that came by itself has its own mark. */
const paid = ({ charges, requests }: PaymentFacts): Draft[] =>
  charges.map(({ at, amount, currency }) => {
    const confirm = requests.findLast(
      (one) => one.route === 'client.confirm' && one.attempt !== null && Math.floor(one.at / 1000) === at,
    );
    return draft(confirm?.at ?? at * 1000, 'service', 'Paid', {
      tone: 'good',
      order: 1,
      details: [moneyText(amount, currency)],
    });
  });

/** What an attempt that is or was processed comes to, and an end of whose moment nobody took note. */
const ended = ({ payment, settles_at, last_payment_error, deeds, requests }: PaymentFacts): Draft[] => {
  const wait = (title: string, at: number | null = null) => [draft(at, 'service', title, { tone: 'wait' })];
  if (payment.status === 'canceled' && !deeds.some(({ deed }) => deed === 'canceled'))
    return [draft(null, 'service', 'Canceled', { tone: 'bad' })];
  const attempt = requests.findLast((one) => one.route === 'client.confirm' && one.attempt !== null);
  const afterwards =
    last_payment_error !== null && attempt !== undefined && attempt.code === null
      ? [draft(null, 'service', 'The attempt failed', { tone: 'bad', details: [last_payment_error.code] })]
      : [];
  if (payment.status !== 'processing') return afterwards;
  if (settles_at !== null) return wait('Outcome of the attempt', settles_at * 1000);
  return [
    ...afterwards,
    ...wait(
      last_payment_error === null ? 'Processing, without an end' : 'The form releases the failed attempt',
    ),
  ];
};

const refunded = (refund: PaymentFacts['refunds'][number], { events }: PaymentFacts): Draft[] => {
  const { id, amount, refund_fee, currency, status, made_at, deduction } = refund;
  const money = moneyText(amount, currency);
  const details = [
    id,
    ...(refund_fee > 0 ? [`fee ${moneyText(refund_fee, currency)}`] : []),
    ...deduction.steps.map((part) => `${moneyText(part.amount, currency)} from step ${part.step}`),
    ...(deduction.available > 0
      ? [`${moneyText(deduction.available, currency)} from the available balance`]
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

const unlocked = (step: PaymentFacts['payment']['unlock_schedule'][number], currency: string): Draft =>
  draft(step.available_at * 1000, 'service', `Step ${step.step} available`, {
    order: 2,
    details: [
      moneyText(step.remaining, currency),
      ...(step.deducted > 0 ? [`${moneyText(step.deducted, currency)} was refunded`] : []),
      ...(step.rescheduled ? ['rescheduled'] : []),
    ],
  });

const told = ({ type, deliveries }: EventFacts): Draft[] =>
  deliveries.flatMap(({ attempts, url, status, next_attempt_at, failures }) => {
    const where = url ?? 'a deleted endpoint';
    const sent = attempts.map(({ at, duration_ms, http_status, error, reason }) =>
      draft(at, 'webhook', `Webhook ${type} ${error === null ? 'delivered' : 'not delivered'}`, {
        order: 3,
        tone: error === null ? 'good' : 'bad',
        details: [
          where,
          ...(http_status === null ? [] : [`HTTP ${http_status}`]),
          ...(error === null ? [] : [error]),
          ...(reason === 'schedule' ? [] : [reason === 'manual' ? 'by hand' : 'a copy']),
          ...(duration_ms >= 1000 ? [`took ${lengthText(duration_ms)}`] : []),
        ],
      }),
    );
    if (status !== 'pending') return sent;
    const again =
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
        details: [where, again],
      }),
    ];
  });

const gapsIn = ({ payment, known_since, requests_left_off }: PaymentFacts): string[] => [
  ...(payment.created * 1000 + 999 < known_since
    ? ['Requests from before the sandbox started, or older than its journal holds, are not in this story.']
    : []),
  ...(requests_left_off > 0 ? [`${requests_left_off} earlier requests are left out.`] : []),
];
