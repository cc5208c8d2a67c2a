import { expect, test } from 'playwright/test';
import { allRequired, MISSING } from '../browsers/find-browsers.mjs';

/** Reports the flows as skipped for an engine that is not installed; the project is named after the engine. */
test('the main flows', () => {
  const { project } = test.info();
  const [, message] = Object.entries(MISSING).find(([engine]) => engine === project.name) ?? [];
  test.skip(!allRequired(), message);
  expect(message, 'CI=true runs all engines').toBeUndefined();
});
