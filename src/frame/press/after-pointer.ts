/** Whether a pointer is held down anywhere in the form. */
let isDown = false;
const waiting: (() => void)[] = [];

const release = () => {
  isDown = false;
  // After the click that follows a `pointerup`, which is dispatched in the same task.
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

/** Runs at once, or as soon as the pointer that is down was lifted: nothing moves under a finger. */
export const afterPointer = (act: () => void): void => {
  if (isDown) waiting.push(act);
  else act();
};
