import { unclobbered } from './unclobbered.ts';

/**
 * The page's document, protected from DOM clobbering. Not in unclobbered.ts, which is also imported in Node. A
 * function, because a component test may import the form before it creates a document.
 */
export const unclobberedDocument = (): Document => unclobbered(document);
