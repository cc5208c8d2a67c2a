import { unclobbered } from './unclobbered.ts';

/** The page's document, whatever its elements are named. */
export const unclobberedDocument = unclobbered(document);
