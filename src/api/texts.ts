/** The service's texts, as a form may keep them. This file has no schemas, because the frame runs it. */

/** In characters. More than a form could show. */
const LONGEST = 2000;

/** Cuts a text to what a form could show. */
export const cutText = (text: string): string => text.slice(0, LONGEST);
