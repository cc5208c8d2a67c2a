import { effect, type ReadonlySignal } from '@preact/signals';

/**
 * Returns a function that applies changes: immediately while the form can be edited, otherwise as soon as it can be,
 * with the latest value of each option. During an attempt the form must stay as it was at the press.
 */
export const holdChanges = <Changes extends object>(
  canEdit: ReadonlySignal<boolean>,
  apply: (changes: Partial<Changes>) => void,
): ((changes: Partial<Changes>) => void) => {
  let held: Partial<Changes> = {};
  const flush = () => {
    if (!canEdit.peek()) return;
    const changes = held;
    held = {};
    if (Object.keys(changes).length > 0) apply(changes);
  };
  effect(() => {
    if (canEdit.value) queueMicrotask(flush); // not inside the effect, because `apply` reads signals
  });
  return (changes) => {
    held = { ...held, ...changes };
    flush();
  };
};
