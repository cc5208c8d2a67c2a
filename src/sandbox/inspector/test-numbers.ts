/** What a test number does, in a few words (contract 6, "Test numbers"). */
export type TestNumber = { number: string; does: string };

/** All of them, in the groups in which somebody looks for one. */
export const TEST_NUMBERS: readonly { title: string; numbers: readonly TestNumber[] }[] = [
  {
    title: 'Succeeds',
    numbers: [
      { number: '4242424242424242', does: 'Visa' },
      { number: '5555555555554444', does: 'Mastercard' },
      { number: '378282246310005', does: 'American Express, four digits of security code' },
      { number: '6011111111111117', does: 'Discover' },
      { number: '3566002020360505', does: 'JCB' },
      { number: '30569309025904', does: 'Diners Club' },
      { number: '6200000000000005', does: 'UnionPay' },
    ],
  },
  {
    title: 'Declined',
    numbers: [
      { number: '4000000000000002', does: '402 payment_method_declined, without a reason' },
      { number: '4000000000009995', does: '402, insufficient_funds' },
      { number: '4000000000000069', does: '402, expired_card' },
      { number: '4000000000000127', does: '402, incorrect_cvc' },
      { number: '4000000000009987', does: '402, lost_card; the buyer reads only the general sentence' },
      { number: '4000008400001629', does: '402 payment_failed: 3-D Secure did not pass' },
      { number: '4000000000010118', does: '400 invalid_billing_details, the postal code' },
    ],
  },
  {
    title: 'Takes its time',
    numbers: [
      { number: '4000000000010001', does: 'processing, succeeds after 3 s' },
      { number: '4000000000010019', does: 'processing, fails after 3 s' },
      { number: '4000000000010100', does: 'processing for ever' },
      { number: '4000000000010050', does: 'charged, answered after 30 s' },
    ],
  },
  {
    title: 'Trouble on the way',
    numbers: [
      { number: '4000000000010027', does: 'charged, then the connection is cut' },
      { number: '4000000000010035', does: 'declined, then the connection is cut' },
      { number: '4000000000010043', does: 'charged, answered 502 provider_error' },
      { number: '4000000000010084', does: 'charged, answered with an HTML page' },
      { number: '4000000000010092', does: 'charged, answered with half of the JSON' },
      { number: '4000000000000119', does: '502 provider_error, nothing charged' },
      { number: '4000000000010126', does: '500 internal_error, nothing charged' },
      { number: '4000000000010068', does: 'first 429 with Retry-After: 5, then succeeds' },
      { number: '4000000000010076', does: 'first the total rises by 100 (409), then succeeds' },
    ],
  },
];
