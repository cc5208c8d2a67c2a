/** What the button of the form says, as the page chooses it: the names that Google Pay's button has, too. */
export const BUTTON_TYPES = ['pay', 'buy', 'order', 'donate', 'book', 'subscribe'] as const;

/** A type of button: which words stand on it beside the total. */
export type CardFormButtonType = (typeof BUTTON_TYPES)[number];
