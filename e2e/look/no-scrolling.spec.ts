/** Pictures of every state for a person to look at, in test-results/looks/; and nothing wider than its screen. */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const SCHEMES = {
  light: ':root { color-scheme: light } body { background: white; color: #16202e }',
  dark: ':root { color-scheme: dark } body { background: #121214; color: #f1f2f4 }',
} as const;

for (const width of [320, 400, 900]) {
  for (const scheme of ['light', 'dark'] as const) {
    test.describe(`at ${width} px in ${scheme}`, () => {
      test.use({ viewport: { width, height: 1500 } });

      test('nothing scrolls sideways in any state', async ({ open, page, service }) => {
        const checkout = await open(await service.createIntent(), { css: SCHEMES[scheme] });
        const look = async (state: string) => {
          const path = `${test.info().project.outputDir}/looks/${state}-${width}-${scheme}.png`;
          const wide = (root: Element) => root.scrollWidth - root.clientWidth;
          await expect.poll(() => page.locator(':root').evaluate(wide), state).toBe(0);
          await expect.poll(() => checkout.frame.locator(':root').evaluate(wide), state).toBe(0);
          const tall = (root: Element) => root.scrollHeight - root.clientHeight;
          await expect.poll(() => checkout.frame.locator(':root').evaluate(tall), state).toBe(0);
          await page.screenshot({ path });
        };
        await checkout.ready();
        await look('1-empty');
        await checkout.pay();
        await expect(checkout.field('zip')).toHaveAttribute('aria-invalid', 'true');
        await look('2-problems');
        await checkout.details.click();
        await checkout.fill({ number: CARD.declined });
        await checkout.pay();
        await expect(checkout.notice).toContainText('declined');
        await look('3-declined');
        await checkout.fillCard(CARD.totalRises);
        await checkout.pay();
        await expect(checkout.notice).toContainText('The total changed');
        await look('4-total-changed');
        await checkout.pay();
        await expect(checkout.outcome).toHaveText('Payment received');
        await look('5-paid');
      });
    });
  }
}
