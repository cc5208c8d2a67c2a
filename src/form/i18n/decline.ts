import type { DeclineCode } from '../../api/error-words.ts';
import type { MessageKey } from './en.ts';

/** The key of a text about a declined card. */
export type DeclineKey = Extract<MessageKey, `decline.${string}`>;

/**
 * The decline codes that a buyer can act on. All others, above all those for lost or stolen cards and fraud, get the
 * general text: the person at the keyboard may be the thief, or may be wrongly suspected.
 */
const KEYS = {
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
} satisfies Partial<Record<DeclineCode, DeclineKey>>;
const KEY_OF_DECLINE_CODE: Readonly<Record<string, DeclineKey>> = KEYS;

/** The text for the buyer after a refusal with the service's `code` and `decline_code`, if it gave one. */
export const declineKey = (code: string, declineCode: string | null): DeclineKey => {
  if (declineCode !== null) {
    return Object.hasOwn(KEY_OF_DECLINE_CODE, declineCode)
      ? (KEY_OF_DECLINE_CODE[declineCode] ?? 'decline.generic')
      : 'decline.generic';
  }
  if (code === 'provider_error') return 'decline.processing'; // the card network failed, not this card
  return code === 'payment_failed' ? 'decline.authentication' : 'decline.generic';
};
