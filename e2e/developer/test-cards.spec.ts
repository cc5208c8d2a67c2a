/** The list of test cards behind the sandbox's ribbon. */
import type { Page } from 'playwright/test';
import { violations } from '../support/axe.ts';
import type { CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { overflowOf } from '../support/overflow.ts';

test.use({ knownBuyer: true });

const LIST = /\/test-cards\.js$/;
const REAL_KEY = `pk_live_${'a'.repeat(32)}`;

const listRequests = (page: Page): readonly string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (LIST.test(request.url())) asked.push(request.url());
  });
  return asked;
};

const ribbonOf = (checkout: CheckoutPage) => checkout.frame.locator('.test-cards > summary');

test('a buyer opens the list, searches, chooses a card and presses Pay by keyboard, and is declined', async ({
  open,
  page,
  service,
}) => {
  const asked = listRequests(page);
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  expect(asked).toEqual([]); // not opened yet
  await ribbonOf(checkout).focus();
  await page.keyboard.press('Enter');
  const search = checkout.frame.getByRole('searchbox', { name: 'Search test cards' });
  await expect(search).toBeFocused();
  expect(asked).toHaveLength(1);
  await page.keyboard.type('insufficient');
  await expect(checkout.frame.getByRole('region', { name: 'Test cards' }).getByRole('button')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(search).toHaveCount(0);
  await expect(ribbonOf(checkout)).toBeFocused();
  await expect(checkout.field('number')).toHaveValue('4000 0000 0000 9995');
  await expect(checkout.field('expiry')).toHaveValue(/^12 \/ \d\d$/);
  await expect(checkout.field('code')).toHaveValue('123');
  expect(await checkout.events('processing')).toEqual([]); // choosing a card is not a press of Pay
  await checkout.ready();
  await checkout.pay();
  await expect(checkout.notice).toHaveText(
    'The balance or limit of this card is not enough. Use another card.',
  );
  await expect
    .poll(() => checkout.events('decline'))
    .toMatchObject([{ error: { decline_code: 'insufficient_funds', charged: 'no' } }]);
});

test('the ribbon keeps its place when it becomes a disclosure, and the open list passes axe', {
  tag: '@thorough',
}, async ({ open, page, service }) => {
  const { release } = await holdRequests(page, /\/form\.js$/);
  const checkout = await open(await service.createIntent(), {
    css: ':root { color-scheme: light dark }',
  });
  await expect(checkout.field('number')).toBeVisible();
  const boxOf = async () => checkout.frame.locator('.ribbon').boundingBox();
  const before = await boxOf();
  const fieldBefore = await checkout.field('number').boundingBox();
  release();
  await checkout.ready();
  await expect(ribbonOf(checkout)).toBeVisible();
  expect(await boxOf()).toEqual(before);
  expect(await checkout.field('number').boundingBox()).toEqual(fieldBefore);
  for (const [width, colorScheme] of [
    [320, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await expect(checkout.frame.locator(':root')).toHaveAttribute('data-scheme', colorScheme);
    const root = checkout.frame.locator(':root');
    const closed = await overflowOf(root);
    await ribbonOf(checkout).click();
    await expect(checkout.frame.locator('.test-card')).toHaveCount(28);
    expect(await violations(formFrame(page), colorScheme === 'dark' ? '#121214' : '#ffffff')).toEqual([]);
    expect(await overflowOf(root)).toEqual(closed); // the list makes nothing wider
    await page.keyboard.press('Escape');
    await expect(checkout.frame.getByRole('searchbox')).toHaveCount(0);
    await expect(ribbonOf(checkout)).toBeFocused();
  }
  expect(await checkout.events('escape')).toEqual([]); // the page receives no event
});

test('a real key shows no ribbon and no list, and sends no request for it', async ({
  open,
  page,
  service,
}) => {
  const asked = listRequests(page);
  const checkout = await open(await service.createIntent(), { options: { publishableKey: REAL_KEY } });
  await checkout.hears('error'); // the sandbox does not know the key
  await expect(checkout.frame.locator('.ribbon, .test-cards')).toHaveCount(0);
  expect(asked).toEqual([]);
});
