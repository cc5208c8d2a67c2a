/** A7: the frame's document opened as a top-level page, as when somebody copies its address. */
import { expect, test } from '../support/fixtures.ts';

for (const [locale, words] of [
  ['en-US', 'This card form only works inside the checkout page of a store.'],
  ['de-DE', 'Dieses Kartenformular funktioniert nur auf der Bezahlseite eines Shops.'],
] as const) {
  test.describe(locale, { tag: locale === 'de-DE' ? ['@thorough'] : [] }, () => {
    test.use({ locale });

    test(`a frame opened as a top-level page says so in ${locale}, shows no card field, and stays idle`, async ({
      page,
      service,
    }) => {
      await page.addInitScript(() => {
        window.addEventListener('message', () => {
          const { messages = '0' } = document.documentElement.dataset;
          document.documentElement.dataset.messages = String(Number(messages) + 1);
        });
      });
      await page.goto(`${service.url}/partner/v1/card-form/frame`, { waitUntil: 'commit' });
      await expect(page.locator('body')).toHaveText(words);
      await expect(page.locator('input')).toHaveCount(0);
      // A frame that answered its own messages would have sent thousands of hellos by now.
      for (let drawn = 0; drawn < 20; drawn += 1)
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      expect(await page.evaluate(() => document.documentElement.dataset.messages ?? '0')).toBe('0');
    });
  });
}
