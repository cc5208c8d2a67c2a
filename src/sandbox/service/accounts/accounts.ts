import { RefusedRequest } from '../core/errors.ts';
import type { Account, ApiKey, FeeBearer } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { DEFAULT_FEE_SCHEDULE } from './fees.ts';
import { DEFAULT_UNLOCK_RULES } from './unlock.ts';

/** Opens an account with a pair of keys (contract S11.3). */
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

/** Returns the keys of an account in order of creation. */
export const keysOfAccount = (store: Store, account: Account): [key: string, of: ApiKey][] =>
  [...store.keys].filter(([, { account: owner }]) => owner === account.id);

/** Adds a pair of keys to an account and returns the name of the pair. */
export const addKeyPair = (
  store: Store,
  account: Account,
  { publishable, secret }: { publishable: string; secret: string },
): string => {
  const pair = `key_${keysOfAccount(store, account).length / 2 + 1}`;
  store.keys.set(publishable, { kind: 'publishable', account: account.id, pair, revoked: false });
  store.keys.set(secret, { kind: 'secret', account: account.id, pair, revoked: false });
  return pair;
};

/** Returns the account of a key or an intent. The store guarantees that it exists. */
export const accountOf = (store: Store, owner: { account: string }): Account => {
  const account = store.accounts.get(owner.account);
  if (account === undefined) throw new Error(`the store has no account ${owner.account}`);
  return account;
};

/** Throws if the account may not take payments (contract S7.3). */
export const assertMayTakePayments = (account: Account): void => {
  if (account.suspended) {
    throw new RefusedRequest(
      'merchant_suspended',
      'The account is suspended and cannot take payments. Ask the service to lift the suspension.',
    );
  }
  if (!account.approved) {
    throw new RefusedRequest(
      'merchant_not_approved',
      'The account is not approved yet and cannot take payments. Wait for its approval.',
    );
  }
};
