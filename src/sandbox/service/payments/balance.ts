import { type Balance, CURRENCIES, type Currency } from '../../../api/schemas.ts';
import { isLocked } from '../accounts/unlock.ts';
import type { Account } from '../store/records.ts';
import { settleAll } from './current.ts';
import type { PaymentService } from './payment-service.ts';

/**
 * Returns an account's balance, in minor units, for every currency. Ours: contract 5.4.
 *
 * Each unlock step counts with what remains of it after refunds: as locked until its unlock time, then as available.
 * Refunds that exceed the locked steps reduce the available balance, which can become negative (contract S6.5). The
 * sandbox makes no payouts.
 */
export const balanceOf = (service: PaymentService, account: Account): Balance => {
  const now = service.clock.now();
  settleAll(service);
  const sums = (locked: boolean) =>
    CURRENCIES.map((currency) => ({ amount: sum(currency, locked), currency }));
  const sum = (currency: Currency, locked: boolean): number =>
    service.ledger
      .held(account.id, currency)
      .filter((held) => isLocked(held, now) === locked)
      .reduce((total, { amount }) => total + amount, 0);
  return { object: 'balance', available: sums(false), locked: sums(true) };
};
