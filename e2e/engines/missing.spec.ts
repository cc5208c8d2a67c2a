import { expect, test } from 'playwright/test';
import { allRequired, MISSING } from '../browsers/find-browsers.mjs';

/** Stands for the flows in an engine that is not on this machine; the name of the project is the engine's. */
test('the main flows', () => {
  const { project } = test.info();
  const [, message] = Object.entries(MISSING).find(([engine]) => engine === project.name) ?? [];
  test.skip(!allRequired(), message);
  expect(message, 'CI=true runs all engines').toBeUndefined();
});
