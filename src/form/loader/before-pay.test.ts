import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askBeforePay } from './before-pay.ts';
import type { CardFormOptions } from './types.ts';

const QUESTION = { press: 7, amountTotal: 1234, currency: 'eur' } as const;
const report = vi.fn();
beforeEach(() => vi.stubGlobal('reportError', report.mockReset()));
afterEach(() => vi.unstubAllGlobals());

/** The page's answer may be anything: most shops have no compiler. */
const ask = (answer: unknown) => {
  const page: CardFormOptions = { publishableKey: '' };
  Reflect.set(page, 'beforePay', () => answer);
  return askBeforePay(page, QUESTION);
};

describe('promises 1.10: only `true` is a yes', () => {
  it.each([
    ['true', true, { allowed: true }],
    ['a promise of true', Promise.resolve(true), { allowed: true }],
    ['false', false, { allowed: false }],
    ['a sentence', { message: 'Sold out.' }, { allowed: false, message: 'Sold out.' }],
    ['a promise of a sentence', Promise.resolve({ message: 'x' }), { allowed: false, message: 'x' }],
  ])('%s', async (_, answer, expected) => {
    expect(await ask(answer)).toEqual({ press: 7, ...expected });
    expect(report).not.toHaveBeenCalled();
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['number', 1],
    ['string', 'ok'],
    ['object', {}],
    ['object', { message: 1 }],
    ['object', { ok: true }],
  ])('%s is no answer, and the developer reads the given value', async (name, answer) => {
    expect(await ask(answer)).toEqual({
      press: 7,
      mistake: `Expected true, false or { message }; got ${name}.`,
    });
  });

  it('a page without beforePay has not said yes', async () => {
    expect(await askBeforePay({}, QUESTION)).not.toHaveProperty('allowed');
  });
});

describe('promises 1.10: an exception is no answer, and is reported as the page’s own uncaught error', () => {
  const failure = new Error('out of order');

  it.each([
    [
      'thrown',
      () => {
        throw failure;
      },
    ],
    ['rejected', () => Promise.reject(failure)],
  ])('%s', async (_, beforePay) => {
    expect(await askBeforePay({ beforePay }, QUESTION)).toEqual({
      press: 7,
      mistake: 'It threw an error, which the console shows.',
    });
    expect(report).toHaveBeenCalledExactlyOnceWith(failure);
  });

  it('a getter that throws', async () => {
    const answer = {
      get message() {
        throw failure;
      },
    };
    expect(await ask(answer)).not.toHaveProperty('allowed');
  });
});
