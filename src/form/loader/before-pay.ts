/** Calls the page's `beforePay` for the frame. Loaded with the first press that needs it. */
import type { FrameMessage, HostMessageInput } from '../channel/messages.ts';
import type { CardFormOptions } from './types.ts';

type Question = Pick<Extract<FrameMessage, { type: 'beforepay' }>, 'press' | 'amountTotal' | 'currency'>;
type Answer = Omit<Extract<HostMessageInput, { type: 'beforepay' }>, 'type'>;

/**
 * Returns the page's answer, ready to post: `allowed`, and a `message` for the buyer. Without `allowed` the press
 * doesn't count, and `mistake` tells the developer why. Whatever `beforePay` throws is also reported as an uncaught
 * error, as for an event handler.
 */
export const askBeforePay = async (
  page: Pick<CardFormOptions, 'beforePay'>,
  { press, amountTotal, currency }: Question,
): Promise<Answer> => {
  try {
    const answer: unknown = await page.beforePay?.({ amountTotal, currency });
    if (typeof answer === 'boolean') return { press, allowed: answer };
    const message: unknown = Object(answer).message;
    if (typeof message === 'string') return { press, allowed: false, message };
    return { press, mistake: `Expected true, false or { message }; got ${nameOf(answer)}.` };
  } catch (error) {
    reportError(error);
    return { press, mistake: 'It threw an error, which the console shows.' };
  }
};

const nameOf = (value: unknown): string => (value === null ? 'null' : typeof value);
