/**
 * The text around the amount on the Pay button. The amount is never part of that text: it has an element of its own,
 * formatted by the form.
 */

export type PayLabel = {
  before: string;
  after: string;
  /** Whether the amount has a line of its own, below the text. */
  apart: boolean;
};

const AMOUNT = '{amount}';

/** Spaces and punctuation left at either end after `{amount}` was taken out. Searched from their start, so in linear time. */
const LOOSE_END = /^[\s,:;·–—-]+|(?<![\s,:;·–—-])[\s,:;·–—-]+$/g;

/**
 * The label for a sentence with `{amount}` in it. In the form's own sentences the amount keeps its place: "Pay $58.04".
 * A page's translation could give the amount a false meaning ("Start your free trial, then $58.04 a year"), so there the
 * amount has a line of its own, below the text.
 */
export const payLabel = (sentence: string, isOurs: boolean): PayLabel => {
  const [before = '', after = ''] = sentence.split(AMOUNT);
  if (isOurs) return { before, after, apart: false };
  const words = `${before.trimEnd()} ${after.trimStart()}`.replace(LOOSE_END, '');
  return { before: words, after: '', apart: true };
};
