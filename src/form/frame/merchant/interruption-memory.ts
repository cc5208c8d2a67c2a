/**
 * Remembers that the buyer was interrupted in a card field, for all frames of the form in this tab and on this site: a
 * page could take the form away and mount another that knows of nothing. It is one word in the partition's session
 * storage, until the buyer acts in a form or closes the tab. Where the browser gives the frame no storage, only the frame
 * remembers.
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
        // what this frame knows
      }
      return known !== '';
    },
    set(is) {
      known = is ? '1' : '';
      try {
        if (is) sessionStorage[KEY] = known;
        else delete sessionStorage[KEY];
      } catch {
        // only this frame will know
      }
    },
  };
};
