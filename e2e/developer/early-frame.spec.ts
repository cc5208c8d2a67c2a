/** The iframe in the merchant's own HTML (promises 1.3, contract 2.4). */
import { earlyFrame } from '../support/built-modules.mjs';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

const early = (service: string, changes = {}) => {
  let iframe = earlyFrame(service);
  for (const [name, value] of Object.entries(changes))
    iframe = iframe.replace(new RegExp(` ${name}="[^"]*"|(?=></iframe>)`), ` ${name}="${value}"`);
  return `<main><div id="card-form">${iframe}</div></main>`;
};

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
    await page.goto(merchant.serve({ body: early(service.url) }), {
      waitUntil: late ? 'load' : 'commit',
    });
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

test('contract 2.4: an early frame of another release is replaced by that of the script', {
  tag: '@thorough',
}, async ({ merchant, page, service }) => {
  const { client_secret } = await service.createIntent();
  await page.route(/\/card-form\/frame$/, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers() };
    delete headers['content-security-policy'];
    const text = `<!doctype html><script>parent.postMessage({channel:'card-form',type:'hello',protocols:[1],release:'0.0.9-old'},'*')</script>`;
    await route.fulfill({ response, headers, body: text });
  });
  await page.goto(merchant.serve({ body: early(service.url) }), {
    waitUntil: 'commit',
  });
  await page.waitForFunction(() => 'mountCardForm' in window);
  await page.evaluate(
    (options) => {
      window.mountCardForm('#card-form', options);
      const frame = document.querySelector('iframe');
      if (frame) frame.src = `${frame.src}`; // so that the loader receives its hello in any case
    },
    { publishableKey: service.keys.publishable, clientSecret: client_secret, locale: 'en' },
  );
  const checkout = checkoutPage(page);
  await checkout.ready();
  await expect(page.locator('iframe')).toHaveCount(1);
  expect(await page.locator('iframe').getAttribute('src')).toMatch(/\/frame\.html$/);
});

test('threat-model 1.7: an early frame is replaced unless it has exactly our attributes; it can be the target itself, and is removed with the form', async ({
  merchant,
  page,
  service,
}) => {
  const { client_secret } = await service.createIntent();
  const options = { publishableKey: service.keys.publishable, clientSecret: client_secret, locale: 'en' };
  const iframe = page.locator('iframe');
  const sandbox =
    'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-top-navigation';
  for (const changes of [{ sandbox }, { name: 'pay' }, { allow: 'camera *' }]) {
    await page.goto(merchant.serve({ body: early(service.url, changes) }));
    await page.evaluate((options) => window.mountCardForm('#card-form', options), options);
    await checkoutPage(page).ready();
    await expect(iframe).toHaveCount(1);
    await expect(iframe).toHaveAttribute('sandbox', /allow-modals/);
    await expect(iframe).not.toHaveAttribute('name');
    await expect(iframe).toHaveAttribute('allow', /^autofill;/);
  }
  await page.goto(merchant.serve({ body: early(service.url) }));
  await page.evaluate((options) => window.mountCardForm('iframe', options), options);
  await checkoutPage(page).ready();
  await expect(iframe).toHaveCount(1);
  await page.evaluate(() => window.forms[0]?.unmount());
  await expect(iframe).toHaveCount(0);
});
