import { element } from './element.ts';

/** What the buyer sees instead of the form: a sentence, and a way to try again where that can help. */
export const createFallback = (retry?: () => void): HTMLElement => {
  const box = element('div', {
    role: 'alert',
    textContent: 'Card form does not load. ',
  });
  if (retry) {
    box.append(
      element('button', {
        type: 'button', // the container may stand in the shop's own form
        textContent: 'Try again',
        onclick: retry,
      }),
    );
  }
  return box;
};
