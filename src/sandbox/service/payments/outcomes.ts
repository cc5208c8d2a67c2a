import { RefusedRequest } from '../core/errors.ts';
import type { ResponseFault } from '../faults/response-fault.ts';

/** The outcome of charging a test card (contract 6.7). */
export type ChargeOutcome =
  | { kind: 'succeeds'; response?: ResponseFault | 'provider_error' }
  | { kind: 'fails'; error: RefusedRequest; response?: ResponseFault }
  | { kind: 'processes'; seconds: number; ends: 'succeeded' | 'declined' }
  | { kind: 'processes_for_ever' }
  /** The service fails before the request reaches the payment network. */
  | { kind: 'internal_error' }
  | { kind: 'refuses_postal_code' }
  /** Applies only to the first confirm of an intent. Later confirms succeed. */
  | { kind: 'rate_limited_once'; seconds: number }
  | { kind: 'total_rises_once'; by: number };

/** The error for a declined card, with its decline code if it has one. */
export const declined = (declineCode?: string): RefusedRequest =>
  new RefusedRequest(
    'payment_method_declined',
    'The card was declined. Release the payment intent, then let the buyer use another card.',
    declineCode === undefined ? {} : { declineCode },
  );

/** The error if the payment network cannot be reached or fails to process the request. */
export const providerError = (): RefusedRequest =>
  new RefusedRequest(
    'provider_error',
    'The payment network could not process the request. Retrieve the payment intent to learn whether it was charged.',
  );

const succeeds: ChargeOutcome = { kind: 'succeeds' };
const declines = (declineCode?: string): ChargeOutcome => ({ kind: 'fails', error: declined(declineCode) });

/** All numbers that the sandbox accepts. It declines any other valid number (contract 6.2). */
export const TEST_NUMBERS: ReadonlyMap<string, ChargeOutcome> = new Map<string, ChargeOutcome>([
  ['4242424242424242', succeeds],
  ['5555555555554444', succeeds],
  ['378282246310005', succeeds],
  ['6011111111111117', succeeds],
  ['3566002020360505', succeeds],
  ['30569309025904', succeeds],
  ['6200000000000005', succeeds],
  ['4000000000000002', declines()],
  ['4000000000009995', declines('insufficient_funds')],
  ['4000000000000069', declines('expired_card')],
  ['4000000000000127', declines('incorrect_cvc')],
  ['4000000000009987', declines('lost_card')],
  [
    '4000008400001629',
    {
      kind: 'fails',
      error: new RefusedRequest(
        'payment_failed',
        'The payment failed: 3-D Secure did not pass. Release the payment intent, then let the buyer try again.',
      ),
    },
  ],
  [
    '4000002760003184',
    {
      kind: 'fails',
      error: new RefusedRequest(
        'payment_failed',
        'The bank asks for 3-D Secure, which was not performed. Release the payment intent, then let the buyer use another card.',
        { declineCode: 'authentication_required' },
      ),
    },
  ],
  ['4000000000000119', { kind: 'fails', error: providerError() }],
  ['4000000000010001', { kind: 'processes', seconds: 3, ends: 'succeeded' }],
  ['4000000000010019', { kind: 'processes', seconds: 3, ends: 'declined' }],
  ['4000000000010027', { kind: 'succeeds', response: { cut: true } }],
  ['4000000000010035', { kind: 'fails', error: declined(), response: { cut: true } }],
  ['4000000000010043', { kind: 'succeeds', response: 'provider_error' }],
  ['4000000000010050', { kind: 'succeeds', response: { delaySeconds: 30 } }],
  ['4000000000010068', { kind: 'rate_limited_once', seconds: 5 }],
  ['4000000000010076', { kind: 'total_rises_once', by: 100 }],
  ['4000000000010084', { kind: 'succeeds', response: { html: true } }],
  ['4000000000010092', { kind: 'succeeds', response: { truncateAt: 'middle' } }],
  ['4000000000010100', { kind: 'processes_for_ever' }],
  ['4000000000010118', { kind: 'refuses_postal_code' }],
  ['4000000000010126', { kind: 'internal_error' }],
]);

type Card = { number: string; exp_month: number; exp_year: number; cvc: string };

/** Returns the outcome of an attempt with this card at `now` (milliseconds). */
export const outcomeOf = (card: Card, now: number): ChargeOutcome => {
  const outcome = TEST_NUMBERS.get(card.number);
  if (outcome === undefined) {
    return {
      kind: 'fails',
      error: new RefusedRequest(
        'payment_method_declined',
        'The sandbox takes its own test numbers only, so that no real card is ever exercised. Use a documented test number such as 4242 4242 4242 4242.',
      ),
    };
  }
  if (hasExpired(card, now)) return declines('expired_card');
  if (card.cvc.length !== cvcLength(card.number)) return declines('incorrect_cvc');
  return outcome;
};

/**
 * Returns true if a card has expired. It is valid through the last moment of its month, in the last time zone to reach
 * it (UTC-12).
 */
const hasExpired = ({ exp_month, exp_year }: Card, now: number): boolean =>
  now >= Date.UTC(exp_year, exp_month, 1, 12);

/** American Express security codes have four digits, all others three. */
const cvcLength = (pan: string): number => (/^3[47]/.test(pan) ? 4 : 3);

/** Checks the check digit of ISO/IEC 7812 (Luhn): a number that fails is a typing error, not a card. */
export const hasCheckDigit = (pan: string): boolean => {
  let sum = 0;
  for (let place = 0; place < pan.length; place++) {
    const digit = Number(pan.charAt(pan.length - 1 - place)) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
};
