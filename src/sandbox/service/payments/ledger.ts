import type { Currency } from '../../../api/schemas.ts';
import { toMs } from '../core/clock.ts';
import { countBefore } from '../core/list-query.ts';
import type { IntentRecord, IntentStatus, RefundRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Money that becomes available at `available_at` (unix seconds), in minor units. */
export type Held = { available_at: number; amount: number };

/**
 * Indexes payments, refunds and money, so that a list or a balance takes as long with 100,000 payments as with ten.
 * Derived from the rows, so it is not saved but rebuilt when a store is loaded.
 */
export type Ledger = {
  addIntent(intent: IntentRecord): void;
  addRefund(refund: RefundRecord): void;
  /** The payments of all accounts, of one account, or of one with this order reference, oldest first. */
  intents(account?: string, reference?: string): readonly IntentRecord[];
  /** Changes fields of a payment in the store. The only way to do so, because it also updates the indexes. */
  change(intent: IntentRecord, fields: Partial<IntentRecord>): void;
  /** Changes fields of a refund in the same way. */
  changeRefund(refund: RefundRecord, fields: Partial<RefundRecord>): void;
  /** The number of payments in each status. */
  statuses(): Readonly<Record<IntentStatus, number>>;
  /** Returns the id of the payment with this client secret. */
  idOf(clientSecret: string): string | undefined;
  /** The refunds of an account, or of one of its payments, oldest first. */
  refunds(account: string, payment?: string): readonly RefundRecord[];
  /** Returns the place of a payment among all payments, or of a refund among all refunds, in order of creation. */
  placeOf(row: IntentRecord | RefundRecord): number;
  /** An account's money that remains after refunds, summed by the time at which it becomes available. */
  held(account: string, currency: Currency): readonly Held[];
  /** The payments whose attempt or outcome is due at `now` (milliseconds), newest first. */
  due(now: number): readonly IntentRecord[];
};

/** The availability of refunds that exceed the locked steps: they reduce the available balance at any time. */
const ALWAYS = Number.NEGATIVE_INFINITY;

/** The ledger of a store. */
export const createLedger = (store: Store): Ledger => {
  const all: IntentRecord[] = [];
  const intentsOf = new Map<string, IntentRecord[]>();
  /**
   * By account, then by order reference. Most references have one payment; a list for each would take more memory than
   * the rest.
   */
  const byReference = new Map<string, Map<string, IntentRecord | IntentRecord[]>>();
  const refundsOf = new Map<string, RefundRecord[]>();
  const refundsOfPayment = new Map<string, RefundRecord[]>();
  const refundPlaces = new Map<RefundRecord, number>();
  /** The payment's index in `all`. */
  const bySecret = new Map<string, number>();
  const statuses = { pending: 0, processing: 0, succeeded: 0, canceled: 0 };
  /** By account and currency, then by time. */
  const sums = new Map<string, Map<number, number>>();
  const expected = new Set<IntentRecord>();
  /** No payment in `expected` is due before this time, in milliseconds. */
  let earliest = Number.POSITIVE_INFINITY;

  const book = (row: IntentRecord | RefundRecord, sign: 1 | -1): void => {
    const name = `${row.account} ${row.currency}`;
    for (const { available_at: at, amount } of heldIn(row)) {
      const sum = listIn(sums, name, () => new Map<number, number>());
      const total = (sum.get(at) ?? 0) + sign * amount;
      if (total === 0) sum.delete(at);
      else sum.set(at, total);
    }
  };

  const withReference = (account: string, reference: string): readonly IntentRecord[] => {
    const known = byReference.get(account)?.get(reference) ?? [];
    return Array.isArray(known) ? known : [known];
  };

  /** Indexes a payment by its order reference, in order of creation. */
  const file = (intent: IntentRecord): void => {
    const { account, order_reference: reference } = intent;
    if (reference === null) return;
    const references = listIn(byReference, account, () => new Map<string, IntentRecord | IntentRecord[]>());
    const known = references.get(reference);
    if (known === undefined) {
      references.set(reference, intent);
      return;
    }
    const list = Array.isArray(known) ? known : [known];
    list.splice(countBefore(list, ledger.placeOf(intent), ledger.placeOf), 0, intent);
    references.set(reference, list);
  };

  /** Records when a payment's running attempt or outcome is due. */
  const expect = (intent: IntentRecord): void => {
    const at = dueAt(intent);
    if (at === null) return;
    expected.add(intent);
    earliest = Math.min(earliest, at);
  };

  /** Reindexes a payment whose order reference has changed. */
  const reindex = (intent: IntentRecord, former: string | null): void => {
    const { account } = intent;
    if (former !== null) {
      const others = withReference(account, former).filter((one) => one !== intent);
      if (others.length === 0) byReference.get(account)?.delete(former);
      else byReference.get(account)?.set(former, others);
    }
    file(intent);
  };

  const ledger: Ledger = {
    addIntent: (intent) => {
      bySecret.set(intent.client_secret, all.length);
      all.push(intent);
      listIn(intentsOf, intent.account, () => []).push(intent);
      file(intent);
      statuses[intent.status] += 1;
      book(intent, 1);
      expect(intent);
    },
    addRefund: (refund) => {
      refundPlaces.set(refund, refundPlaces.size);
      listIn(refundsOf, refund.account, () => []).push(refund);
      listIn(refundsOfPayment, refund.payment_intent, () => []).push(refund);
      book(refund, 1);
    },
    intents: (account, reference) => {
      if (account === undefined) return all;
      return reference === undefined ? (intentsOf.get(account) ?? []) : withReference(account, reference);
    },
    change: (intent, fields) => {
      const { status, order_reference: former } = intent;
      book(intent, -1);
      store.intents.change(intent.id, fields);
      book(intent, 1);
      statuses[status] -= 1;
      statuses[intent.status] += 1;
      expect(intent);
      if (former !== intent.order_reference) reindex(intent, former);
    },
    changeRefund: (refund, fields) => {
      book(refund, -1);
      store.refunds.change(refund.id, fields);
      book(refund, 1);
    },
    statuses: () => ({ ...statuses }),
    idOf: (clientSecret) => all[bySecret.get(clientSecret) ?? -1]?.id,
    refunds: (account, payment) =>
      (payment === undefined ? refundsOf.get(account) : refundsOfPayment.get(payment)) ?? [],
    placeOf: (row) => (isIntent(row) ? bySecret.get(row.client_secret) : refundPlaces.get(row)) ?? -1,
    held: (account, currency) =>
      Array.from(sums.get(`${account} ${currency}`) ?? [], ([available_at, amount]) => ({
        available_at,
        amount,
      })),
    due: (now) => {
      if (now < earliest) return [];
      const due = new Set<IntentRecord>();
      earliest = Number.POSITIVE_INFINITY;
      for (const intent of expected) {
        const at = dueAt(intent);
        if (at === null) {
          expected.delete(intent);
          continue;
        }
        earliest = Math.min(earliest, at);
        if (at <= now) due.add(intent);
      }
      return newestFirst(all, due);
    },
  };
  for (const intent of store.intents.values()) ledger.addIntent(intent);
  for (const refund of store.refunds.values()) ledger.addRefund(refund);
  return ledger;
};

const isIntent = (row: IntentRecord | RefundRecord): row is IntentRecord => 'client_secret' in row;

const heldIn = (row: IntentRecord | RefundRecord): Held[] =>
  isIntent(row)
    ? row.unlock_schedule.map(({ available_at, remaining }) => ({ available_at, amount: remaining }))
    : [{ available_at: ALWAYS, amount: -row.deduction.available }];

/** Returns when time next changes a payment, in milliseconds, or `null` for never. */
const dueAt = ({ settlement, attempt }: IntentRecord): number | null => {
  const times = [settlement?.at, attempt?.endsAt].flatMap((at) => (at === undefined ? [] : toMs(at)));
  return times.length === 0 ? null : Math.min(...times);
};

/** Searches from the newest. A payment is due soon after its creation, so the search is short. */
const newestFirst = (
  all: readonly IntentRecord[],
  some: ReadonlySet<IntentRecord>,
): readonly IntentRecord[] => {
  if (some.size < 2) return [...some];
  const found: IntentRecord[] = [];
  for (let index = all.length - 1; found.length < some.size; index -= 1) {
    const intent = all[index];
    if (intent !== undefined && some.has(intent)) found.push(intent);
  }
  return found;
};

const listIn = <Value>(map: Map<string, Value>, key: string, empty: () => Value): Value => {
  const known = map.get(key) ?? empty();
  map.set(key, known);
  return known;
};
