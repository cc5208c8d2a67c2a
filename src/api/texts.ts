/** Texts of the service, as a form may keep them. In a file without schemas, because the frame runs these functions. */
import { withoutCardNumbers } from './card-numbers.ts';

/** More than a form could show. */
const LONGEST = 2000;

/** Any text, cut to what a form could show. */
export const cutText = (text: string): string => text.slice(0, LONGEST);

/** A text of an error, without anything that looks like a card number (threat-model C19). */
export const errorText = (text: string): string => cutText(withoutCardNumbers(text));
