/**
 * The text around the amount on the Pay button. The amount is never part of that text: it has its own element,
 * formatted by the form.
 */

export type PayLabel = {
  before: string;
  after: string;
  /** True if the amount has its own line, below the text. */
  apart: boolean;
};

const AMOUNT = '{amount}';

/** Spaces and punctuation left at either end without `{amount}`. Matched from their start, so in linear time. */
const LOOSE_END = /^[\s,:;·–—-]+|(?<![\s,:;·–—-])[\s,:;·–—-]+$/g;

/**
 * The label for a sentence that contains `{amount}`. In the form's own sentences the amount stays in place: "Pay
 * $58.04". A page's translation could give the amount a false meaning ("Start your free trial, then $58.04 a year"), so
 * there the amount has its own line, below the text.
 */
export const payLabel = (sentence: string, isOurs: boolean): PayLabel => {
  const [before = '', after = ''] = sentence.split(AMOUNT);
  if (isOurs) return { before, after, apart: false };
  const words = `${before.trimEnd()} ${after.trimStart()}`.replace(LOOSE_END, '');
  return { before: words, after: '', apart: true };
};
