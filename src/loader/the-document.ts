import { unclobbered } from './unclobbered.ts';

/** The page's document, whatever its elements are named. */
export const theDocument = unclobbered(document);
