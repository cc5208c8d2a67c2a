import { expect, it } from 'vitest';
import { isRunning } from './is-running.ts';

it('this process runs, and a process with an impossible id does not', () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(2 ** 30)).toBe(false);
});
