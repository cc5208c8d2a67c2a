/**
 * Pages that Chromium prerenders by speculation rules, as WordPress writes them (promises 1.1). Chromium prerenders
 * nothing for a page that Playwright is attached to, so Playwright attaches after the activation.
 */

import { startChromiumProcess } from '../browsers/desktop-chromium.ts';
import { earlyFrame } from '../support/built-modules.mjs';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

/** Lets the browser prepare the checkout, and opens it once the test has put `/go`. */
const LIST = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><a href="/checkout">Checkout</a>
<script type="speculationrules">{"prerender":[{"urls":["/checkout"],"eagerness":"immediate"}]}</script>
<script>
const ask = async () => ((await fetch('/go')).ok ? document.querySelector('a').click() : setTimeout(ask, 50));
ask();
</script>`;

/** While the page is prerendered, a minute passes in less than a second. */
const CHECKOUT = `
const wait = setTimeout;
window.setTimeout = (run, ms, ...rest) => wait(run, document.prerendering ? ms / 100 : ms, ...rest);
if (document.prerendering) {
  setTimeout(() => fetch('/waited'), 60_000);
  document.addEventListener('prerenderingchange', () => fetch('/activated'));
}
window.heard = [];
const secretOf = (way) => async () => (await fetch('/secret-' + way + '?' + document.prerendering)).text();`;

const WAYS = ['loader', 'early'] as const;

test('promises 1.1: a prerendered page requests no payment and does not time out, with and without an early frame', {
  tag: '@thorough',
}, async ({ service, site }) => {
  const intents = { loader: await service.createIntent(), early: await service.createIntent() };
  for (const way of WAYS) site.put(`/secret-${way}`, intents[way].client_secret);
  site.put('/activated', '');
  const options = { publishableKey: service.keys.publishable, locale: 'en', defaultValues: KNOWN_BUYER };
  site.put(
    '/checkout',
    `<!doctype html><title>Checkout</title><link rel="icon" href="data:,"><script>${CHECKOUT}</script>
<div id="loader"></div>
<div id="early">${earlyFrame(service.url)}</div>
<script src="${service.url}/partner/v1/card-form.js"></script>
<script>
  window.forms = ${JSON.stringify(WAYS)}.map((way) =>
    CardForm.mount('#' + way, { ...${JSON.stringify(options)}, fetchClientSecret: secretOf(way) }));
  for (const form of forms) form.on('*', (name) => heard.push(name));
</script>`,
  );
  const chromium = await startChromiumProcess(site.put('/', LIST));
  const asked = () => site.requests.map(({ path }) => path);
  try {
    await expect.poll(asked).toContain('/waited');
    site.put('/go', '');
    await expect.poll(asked).toContain('/activated');
    const { context } = await chromium.connect();
    const page = context.pages().find((page) => page.url().endsWith('/checkout'));
    if (!page) throw new Error('The checkout is not open.');
    for (const [turn, way] of WAYS.entries()) {
      const checkout = checkoutPage(page, `#${way}`);
      await checkout.fillCard(CARD.visa);
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(asked().filter((path) => path.startsWith(`/secret-${way}`))).toEqual([`/secret-${way}?false`]);
      expect(await service.record(intents[way].id)).toMatchObject({ charges: 1 });
      const sinceActivation = await page.evaluate(async (turn) => {
        const { timings } = (await window.forms[turn]?.diagnostics()) ?? { timings: {} };
        const [navigation] = performance.getEntriesByType('navigation');
        return (
          Number(Reflect.get(timings, 'mounted')) - Number(Reflect.get(navigation ?? {}, 'activationStart'))
        );
      }, turn);
      expect(sinceActivation).toBeGreaterThanOrEqual(0);
    }
    expect(await page.evaluate(() => Reflect.get(window, 'heard'))).not.toContain('loaderror');
  } finally {
    await chromium.close();
  }
});
