/** A press needs `confirm.js`, which is loaded once there is a total to pay: late, or never (outcomes 2.7). */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { expectPaid } from './journey.ts';

test.use({ knownBuyer: true });

const SCRIPT = /\/assets\/confirm\.js$/;
const NOT_SENT = 'Nothing was charged from this page.';

test('a press before the script has arrived is under way at once, and sent when it is here', async ({
  open,
  page,
  service,
}) => {
  const { asked, release } = await holdRequests(page, SCRIPT);
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready('Pay $58.04');
  await asked;
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.button).toHaveText('Paying…');
  await expect(checkout.button).toHaveAttribute('aria-disabled', 'true');
  await expect(checkout.field('number')).toHaveAttribute('readonly', '');
  await expect(checkout.notice).toContainText('Confirming your payment.');
  await checkout.button.click({ force: true }); // a second press changes nothing
  expect(await checkout.events('processing')).toEqual([]); // nothing was sent
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  // What the page asks is answered when it is here.
  const answer = page.evaluate(() => window.forms[0]?.validate());
  release();
  expect(await answer).toMatchObject({ canPay: false });
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 1, retrieves: 1 });
  expect(await checkout.events('processing')).toHaveLength(1);
});

test('a press whose script never comes: nothing was sent, buyer and page are told, and nothing typed is lost', {
  tag: '@thorough',
}, async ({ open, page, service, watch }) => {
  watch.expect(/confirm\.js/);
  await page.route(SCRIPT, (route) => route.abort());
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
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
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});

test('a script that does not come at the second try either: the page offers to load the form anew', {
  tag: '@thorough',
}, async ({ open, page, service, watch }) => {
  watch.expect(/confirm\.js/);
  await page.route(SCRIPT, (route) => route.abort());
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await checkout.button.click();
  await expect(checkout.fallback).toContainText('Card form does not load.');
  expect(await checkout.events('loaderror')).toHaveLength(1);
  await page.unroute(SCRIPT);
  await page.getByRole('button', { name: 'Try again' }).click();
  await checkout.ready('Pay $58.04');
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
});

test('a first read that failed, and the script with it: a sentence in place of the form', {
  tag: '@thorough',
}, async ({ open, page, service, watch }) => {
  watch.expect(/confirm\.js|retrieve/);
  await page.route(SCRIPT, (route) => route.abort());
  await page.route(/\/retrieve$/, (route) => route.abort());
  const checkout = await open(await service.createIntent());
  await expect(checkout.fallback).toContainText('Card form does not load.');
  expect(await checkout.events('ready')).toEqual([]);
});
