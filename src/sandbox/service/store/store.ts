import {
  type Account,
  type ApiKey,
  type Charge,
  type EventRecord,
  type IdempotencyRecord,
  type IntentRecord,
  NO_PLAN,
  type RefundRecord,
  type SigningKey,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookPlan,
} from './records.ts';
import { Table } from './table.ts';

/**
 * All state of the service: tables of rows, append-only logs (`LOGS`), and small values that are replaced as a whole.
 *
 * `--state` saves this and nothing else. Rows and entries are plain data. Code that changes a row outside a request
 * must save it afterwards (`service.runAndSave`).
 */
export type Store = {
  accounts: Table<Account>;
  keys: Table<ApiKey>;
  /** By id, in order of creation: `created` has whole seconds only. */
  intents: Table<IntentRecord>;
  charges: Charge[];
  /** By id, in order of occurrence. */
  events: Table<EventRecord>;
  /** By id, in order of creation. */
  refunds: Table<RefundRecord>;
  /** The ids of unfinished refunds, in order of creation, which is also the order of their outcomes. */
  refundsInFlight: Table<true>;
  /** By id, in order of creation. Deleted endpoints are removed. */
  webhookEndpoints: Table<WebhookEndpoint>;
  /** By id, in order of their events. */
  webhookDeliveries: Table<WebhookDelivery>;
  webhookPlan: WebhookPlan;
  /** The last key signs new webhooks. */
  signingKeys: SigningKey[];
  /** The number of signing keys ever created. */
  signingKeysMade: number;
  /** By account and key (`idempotency.ts`). */
  idempotency: Table<IdempotencyRecord>;
};

/** Append-only. */
export const LOGS: readonly (keyof Store)[] = ['charges'];

/** Creates an empty store, without accounts. */
export const createStore = (): Store => ({
  accounts: new Table(),
  keys: new Table(),
  intents: new Table(),
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
