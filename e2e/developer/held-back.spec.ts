/**
 * promises 1.14: a script of the page withholds the iframe's address, as consent managers and lazy loaders do, and
 * restores it, if at all, on the iframe that it finds in the page.
 */
import type { Page } from 'playwright/test';
import { earlyFrame } from '../support/built-modules.mjs';
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ knownBuyer: true });

/** Ways to withhold the address. Each keeps it where such scripts keep it. */
const WAYS = {
  'src="about:blank"': (iframe: HTMLIFrameElement) => {
    iframe.dataset.src = iframe.src;
    iframe.src = 'about:blank';
  },
  'src=""': (iframe: HTMLIFrameElement) => {
    iframe.dataset.src = iframe.src;
    iframe.removeAttribute('src');
  },
  srcdoc: (iframe: HTMLIFrameElement) => {
    iframe.dataset.src = iframe.src;
    iframe.srcdoc = '<p>Accept cookies to see this</p>';
  },
  'src="data:text/html,wait"': (iframe: HTMLIFrameElement) => {
    iframe.dataset.src = iframe.src;
    iframe.src = 'data:text/html,wait';
  },
} as const;

const takeAway = (page: Page, how: keyof typeof WAYS) => page.locator('iframe').evaluate(WAYS[how]);

const giveBack = (page: Page) =>
  page.locator('iframe').evaluate((iframe: HTMLIFrameElement) => {
    iframe.removeAttribute('srcdoc');
    iframe.src = iframe.dataset.src ?? '';
  });

/**
 * Three ways each: while the form loads, a second after it was ready, and a minute after. Each way is in at least one
 * of them.
 */
const JOURNEYS = [
  ['src="about:blank"', 'src=""', 'srcdoc'],
  ['srcdoc', 'src="data:text/html,wait"', 'src=""'],
] as const;

for (const [loading, second, minute] of JOURNEYS) {
  test(`the form starts when the address is back, whenever it was removed: ${loading}, then ${second} and ${minute}`, {
    tag: loading === 'srcdoc' ? ['@thorough'] : [],
  }, async ({ open, page, service, time }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await takeAway(page, loading);
    await time.waitOnPage(1); // about the time a consent manager takes to learn of the consent
    await giveBack(page);
    await checkout.ready();
    for (const [how, away] of [
      [second, 1],
      [minute, 60],
    ] as const) {
      await takeAway(page, how);
      await expect(checkout.payButton).toHaveCount(0);
      await time.waitOnPage(away);
      await expect(checkout.iframe).toHaveCount(1);
      await giveBack(page);
      await checkout.ready();
      await time.waitOnPage(5);
      await expect(checkout.fallback).toHaveCount(0);
    }
    await checkout.fillCard(CARD.visa);
    await time.waitOnPage(5);
    await checkout.pay();
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
  });
}

test('before the script, a lazy loader may hold back the address of an early frame below the fold until the buyer scrolls', async ({
  merchant,
  page,
  service,
}) => {
  const { client_secret } = await service.createIntent();
  const iframe = earlyFrame(service.url).replace(/ src="([^"]*)"/, ' data-src="$1"');
  const lazy = `<script>new MutationObserver((records, observer) => {
    for (const iframe of document.querySelectorAll('iframe:not([data-seen])')) {
      iframe.dataset.seen = '';
      iframe.dataset.src ??= iframe.src;
      iframe.removeAttribute('src');
      iframe.src = 'about:blank';
      new IntersectionObserver((seen, observer) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        iframe.src = iframe.dataset.src;
      }).observe(iframe);
    }
  }).observe(document, { childList: true, subtree: true });</script>`;
  await page.goto(
    merchant.serve({
      body: `${lazy}<div style="height: 3000px"></div><main><div id="card-form">${iframe}</div></main>`,
      options: {
        publishableKey: service.keys.publishable,
        clientSecret: client_secret,
        locale: 'en',
        defaultValues: KNOWN_BUYER,
      },
    }),
  );
  const checkout = page.locator('#card-form').frameLocator('iframe');
  await expect(page.locator('iframe')).toHaveAttribute('src', 'about:blank');
  await page.locator('#card-form').scrollIntoViewIfNeeded();
  await expect(checkout.getByRole('button', { name: /^Pay / })).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
