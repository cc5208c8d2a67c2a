import { type Balance, Currency } from '../../api/schemas.ts';
import { isLocked } from '../accounts/unlock.ts';
import type { Account } from '../store/records.ts';
import { allIntents, allRefunds } from './current.ts';
import type { PaymentService } from './payment-service.ts';

/**
 * What an account has, in minor units, for every currency there is. Ours: contract 5.4.
 *
 * Each unlock step counts with what refunds left of it, as locked until its moment and as available from then on;
 * what refunds took from no step came out of the available balance, which can thereby fall below zero
 * (contract S6.5). Nothing is paid out in the sandbox.
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
  const takenAtOnce = (currency: Currency): number =>
    refunds
      .filter((refund) => refund.currency === currency)
      .reduce((total, { deduction }) => total + deduction.available, 0);

  return {
    object: 'balance',
    available: Currency.options.map((currency) => ({
      amount: sum(currency, false) - takenAtOnce(currency),
      currency,
    })),
    locked: Currency.options.map((currency) => ({ amount: sum(currency, true), currency })),
  };
};
