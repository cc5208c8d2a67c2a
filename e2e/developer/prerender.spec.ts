/**
 * Pages that Chromium prerenders by speculation rules, as WordPress writes them (promises 1.1). Chromium prerenders nothing
 * for a page that Playwright is attached to, so it is attached after the activation.
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
const fetchClientSecret = async () => (await fetch('/secret?' + document.prerendering)).text();`;

for (const way of ['loader', 'early frame'] as const) {
  test(`promises 1.1: a prerendered page asks for no payment, and greets nobody with a timeout: ${way}`, {
    tag: '@thorough',
  }, async ({ service, site }) => {
    const { id, client_secret } = await service.createIntent();
    site.put('/secret', client_secret);
    site.put('/activated', '');
    const options = { publishableKey: service.keys.publishable, locale: 'en', defaultValues: KNOWN_BUYER };
    site.put(
      '/checkout',
      `<!doctype html><title>Checkout</title><link rel="icon" href="data:,"><script>${CHECKOUT}</script>
<div id="card-form">${way === 'loader' ? '' : earlyFrame(service.url)}</div>
<script src="${service.url}/partner/v1/card-form.js"></script>
<script>
  window.forms = [CardForm.mount('#card-form', { ...${JSON.stringify(options)}, fetchClientSecret })];
  forms[0].on('*', (name) => heard.push(name));
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
      const checkout = checkoutPage(page);
      await checkout.fillCard(CARD.visa);
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(asked().filter((path) => path.startsWith('/secret'))).toEqual(['/secret?false']);
      expect(await page.evaluate(() => Reflect.get(window, 'heard'))).not.toContain('loaderror');
      expect(await service.record(id)).toMatchObject({ charges: 1 });
      const sinceActivation = await page.evaluate(async () => {
        const { timings } = (await window.forms[0]?.diagnostics()) ?? { timings: {} };
        const [navigation] = performance.getEntriesByType('navigation');
        return (
          Number(Reflect.get(timings, 'mounted')) - Number(Reflect.get(navigation ?? {}, 'activationStart'))
        );
      });
      expect(sinceActivation).toBeGreaterThanOrEqual(0);
    } finally {
      await chromium.close();
    }
  });
}
