/** Holds requests back until a test releases them. */
import type { Page } from 'playwright/test';

/** Holds the requests for these addresses. `asked` resolves on the first one; `release` lets all of them continue. */
export const holdRequests = async (page: Page, addresses: string | RegExp) => {
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
    await route.continue();
  });
  return { asked, release };
};
