/** Card and billing details for tests. */
import type { ConfirmDetails } from './client.ts';

/** Complete, valid details. */
export const exampleDetails = (name = 'Ada Lovelace', number = '4242424242424242'): ConfirmDetails => ({
  card: { number, exp_month: 12, exp_year: 2030, cvc: '123' },
  billing_details: {
    email: 'ada@example.com',
    name,
    address: {
      line1: '12 Orchard Lane',
      line2: null,
      city: null,
      state: null,
      postal_code: '97201',
      country: 'US',
    },
  },
});
