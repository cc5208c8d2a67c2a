/** The demo shop's checkout with a card typed in: the picture at the top of the README. */
import { mkdir } from 'node:fs/promises';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formOn } from '../support/form-states.ts';
import { SCREENSHOTS } from './plan.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 1100, height: 640 } });

test('takes the screenshot of the demo shop', async ({ page, shop }) => {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.goto(`${shop}/?locale=en`);
  const form = formOn(page);
  await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
  await form.typeCard(CARD.visa);
  await form.settled();
  await page.screenshot({ path: `${SCREENSHOTS}/demo.png`, fullPage: true, animations: 'disabled' });
});
