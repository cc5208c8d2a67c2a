import { createElement } from './create-element.ts';
import type { LoadErrorReason } from './types.ts';

/** The alert in place of a form that did not load: a sentence for the buyer, and the reason for developers. */
export const createLoadErrorAlert = (reason: LoadErrorReason): HTMLDivElement =>
  createElement('div', { role: 'alert', textContent: `Card form does not load. (${reason}) ` });
