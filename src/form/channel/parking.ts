/** Maximum time that a form with `keep: true` may be parked, in ms. Frame and loader each end it by their own clock. */
export const LONGEST_PARKING = 15 * 60_000;
