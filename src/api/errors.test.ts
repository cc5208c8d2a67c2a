import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type ErrorCode,
  type ErrorType,
  errorType,
  type Failure,
  HTTP_STATUS,
  isErrorCode,
} from './errors.ts';

/** contract S16.3, line by line. */
const TABLE: readonly [ErrorCode, number][] = [
  ['validation_error', 400],
  ['invalid_amount', 400],
  ['amount_too_small', 400],
  ['amount_too_large', 400],
  ['unsupported_currency', 400],
  ['invalid_billing_details', 400],
  ['invalid_payment_details', 400],
  ['payment_details_missing', 400],
  ['non_physical_goods_not_allowed', 400],
  ['payment_intent_not_pending', 400],
  ['payment_not_refundable', 400],
  ['refund_exceeds_remaining', 400],
  ['merchant_suspended', 400],
  ['merchant_not_approved', 400],
  ['invalid_api_key', 401],
  ['api_key_revoked', 401],
  ['invalid_client_secret', 401],
  ['payment_method_declined', 402],
  ['payment_failed', 402],
  ['not_found', 404],
  ['payment_intent_not_found', 404],
  ['refund_not_found', 404],
  ['idempotency_key_reused', 409],
  ['payment_intent_updated', 409],
  ['rate_limited', 429],
  ['internal_error', 500],
  ['fee_plan_not_configured', 500],
  ['provider_error', 502],
];

const TYPES: Readonly<Record<ErrorType, readonly number[]>> = {
  invalid_request_error: [400, 404, 409],
  authentication_error: [401],
  card_error: [402],
  rate_limit_error: [429],
  api_error: [500, 502],
};

describe('contract S16.3: the codes', () => {
  it('has the 28 codes of the description with their statuses, in its order', () => {
    expect(Object.entries(HTTP_STATUS)).toEqual(TABLE);
    expect(TABLE).toHaveLength(28);
  });

  it.each(TABLE)('%s (%i) has the type of its status', (code, status) => {
    expect(TYPES[errorType(code)]).toContain(status);
  });

  it.each(TABLE)('knows %s', (code) => {
    expect(isErrorCode(code)).toBe(true);
  });

  it.each([
    '',
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'PAYMENT_FAILED',
    'payment_failed ',
    'http_402',
    'card_error',
  ])('does not know %j', (code) => {
    expect(isErrorCode(code)).toBe(false);
  });

  it('narrows a string to a code, and the code to its status', () => {
    const code: string = 'payment_failed';
    // @ts-expect-error not every string is a code
    const unchecked: ErrorCode = code;
    expect(unchecked).toBe(code);
    if (isErrorCode(code)) expectTypeOf(code).toEqualTypeOf<ErrorCode>();
    expectTypeOf(HTTP_STATUS.payment_failed).toEqualTypeOf<402>();
  });

  it('tells a refusal, a throttled request and a missing answer apart', () => {
    expectTypeOf<Failure['kind']>().toEqualTypeOf<'refused' | 'throttled' | 'no_answer'>();
    // @ts-expect-error a missing answer has no code
    const silent: Failure = { kind: 'no_answer', reason: 'timeout', code: 'timeout' };
    expect(silent.kind).toBe('no_answer');
  });
});
