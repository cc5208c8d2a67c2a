import { expect, it } from 'vitest';
import { declineKey } from './decline.ts';

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
] as const)('tells the buyer, after %s with %s, %s', (code, declineCode, key) => {
  expect(declineKey(code, declineCode)).toBe(key);
});

it.each([
  'lost_card',
  'stolen_card',
  'fraudulent',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'merchant_blacklist',
  'revocation_of_authorization',
  'do_not_honor',
  'call_issuer',
  'pin_try_exceeded',
])('gives no hint of %s, whatever the code', (declineCode) => {
  expect(declineKey('payment_method_declined', declineCode)).toBe('decline.generic');
  expect(declineKey('payment_failed', declineCode)).toBe('decline.generic');
});
