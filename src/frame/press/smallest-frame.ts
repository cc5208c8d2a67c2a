/** The smallest frame in which a payment can be made, in CSS pixels. */
export const SMALLEST_FRAME = { width: 200, height: 120 };

/** Its size in a message. */
export const SMALLEST_SIZE = `${SMALLEST_FRAME.width} by ${SMALLEST_FRAME.height} CSS pixels`;
