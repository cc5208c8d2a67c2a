/** Requests that are on their way for as long as a test wants. */
import type { Page } from 'playwright/test';

/** Holds what is asked for at such addresses. `asked` fulfils with the first; `release` lets all of it go on. */
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
