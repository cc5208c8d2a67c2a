import { expect, it } from 'vitest';
import { closestName } from './closest-name.ts';
import { EVENTS } from './events.ts';
import { OPTIONS } from './options.ts';
import { keysOf } from './own-property.ts';

it.each([
  ['clientsecret', 'clientSecret'],
  ['client_secret', 'clientSecret'],
  ['publishable_key', 'publishableKey'],
  ['acceptedBrand', 'acceptedBrands'],
  ['allowedCountry', 'allowedCountries'],
  ['apearance', 'appearance'],
  ['translation', 'translations'],
  ['onSuccess', null],
  ['amount', null],
])('the option meant by %s: %s', (name, option) => {
  expect(closestName(name, keysOf(OPTIONS))).toBe(option);
});

it.each([
  ['amountChange', 'amountchange'],
  ['load-error', 'loaderror'],
  ['results', 'result'],
  ['success', null],
])('the event meant by %s: %s', (name, event) => {
  expect(closestName(name, keysOf(EVENTS))).toBe(event);
});
