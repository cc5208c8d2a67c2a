/** The page and the focus while the buyer is in another window. For that, windows must really lose the focus. */
import type { Page } from 'playwright/test';
import { WHOLE_CHROMIUM } from '../browsers/launch-chromium.ts';
import { checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Service } from '../support/service.ts';

test.use({ launchOptions: WHOLE_CHROMIUM });

const open = async (page: Page, service: Service, put: (path: string, html: string) => string) => {
  const { client_secret: clientSecret } = await service.createIntent();
  const options = { publishableKey: service.keys.publishable, clientSecret, locale: 'en' };
  await page.goto(
    put(
      '/',
      `<!doctype html><title>Checkout</title><h1>Checkout</h1><input id="trap" aria-label="Voucher">
      <div id="card-form"></div>
      <script src="${service.url}/partner/v1/card-form.js"></script>
      <script>
        const heard = [];
        const form = CardForm.mount('#card-form', ${JSON.stringify(options)});
        form.on('warning', ({ about }) => heard.push(about));
      </script>`,
    ),
  );
  const checkout = checkoutPage(page);
  await checkout.ready();
  const other = await page.context().newPage();
  const [, frame] = page.frames();
  if (!frame) throw new Error('There is no frame.');
  // Playwright makes every page believe that it has the focus.
  for (const target of [page, frame, other]) {
    const session = await page.context().newCDPSession(target);
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  }
  await page.bringToFront();
  const hasFocus = () => checkout.field('number').evaluate(() => document.hasFocus());
  return {
    ...checkout,
    async leave() {
      await other.bringToFront();
      await expect.poll(hasFocus).toBe(false);
    },
    comeBack: () => page.bringToFront(),
  };
};

test('threat-model 2.5: a page that takes the focus while the buyer is in another window cannot return it by focus(), and the buyer is warned', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const { field, notice, leave, comeBack } = await open(page, service, site.put);
  // Only typing within the last second counts as interrupted, and a busy machine may take longer to leave.
  await expect(async () => {
    await field('number').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('4242');
    await leave();
    await page.evaluate("trap.value = ''; trap.focus()");
    await comeBack();
    await page.keyboard.type('4242');
    await expect(page.locator('#trap')).toHaveValue('4242');
    await page.evaluate("form.focus('number')");
    await expect.poll(() => page.evaluate('heard')).toContain('focus');
    await expect(page.locator('#trap')).toBeFocused();
    await field('number').click();
    await expect(notice).toHaveText(/^The page took the keyboard away while you were typing/, {
      timeout: 2000,
    });
  }).toPass();
});

test('threat-model 2.5: a buyer who returns from another window can type on, and sees no warning', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const { field, notice, leave, comeBack } = await open(page, service, site.put);
  await field('number').click();
  await page.keyboard.type('4242');
  await leave();
  await page.evaluate("form.focus('number')"); // an honest page may request the focus at any time
  await comeBack();
  await expect(field('number')).toBeFocused();
  await page.keyboard.type('42');
  await expect(field('number')).toHaveValue('4242 42');
  await expect(notice).toBeEmpty();
  expect(await page.evaluate('heard')).toEqual([]);
});
