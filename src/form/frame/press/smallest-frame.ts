/** The smallest frame in which a payment can be made, in CSS pixels. */
export const SMALLEST_FRAME = { width: 200, height: 120 };

/** The same for messages. */
export const SMALLEST_SIZE = '200 by 120 CSS pixels';
