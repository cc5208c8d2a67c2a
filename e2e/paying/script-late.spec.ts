/**
 * `form.js` loads after the total can be paid: late, or never (outcomes 2.7). `early-press.spec.ts` tests the late
 * case.
 */
import type { Page } from 'playwright/test';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { expectPaid } from './journey.ts';

test.use({ knownBuyer: true });

const SCRIPT = /\/assets\/form\.js$/;
const NOT_SENT = 'Nothing was charged from this page.';

/** The script never arrives; the browser learns that when `fail` is called. */
const neverComes = async (page: Page) => {
  let fail = () => {};
  const failing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route(SCRIPT, async (route) => {
    await failing;
    await route.abort();
  });
  return fail;
};

test('promises 7.3: after a press whose script never arrives nothing was sent, buyer and page are told, and nothing typed is lost', async ({
  open,
  page,
  service,
  watch,
}) => {
  watch.expect(/form\.js/);
  const fail = await neverComes(page);
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.frame.locator('.pay-place')).toHaveAttribute('aria-busy', 'true');
  fail();
  await expect(checkout.notice).toHaveText(`The payment form could not load.${NOT_SENT}`);
  await expect(checkout.button).toHaveText('Try again');
  expect(await checkout.hears('error')).toMatchObject({
    code: 'script_failed',
    charged: 'no',
    recovery: 'retry',
  });
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });

  await page.unroute(SCRIPT);
  await checkout.button.click();
  await checkout.ready('Pay $58.04');
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 }); // it takes another press
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});

test('if the first read and the script both fail, a sentence replaces the form', {
  tag: '@thorough',
}, async ({ open, page, service, watch }) => {
  watch.expect(/form\.js|retrieve/);
  await page.route(SCRIPT, (route) => route.abort());
  await page.route(/\/retrieve$/, (route) => route.abort());
  const checkout = await open(await service.createIntent());
  await expect(checkout.fallback).toContainText('Card form does not load.');
  expect(await checkout.events('ready')).toEqual([]);
});
