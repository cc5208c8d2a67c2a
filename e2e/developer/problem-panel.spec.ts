/** The developer's panel in the ribbon of a sandbox key. What it says of each mistake is in mistakes.spec.ts. */
import { violations } from '../support/axe.ts';
import type { CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { overflowOf } from '../support/overflow.ts';

test.use({ knownBuyer: true });

const REAL_KEY = `pk_live_${'a'.repeat(32)}`;

const countOf = (checkout: CheckoutPage) => checkout.frame.locator('.problem-count');

const boxesOf = async (checkout: CheckoutPage) =>
  Promise.all(
    [checkout.iframe, checkout.frame.locator('.ribbon'), checkout.field('number'), checkout.payButton].map(
      (part) => part.boundingBox(),
    ),
  );

test('the first problem moves nothing, and the panel opens and closes by keyboard', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  await expect(checkout.frame.locator('.test-cards')).toBeVisible();
  const before = await boxesOf(checkout);
  await page.evaluate(() => {
    window.forms[0]?.update({ publishableKey: 'x' });
    window.forms[0]?.update({ appearance: { variables: { colorPrimary: 'nothing' } } });
  });
  await expect(countOf(checkout)).toHaveText('2 problems for the developer of the page');
  expect(await boxesOf(checkout)).toEqual(before);
  await countOf(checkout).focus();
  await page.keyboard.press('Enter');
  await expect(checkout.frame.locator('.problem-list')).toBeVisible();
  await expect(checkout.frame.locator('.problem-list')).toContainText(`${service.url}/llms.txt`);
  await expect(async () => expect(await boxesOf(checkout)).not.toEqual(before)).toPass();
  await page.keyboard.press('Enter');
  await expect(checkout.frame.locator('.problem-list')).toBeHidden();
  await expect(async () => expect(await boxesOf(checkout)).toEqual(before)).toPass();
  await checkout.fillCard('4242424242424242');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await expect(countOf(checkout)).toHaveText(/^2 /); // the outcome replaces the form, not the panel
});

test('the open panel breaks no rule of axe, and makes nothing wider', async ({ open, page, service }) => {
  const checkout = await open(await service.createIntent(), {
    css: ':root { color-scheme: light dark }',
    options: { acceptedBrand: ['visa'], appearance: { variables: { colorPrimary: 'nothing' } } },
  });
  await expect(countOf(checkout)).toHaveText(/^2 /);
  const root = checkout.frame.locator(':root');
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(root).toHaveAttribute('data-scheme', colorScheme);
      const closed = await overflowOf(root);
      const frame = await (await checkout.iframe.elementHandle())?.contentFrame();
      if (!frame) throw new Error('The iframe has no document.');
      const ground = colorScheme === 'dark' ? '#121214' : '#ffffff';
      expect(await violations(frame, ground)).toEqual([]);
      await countOf(checkout).click();
      expect(await violations(frame, ground)).toEqual([]);
      expect(await overflowOf(root)).toEqual(closed);
      await countOf(checkout).click();
    }
  }
});

test('a live key has no panel, whatever is wrong', async ({ open, page, service }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const checkout = await open(await service.createIntent(), {
    options: { publishableKey: REAL_KEY, acceptedBrand: ['visa'], debug: true },
  });
  await checkout.hears('error'); // the sandbox does not know the key
  await expect.poll(() => said.join()).toContain('Did you mean acceptedBrands');
  await expect.poll(() => said.join()).toContain('invalid_api_key');
  await expect(checkout.frame.locator('.problems, .ribbon')).toHaveCount(0);
});
