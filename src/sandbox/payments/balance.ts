import { type Balance, CURRENCIES, type Currency } from '../../api/schemas.ts';
import { isLocked } from '../accounts/unlock.ts';
import type { Account } from '../store/records.ts';
import { allIntents, allRefunds } from './current.ts';
import type { PaymentService } from './payment-service.ts';

/**
 * The balance of an account, in minor units, for every currency. Ours: contract 5.4.
 *
 * Each unlock step counts with what remains of it after refunds: as locked until its unlock time, as available from
 * then on. Refunds that exceed the locked steps reduce the available balance, which can become negative
 * (contract S6.5). The sandbox makes no payouts.
 */
export const balanceOf = (service: PaymentService, account: Account): Balance => {
  const now = service.clock.now();
  const steps = allIntents(service)
    .filter((intent) => intent.account === account.id)
    .flatMap(({ currency, unlock_schedule }) => unlock_schedule.map((step) => ({ currency, step })));
  const refunds = allRefunds(service).filter((refund) => refund.account === account.id);

  const sum = (currency: Currency, locked: boolean): number =>
    steps
      .filter((held) => held.currency === currency && isLocked(held.step, now) === locked)
      .reduce((total, { step }) => total + step.remaining, 0);
  const refundedFromAvailable = (currency: Currency): number =>
    refunds
      .filter((refund) => refund.currency === currency)
      .reduce((total, { deduction }) => total + deduction.available, 0);

  return {
    object: 'balance',
    available: CURRENCIES.map((currency) => ({
      amount: sum(currency, false) - refundedFromAvailable(currency),
      currency,
    })),
    locked: CURRENCIES.map((currency) => ({ amount: sum(currency, true), currency })),
  };
};
