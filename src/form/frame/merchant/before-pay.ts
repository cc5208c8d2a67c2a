/** Asks the page's `beforePay` about a press (promises 1.10). */
import type { Money } from '../../../api/money.ts';
import type { BeforePayAnswer } from '../../channel/commands.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { PageAnswer } from '../../payment/payment-state.ts';
import type { Warn } from './warnings.ts';

export type BeforePay = {
  /** Resolves with the page's answer to this press; never if it doesn't answer or `ending` aborts first. */
  ask(shown: Money, ending: AbortSignal): Promise<PageAnswer>;
  /** Handles the page's answer. Ignores one to an earlier press: it was about another total or another order. */
  answer(answer: BeforePayAnswer): void;
};

export const createBeforePay = (post: (message: FrameMessage) => void, warn: Warn): BeforePay => {
  let press = 0;
  let settle: ((answer: PageAnswer) => void) | null = null;
  return {
    ask({ amount, currency }, ending) {
      press += 1;
      const mine = press;
      ending.addEventListener('abort', () => {
        if (mine === press) settle = null;
      });
      return new Promise((resolve) => {
        settle = resolve;
        post({ type: 'beforepay', press, amountTotal: amount, currency });
      });
    },
    answer(message) {
      if ((message.press ?? press) !== press || !settle) return;
      const resolve = settle;
      settle = null;
      if (message.allowed === true) return resolve({ kind: 'allowed' });
      if (message.allowed === undefined) {
        warn('beforePay', message.mistake ?? NO_ANSWER);
        return resolve({ kind: 'failed' });
      }
      void sentenceOf(message, warn).then((sentence) => resolve({ kind: 'refused', message: sentence }));
    },
  };
};

/** The page's sentence for the buyer, under the rules for `translations`; null if there is none that can be shown. */
const sentenceOf = async ({ message }: BeforePayAnswer, warn: Warn): Promise<string | null> => {
  if (message === undefined) return null;
  const parser = await import('../../i18n/translations.ts').catch(() => null);
  const why = parser
    ? parser.problemOfText('notice.order_refused', message)
    : 'A script of the form failed to load.';
  if (why === null) return message.trim();
  warn('beforePay', `The message is not shown: ${why}`);
  return null;
};

const NO_ANSWER =
  'Cannot be called: a file of the script failed to load. Allow its folder in script-src, with a slash at the end: https://…/partner/v1/card-form/';
