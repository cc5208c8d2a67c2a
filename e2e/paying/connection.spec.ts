import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { expect, test } from '../support/fixtures.ts';
import { startMerchant } from '../support/merchant.ts';
import {
  COULD_NOT_LOAD,
  chargedUnanswered,
  countConfirms,
  expectPaid,
  NOT_CHARGED,
  STILL,
} from './journey.ts';

test.use({ knownBuyer: true });

test('when a connection lost during a payment comes back, the form reads at once, having reported no failure', async ({
  time,
  context,
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const sent = countConfirms(page);
  const checkout = await open(intent);
  await chargedUnanswered(checkout, service, intent, CARD.visa);
  await context.setOffline(true);
  await time.stop();
  await time.pass(300, 20);
  expect(await checkout.events('result')).toEqual([]);
  expect(await checkout.events('error')).toEqual([]);
  await expect(checkout.payButton).toHaveCount(0);
  await expect(checkout.notice).toHaveText(STILL);
  const before = (await service.record(intent.id)).retrieves;
  await context.setOffline(false); // and no time passes: the read is not the next scheduled one
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 1, retrieves: before + 1 });
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
  expect(sent()).toBe(1);
});

test('the form does not follow a captive portal that redirects its requests to another site or to an address of the service', {
  tag: '@thorough',
}, async ({ time, page, service }) => {
  const [proxy, stranger] = [await startFaultyProxy(service.url), await startFaultyProxy(service.url)];
  const merchant = await startMerchant(`${proxy.url}/partner/v1/card-form.js`);
  for (const portal of [`${stranger.url}/portal`, `${proxy.url}/partner/v1/client/portal`]) {
    const intent = await service.createIntent();
    const { publishable: publishableKey } = service.keys;
    proxy.redirect(portal);
    await page.goto(
      merchant.serve({ options: { publishableKey, clientSecret: intent.client_secret, locale: 'en' } }),
    );
    const checkout = checkoutPage(page);
    await checkout.hears('ready');
    await time.pass(60);
    await expect(checkout.notice).toContainText(COULD_NOT_LOAD);
    expect(proxy.redirected()).toContain('retrieve');

    proxy.redirect(null);
    await checkout.button.click();
    await checkout.ready('Pay $58.04');
    await checkout.fill();
    proxy.redirect(portal);
    await checkout.payButton.click();
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(10);
    proxy.redirect(null);
    await time.pass(30);
    await expect(checkout.notice).toHaveText(NOT_CHARGED);
    expect(proxy.redirected()).toContain('confirm');
    for (const way of [proxy, stranger]) {
      expect(way.arrived().filter((path) => path.includes('portal'))).toEqual([]);
    }
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0 });

    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expectPaid(checkout, service, intent);
  }
  await merchant.stop();
  await proxy.stop();
  await stranger.stop();
});

test('threat-model C59: after the computer slept for minutes during a payment, the form reads before it shows an outcome, even if the clock is wrong', async ({
  time,
  open,
  page,
  service,
}) => {
  const sent = countConfirms(page);
  for (const [index, years] of [1, -1].entries()) {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await chargedUnanswered(checkout, service, intent, CARD.visa);
    await page.clock.setSystemTime(Date.now() + years * 31_557_600_000);
    await time.waitOnPage(9 * 60); // one jump: every timer that fell due meanwhile fires once, now
    await expectPaid(checkout, service, intent);
    await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
    expect(await checkout.events('error')).toEqual([]);
    expect(sent()).toBe(index + 1);
  }
});
