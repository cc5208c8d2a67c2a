/**
 * The public object.
 */
import { createForm } from './form.ts';
import type { CardFormApi } from './types.ts';

/**
 * Makes the API, frozen so that no other script can put a mount() of its own in place. `folder` is the address
 * below which the service keeps the files of this release.
 */
export const createCardForm = (folder: string, version: string): CardFormApi =>
  Object.freeze({
    version,
    mount: createForm(folder, version),
  });
