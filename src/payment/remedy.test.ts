import { describe, expect, expectTypeOf, it } from 'vitest';
import { type ErrorCode, HTTP_STATUS, isErrorCode, type Refusal } from '../api/errors.ts';
import { isPermanent, REMEDY, type Remedy, remedyFor } from './remedy.ts';

const refused = (status: number, code: string): Refusal => ({
  kind: 'refused',
  status,
  code,
  type: 'api_error',
  message: '',
  param: null,
  declineCode: null,
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

describe('outcomes 2.6: the status alone decides on an answer that is not in the table', () => {
  const STATUSES = [400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 451, 500, 502, 503, 504];

  it.each(Object.keys(HTTP_STATUS))('%s with another status than its own: the status decides', (code) => {
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
