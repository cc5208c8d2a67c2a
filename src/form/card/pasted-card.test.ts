import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pastedCard } from './pasted-card.ts';

const VISA = '4242424242424242';
const AMEX = '378282246310005';

it.each([
  ['4242 4242 4242 4242 12/29 123', VISA, '12 / 29', '123'],
  ['4242424242424242 12/2029 123', VISA, '12 / 2029', '123'],
  ['4242-4242-4242-4242\t12/29\t123', VISA, '12 / 29', '123'],
  ['4242424242424242|12|29|123', VISA, '12 / 29', '123'],
  ['4242424242424242,12,2029,123', VISA, '12 / 2029', '123'],
  ['4242424242424242;1/29;123', VISA, '01 / 29', '123'],
  ['4242 4242 4242 4242 1229 123', VISA, '12 / 29', '123'],
  ['4242 4242 4242 4242 12 29 123', VISA, '12 / 29', '123'],
  ['4242 4242 4242 4242 Dec 2029 123', VISA, '12 / 2029', '123'],
  ['4242 4242 4242 4242 2029-12 123', VISA, '12 / 2029', '123'],
  ['4242 4242 4242 4242 34/12 123', VISA, '12 / 34', '123'],
  ['4242 4242 4242 4242 31/12/2029', VISA, '12 / 2029', ''],
  ['4242 4242 4242 4242 12/29', VISA, '12 / 29', ''],
  ['4242 4242 4242 4242 123', VISA, '', '123'],
  ['12/29 4242 4242 4242 4242 123', VISA, '12 / 29', '123'],
  ['3782 822463 10005 05/30 1234', AMEX, '05 / 30', '1234'],
  ['٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ١٢/٢٩ ١٢٣', VISA, '12 / 29', '123'],
  ['Ada Lovelace\n4242 4242 4242 4242\n12/29\n123', VISA, '12 / 29', '123'],
  ['Number: 4242424242424242\nExpires: 12/2029\nCVV: 123', VISA, '12 / 2029', '123'],
  ['Name: Maria 05\r\nCard: 4242 4242 4242 4242\r\nValid: 11/31\r\nCode: 007', VISA, '11 / 31', '007'],
])('finds the parts of a card in %j', (text, number, expiry, cvc) => {
  expect(pastedCard(text)).toEqual({ number, expiry, cvc });
});

it.each([
  ['a number alone', '4242 4242 4242 4242'],
  ['a number that is none', '4242 4242 4242 4241 12/29 123'],
  ['a date alone', '12/29'],
  ['no digits', 'Ada Lovelace'],
  ['nothing', ''],
])('leaves %s to the field', (_, text) => {
  expect(pastedCard(text)).toBe(null);
});

it('does not turn month 13 into another, and takes no code if two numbers could be it', () => {
  expect(pastedCard('4242 4242 4242 4242 13/29 123')).toEqual({ number: VISA, expiry: '', cvc: '123' });
  expect(pastedCard('4242 4242 4242 4242 12/29 123 456')).toEqual({
    number: VISA,
    expiry: '12 / 29',
    cvc: '',
  });
});

it('never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void pastedCard(`${text}${VISA} ${text}`)));
});
