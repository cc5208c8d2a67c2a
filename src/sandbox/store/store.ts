import type { BillingDetails, PaymentIntent, Refund, ServiceErrorRecord } from '../../api/schemas.ts';
import { DEFAULT_FEE_SCHEDULE, type FeeBearer, type FeeSchedule } from '../accounts/fees.ts';
import { DEFAULT_UNLOCK_RULES, type Deduction, type UnlockRule } from '../accounts/unlock.ts';
import type { WebhookDelivery } from '../webhooks/delivery.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints.ts';
import type { EventRecord } from '../webhooks/events.ts';
import { NO_PLAN, type WebhookPlan } from '../webhooks/plan.ts';
import type { SigningKey } from '../webhooks/signature.ts';
import { Table } from './table.ts';

/** A merchant. The sandbox starts with one (contract 6.1); nothing here assumes that it stays alone. */
export type Account = {
  id: string;
  suspended: boolean;
  approved: boolean;
  /** Whether it may sell digital goods and services. */
  nonPhysicalGoods: boolean;
  feeSchedule: FeeSchedule | null;
  feeBearer: FeeBearer;
  /** `null`: payments become available as before unlock schedules existed (service-api.md, "UnlockScheduleStep", `days`). */
  unlockRules: readonly UnlockRule[] | null;
};

export type KeyKind = 'publishable' | 'secret';
/** `pair` is what the two keys that were created together have in common; unique within the account. */
export type ApiKey = { kind: KeyKind; account: string; pair: string; revoked: boolean };

export type IntentStatus = 'pending' | 'processing' | 'succeeded' | 'canceled';

/** How a `processing` payment ends, and when (unix seconds). */
export type Settlement = { at: number; error: ServiceErrorRecord | null };

/** A payment intent as it is kept: the API's fields under their own names, and what the service alone knows. */
export type IntentRecord = Omit<
  PaymentIntent,
  'object' | 'status' | 'client_secret' | 'amount_refundable' | 'items_difference'
> & {
  status: IntentStatus;
  /** The id of the account it belongs to. */
  account: string;
  /** Present here always, in answers only where the description says so. */
  client_secret: string;
  last_payment_error: ServiceErrorRecord | null;
  settlement: Settlement | null;
  billing_details: BillingDetails | null;
  /** Test numbers that act once per intent and have done so. Ours: contract 6, "Test numbers". */
  playedOnce: Set<string>;
  /** Whether the payment network refuses to refund this payment. Ours: a control route sets it. */
  refundsRefused: boolean;
};

export type RefundStatus = 'pending' | 'processing' | 'succeeded' | 'failed';

/** A refund as it is kept: the API's fields under their own names, and what the service alone knows. */
export type RefundRecord = Omit<Refund, 'object' | 'status'> & {
  status: RefundStatus;
  /** The id of the account it belongs to. */
  account: string;
  /** When it was made, in milliseconds: its outcome is due so many seconds later (contract 5.7). */
  madeAt: number;
  /** What it and its fee were deducted from; nothing once it has failed. */
  deduction: Deduction;
};

/** Money taken from a buyer. Written at the moment of charging and never derived from a status. */
export type Charge = { intent: string; amount: number; currency: string; at: number };

/** What an idempotency key stands for: one object, made on one route from one body. */
export type IdempotentResult = { route: string; fingerprint: string; id: string };

/**
 * Everything the service remembers: tables of rows, logs, to which entries are only ever added (`LOGS`), and small
 * values that are kept whole.
 *
 * `--state` keeps what stands here and nothing else. Rows and entries are plain data (of classes only `Set`). Whoever
 * changes a row outside a request does so within `service.working`.
 */
export type Store = {
  accounts: Table<Account>;
  keys: Table<ApiKey>;
  /** By id, in order of creation, which `created` in whole seconds cannot tell. */
  intents: Table<IntentRecord>;
  /** From a client secret to the id of its intent. */
  secrets: Table<string>;
  charges: Charge[];
  /** By id, in order of happening. */
  events: Table<EventRecord>;
  /** By id, in order of creation. */
  refunds: Table<RefundRecord>;
  /** The ids of the refunds whose outcome is still to come, in order of creation, so of their outcomes. */
  refundsInFlight: Table<true>;
  /** By id, in order of creation. Deleted ones are gone. */
  webhookEndpoints: Table<WebhookEndpoint>;
  /** By id, in order of their events. */
  webhookDeliveries: Table<WebhookDelivery>;
  webhookPlan: WebhookPlan;
  /** The last one signs. */
  signingKeys: SigningKey[];
  /** How many there ever were. */
  signingKeysMade: number;
  /** By account and key (`idempotency.ts`). */
  idempotency: Table<IdempotentResult>;
};

/** What only ever grows at its end. */
export const LOGS: readonly (keyof Store)[] = ['charges'];

/** A service that knows nobody yet. */
export const createStore = (): Store => ({
  accounts: new Table(),
  keys: new Table(),
  intents: new Table(),
  secrets: new Table(),
  charges: [],
  events: new Table(),
  refunds: new Table(),
  refundsInFlight: new Table(),
  webhookEndpoints: new Table(),
  webhookDeliveries: new Table(),
  webhookPlan: { ...NO_PLAN },
  signingKeys: [],
  signingKeysMade: 0,
  idempotency: new Table(),
});

/** Opens an account with a pair of keys (service-api.md, "Authentication" 3). */
export const addAccount = (
  store: Store,
  account: { id: string; publishable: string; secret: string; feeBearer: FeeBearer },
): Account => {
  const opened: Account = {
    id: account.id,
    suspended: false,
    approved: true,
    nonPhysicalGoods: true,
    feeSchedule: DEFAULT_FEE_SCHEDULE,
    feeBearer: account.feeBearer,
    unlockRules: DEFAULT_UNLOCK_RULES,
  };
  store.accounts.set(opened.id, opened);
  addKeyPair(store, opened, account);
  return opened;
};

/** The keys of an account, in order of creation. */
export const keysOf = (store: Store, account: Account): [key: string, of: ApiKey][] =>
  [...store.keys].filter(([, { account: owner }]) => owner === account.id);

/** Gives an account two more keys, and returns the name of the pair. */
export const addKeyPair = (
  store: Store,
  account: Account,
  { publishable, secret }: { publishable: string; secret: string },
): string => {
  const pair = `key_${keysOf(store, account).length / 2 + 1}`;
  store.keys.set(publishable, { kind: 'publishable', account: account.id, pair, revoked: false });
  store.keys.set(secret, { kind: 'secret', account: account.id, pair, revoked: false });
  return pair;
};

/** The account a key or an intent names; that it exists is the store's own promise. */
export const accountOf = (store: Store, owner: { account: string }): Account => {
  const account = store.accounts.get(owner.account);
  if (account === undefined) throw new Error(`the store has no account ${owner.account}`);
  return account;
};
