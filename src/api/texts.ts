/** Texts of the service, as a form may keep them. In a file without schemas, because the frame runs this. */

/** More than a form could show. */
const LONGEST = 2000;

/** Any text, cut to what a form could show. */
export const cutText = (text: string): string => text.slice(0, LONGEST);
