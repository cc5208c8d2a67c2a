import type { State } from '../../channel/messages.ts';

/** The last posted state. A document holds one form. */
let posted: State = { type: 'state', height: 0, classes: [], sent: false };

/** The last posted state. `height` is 0 unless the same script posts it. */
export const postedState = (): State => posted;

/** Posts the form's state to the page if it differs from the last one. */
export const postState = (post: (state: State) => void, changes: Partial<Omit<State, 'type'>>): void => {
  const state = { ...posted, ...changes };
  if (JSON.stringify(state) === JSON.stringify(posted)) return;
  posted = state;
  post(state);
};
