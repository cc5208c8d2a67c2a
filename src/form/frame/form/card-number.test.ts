/** promises 2.12: a card number filled into another field is detected, and never reaches the billing details. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../proof/fuzz.ts';
import { hasCardNumber } from '../../card/number-in.ts';
import { exampleForm, filledForm } from '../merchant/merchant.fixture.ts';

const FIELDS = ['name', 'email', 'line1', 'line2', 'city', 'postal_code'] as const;

describe.each(FIELDS)('a card number in %s', (name) => {
  it.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '４２４２-４２４２-４２４２-４２４２',
    '4242\u200d4242\u200b4242\u20604242',
  ])('is a problem in words on leaving the field: %j', (number) => {
    const form = filledForm();
    const field = form.fields[name];
    field.type(number);
    expect(field.problem.value).toBe(null);
    field.leave();
    expect(field.problem.value).toMatchObject({ key: 'text.card_number' });
    expect(field.text.value).toBe(number);
    expect(form.press()).toBe(name);
    expect(form.press()).toBe(name);
    expect(form.details()).toBe(null);
  });

  it('of the page is no known text: the buyer is asked', () => {
    const form = exampleForm();
    const { line1, line2, city, postal_code, ...others } = { ...EXAMPLE, [name]: '4242 4242 4242 4242' };
    form.fillIn({ ...others, address: { country: 'US', state: 'OR', line1, line2, city, postal_code } });
    expect(form.isSound(name === 'name' || name === 'email' ? name : 'address')).toBe(false);
  });
});

const EXAMPLE = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  line2: '',
  city: 'Portland',
  postal_code: '97205',
};

it('billing details never contain one, whatever is around and between its digits', () => {
  const between = fc.constantFrom(
    '',
    ' ',
    '-',
    '.',
    '\u00a0',
    '\u200b',
    '\u200d',
    '\u2060',
    '\u202e',
    '‑',
    '＿',
    'x',
  );
  const around = fc.string({ unit: fc.constantFrom(...'ab1 <>@.,\u200b\u202e'), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.constantFrom(...FIELDS),
      around,
      between,
      around,
      fc.boolean(),
      (name, before, mark, after, isWide) => {
        const form = filledForm();
        const number = ['4242', '4242', '4242', '4242'].join(mark);
        form.fields[name].type(`${before}${isWide ? number.replaceAll('4', '４') : number}${after}`);
        form.press();
        form.press();
        const { address, ...others } = form.details()?.billing_details ?? {};
        const sent = [...Object.values(others), ...Object.values(address ?? {})];
        expect(sent.filter((text) => hasCardNumber(`${text}`))).toEqual([]);
      },
    ),
    { numRuns: runs(4000) },
  );
});
