import { describe, expect, expectTypeOf, it } from 'vitest';
import { type ErrorCode, HTTP_STATUS, isErrorCode, type Refusal } from '../../api/errors.ts';
import { isPermanent, REMEDY, type Remedy, remedyFor } from './remedy.ts';

const refused = (status: number, code: string, different: Partial<Refusal> = {}): Refusal => ({
  kind: 'refused',
  status,
  code,
  type: 'api_error',
  message: '',
  param: null,
  declineCode: null,
  ...different,
});

describe('outcomes 2.6, confirm: the remedy for each code', () => {
  it.each<[number, string, Remedy]>([
    [400, 'validation_error', 'fix_integration'],
    [400, 'invalid_amount', 'fix_integration'],
    [400, 'amount_too_small', 'fix_integration'],
    [400, 'amount_too_large', 'fix_integration'],
    [400, 'unsupported_currency', 'fix_integration'],
    [400, 'invalid_billing_details', 'fix_details'],
    [400, 'invalid_payment_details', 'complete_order'],
    [400, 'payment_details_missing', 'complete_order'],
    [400, 'non_physical_goods_not_allowed', 'fix_integration'],
    [400, 'payment_intent_not_pending', 'check_status'],
    [400, 'payment_not_refundable', 'fix_integration'],
    [400, 'refund_exceeds_remaining', 'fix_integration'],
    [400, 'merchant_suspended', 'fix_integration'],
    [400, 'merchant_not_approved', 'fix_integration'],
    [401, 'invalid_api_key', 'fix_keys'],
    [401, 'api_key_revoked', 'fix_keys'],
    [401, 'invalid_client_secret', 'fix_keys'],
    [402, 'payment_method_declined', 'other_card'],
    [402, 'payment_failed', 'other_card'],
    [404, 'not_found', 'fix_integration'],
    [404, 'payment_intent_not_found', 'fix_integration'],
    [404, 'refund_not_found', 'fix_integration'],
    [409, 'idempotency_key_reused', 'fix_integration'],
    [409, 'payment_intent_updated', 'review_total'],
    [500, 'internal_error', 'verify'],
    [500, 'fee_plan_not_configured', 'verify'],
    [502, 'provider_error', 'verify'],
  ])('%i %s: %s', (status, code, remedy) => {
    expect(remedyFor(refused(status, code))).toBe(remedy);
  });

  it('every code of the description has a remedy', () => {
    expect(Object.keys(REMEDY).sort()).toEqual(Object.keys(HTTP_STATUS).sort());
    expectTypeOf<typeof REMEDY>().toEqualTypeOf<Record<ErrorCode, Remedy>>();
  });
});

describe('outcomes 2.6: only the status decides about an answer that is not in the table', () => {
  const STATUSES = [400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 451, 500, 502, 503, 504];

  it.each(Object.keys(HTTP_STATUS))('%s with a different status than its own: the status decides', (code) => {
    for (const status of STATUSES) {
      if (isErrorCode(code) && HTTP_STATUS[code] === status) continue;
      const byStatus = [400, 404, 409].includes(status) ? 'fix_integration' : 'verify';
      expect(remedyFor(refused(status, code)), `${status} ${code}`).toBe(byStatus);
    }
  });

  it.each(STATUSES)('a body that is no error object (http_%i) is verified', (status) => {
    expect(remedyFor(refused(status, `http_${status}`))).toBe('verify');
  });

  it.each([400, 404, 409])('%i with an unknown code: one read, then blocked', (status) => {
    expect(remedyFor(refused(status, 'a_later_code'))).toBe('fix_integration');
  });

  it.each([401, 402, 403, 500, 502, 503])('%i with an unknown code is verified', (status) => {
    expect(remedyFor(refused(status, 'a_later_code'))).toBe('verify');
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('%s is an unknown code', (code) => {
    expect(remedyFor(refused(402, code))).toBe('verify');
    expect(remedyFor(refused(400, code))).toBe('fix_integration');
  });
});

describe('outcomes 2.6, confirm: a refused field of the card is a field to correct', () => {
  it.each(['card.number', 'card.exp_month', 'card.exp_year', 'card.cvc', 'card'])(
    '400 with param %s: show the field, whatever the code',
    (param) => {
      for (const code of ['validation_error', 'invalid_payment_details', 'a_later_code']) {
        expect(remedyFor(refused(400, code, { param })), code).toBe('fix_details');
      }
    },
  );

  it.each([null, '', 'cards.number', 'items[0].name', 'payment.card.number'])(
    '400 with param %s: the integration is at fault',
    (param) => {
      expect(remedyFor(refused(400, 'validation_error', { param }))).toBe('fix_integration');
      expect(remedyFor(refused(400, 'invalid_payment_details', { param }))).toBe('complete_order');
    },
  );

  it.each<[number, string, Remedy]>([
    [400, 'payment_intent_not_pending', 'check_status'],
    [401, 'invalid_api_key', 'fix_keys'],
    [402, 'payment_method_declined', 'other_card'],
    [409, 'payment_intent_updated', 'review_total'],
    [400, 'http_400', 'verify'],
    [500, 'internal_error', 'verify'],
  ])('%i %s keeps its meaning, whatever its param', (status, code, remedy) => {
    expect(remedyFor(refused(status, code, { param: 'card.number' }))).toBe(remedy);
  });
});

describe('outcomes 2.6, confirm: a 402 of type card_error is a decline', () => {
  it.each(['a_later_code', 'card_declined', 'constructor'])(
    'even if its code %s is not in the table',
    (code) => {
      expect(remedyFor(refused(402, code, { type: 'card_error' }))).toBe('other_card');
    },
  );

  it.each<[number, string, string]>([
    [402, 'a_later_code', 'api_error'],
    [402, 'http_402', 'card_error'],
    [402, 'internal_error', 'card_error'],
    [402, 'payment_intent_not_pending', 'card_error'],
    [403, 'a_later_code', 'card_error'],
    [500, 'a_later_code', 'card_error'],
  ])('%i %s of type %s contradicts itself or is not the service`s: verified', (status, code, type) => {
    expect(remedyFor(refused(status, code, { type }))).toBe('verify');
  });
});

describe('outcomes 2.6, first read: which failures are permanent', () => {
  it.each<[number, string]>([
    [400, 'validation_error'],
    [400, 'merchant_suspended'],
    [400, 'a_later_code'],
    [401, 'invalid_api_key'],
    [401, 'api_key_revoked'],
    [401, 'invalid_client_secret'],
    [403, 'http_403'],
    [404, 'not_found'],
    [404, 'payment_intent_not_found'],
    [409, 'a_later_code'],
    [413, 'http_413'],
    [451, 'http_451'],
    [500, 'fee_plan_not_configured'],
  ])('%i %s lasts', (status, code) => {
    expect(isPermanent(refused(status, code))).toBe(true);
  });

  it.each<[number, string]>([
    [408, 'http_408'],
    [425, 'http_425'],
    [500, 'internal_error'],
    [500, 'http_500'],
    [502, 'provider_error'],
    [503, 'http_503'],
    [504, 'http_504'],
    [599, 'http_599'],
  ])('%i %s passes', (status, code) => {
    expect(isPermanent(refused(status, code))).toBe(false);
  });
});
