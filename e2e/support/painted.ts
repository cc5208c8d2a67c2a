import type { Locator } from 'playwright/test';

/**
 * Resolves when a form has been painted in its current state, for pictures: a different process paints it than the
 * page.
 */
export const painted = (inForm: Locator): Promise<void> =>
  inForm.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
