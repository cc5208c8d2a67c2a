/** The wordings of the form's button, with the names that Google Pay's button uses. */
export const BUTTON_TYPES = ['pay', 'buy', 'order', 'donate', 'book', 'subscribe'] as const;

/** A type of button: the words beside the total. */
export type CardFormButtonType = (typeof BUTTON_TYPES)[number];
