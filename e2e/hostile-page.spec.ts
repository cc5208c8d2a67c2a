/**
 * Issue 13, A5 and A7: pages that use what the form offers them against the buyer. They are no fixtures of ours:
 * whole pages of a foreign site, with the public interface alone.
 */
import { checkoutPage } from './checkout-page.ts';
import { test as base, expect } from './fixtures.ts';
import { startForeignSite } from './foreign-site.ts';
import type { Intent } from './service.ts';

/** The address of a page that mounts a form for this intent, as `form`, and then runs `attack`. */
type Foreign = (intent: Intent, attack: string, options?: object) => string;

const test = base.extend<{ foreign: Foreign }>({
  foreign: async ({ service }, use) => {
    const site = await startForeignSite();
    await use(({ client_secret }, attack, options = {}) =>
      site.put(
        '/',
        `<!doctype html><title>Checkout</title><h1>Checkout</h1><div id="card-form"></div>
        <script src="${service.url}/partner/v1/card-form.js"></script>
        <script>
          const form = CardForm.mount('#card-form', ${JSON.stringify({
            publishableKey: service.keys.publishable,
            clientSecret: client_secret,
            locale: 'en',
            ...options,
          })});
          ${attack}
        </script>`,
      ),
    );
    await site.stop();
  },
});

test.describe("A7: whatever the page's words, the amount stands on the button unaltered and alone in a line of ours", () => {
  for (const [what, pay, locale, name, amount] of [
    ['a trial', 'Start your free trial (then {amount} a year)', 'en', /^Start .* \$58\.04$/, '$58.04'],
    ['nothing else', '{amount}', 'en', '$58.04', '$58.04'],
    ['three hundred letters', `${'So good '.repeat(36)}{amount}`, 'en', /^So good .* \$58\.04$/, '$58.04'],
    ['words from right to left', 'تبرّع {amount} الآن', 'ar', /^تبرّع الآن /, /58[.,]04/],
  ] as const) {
    test(what, async ({ page, service, foreign }) => {
      await page.goto(foreign(await service.createIntent(), '', { translations: { pay }, locale }));
      const { frame } = checkoutPage(page);
      const button = frame.getByRole('button', { name });
      await expect(button).toBeVisible();
      const shown = button.locator('[data-amount]');
      await expect(shown).toHaveText(amount);
      // In its own line: no letter of another element is as high as it.
      const isAlone = await shown.evaluate((element) => {
        const own = element.getBoundingClientRect();
        const walker = document.createTreeWalker(element.closest('button') ?? element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (element.contains(node) || !node.nodeValue?.trim()) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          for (const line of range.getClientRects())
            if (line.bottom > own.top + 1 && line.top < own.bottom - 1) return false;
        }
        return own.width > 0;
      });
      expect(isAlone).toBe(true);
      const total = frame.locator('.total [data-amount]');
      expect(await shown.textContent()).toBe(await total.textContent());
    });
  }

  test("the form's own words have it in one line with them", async ({ page, service, foreign }) => {
    await page.goto(foreign(await service.createIntent(), ''));
    const { frame } = checkoutPage(page);
    const button = frame.getByRole('button', { name: 'Pay $58.04', exact: true });
    await expect(button.locator('[data-amount]')).toHaveText('$58.04');
    const lines = await button.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.querySelector('[data-amount]')?.parentElement ?? element);
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
    });
    expect(lines).toBe(1);
  });
});
