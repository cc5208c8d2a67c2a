import { expect, it } from 'vitest';
import { FIELD_NAMES, PLACES, placeOf } from './field-names.ts';

it('threat-model 2.5: the fields of the card are one place, every other field is its own', () => {
  const card = ['number', 'expiry', 'cvc'];
  expect(FIELD_NAMES.map(placeOf)).toEqual(
    FIELD_NAMES.map((field) => (card.includes(field) ? 'card' : field)),
  );
  expect([...new Set(FIELD_NAMES.map(placeOf))]).toEqual(PLACES);
});
