import { unclobbered } from './unclobbered.ts';

/** The page's document, protected from DOM clobbering. Not in unclobbered.ts, which is also imported in Node. */
export const unclobberedDocument = unclobbered(document);
