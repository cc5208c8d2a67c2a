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
 * Everything the service remembers: tables of rows, logs, to which entries are only ever added (`LOGS`), and small
 * values that are kept whole.
 *
 * `--state` keeps what stands here and nothing else. Rows and entries are plain data (of classes only `Set`). Whoever
 * changes a row outside a request does so within `service.runAndSave`.
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
  idempotency: Table<IdempotencyRecord>;
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
