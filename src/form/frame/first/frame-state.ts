import type { State } from '../../channel/messages.ts';

/** What was posted last. A document holds one form. */
let posted: State = { type: 'state', height: 0, classes: [], sent: false };

/** What was posted last. `height` is 0 unless the same script posts it. */
export const postedState = (): State => posted;

/** Posts the form's state to the page if it differs from what was posted last. */
export const postState = (post: (state: State) => void, changes: Partial<Omit<State, 'type'>>): void => {
  const state = { ...posted, ...changes };
  if (JSON.stringify(state) === JSON.stringify(posted)) return;
  posted = state;
  post(state);
};
