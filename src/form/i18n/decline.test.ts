import { expect, it } from 'vitest';
import { catalogOf } from './catalogs.ts';
import { type DeclineKey, declineKey } from './decline.ts';
import { LANGUAGES } from './languages.ts';

it.each([
  ['payment_method_declined', null, 'decline.generic'],
  ['payment_method_declined', 'generic_decline', 'decline.generic'],
  ['payment_method_declined', 'insufficient_funds', 'decline.insufficient_funds'],
  ['payment_method_declined', 'expired_card', 'decline.expired_card'],
  ['payment_method_declined', 'incorrect_cvc', 'decline.incorrect_cvc'],
  ['payment_method_declined', 'incorrect_number', 'decline.incorrect_number'],
  ['payment_method_declined', 'processing_error', 'decline.processing'],
  ['payment_failed', null, 'decline.authentication'],
  ['provider_error', null, 'decline.processing'],
  ['payment_failed', 'authentication_required', 'decline.authentication'],
  ['payment_failed', 'insufficient_funds', 'decline.insufficient_funds'],
  ['a_code_of_tomorrow', 'a_reason_of_tomorrow', 'decline.generic'],
  ['payment_method_declined', 'constructor', 'decline.generic'],
] as const)('shows the buyer, after %s with %s, %s', (code, declineCode, key) => {
  expect(declineKey(code, declineCode)).toBe(key);
});

/** Every decline code that card networks and processors are known to send, by the text for the buyer. */
const KNOWN: Readonly<Record<DeclineKey, readonly string[]>> = {
  'decline.generic': [
    'lost_card',
    'stolen_card',
    'fraudulent',
    'pickup_card',
    'restricted_card',
    'security_violation',
    'merchant_blacklist',
    'highest_risk_level',
    'elevated_risk_level',
    'previously_declined_do_not_retry',
    'revocation_of_authorization',
    'revocation_of_all_authorizations',
    'stop_payment_order',
    'do_not_honor',
    'do_not_try_again',
    'no_action_taken',
    'call_issuer',
    'approve_with_id',
    'generic_decline',
    'invalid_account',
    'new_account_information_available',
    'not_permitted',
    'service_not_allowed',
    'transaction_not_allowed',
    'testmode_decline',
    'test_mode_live_card',
    'live_mode_test_card',
    'incorrect_pin',
    'invalid_pin',
    'offline_pin_required',
    'online_or_offline_pin_required',
    'pin_try_exceeded',
  ],
  'decline.insufficient_funds': [
    'insufficient_funds',
    'withdrawal_count_limit_exceeded',
    'card_velocity_exceeded',
    'invalid_amount',
  ],
  'decline.expired_card': ['expired_card'],
  'decline.incorrect_expiry': ['invalid_expiry_month', 'invalid_expiry_year'],
  'decline.incorrect_cvc': ['incorrect_cvc', 'invalid_cvc'],
  'decline.incorrect_number': ['incorrect_number', 'invalid_number'],
  'decline.incorrect_address': ['incorrect_address', 'incorrect_zip'],
  'decline.not_supported': ['card_not_supported', 'currency_not_supported'],
  'decline.duplicate': ['duplicate_transaction'],
  'decline.processing': [
    'processing_error',
    'issuer_not_available',
    'reenter_transaction',
    'try_again_later',
  ],
  'decline.authentication': [
    'authentication_required',
    'authentication_not_handled',
    'mobile_device_authentication_required',
  ],
};

it.each(Object.entries(KNOWN))('%s for each of %j', (key, codes) => {
  for (const code of codes) {
    expect(declineKey('payment_method_declined', code), code).toBe(key);
    expect(declineKey('payment_failed', code), code).toBe(key);
  }
});

it.each(LANGUAGES)('a card reported lost gets the general text in %s, word for word', async (language) => {
  const catalog = await catalogOf(language);
  const any = catalog[declineKey('payment_method_declined', null)];
  for (const code of [
    'lost_card',
    'stolen_card',
    'fraudulent',
    'pickup_card',
    'a_reason_of_tomorrow',
    '',
    '__proto__',
  ]) {
    expect(catalog[declineKey('payment_method_declined', code)], code).toBe(any);
    expect(catalog[declineKey('payment_failed', code)], code).toBe(any);
  }
});
