/** Forms from markup alone (promises 1.2). */
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Intent, Service } from '../support/service.ts';

const data = ({ client_secret }: Intent, more = '') =>
  `<div id="card-form" data-card-form data-client-secret="${client_secret}" data-locale="en" ${more}></div>`;
const tag = (service: Service, more = '') =>
  `data-card-form data-publishable-key="${service.keys.publishable}" ${more}`;

test('threat-model 2.2: a second script tag with another success URL is reported, and no page is opened', async ({
  merchant,
  page,
  service,
  watch,
}) => {
  watch.expect(/success-url: expected the same on every script tag/);
  const intent = await service.createIntent();
  // Injected before ours, under a policy that allows scripts by address.
  const injected = `<script src="${service.url}/partner/v1/card-form.js" ${tag(service, 'data-success-url="/logout"')}></script>`;
  const error = page.waitForEvent('pageerror');
  await page.goto(
    merchant.serve({ body: injected + data(intent), attributes: tag(service, 'data-success-url="/thanks"') }),
  );
  expect((await error).message).toContain('Remove all but one of them');
  const checkout = checkoutPage(page);
  await checkout.fill();
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(new URL(page.url()).pathname).not.toMatch(/logout|thanks/);
});

test('an element may be added later, change its attributes and be removed', async ({
  merchant,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  await page.goto(merchant.serve({ body: '<main></main>', attributes: tag(service) }));
  await page.evaluate(
    (html) => document.querySelector('main')?.append(document.createRange().createContextualFragment(html)),
    data(intent),
  );
  const checkout = checkoutPage(page);
  await checkout.ready();
  await checkout.field('number').fill(CARD.visa);
  await page.evaluate(() => document.querySelector('#card-form')?.setAttribute('data-theme', 'dark'));
  await expect(checkout.frame.locator(':root')).toHaveAttribute('data-scheme', 'dark');
  // A framework that renders the secret again finds the same form.
  await page.evaluate((secret) => {
    document.querySelector('#card-form')?.setAttribute('data-client-secret', secret);
  }, intent.client_secret);
  await expect(page.locator('[data-client-secret]')).toHaveCount(0);
  await page.evaluate(() => document.querySelector('#card-form')?.setAttribute('data-locale', 'de'));
  await expect(checkout.frame.getByRole('button', { name: /bezahlen$/ })).toBeVisible();
  await expect(checkout.frame.getByLabel('Kartennummer', { exact: true })).toHaveValue('4242 4242 4242 4242');
  await page.evaluate(() => document.querySelector('#card-form')?.remove());
  await expect(page.locator('iframe')).toHaveCount(0);
});

for (const place of ['a shadow root', 'a modal dialog'] as const) {
  test(`<card-form> in ${place} pays and dispatches DOM events`, { tag: '@thorough' }, async ({
    merchant,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    await page.goto(merchant.serve({ body: '<main></main>', attributes: tag(service) }));
    await page.evaluate(
      ({ place, secret }) => {
        const element = document.createElement('card-form');
        element.id = 'card-form';
        element.setAttribute('locale', 'en');
        element.setAttribute('client-secret', secret);
        const main = document.querySelector('main');
        if (place === 'a shadow root') main?.attachShadow({ mode: 'open' }).append(element);
        else {
          const dialog = document.createElement('dialog');
          dialog.append(element);
          main?.append(dialog);
          dialog.showModal();
        }
        document.addEventListener('card-form:result', (event) => {
          if (event instanceof CustomEvent) Reflect.set(window, 'told', event.detail);
        });
      },
      { place, secret: intent.client_secret },
    );
    const checkout = checkoutPage(page);
    await checkout.fill();
    await checkout.pay();
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'told')))
      .toMatchObject({ outcome: 'succeeded' });
  });
}
