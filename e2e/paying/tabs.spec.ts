import { CARD, type CheckoutPage, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { expect, test } from '../support/fixtures.ts';
import { startMerchant } from '../support/merchant.ts';
import type { Intent } from '../support/service.ts';
import { expectPaid } from './journey.ts';

test.use({ knownBuyer: true });

/**
 * Two tabs of one merchant, with the service on the same site: browsers that block storage of third-party frames, as in
 * a private window, also give them no lock.
 */
const tabs = test.extend<{ both: { intent: Intent; first: CheckoutPage; second: CheckoutPage } }>({
  both: async ({ context, page, service }, use) => {
    const proxy = await startFaultyProxy(service.url);
    const merchant = await startMerchant(`${proxy.url}/partner/v1/card-form.js`);
    const intent = await service.createIntent();
    const address = merchant.serve({
      options: {
        publishableKey: service.keys.publishable,
        clientSecret: intent.client_secret,
        locale: 'en',
        defaultValues: KNOWN_BUYER,
      },
    });
    const tab = await context.newPage();
    await page.goto(address);
    await tab.goto(address);
    const [first, second] = [checkoutPage(page), checkoutPage(tab)];
    await first.fillCard(CARD.visa);
    await second.fillCard(CARD.mastercard);
    // One after the other: a background tab is hardly drawn, so its total counts as unseen.
    for (const one of [first, second]) {
      await one.page.bringToFront();
      await one.payButton.click({ trial: true });
    }
    await use({ intent, first, second });
    await merchant.stop();
    await proxy.stop();
  },
});

const payIn = async (tab: CheckoutPage) => {
  await tab.page.bringToFront();
  await tab.pay();
};

tabs.describe('threat-model C57: two tabs of one payment', () => {
  tabs('if both press at once, one sends and both end as paid', async ({ both, service }) => {
    const { intent, first, second } = both;
    await service.nextAnswer({ route: 'client.confirm', delay_seconds: 60 });
    await Promise.all([first.payButton.click(), second.payButton.click()]);
    const record = () => service.record(intent.id);
    await expect.poll(async () => (await record()).confirms).toBe(1);
    for (const one of [first, second]) await expect(one.payButton).toHaveCount(0);
    await service.pass(60);
    for (const one of [first, second]) {
      await expect(one.outcome).toHaveText('Payment received');
      expect(await one.hears('result')).toMatchObject({ outcome: 'succeeded' });
      await expect.poll(() => one.events('result')).toHaveLength(1);
      expect(await one.events('decline')).toEqual([]);
    }
    expect(await record()).toMatchObject({
      payment_intent: { status: 'succeeded', confirmation_attempts: 1 },
      charges: 1,
      confirms: 1,
    });
  });

  tabs(
    'if the tab that sent a confirm is closed, the other one can pay',
    { tag: '@thorough' },
    async ({ both, service }) => {
      const { intent, first, second } = both;
      await service.nextAnswer({ route: 'client.confirm', never: true, act: false });
      await payIn(first);
      await expect.poll(async () => (await service.record(intent.id)).confirms).toBe(1);
      await payIn(second);
      await expect(second.payButton).toHaveCount(0);
      await first.page.close();
      await second.ready('Pay $58.04');
      expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
      await payIn(second);
      await expectPaid(second, service, intent, { charges: 1, confirms: 2 });
    },
  );
});
