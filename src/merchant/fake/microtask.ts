/** The build makes the fake call this instead of `queueMicrotask`, which Jest's fake timers replace. */
import { setImmediate } from 'node:timers';

const immediate = setImmediate;

export const queueMicrotask = (run: () => void): void => {
  Promise.resolve()
    .then(run)
    .catch((error) =>
      immediate(() => {
        throw error; // an uncaught error, as from a microtask
      }),
    );
};
