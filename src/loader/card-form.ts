/**
 * The public object.
 */
import { mistake } from './errors.ts';
import { createForm } from './form.ts';
import { checkOptions } from './options.ts';
import type { CardFormApi } from './types.ts';

/**
 * Makes the API, frozen so that no other script can put a mount() of its own in place. `releases` is the address
 * below which the service keeps the frame of each release.
 */
export const createCardForm = (releases: string, release: string): CardFormApi =>
  Object.freeze({
    version: release,
    mount: (target, options) => {
      const container = typeof target === 'string' ? document.querySelector(target) : target;
      if (!container?.isConnected) {
        throw mistake('target_not_found', `expected element, not ${target}`);
      }
      return createForm(container, checkOptions(options), `${releases}/${release}/frame.html`, async () =>
        options.fetchClientSecret?.(),
      );
    },
  });
