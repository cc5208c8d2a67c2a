/**
 * The public object.
 */
import { mistake } from './errors.ts';
import { createForm } from './form.ts';
import { checkOptions } from './options.ts';
import type { CardFormApi } from './types.ts';

/** Makes the API; `releases` is the address below which the service keeps the frame of each release. */
export const createCardForm = (releases: string, release: string): CardFormApi =>
  Object.freeze<CardFormApi>({
    version: release,
    mount: (target, options) => {
      const container = typeof target === 'string' ? find(target) : target;
      if (!container?.isConnected) {
        throw mistake('target_not_found', `expected an element; got ${target}`);
      }
      return createForm(container, checkOptions(options), `${releases}/${release}/frame.html`);
    },
  });

/** The element, or nothing for what is no selector at all. */
const find = (selector: string): Element | null | undefined => {
  try {
    return document.querySelector(selector);
  } catch {}
  return;
};
