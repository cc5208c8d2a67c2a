/** The iframe in the merchant's own HTML (promises 1.3, contract 2.4). */
import { earlyFrame } from '../support/built-modules.mjs';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

for (const [who, late] of [
  ['the frame, before the script', true],
  ['the script, before the frame', false],
] as const) {
  test(`an early frame is adopted in either order: ${who}`, async ({ merchant, page, service }) => {
    const { id, client_secret } = await service.createIntent();
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents.push(request.url());
    });
    await page.goto(
      merchant.serve({ body: `<main><div id="card-form">${earlyFrame(service.url)}</div></main>` }),
      {
        waitUntil: late ? 'load' : 'commit',
      },
    );
    await page.waitForFunction(() => 'mountCardForm' in window);
    await page.evaluate((options) => window.mountCardForm('#card-form', options), {
      publishableKey: service.keys.publishable,
      clientSecret: client_secret,
      locale: 'en',
      defaultValues: KNOWN_BUYER,
    });
    const checkout = checkoutPage(page);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(documents).toHaveLength(2); // the page, and one frame
    expect(await service.record(id)).toMatchObject({ charges: 1, retrieves: 1 });
  });
}
