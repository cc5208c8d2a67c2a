import type { WallClock } from '../core/clock.ts';
import type { IdPrefix } from '../core/ids.ts';
import type { Scheduler } from '../core/scheduler.ts';
import type { EventRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Ledger } from './ledger.ts';

/** The part of the service that payments and refunds need. */
export type PaymentService = {
  store: Store;
  /** The ledger of the store's payments and refunds. */
  ledger: Ledger;
  clock: WallClock;
  newId: (prefix: IdPrefix) => string;
  scheduler: Scheduler;
  /** Sends an event to the webhook endpoints. */
  deliveries: { dispatch(event: EventRecord): void };
  /** The number of payment attempts that an intent allows. */
  attempts: number;
  /** True if a failed attempt holds its intent until it is released (contract 4.4). */
  holdFailedAttempts: boolean;
  /** How long an attempt runs before its outcome is known, in seconds; 0 if the outcome is known at once. */
  attemptSeconds: number;
  /** The status of an intent while an attempt is running (contract 4.6). */
  runningAttempts: 'processing' | 'pending';
};
