/**
 * Remembers that the buyer was interrupted in a card field, for all frames of the form in this tab and on this site:
 * otherwise a page could remove the form and mount another that knows nothing of it. Stored as one word in the
 * partition's session storage, until the buyer acts in a form or closes the tab. If the browser gives the frame no
 * storage, only this frame remembers.
 */
import type { InterruptionMemory } from './focus-theft.ts';

const KEY = 'interrupted';

export const interruptionMemory = (): InterruptionMemory => {
  let known = '';
  return {
    isInterrupted() {
      try {
        known = sessionStorage[KEY] ?? '';
      } catch {
        // use this frame's memory
      }
      return known !== '';
    },
    set(is) {
      known = is ? '1' : '';
      try {
        if (is) sessionStorage[KEY] = known;
        else delete sessionStorage[KEY];
      } catch {
        // only this frame remembers
      }
    },
  };
};
