/**
 * promises 2.7: fifteen screenshots, compared with those in golden/screenshots. All text is set in a font of boxes
 * (screenshot-font.ts), so that they are the same on every machine; up to one pixel in a thousand may differ, for edges
 * that another browser version antialiases differently. `npx playwright test -c e2e look/screenshots
 * --update-snapshots` retakes them: look at the changes before you commit, and at the form in real fonts (`npm run
 * screenshots`).
 */

import { WHOLE_CHROMIUM } from '../browsers/launch-chromium.ts';
import { expect, type Open, test } from '../support/fixtures.ts';
import { hideRibbon, STATES, type StateName } from '../support/form-states.ts';
import { setInBoxes } from './screenshot-font.ts';

// The full Chromium draws text slightly differently from the headless shell.
test.use({ launchOptions: WHOLE_CHROMIUM });
test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 400, height: 1400 } });

const PAGE = `
:root { color-scheme: light dark }
body { margin: 16px; background: light-dark(#fff, #15171b) }
h1 { display: none }
`;

const COMPARED: readonly (readonly [StateName, 'light' | 'dark', locale: string, width: number])[] = [
  ['ready', 'light', 'en', 400],
  ['ready', 'dark', 'en', 900],
  ['loading', 'light', 'en', 320],
  ['filling', 'light', 'en', 320],
  ['details', 'light', 'en', 400],
  ['problems', 'dark', 'en', 400],
  ['problems', 'light', 'ar', 400],
  ['declined', 'light', 'de', 400],
  ['second-card', 'dark', 'ar', 400],
  ['second-card', 'light', 'en', 900],
  ['confirming', 'dark', 'en', 400],
  ['succeeded', 'light', 'en', 400],
  ['unknown', 'dark', 'en', 320],
  ['floating', 'light', 'ar', 400],
  ['grouped-problems', 'light', 'en', 400],
];

for (const [state, scheme, locale, width] of COMPARED) {
  test(`${state} in ${locale}, ${scheme}, at ${width} px matches its golden screenshot`, async ({
    page,
    service,
    open,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const painted: Open = (intent, merchantPage) => open(intent, { css: PAGE, ...merchantPage });
    const form = await STATES[state]({ page, service, open: painted, locale });
    await hideRibbon(form);
    await setInBoxes(form);
    // A receipt's date and reference differ each time, and dates differ in length.
    for (const value of await form.frame.locator('.receipt dd bdi').all())
      await value.evaluate((element) => {
        element.textContent = 'as long each time';
      });
    await page.setViewportSize({ width, height: 1400 });
    await form.settled();
    await expect(form.iframe).toHaveScreenshot(`${state}-${locale}-${scheme}-${width}.png`, {
      animations: 'disabled',
      caret: 'hide',
      maxDiffPixelRatio: 0.001,
    });
  });
}
