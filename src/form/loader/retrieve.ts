/** `CardForm.retrieve()`: reads the state of a payment through a hidden form. Part of the loader's second file. */
import type { CardFormStatus } from '../channel/result.ts';
import { createElement } from './create-element.ts';
import type { CardFormApi } from './types.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

const UNREAD: CardFormStatus = { outcome: 'unknown', reason: 'unresolved', paymentIntent: null };

/**
 * Resolves to the status, or `unknown` if it can't be read. Rejects with the mistake if `mount()` refuses the options.
 * The frame limits its reads and checks the answer as in any form.
 */
export const retrieve: CardFormApi['retrieve'] = async (options) => {
  const place = createElement('div', { hidden: true });
  unclobberedDocument().body.append(place);
  try {
    const form = window.CardForm?.mount(place, { ...options, view: 'status' });
    if (!form) return UNREAD; // the page has removed it
    return await new Promise<CardFormStatus>((resolve) => {
      form.once('status', resolve);
      form.once('loaderror', () => resolve(UNREAD));
      form.result.then(resolve);
    });
  } finally {
    place.remove(); // which unmounts the form
  }
};
