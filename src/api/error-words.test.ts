import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { knownDetails, knownError } from './error-words.ts';
import { errorType, HTTP_STATUS, isErrorCode } from './errors.ts';
import { ConfirmRequest } from './requests.ts';

const ERROR = { type: 'card_error', code: 'payment_failed', message: 'No.' };
const CODES = Object.keys(HTTP_STATUS);

/** Returns every path in a request body. */
const pathsIn = (shape: Readonly<Record<string, z.core.$ZodType>>, around = ''): readonly string[] =>
  Object.entries(shape).flatMap(([name, field]) => {
    const inner = 'shape' in field._zod.def ? field._zod.def.shape : {};
    return [around + name, ...pathsIn(Object(inner), `${around}${name}.`)];
  });

describe('promises 1.8, threat-model C19: only words of a closed list are passed on from an error', () => {
  it('every code of the description, with its type', () => {
    const known = CODES.filter(isErrorCode);
    expect(known).toEqual(CODES);
    for (const code of known) {
      const type = errorType(code);
      expect(knownError({ ...ERROR, code, type })).toMatchObject({ code, type });
    }
  });

  it.each(pathsIn(ConfirmRequest.shape))('%s, since a confirm sends it', (param) => {
    expect(knownError({ ...ERROR, param })).toMatchObject({ param });
  });

  it.each([
    ['card.4242424242424242', 'card'],
    ['card.number.4242424242424242', 'card.number'],
    ['card[number]', 'card'],
    ['billing_details.address.a4242', 'billing_details.address'],
    ['items[4242424242].quantity', 'items'],
    ['shipping_details.address', 'shipping_details'],
    ['order_reference', 'order_reference'],
    ['cards', null],
    ['card4242', null],
    ['card.number4242', 'card'],
    ['4242424242424242.card', null],
    ['card\n4242', null],
    ['__proto__', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('the param %j is passed on as %j', (param, told) => {
    expect(knownError({ ...ERROR, param })).toMatchObject({ param: told });
  });

  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['lost_card', 'lost_card'],
    ['a_later_reason', 'generic_decline'],
    ['4242', 'generic_decline'],
    ['constructor', 'generic_decline'],
    ['', 'generic_decline'],
    [null, null],
    [undefined, null],
  ])('the decline code %j is passed on as %j', (decline_code, told) => {
    expect(knownError({ ...ERROR, decline_code })).toMatchObject({ decline_code: told });
  });

  it('contract 3.5: a missing detail is named by its field, or as "details"', () => {
    const said = ['buyer.name', 'shipping_details.address.line1', 'order_reference', 'a4242424242424242'];
    expect(knownDetails(said)).toEqual(['buyer', 'shipping_details', 'order_reference', 'details']);
  });

  it('any text outside the lists is dropped', () => {
    const word = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[a-z0-9_]{1,40}$/),
      fc.stringMatching(/^\d{3,19}$/),
    );
    fc.assert(
      fc.property(word, word, (said, more) => {
        fc.pre(!CODES.includes(said) && !(said in ConfirmRequest.shape.card.shape));
        const param = `card.${said}`;
        const told = knownError({ type: more, code: said, message: more, param, decline_code: more });
        expect(told).toEqual({
          type: 'api_error',
          code: 'unknown_code',
          message: 'The service answered with unknown_code.',
          param: 'card',
          decline_code: 'generic_decline',
        });
      }),
    );
  });
});
