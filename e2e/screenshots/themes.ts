/** The form in each theme of the package, on a page of the theme's colour, in light and in dark. */
import { mkdir } from 'node:fs/promises';
import { THEMES } from '../look/example-themes.ts';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formOn, hideRibbon } from '../support/form-states.ts';
import { SCHEMES, SCREENSHOTS } from './plan.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 1400 } });

for (const [name, { appearance, pages }] of Object.entries(THEMES)) {
  for (const scheme of SCHEMES) {
    test(`${name} in ${scheme} takes its screenshot`, async ({ page, service, open }) => {
      await mkdir(SCREENSHOTS, { recursive: true });
      await open(await service.createIntent(), {
        css: `:root { color-scheme: ${scheme} } body { margin: 12px; background: ${pages[scheme]} } h1 { display: none }`,
        options: { appearance },
      });
      const form = formOn(page);
      await hideRibbon(form);
      await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
      await form.typeCard(CARD.mastercard);
      await form.field('cc-name').focus();
      await form.settled();
      const { height } = (await form.iframe.boundingBox()) ?? { height: 0 };
      await page.screenshot({
        path: `${SCREENSHOTS}/theme-${name}-${scheme}.png`,
        clip: { x: 0, y: 0, width: 390, height: height + 24 },
        fullPage: true,
        animations: 'disabled',
      });
    });
  }
}
