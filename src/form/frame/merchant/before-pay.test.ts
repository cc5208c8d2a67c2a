import { describe, expect, it, vi } from 'vitest';
import type { BeforePayAnswer } from '../../channel/commands.ts';
import { createBeforePay } from './before-pay.ts';

const TOTAL = { amount: 1234, currency: 'usd' } as const;

const setUp = () => {
  const post = vi.fn();
  const warn = vi.fn();
  const beforePay = createBeforePay(post, warn);
  const leaving = new AbortController();
  return {
    post,
    warn,
    leaving,
    ask: () => beforePay.ask(TOTAL, leaving.signal),
    answer: (fields: Partial<BeforePayAnswer>) => beforePay.answer({ type: 'beforepay', ...fields }),
  };
};

/** Returns true if a promise settles without any other event. */
const settles = async (promise: Promise<unknown>): Promise<boolean> => {
  const settled = vi.fn();
  void promise.then(settled);
  await Promise.resolve().then(() => undefined);
  return settled.mock.calls.length > 0;
};

describe('promises 1.10: the page is asked about a press by its number', () => {
  it('posts the total', () => {
    const { ask, post } = setUp();
    void ask();
    expect(post).toHaveBeenCalledExactlyOnceWith({
      type: 'beforepay',
      press: 1,
      amountTotal: 1234,
      currency: 'usd',
    });
  });

  it.each<[string, Partial<BeforePayAnswer>, object]>([
    ['yes', { allowed: true }, { kind: 'allowed' }],
    ['no', { allowed: false }, { kind: 'refused', message: null }],
    ['a sentence', { allowed: false, message: ' Sold out. ' }, { kind: 'refused', message: 'Sold out.' }],
    ['a mistake', { mistake: 'It threw.' }, { kind: 'failed' }],
    ['a yes with a mistake is a yes', { allowed: true, mistake: 'x' }, { kind: 'allowed' }],
  ])('%s', async (_, fields, expected) => {
    const { ask, answer } = setUp();
    const asked = ask();
    answer({ press: 1, ...fields });
    expect(await asked).toEqual(expected);
  });

  it('a late answer to an earlier press does not count for this one', async () => {
    const { ask, answer } = setUp();
    void ask();
    const second = ask();
    answer({ press: 1, allowed: true });
    expect(await settles(second)).toBe(false);
    answer({ press: 2, allowed: false });
    expect(await second).toEqual({ kind: 'refused', message: null });
  });

  it('an answer to a press that is no longer pending is ignored', async () => {
    const { ask, answer, leaving, warn } = setUp();
    const asked = ask();
    leaving.abort();
    answer({ press: 1, mistake: 'x' });
    expect(await settles(asked)).toBe(false);
    expect(warn).not.toHaveBeenCalled();
  });

  it('an unrequested answer is ignored', () => {
    const { answer, warn } = setUp();
    answer({ press: 0, mistake: 'x' });
    answer({ mistake: 'x' });
    expect(warn).not.toHaveBeenCalled();
  });

  it('an answer without a number fails the press: the file that asks the page did not load', async () => {
    const { ask, answer, warn } = setUp();
    const asked = ask();
    answer({});
    expect(await asked).toEqual({ kind: 'failed' });
    expect(warn).toHaveBeenCalledExactlyOnceWith('beforePay', expect.stringContaining('script-src'));
  });
});

describe('promises 1.10: the page’s sentence is text, of limited length, and not shown otherwise', () => {
  it.each([
    ['longer than 300 characters', 'x'.repeat(301)],
    ['with a line break', 'Sold\nout'],
    ['with a direction override', 'Sold \u202eout'],
    ['with a placeholder', 'Sold {amount}'],
    ['without a letter', '12.34'],
    ['empty', ''],
  ])('a sentence %s: the form shows its own, and the developer gets a warning', async (_, message) => {
    const { ask, answer, warn } = setUp();
    const asked = ask();
    answer({ press: 1, allowed: false, message });
    expect(await asked).toEqual({ kind: 'refused', message: null });
    expect(warn).toHaveBeenCalledExactlyOnceWith('beforePay', expect.stringContaining('not shown'));
  });

  it('markup is text', async () => {
    const { ask, answer } = setUp();
    const asked = ask();
    answer({ press: 1, allowed: false, message: '<b>Sold</b> out' });
    expect(await asked).toEqual({ kind: 'refused', message: '<b>Sold</b> out' });
  });
});
