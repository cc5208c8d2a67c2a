import { expect, it } from 'vitest';
import { createStopwatch } from './stopwatch.ts';

it('adds up the periods in which it ran; a reset starts again from zero', () => {
  let now = 100;
  const watch = createStopwatch(() => now);
  now = 200;
  expect(watch.elapsed()).toBe(0);
  watch.run(true);
  now = 250;
  watch.run(true); // no change
  now = 300;
  watch.run(false);
  now = 1000;
  expect([watch.elapsed(), watch.isRunning()]).toEqual([100, false]);
  watch.run(true);
  now = 1030;
  expect([watch.elapsed(), watch.isRunning()]).toEqual([130, true]);
  watch.reset();
  now = 1040;
  expect(watch.elapsed()).toBe(10);
  watch.run(false);
  watch.reset();
  now = 2000;
  expect(watch.elapsed()).toBe(0);
});
