import type { State } from '../../channel/messages.ts';

/** How the form is, as the page was told last. A document holds one form. */
let told: State = { type: 'state', height: 0, classes: [], sent: false };

/** Tells the page how the form is, where that is not what it was told last. */
export const tellState = (post: (state: State) => void, changes: Partial<Omit<State, 'type'>>): void => {
  const state = { ...told, ...changes };
  if (JSON.stringify(state) === JSON.stringify(told)) return;
  told = state;
  post(state);
};
