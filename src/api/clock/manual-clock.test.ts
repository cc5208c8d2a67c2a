import { expect, it } from 'vitest';
import { createManualClock } from './manual-clock.ts';

it('the clock never goes back when it is advanced from two places at once', async () => {
  const clock = createManualClock();
  const seen: number[] = [];
  const see = () => seen.push(clock.now());
  const waits = [5, 10].map((ms) => clock.wait(ms).then(see));
  await Promise.all([clock.advance(20).then(see), clock.advance(15).then(see), ...waits]);
  expect(seen).toEqual([...seen].sort((one, other) => one - other));
  expect(clock.now()).toBe(20);
});
