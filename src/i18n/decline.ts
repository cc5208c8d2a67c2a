import type { MessageKey } from './en.ts';

/** A sentence about a card that was refused. */
export type DeclineKey = Extract<MessageKey, `decline.${string}`>;

/**
 * The reasons a buyer can act on. Everything else, and above all whatever speaks of a lost or stolen card
 * or of fraud, is the general sentence: the person at the keyboard may be the thief, or may be wrongly
 * suspected.
 */
const SENTENCES: Readonly<Record<string, DeclineKey>> = {
  insufficient_funds: 'decline.insufficient_funds',
  withdrawal_count_limit_exceeded: 'decline.insufficient_funds',
  card_velocity_exceeded: 'decline.insufficient_funds',
  invalid_amount: 'decline.insufficient_funds',
  expired_card: 'decline.expired_card',
  invalid_expiry_month: 'decline.incorrect_expiry',
  invalid_expiry_year: 'decline.incorrect_expiry',
  incorrect_cvc: 'decline.incorrect_cvc',
  invalid_cvc: 'decline.incorrect_cvc',
  incorrect_number: 'decline.incorrect_number',
  invalid_number: 'decline.incorrect_number',
  incorrect_address: 'decline.incorrect_address',
  incorrect_zip: 'decline.incorrect_address',
  card_not_supported: 'decline.not_supported',
  currency_not_supported: 'decline.not_supported',
  duplicate_transaction: 'decline.duplicate',
  processing_error: 'decline.processing',
  issuer_not_available: 'decline.processing',
  reenter_transaction: 'decline.processing',
  try_again_later: 'decline.processing',
  authentication_required: 'decline.authentication',
  authentication_not_handled: 'decline.authentication',
  mobile_device_authentication_required: 'decline.authentication',
};

/** What to tell the buyer after a refusal with the service's `code` and its `decline_code`, if it gave one. */
export function declineKey(code: string, declineCode: string | null): DeclineKey {
  if (declineCode !== null) {
    return Object.hasOwn(SENTENCES, declineCode)
      ? (SENTENCES[declineCode] ?? 'decline.generic')
      : 'decline.generic';
  }
  if (code === 'provider_error') return 'decline.processing'; // the network failed, not this card
  return code === 'payment_failed' ? 'decline.authentication' : 'decline.generic';
}
