/**
 * The 25 faults of the audit, ten of the client routes and fifteen of the server routes: every one has to be found, with
 * nothing else. By what they break, in `wrong-services.fixture.ts` and `wrong-server-routes.fixture.ts`. Those that the suite
 * had missed come first.
 */
export const SEEDED_CLIENT_FAULTS = [
  'a payment that has succeeded is pending again',
  'its total is not the sum of amount and fee',
  'it shows the buyer to the browser',
  'any page may read its responses',
  'its responses may be cached',
  'it does not check Sec-Fetch-Site',
  'it accepts a lower total',
  'it accepts a second confirm',
  'it counts an attempt twice',
  'its errors are text/html',
] as const;

export const SEEDED_SERVER_FAULTS = [
  'its 429 has no Retry-After',
  'it begins a list again after an id that it does not know',
  'a refund has the number of the card',
  'its unlock steps have other amounts',
  'its fees are wrong in a quote and in a payment alike',
  'an update of another field clears the description',
  'it answers with text/html',
  'it forgets metadata',
  'its balance is empty',
  'it rounds lines down',
  'it ignores idempotency keys',
  'it needs no valid key',
  'it finds every payment',
  'it lists the oldest first',
  'it takes any page size',
] as const;
