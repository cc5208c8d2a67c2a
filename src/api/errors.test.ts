import { describe, expect, expectTypeOf, it } from 'vitest';
import { readPage } from '../proof/repository/citations.fixture.ts';
import {
  type ErrorCode,
  type ErrorType,
  errorType,
  type Failure,
  HTTP_STATUS,
  isErrorCode,
} from './errors.ts';

/** The codes and statuses of contract S16.3, in its order. */
const TABLE = [
  ...(/^### S16\.3 [\s\S]*?(?=^#)/m.exec(readPage('contract'))?.[0] ?? '').matchAll(
    /^\| `(\w+)` \| (\d+) \|/gm,
  ),
].map(([, code = '', status]): [string, number] => [code, Number(status)]);

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

  it.each(TABLE)('%s (%i) is known, and has the type of its status', (code, status) => {
    expect(isErrorCode(code) && TYPES[errorType(code)]).toContain(status);
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

  it('distinguishes a refusal, a throttled request and a missing answer', () => {
    expectTypeOf<Failure['kind']>().toEqualTypeOf<'refused' | 'throttled' | 'no_answer'>();
    // @ts-expect-error a missing answer has no code
    const silent: Failure = { kind: 'no_answer', reason: 'timeout', code: 'timeout' };
    expect(silent.kind).toBe('no_answer');
  });
});
