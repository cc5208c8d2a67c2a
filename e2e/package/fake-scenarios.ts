/**
 * Sequences of steps with a form, and the events the page receives, in order, without key and focus events. The fake
 * has to produce them in happy-dom and in jsdom, and the real form in a browser (e2e/package/fake.spec.ts).
 */
export type Step =
  /** The buyer presses Pay with a card that is accepted, or declined. */
  | 'pay'
  | 'decline'
  /** The shop's server changes the total. */
  | 'change the amount'
  /** The page calls `refresh()`. */
  | 'refresh'
  /** The page unmounts the form. */
  | 'unmount'
  /** The buyer presses Pay, and the service never answers again. */
  | 'lose the connection';

export const SCENARIOS: Readonly<Record<string, { steps: readonly Step[]; heard: readonly string[] }>> = {
  'a payment': { steps: ['pay'], heard: ['ready', 'processing', 'result'] },
  'a decline, then a payment': {
    steps: ['decline', 'pay'],
    heard: ['ready', 'processing', 'decline', 'processing', 'result'],
  },
  'two declines': {
    steps: ['decline', 'decline'],
    heard: ['ready', 'processing', 'decline', 'processing', 'decline'],
  },
  'a total that changed before the press': {
    steps: ['change the amount', 'pay', 'pay'],
    heard: ['ready', 'processing', 'error', 'amountchange', 'processing', 'result'],
  },
  'a total that changed, and a page that says so': {
    steps: ['change the amount', 'refresh', 'pay'],
    heard: ['ready', 'amountchange', 'processing', 'result'],
  },
  'a total that changed after a decline': {
    steps: ['decline', 'change the amount', 'refresh', 'pay'],
    heard: ['ready', 'processing', 'decline', 'amountchange', 'processing', 'result'],
  },
  'a form that is unmounted before a press': { steps: ['unmount'], heard: ['ready'] },
  'no answer, ever': { steps: ['lose the connection'], heard: ['ready', 'processing', 'result'] },
};

/** The total after the change, in minor units. */
export const CHANGED_TOTAL = 7000;
