import { expect, it } from 'vitest';
import { createClient } from './client.ts';
import { createManualClock } from './clock/manual-clock.ts';
import * as LIMITS from './limits.ts';
import { LARGEST_BODY } from './read-json.ts';
import { ClientPaymentIntent } from './schemas.ts';

/** A character outside Unicode's first plane: 12 bytes if a service escapes all non-ASCII characters. */
const WORST = '\u{1F600}';

/** JSON as PHP and Python write it by default, in ASCII. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The largest client view that the description allows: all texts and numbers have their maximum length. */
const LARGEST = {
  id: `lg_pi_${'x'.repeat(194)}`,
  object: 'payment_intent',
  status: 'processing',
  currency: 'usd',
  amount: LIMITS.largestAmount,
  fee_buyer: LIMITS.largestAmount,
  amount_total: LIMITS.largestAmount,
  confirmation_attempts: 1_000_000,
  attempts_left: 1_000_000,
  attempt_in_progress: false,
  missing_details: Array.from({ length: 20 }, () => 'x'.repeat(200)),
  description: WORST.repeat(LIMITS.description),
  items: Array.from({ length: LIMITS.items }, () => ({
    name: WORST.repeat(LIMITS.itemName),
    quantity: 999_999.999,
    unit_amount: LIMITS.largestAmount,
    amount: LIMITS.largestAmount * LIMITS.quantity,
  })),
  shipping_amount: LIMITS.largestAmount,
  tax_amount: LIMITS.largestAmount,
  discount_amount: LIMITS.largestAmount,
  items_difference: -LIMITS.items * LIMITS.largestAmount * LIMITS.quantity,
  created: 9_999_999_999,
  succeeded_at: 9_999_999_999,
  // The description does not limit the texts of an error; these are the lengths that the form keeps.
  last_payment_error: {
    type: 'x'.repeat(100),
    code: 'x'.repeat(100),
    message: WORST.repeat(2000),
    param: WORST.repeat(500),
    decline_code: WORST.repeat(100),
  },
};

it('contract S17.8, S3.5: the largest intent that the description allows has every field of the client view', () => {
  expect(Object.keys(LARGEST).sort()).toEqual(Object.keys(ClientPaymentIntent.shape).sort());
});

it('outcomes 2.6: it fits the largest body that is read, and needs most of it', () => {
  const bytes = asciiJson(LARGEST).length;
  expect(bytes).toBeGreaterThan(LARGEST_BODY * 0.75);
  expect(bytes).toBeLessThanOrEqual(LARGEST_BODY);
});

it('contract 3.1: the client reads it, with all of its items and the whole of their names', async () => {
  const client = createClient({
    baseUrl: 'https://pay.example',
    publishableKey: 'pk_live_1',
    clientSecret: () => 'lg_cs_1',
    clock: createManualClock(1),
    fetch: async () =>
      new Response(asciiJson(LARGEST), { headers: { 'Content-Type': 'application/json; charset=utf-8' } }),
  });
  const answer = await client.retrieve();
  expect(answer).toMatchObject({
    ok: true,
    value: { items: LARGEST.items, description: LARGEST.description },
  });
});
