import { element } from './element.ts';
import type { LoadErrorReason } from './types.ts';

/** What stands in a container in place of a form: a sentence for the buyer, with the word that a developer looks up. */
export const notLoaded = (reason: LoadErrorReason): HTMLDivElement =>
  element('div', { role: 'alert', textContent: `Card form does not load. (${reason}) ` });
