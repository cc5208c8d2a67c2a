import { expect, it } from 'vitest';
import * as LIMITS from '../../../api/limits.ts';
import { ConfirmRequest, CreatePaymentIntent } from '../../../api/requests.ts';
import { parseBody } from './validate.ts';

const item = { name: 'Mug', quantity: 1, unit_amount: 1000 };
const intent = { amount: 1000, currency: 'usd', items: [item] };
const address = { line1: '1 Main Street', country: 'US' };

it.each([
  [{ ...intent, currency: 'USD' }, '"currency" must be "usd" or "eur"; got it in capitals.'],
  [{ ...intent, currency: 'gbp' }, '"currency" must be "usd" or "eur"; got a string of 3 characters.'],
  [{ ...intent, items: [] }, '"items" must be a list of at least 1 entry; got a list of 0.'],
  [
    { ...intent, items: [{ ...item, quantity: 0.12345 }] },
    '"items[0].quantity" must be a number with at most 3 decimals; got 0.12345.',
  ],
  [
    { ...intent, items: [{ ...item, name: '' }] },
    '"items[0].name" must be at least 1 character long; got a string of 0 characters.',
  ],
  [
    { ...intent, shipping_details: { name: 'Ada', address: { ...address, country: 'USA' } } },
    '"shipping_details.address.country" must be two letters in capitals, such as US; got a string of 3 characters.',
  ],
  [
    { ...intent, shipping_details: { name: 'Ada', address: { ...address, country: 'us' } } },
    '"shipping_details.address.country" must be two letters in capitals, such as US; got a string of 2 characters.',
  ],
  [
    {
      ...intent,
      metadata: Object.fromEntries(
        Array.from({ length: LIMITS.metadataKeys + 1 }, (_, key) => [`k${key}`, 'v']),
      ),
    },
    `"metadata" must be a map of at most ${LIMITS.metadataKeys} keys; got an object.`,
  ],
])('names the expected and the given value: %j', (body, message) => {
  expect(() => parseBody(CreatePaymentIntent, body)).toThrow(message);
});

it('threat-model 1.5: repeats nothing that a buyer typed', () => {
  const card = { number: 4242424242424242, exp_month: 12, exp_year: 2034, cvc: '123' };
  expect(() =>
    parseBody(ConfirmRequest, { client_secret: 'lg_cs_1', amount_total: 1, currency: 'usd', card }),
  ).toThrow(/^(?!.*4242)/);
});
