import * as z from 'zod/mini';
import { addAccount, addKeyPair, keysOfAccount } from '../accounts/accounts.ts';
import { NO_FEE } from '../accounts/fees.ts';
import type { Service } from '../http/service.ts';
import { settleAll } from '../payments/current.ts';
import type { Account } from '../store/records.ts';

const share = z.int().check(z.minimum(0), z.maximum(10_000));
const FeeRule = z.strictObject({ bps: share, fixed: z.int().check(z.minimum(0), z.maximum(1_000_000)) });

const UnlockRules = z
  .array(
    z.strictObject({
      days: z.int().check(z.minimum(0), z.maximum(3650)),
      percent_bps: z.int().check(z.minimum(1), z.maximum(10_000)),
    }),
  )
  .check(
    z.minLength(1),
    z.maxLength(100),
    z.refine((rules) => rules.reduce((sum, { percent_bps }) => sum + percent_bps, 0) === 10_000, {
      error: 'shares that add up to 10000 basis points',
    }),
    z.refine((rules) => rules.every(({ days }, index) => days >= (rules[index - 1]?.days ?? 0)), {
      error: 'steps in the order of their days',
    }),
  );

/**
 * The settings of an account, all optional. Fees are `{bps, fixed}`: basis points, rounded half up, plus minor units.
 * Without `refund`, refunds cost nothing. `fee_schedule: null` removes the fee schedule. `unlock_schedule: null` makes
 * payments succeed as before unlock schedules existed, in one step with `days: null`.
 */
export const AccountSettings = z.strictObject({
  suspended: z.optional(z.boolean()),
  approved: z.optional(z.boolean()),
  non_physical_goods: z.optional(z.boolean()),
  fee_schedule: z.optional(
    z.nullable(z.strictObject({ processing: FeeRule, bank: FeeRule, refund: z.optional(FeeRule) })),
  ),
  fee_bearer: z.optional(z.enum(['merchant', 'buyer'])),
  unlock_schedule: z.optional(z.nullable(UnlockRules)),
});
export type AccountSettings = z.infer<typeof AccountSettings>;

/**
 * Changes the given settings and keeps the others. Payments that have already succeeded keep the former schedule, even
 * if nobody has read them since.
 */
export const changeAccount = (service: Service, account: Account, change: AccountSettings): void => {
  settleAll(service);
  const { fee_schedule: fees, unlock_schedule: rules } = change;
  service.store.accounts.change(account.id, {
    suspended: change.suspended ?? account.suspended,
    approved: change.approved ?? account.approved,
    nonPhysicalGoods: change.non_physical_goods ?? account.nonPhysicalGoods,
    feeBearer: change.fee_bearer ?? account.feeBearer,
    feeSchedule:
      fees === undefined ? account.feeSchedule : fees && { ...fees, refund: fees.refund ?? NO_FEE },
    unlockRules: rules === undefined ? account.unlockRules : rules,
  });
};

/** Returns the settings in the format of `AccountSettings`. */
export const settingsView = (account: Account) => ({
  suspended: account.suspended,
  approved: account.approved,
  non_physical_goods: account.nonPhysicalGoods,
  fee_schedule: account.feeSchedule,
  fee_bearer: account.feeBearer,
  unlock_schedule: account.unlockRules,
});

/** A new pair of keys. The secret key is shown only once (contract S11.3). */
export type NewKeys = { id: string; publishable_key: string; secret_key: string };

/** Of the 32 characters after `pk_live_`, 25 are random; the form recognizes a sandbox by the others (contract 6.1). */
const RANDOM_LENGTH = 25;

const newPair = (service: Service) => ({
  publishable: service.newId('pk_live_sandbox', RANDOM_LENGTH),
  secret: service.newId('sk_live_sandbox', RANDOM_LENGTH),
});

const shown = (id: string, keys: { publishable: string; secret: string }): NewKeys => ({
  id,
  publishable_key: keys.publishable,
  secret_key: keys.secret,
});

/** Opens an account with its first pair of keys. The merchant bears the fees unless the settings say otherwise. */
export const openAccount = (
  service: Service,
  settings: AccountSettings,
): { account: Account; keys: NewKeys } => {
  const keys = newPair(service);
  const id = `account_${service.store.accounts.size + 1}`;
  const account = addAccount(service.store, { id, ...keys, feeBearer: 'merchant' });
  changeAccount(service, account, settings);
  return { account, keys: shown('key_1', keys) };
};

/** Adds a pair of keys to an account. */
export const createKeys = (service: Service, account: Account): NewKeys => {
  const keys = newPair(service);
  return shown(addKeyPair(service.store, account, keys), keys);
};

/** A pair in the list of keys. Each of its keys can be revoked separately. */
export type KeysView = {
  id: string;
  publishable_key: string;
  secret_key_last4: string;
  publishable_revoked: boolean;
  secret_revoked: boolean;
};

/** Returns an account's pairs, newest first. Shows only the last 4 characters of secret keys (contract S11.3). */
export const keysView = (service: Service, account: Account): KeysView[] => {
  const pairs = new Map<string, KeysView>();
  for (const [key, { kind, pair, revoked }] of keysOfAccount(service.store, account)) {
    const view = pairs.get(pair) ?? {
      id: pair,
      publishable_key: '',
      secret_key_last4: '',
      publishable_revoked: false,
      secret_revoked: false,
    };
    pairs.set(
      pair,
      kind === 'publishable'
        ? { ...view, publishable_key: key, publishable_revoked: revoked }
        : { ...view, secret_key_last4: key.slice(-4), secret_revoked: revoked },
    );
  }
  return [...pairs.values()].reverse();
};

/** Returns an account's newest secret key that is not revoked, in full, or null if there is none. */
export const usableSecretKey = ({ store }: Service, account: Account): string | null =>
  keysOfAccount(store, account).findLast(([, { kind, revoked }]) => kind === 'secret' && !revoked)?.[0] ??
  null;

/** Revokes both keys of a pair at once (contract S11.4). Returns false if there is no such pair. */
export const revokePair = (service: Service, account: Account, pair: string): boolean => {
  const keys = keysOfAccount(service.store, account).filter(([, key]) => key.pair === pair);
  for (const [key] of keys) service.store.keys.change(key, { revoked: true });
  return keys.length > 0;
};
