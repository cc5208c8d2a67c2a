import { createElement } from './create-element.ts';
import type { LoadErrorReason } from './types.ts';

/** What stands in a container in place of a form: a sentence for the buyer, with the word that a developer looks up. */
export const createLoadErrorAlert = (reason: LoadErrorReason): HTMLDivElement =>
  createElement('div', { role: 'alert', textContent: `Card form does not load. (${reason}) ` });
