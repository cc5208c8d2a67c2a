/** The inspector's data as plain JSON: read-only views of the store, the request log and the control log. */
import { PLAYGROUND_MARK } from '../../../api/routes.ts';
import type { Balance, PaymentIntent, Refund, ServiceErrorRecord } from '../../../api/schemas.ts';
import { accountOf } from '../accounts/accounts.ts';
import { isLocked } from '../accounts/unlock.ts';
import type { ControlAction } from '../core/control-log.ts';
import { MAX_LOGGED_REQUESTS, type RequestLogEntry } from '../core/request-log.ts';
import type { Service } from '../http/service.ts';
import { balanceOf } from '../payments/balance.ts';
import { allIntents, refundsOf, settleAll } from '../payments/current.ts';
import { refundView, serverView } from '../payments/views.ts';
import type {
  Account,
  Charge,
  Deduction,
  EventType,
  IntentRecord,
  IntentStatus,
  WebhookDelivery,
  WebhookPlan,
} from '../store/records.ts';
import { type KeysView, keysView, settingsView } from './account-settings.ts';

/** The whole sandbox. Shows only the last 4 characters of secret keys. */
export type Overview = {
  /** The sandbox's clock, in milliseconds. */
  now: number;
  /** How far the sandbox's clock is ahead of the machine's, in milliseconds. */
  ahead: number;
  account: { id: string } & ReturnType<typeof settingsView>;
  accounts: number;
  keys: KeysView[];
  attempts: number;
  hold_failed_attempts: boolean;
  payments: Record<IntentStatus, number>;
  /** The maximum number of requests kept, and the time (milliseconds) since which none has been dropped. */
  journal: { kept: number; since: number };
  faults: unknown;
  webhook_plan: WebhookPlan;
};

/** Returns the overview from the point of view of one of the sandbox's accounts. */
export const overviewOf = (service: Service, account: Account): Overview => {
  settleAll(service);
  return {
    now: service.clock.now(),
    ahead: service.clock.offset(),
    account: { id: account.id, ...settingsView(account) },
    accounts: service.store.accounts.size,
    keys: keysView(service, account),
    attempts: service.attempts,
    hold_failed_attempts: service.holdFailedAttempts,
    payments: service.ledger.statuses(),
    journal: { kept: MAX_LOGGED_REQUESTS, since: service.requestLog.since() },
    faults: service.faults.view(),
    webhook_plan: service.store.webhookPlan,
  };
};

/** A payment in the list. */
export type PaymentRow = {
  id: string;
  status: IntentStatus;
  currency: string;
  amount_total: number;
  amount_refunded: number;
  confirmation_attempts: number;
  order_reference: string | null;
  buyer: string | null;
  created: number;
  /** The error of the last attempt, if it failed and was not released. */
  error: string | null;
};

/**
 * A page of payments, newest first. `matching` counts the matches on all pages, `untouched` the playground's payments
 * that nobody has tried to pay: the playground creates one each time it is opened.
 */
export type PaymentPage = { data: PaymentRow[]; matching: number; untouched: number };

const isUntouched = ({ status, confirmation_attempts, metadata }: IntentRecord): boolean =>
  status === 'pending' && confirmation_attempts === 0 && metadata.made_by === PLAYGROUND_MARK.made_by;

/** Finds payments whose id, order reference or buyer contains `find`, ignoring case. */
export const paymentPage = (
  service: Service,
  {
    find,
    status,
    untouched,
    offset,
    limit,
  }: {
    find: string;
    status: string | undefined;
    /** Include the playground's payments that nobody has tried to pay. */
    untouched: boolean;
    offset: number;
    limit: number;
  },
): PaymentPage => {
  const wanted = find.trim().toLowerCase();
  const found = allIntents(service).filter(
    (intent) =>
      (status === undefined || intent.status === status) &&
      [intent.id, intent.order_reference, intent.buyer?.name].some((text) =>
        text?.toLowerCase().includes(wanted),
      ),
  );
  const touched = found.filter((intent) => !isUntouched(intent));
  const shown = untouched ? found : touched;
  return {
    data: shown.slice(offset, offset + limit).map(rowOf),
    matching: shown.length,
    untouched: found.length - touched.length,
  };
};

const rowOf = (intent: IntentRecord): PaymentRow => ({
  id: intent.id,
  status: intent.status,
  currency: intent.currency,
  amount_total: intent.amount_total,
  amount_refunded: intent.amount_refunded,
  confirmation_attempts: intent.confirmation_attempts,
  order_reference: intent.order_reference,
  buyer: intent.buyer?.name ?? null,
  created: intent.created,
  error: intent.last_payment_error?.code ?? null,
});

/** An event of a payment or of one of its refunds, with its deliveries. */
export type EventDetails = {
  id: string;
  type: EventType;
  /** Unix seconds. */
  created: number;
  /** The id of the refund, for refund events. */
  refund: string | null;
  deliveries: (WebhookDelivery & { url: string | null })[];
};

/** Everything about one payment except its client secret. */
export type PaymentDetails = {
  payment: PaymentIntent;
  /** The id of the payment's account, and a publishable key with which the payment can be paid. */
  account: string;
  publishable_key: string | null;
  last_payment_error: ServiceErrorRecord | null;
  /** When the processing attempt ends, in unix seconds; `null` if there is none or it never ends. */
  settles_at: number | null;
  refunds_refused: boolean;
  attempts_allowed: number;
  /** `made_at` in milliseconds. */
  refunds: (Refund & { made_at: number; deduction: Deduction })[];
  charges: Charge[];
  /** The latest requests that named the payment, oldest first. */
  requests: RequestLogEntry[];
  /** The number of earlier requests left out. */
  requests_left_off: number;
  /** The time (milliseconds) since which no request has been dropped. */
  known_since: number;
  actions: ControlAction[];
  events: EventDetails[];
};

/** Limits the list: a payment that is polled for an hour has thousands of requests. */
const MAX_REQUESTS = 500;

export const paymentDetails = (service: Service, intent: IntentRecord): PaymentDetails => {
  const { store, requestLog } = service;
  const requests = requestLog.of(intent.id);
  const refunds = refundsOf(service, intent.account, intent.id);
  const about = new Set([intent.id, ...refunds.map(({ id }) => id)]);
  return {
    payment: serverView(intent),
    account: intent.account,
    publishable_key: usableKey(service, accountOf(store, intent)),
    last_payment_error: intent.last_payment_error,
    settles_at: intent.settlement?.at ?? null,
    refunds_refused: intent.refundsRefused,
    attempts_allowed: service.attempts,
    refunds: refunds.map((refund) => ({
      ...refundView(refund),
      made_at: refund.madeAt,
      deduction: refund.deduction,
    })),
    charges: store.charges.filter((charge) => charge.intent === intent.id),
    requests: requests.slice(-MAX_REQUESTS),
    requests_left_off: Math.max(0, requests.length - MAX_REQUESTS),
    known_since: requestLog.since(),
    actions: service.controlLog.of(intent.id).filter(({ at }) => at >= intent.created * 1000),
    events: [...store.events.values()]
      .filter(({ object }) => about.has(object.id))
      .map(({ id, type, created, object, deliveries }) => ({
        id,
        type,
        created,
        refund: object.object === 'refund' ? object.id : null,
        deliveries: deliveries
          .flatMap((one) => store.webhookDeliveries.get(one) ?? [])
          .map((delivery) => ({
            ...delivery,
            url: store.webhookEndpoints.get(delivery.endpoint)?.url ?? null,
          })),
      })),
  };
};

const usableKey = (service: Service, account: Account): string | null =>
  keysView(service, account).find((pair) => !pair.publishable_revoked)?.publishable_key ?? null;

/** Money that unlocks at the same time. `at` is in unix seconds; `steps` is the number of steps. */
type Unlock = { at: number; amount: number; steps: number };

/** An account's money in one currency, in minor units. */
export type BalanceOverTime = {
  /** The id of the account. */
  account: string;
  currency: string;
  available: number;
  locked: number;
  /** Oldest first. */
  coming: Unlock[];
};

const MAX_UNLOCKS = 200;

/** Returns an account's balance in each currency that has a payment that succeeded. */
export const balanceOverTime = (service: Service, account: Account): BalanceOverTime[] => {
  const now = service.clock.now();
  const balance = balanceOf(service, account);
  const steps = service.ledger
    .intents(account.id)
    .flatMap(({ currency, unlock_schedule }) => unlock_schedule.map((step) => ({ currency, step })));

  return balance.available.flatMap(({ currency, amount: available }) => {
    const own = steps.filter((one) => one.currency === currency).map(({ step }) => step);
    if (own.length === 0) return [];
    const locked = own.filter((step) => isLocked(step, now));
    return [
      {
        ...{ account: account.id, currency, available, locked: sumIn(balance.locked, currency) },
        coming: mergeByTime(locked).slice(0, MAX_UNLOCKS),
      },
    ];
  });
};

const sumIn = (sums: Balance['locked'], currency: string): number =>
  sums.find((one) => one.currency === currency)?.amount ?? 0;

/** Sorts the steps by time and sums those with the same time. */
const mergeByTime = (steps: IntentRecord['unlock_schedule']): Unlock[] => {
  const byTime = new Map<number, Unlock>();
  for (const { available_at: at, remaining } of steps) {
    const known = byTime.get(at) ?? { at, amount: 0, steps: 0 };
    byTime.set(at, { at, amount: known.amount + remaining, steps: known.steps + 1 });
  }
  return [...byTime.values()].sort((a, b) => a.at - b.at);
};
