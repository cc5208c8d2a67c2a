/**
 * One screenshot for every state, language, colour scheme and width. Each form is brought into its state once; then the
 * window and the scheme change around it.
 */
import { mkdir } from 'node:fs/promises';
import { expect, type Open, test } from '../support/fixtures.ts';
import { hideRibbon, STATE_NAMES, STATES } from '../support/form-states.ts';
import { LANGUAGES, PAGE, SCHEMES, SCREENSHOTS, screenshotPath, WIDTHS } from './plan.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 480, height: 1400 } });

test.beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
});

for (const state of STATE_NAMES) {
  for (const [locale, browser] of Object.entries(LANGUAGES)) {
    test.describe(`${state} in ${locale}`, () => {
      test.use({ locale: browser, sandboxOptions: state === 'exhausted' ? { attempts: 1 } : {} });

      test('takes its screenshots', async ({ page, service, open }) => {
        const painted: Open = (intent, merchantPage) => open(intent, { css: PAGE, ...merchantPage });
        const form = await STATES[state]({ page, service, open: painted, locale });
        if (state !== 'sandbox') await hideRibbon(form);
        for (const scheme of SCHEMES) {
          await page.emulateMedia({ colorScheme: scheme });
          await expect(form.root).toHaveAttribute('data-scheme', scheme);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 1400 });
            await form.settled();
            const { height } = (await form.iframe.boundingBox()) ?? { height: 0 };
            await page.screenshot({
              path: screenshotPath(state, locale, scheme, width),
              clip: { x: 0, y: 0, width, height: height + 32 },
              fullPage: true,
              animations: 'disabled',
            });
          }
        }
      });
    });
  }
}
