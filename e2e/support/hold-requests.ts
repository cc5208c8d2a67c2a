/** Holds requests back until a test releases them. */
import type { Page, Route } from 'playwright/test';

/**
 * Holds the requests for these addresses. `asked` resolves on the first one; `release` lets all of them continue, or
 * gives them this answer.
 */
export const holdRequests = async (
  page: Page,
  addresses: string | RegExp,
  answer?: Parameters<Route['fulfill']>[0],
) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let wasAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  await page.route(addresses, async (route) => {
    wasAsked();
    await released;
    await (answer ? route.fulfill(answer) : route.continue());
  });
  return { asked, release };
};
