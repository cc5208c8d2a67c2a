/** Defers layout changes while a pointer is down, so that nothing moves under a finger. */

/** True while a pointer is down anywhere in the form. */
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

/** Runs `act` immediately, or after the pressed pointer is released. */
export const afterPointer = (act: () => void): void => {
  if (isDown) waiting.push(act);
  else act();
};
