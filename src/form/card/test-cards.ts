/** The card numbers that the sandbox accepts, searchable for developers (contract 6.7). They belong to nobody. */
import { certainBrand, detectBrand } from './brands.ts';
import { formatPan } from './pan.ts';

/** A test card number and the outcome of paying with it. */
export type TestCard = { number: string; outcome: string };

export type TestCardGroup = { title: string; cards: readonly TestCard[] };

/** All test cards, grouped by outcome. */
export const TEST_CARDS: readonly TestCardGroup[] = [
  {
    title: 'Succeeds',
    cards: [
      { number: '4242424242424242', outcome: 'Visa' },
      { number: '5555555555554444', outcome: 'Mastercard' },
      { number: '378282246310005', outcome: 'American Express, four-digit security code' },
      { number: '6011111111111117', outcome: 'Discover' },
      { number: '3566002020360505', outcome: 'JCB' },
      { number: '30569309025904', outcome: 'Diners Club' },
      { number: '6200000000000005', outcome: 'UnionPay' },
    ],
  },
  {
    title: 'Declined',
    cards: [
      { number: '4000000000000002', outcome: '402 payment_method_declined, without a reason' },
      { number: '4000000000009995', outcome: '402, insufficient_funds' },
      { number: '4000000000000069', outcome: '402, expired_card' },
      { number: '4000000000000127', outcome: '402, incorrect_cvc' },
      {
        number: '4000000000009987',
        outcome: '402, lost_card; the buyer sees only the generic decline message',
      },
      { number: '4000008400001629', outcome: '402 payment_failed: 3-D Secure failed' },
      { number: '4000002760003184', outcome: '402 payment_failed, authentication_required' },
      { number: '4000000000010118', outcome: '400 invalid_billing_details, the postal code' },
    ],
  },
  {
    title: 'Slow',
    cards: [
      { number: '4000000000010001', outcome: 'processing, succeeds after 3 s' },
      { number: '4000000000010019', outcome: 'processing, fails after 3 s' },
      { number: '4000000000010100', outcome: 'processing forever' },
      { number: '4000000000010050', outcome: 'charged, answered after 30 s' },
    ],
  },
  {
    title: 'Errors',
    cards: [
      { number: '4000000000010027', outcome: 'charged, then the connection is cut' },
      { number: '4000000000010035', outcome: 'declined, then the connection is cut' },
      { number: '4000000000010043', outcome: 'charged, answered 502 provider_error' },
      { number: '4000000000010084', outcome: 'charged, answered with an HTML page' },
      { number: '4000000000010092', outcome: 'charged, answered with half of the JSON' },
      { number: '4000000000000119', outcome: '502 provider_error, nothing charged' },
      { number: '4000000000010126', outcome: '500 internal_error, nothing charged' },
      { number: '4000000000010068', outcome: 'first 429 with Retry-After: 5, then succeeds' },
      { number: '4000000000010076', outcome: 'first the total rises by 100 (409), then succeeds' },
    ],
  },
];

/** Lower case, with `insufficient_funds` as two words. */
const plain = (text: string): string => text.toLowerCase().replaceAll('_', ' ');

/** The cards whose title, outcome or number contains every word of the query, in the same groups. */
export const findTestCards = (query: string): readonly TestCardGroup[] => {
  const words = plain(query).split(/\s+/).filter(Boolean);
  const digits = query.replace(/\D/g, '');
  const isNumber = digits !== '' && /^[\d\s-]+$/.test(query);
  return TEST_CARDS.map(({ title, cards }) => ({
    title,
    cards: cards.filter(({ number, outcome }) => {
      const text = plain(`${title} ${outcome}`);
      return words.every((word) => text.includes(word)) || (isNumber && number.includes(digits));
    }),
  })).filter(({ cards }) => cards.length > 0);
};

/** Values to type for a test card: a date in five years, and a code of the brand's length. */
export const entriesFor = (
  number: string,
  thisYear: number,
): { number: string; expiry: string; cvc: string } => ({
  number: formatPan(number),
  expiry: `12 / ${String((thisYear + 5) % 100).padStart(2, '0')}`,
  cvc: certainBrand(detectBrand(number)) === 'amex' ? '1234' : '123',
});
