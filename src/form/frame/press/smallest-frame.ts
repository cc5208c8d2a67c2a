/** Minimum frame size for a payment, in CSS pixels. */
export const SMALLEST_FRAME = { width: 200, height: 120 };

/** The same as text, for messages. */
export const SMALLEST_SIZE = '200 by 120 CSS pixels';
