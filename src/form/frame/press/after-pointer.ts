/** Defers changes of layout while a pointer is down, so that nothing moves under a finger. */

/** Whether a pointer is down anywhere in the form. */
let isDown = false;
const waiting: (() => void)[] = [];

const release = () => {
  isDown = false;
  // The click that follows a `pointerup` is dispatched in the same task and must come first.
  setTimeout(() => {
    for (const act of waiting.splice(0)) act();
  });
};

if (typeof window !== 'undefined') {
  window.addEventListener(
    'pointerdown',
    () => {
      isDown = true;
    },
    true,
  );
  window.addEventListener('pointerup', release, true);
  window.addEventListener('pointercancel', release, true);
}

/** Runs at once, or after the pointer that is down has been released. */
export const afterPointer = (act: () => void): void => {
  if (isDown) waiting.push(act);
  else act();
};
