/** Outcomes of a payment and how to cause them: a test card, and what to set in the sandbox before. */

export type TestOutcome = {
  id: string;
  /** The outcome's name in the list. */
  text: string;
  /** The test card that causes it. */
  card: string;
  /** The ribbon's name for this outcome, if its test card alone causes it. */
  testCard?: string;
  /** What the form does then. */
  effect: string;
  /** The body of `POST /_sandbox/faults`: a fault of the next confirm. */
  fault?: Readonly<Record<string, unknown>>;
  /** The new amount, in minor units. The form learns it only when Pay is pressed. */
  amount?: number;
};

/** The card that always succeeds. */
const GOOD_CARD = '4242424242424242';

export const OUTCOMES: readonly TestOutcome[] = [
  {
    id: 'succeeds',
    text: 'Succeeds',
    card: GOOD_CARD,
    testCard: 'Visa',
    effect: 'The form says that the payment was received.',
  },
  {
    id: 'declined',
    text: 'Declined',
    card: '4000000000000002',
    testCard: '402 payment_method_declined, without a reason',
    effect: 'The form says so, and the buyer can try another card.',
  },
  {
    id: 'insufficient_funds',
    text: 'Declined: not enough money',
    card: '4000000000009995',
    testCard: '402, insufficient_funds',
    effect: 'The form names the reason, and the buyer can try another card.',
  },
  {
    id: 'amount',
    text: 'The total changed in the meantime (409)',
    card: GOOD_CARD,
    amount: 2900,
    effect: 'Nothing is charged. The form shows the old and the new total and asks to press again.',
  },
  {
    id: 'processing',
    text: 'Processing, then succeeds',
    card: '4000000000010001',
    testCard: 'processing, succeeds after 3 s',
    effect: 'The form waits, and learns of the success after three seconds.',
  },
  {
    id: 'processing_fails',
    text: 'Processing, then declined',
    card: '4000000000010019',
    testCard: 'processing, fails after 3 s',
    effect: 'The form waits, and learns of the decline after three seconds.',
  },
  {
    id: 'no_answer',
    text: 'Charged, but the answer is lost',
    card: GOOD_CARD,
    fault: { route: 'client.confirm', cut: 'after' },
    effect: 'The form never sends a payment twice. It reads the payment and finds that it succeeded.',
  },
  {
    id: 'not_sent',
    text: 'The connection breaks before anything is sent',
    card: GOOD_CARD,
    fault: { route: 'client.confirm', cut: 'before' },
    effect: 'The form finds out that nothing was charged and offers to try again.',
  },
  {
    id: 'slow',
    text: 'Answered after 10 seconds',
    card: GOOD_CARD,
    fault: { route: 'client.confirm', delay_seconds: 10 },
    effect: 'The form keeps the buyer informed while it waits.',
  },
  {
    id: 'throttled',
    text: 'Too many requests (429), then succeeds',
    card: '4000000000010068',
    testCard: 'first 429 with Retry-After: 5, then succeeds',
    effect: 'The form counts down five seconds and lets the buyer press again.',
  },
];
