/**
 * docs/frameworks.md, "Next.js": the effect of a boundary that React streams on the form's iframe, with the real React.
 */
import { createServer } from 'node:http';
import { createElement as h, Suspense, use } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { CardForm } from '../support/built-modules.mjs';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { listening } from '../support/listening.ts';

for (const [where, documents] of [
  ['outside a boundary that streams, once', 1],
  ['inside, twice, since React moves it from where it was parsed to its place', 2],
] as const) {
  test(`the early frame's document is loaded ${where}, and the form pays`, { tag: '@thorough' }, async ({
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    /** Delivers the data that the page waits for, such as the order, once the browser has the rest. */
    let arrive = () => {};
    const order = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const options = {
      publishableKey: service.keys.publishable,
      clientSecret: intent.client_secret,
      locale: 'en',
      defaultValues: KNOWN_BUYER,
    };
    const Form = () => h(CardForm, { id: 'card-form', baseUrl: service.url, ...options });
    const Late = () => {
      use(order);
      return documents === 2 ? h(Form) : h('p', null, 'Order');
    };
    const Page = () =>
      h(
        'html',
        { lang: 'en' },
        h('head', null, h('title', null, 'Checkout'), h('link', { rel: 'icon', href: 'data:,' })),
        h(
          'body',
          null,
          documents === 1 && h(Form),
          h(Suspense, { fallback: h('p', { id: 'waiting' }, 'One moment') }, h(Late)),
          h('script', { src: `${service.url}/partner/v1/card-form.js`, async: true, id: 'loader' }),
        ),
      );
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      const { pipe } = renderToPipeableStream(h(Page), { onShellReady: () => pipe(response) });
    });
    const { url, stop } = await listening(server);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'document' && /card-form\/frame/.test(request.url()))
        asked.push(request.url());
    });
    await page.goto(url, { waitUntil: 'commit' });
    await expect(page.locator('#waiting')).toBeVisible();
    arrive();
    await expect(page.locator('#waiting')).toHaveCount(0);
    await page.waitForFunction(() => 'CardForm' in window);
    await page.evaluate((given) => window.CardForm?.mount('#card-form', given), options);
    const checkout = checkoutPage(page);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(asked).toHaveLength(documents);
    await stop();
  });
}
