import type { Frame, Page } from 'playwright/test';

/** The document of the page's form, for tasks that locators can't do, such as a CDP session. */
export const formFrame = (page: Page): Frame => {
  const frame = page.frames().find((one) => one.url().includes('/card-form/'));
  if (!frame) throw new Error('There is no form on the page.');
  return frame;
};
