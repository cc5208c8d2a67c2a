/** A digit of the card is drawn at once: the browser computes the style of a few elements for it, not of the whole form. */
import type { Browser, Page } from 'playwright/test';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

/** How many elements the browser computed the style of meanwhile, at most at once. */
const restyledBy = async (browser: Browser, page: Page, act: () => Promise<void>): Promise<number> => {
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await act();
  const trace: { traceEvents: { name: string; args: { elementCount?: number } }[] } = JSON.parse(
    (await browser.stopTracing()).toString(),
  );
  const counts = trace.traceEvents
    .filter(({ name }) => name === 'UpdateLayoutTree')
    .map(({ args }) => args.elementCount ?? 0);
  expect(counts.length).toBeGreaterThan(2); // it was watched
  return Math.max(...counts);
};

test('a digit restyles a few elements, not the whole form, with floating labels', {
  tag: '@thorough',
}, async ({ browser, open, page, service }) => {
  const checkout = await open(await service.createIntent(), {
    options: { appearance: { labels: 'floating' } },
  });
  await checkout.ready();
  await expect(checkout.frame.locator('svg.brand').first()).toBeVisible(); // their styles have restyled everything, once
  await checkout.hasAll();
  await page.waitForLoadState('networkidle'); // the last that restyles everything is what the page says of its background
  const restyled = await restyledBy(browser, page, async () => {
    await checkout.field('number').pressSequentially(CARD.visa.slice(0, 4));
    await expect(checkout.field('number')).toHaveValue('4242');
  });
  expect(restyled).toBeLessThan(50);
  expect(await checkout.frame.locator('*').count()).toBeGreaterThan(400); // lists of countries and states
});
