/**
 * What stands on the Pay button around the amount. The amount itself is never part of a sentence's text: it stands in
 * an element of its own, as the form writes it.
 */

/** What stands before and after the amount. */
export type PayLabel = {
  before: string;
  after: string;
  /** Whether the amount has a line of its own, below all words. */
  apart: boolean;
};

const AMOUNT = '{amount}';

/** What is left over at either end where a place was taken out: spaces, and marks that led to it. */
const LOOSE_END = /^[\s,:;·–—-]+|[\s,:;·–—-]+$/g;

/**
 * The label for a sentence with `{amount}` in it. Around the form's own words the amount stands as in any sentence:
 * "Pay $58.04". A page's words can make anything of an amount that stands among them ("Start your free trial, then
 * $58.04 a year"), so there it stands alone, below them.
 */
export const payLabel = (sentence: string, isOurs: boolean): PayLabel => {
  const [before = '', after = ''] = sentence.split(AMOUNT);
  if (isOurs) return { before, after, apart: false };
  const words = `${before.trimEnd()} ${after.trimStart()}`.replace(LOOSE_END, '');
  return { before: words, after: '', apart: true };
};
