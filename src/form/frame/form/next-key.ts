import { isOfComposition } from '../first/composition.ts';

/**
 * Makes the "next" key of a phone's keyboard move to the next field. Android does this itself; elsewhere the key would
 * press Pay. Listens until `ending` aborts.
 */
export const followNextKey = (ending: AbortSignal): void =>
  document.addEventListener(
    'keydown',
    (event) => {
      const { target } = event;
      if (event.key !== 'Enter' || isOfComposition(event) || !(target instanceof HTMLInputElement)) return;
      if (target.enterKeyHint !== 'next' || !matchMedia('(pointer: coarse)').matches) return;
      event.preventDefault();
      const controls = [...document.querySelectorAll<HTMLElement>('.control')];
      controls[controls.indexOf(target) + 1]?.focus();
    },
    { signal: ending },
  );
