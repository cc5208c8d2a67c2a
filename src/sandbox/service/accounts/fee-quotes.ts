import { CreateFeeQuote } from '../../../api/requests.ts';
import type { FeeQuote } from '../../../api/schemas.ts';
import { type CodeOf, parseBody } from '../core/validate.ts';
import type { Account } from '../store/records.ts';
import { priceOf } from './fees.ts';

/** The same codes as for these fields of create (contract S7.4). */
const codeOf: CodeOf = (violation, [field], input) => {
  if (violation === 'missing' || violation === 'unknown') return 'validation_error';
  if (field === 'amount') return violation === 'too_big' ? 'amount_too_large' : 'invalid_amount';
  return field === 'currency' && typeof input === 'string' ? 'unsupported_currency' : 'validation_error';
};

/**
 * Prices an intent of this amount as if it were created now. Stores nothing. Ours: contract 5.3. A suspended or
 * unapproved account may get a quote, since a quote does not start a payment.
 */
export const feeQuote = (account: Account, sent: unknown): FeeQuote => {
  const { amount, currency } = parseBody(CreateFeeQuote, sent, codeOf);
  const price = priceOf(amount, account.feeSchedule, account.feeBearer);
  return {
    object: 'fee_quote',
    amount: price.amount,
    currency,
    fee_bearer: price.fee_bearer,
    processing_fee: price.processing_fee,
    bank_fee: price.bank_fee,
    fee_buyer: price.fee_buyer,
    amount_total: price.amount_total,
  };
};
