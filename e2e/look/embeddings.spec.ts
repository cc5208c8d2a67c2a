/**
 * promises 2.7: nothing on the page moves in any documented embedding, for a guest and for a buyer whom the page knows.
 * Each is put into a page with text above and below, exactly as documented, over a connection so slow that the browser
 * paints between any two files. Each embedding runs once, alternating between the two buyers and the two widths;
 * placeholder.spec.ts combines these pairwise.
 */
import type { Page } from 'playwright/test';
import { block, page as documentation } from '../developer/docs.ts';
import { readManifest } from '../hosting/hosting.ts';
import { checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

/** Records the layout shifts of the page. */
const noteShifts = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts.push(Number(Reflect.get(entry, 'value')));
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Delays each request for a file of the form until the page has been painted. */
const paintBetween = (page: Page) =>
  page.route(/card-form/, async (route) => {
    const painted = () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      });
    await page.evaluate(painted).catch(() => {}); // there is no document yet
    await route.continue();
  });

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 720 };

// A form without code takes its options from attributes, which can't have the buyer's details.
const EMBEDDINGS = [
  ['README: Card form: html', 'a guest', PHONE],
  ['quick-start: 3. Write the page: html', 'a known buyer', PHONE],
  ['quick-start: Show the form sooner: html', 'a known buyer', DESK],
  ['no-code: Forms without code: html', 'a guest', PHONE],
  ['no-code: Inside your own form: html', 'a guest', DESK],
  ['going-live: Moving, signed or pinned: html', 'a guest', DESK],
  ['going-live: Pin one release: html', 'a known buyer', PHONE],
] as const;

/** The documented rule for an early frame. */
const [EARLY_RULE = ''] =
  /(?<=`)iframe\[data-card-form-frame\] \{ width[^`]*/.exec(documentation('quick-start').text) ?? [];

/** The documented code; code that replaces part of another page is put into that page. */
const documented = (name: (typeof EMBEDDINGS)[number][0]): string =>
  name === 'no-code: Forms without code: html'
    ? block('quick-start: 3. Write the page: html').replace(/<div id="card-form">[\s\S]*<\/script>/, () =>
        block(name),
      )
    : block(name);

for (const [name, buyer, size] of EMBEDDINGS) {
  test(`nothing moves: ${name}, ${buyer}, ${size.width} px`, async ({ page, service, site }) => {
    const isKnown = buyer === 'a known buyer';
    await page.setViewportSize(size);
    await page.addInitScript(noteShifts);
    await paintBetween(page);
    const { client_secret } = await service.createIntent();
    const { release, files } = await readManifest();
    const known = `defaultValues: ${JSON.stringify(KNOWN_BUYER)}`;
    const body = documented(name)
      .replaceAll('https://pay.example', service.url)
      .replaceAll('pk_live_…', service.keys.publishable)
      .replaceAll('sha384-…', files[`/partner/v1/card-form/${release}/card-form.js`] ?? '')
      .replaceAll('ed25519-…', service.integrity)
      .replaceAll('0.1.0-5504ff6e62fb', release)
      .replace(/ *defaultValues: .*\n/, '')
      .replace("'lg_cs_…'", isKnown ? `$&, ${known}` : '$&')
      .replaceAll('lg_cs_…', client_secret)
      // As in the table of heights, plus the ribbon of a sandbox key.
      .replace('height="924"', `height="${36 + (isKnown ? 455 : 924)}"`);
    const text = '<p>We send books on weekdays, and take them back within thirty days.</p>';
    const html = body.startsWith('<!doctype html>')
      ? body.replace('</body>', `${text}$&`)
      : `<!doctype html><html lang="en"><meta charset="utf-8"><title>Till</title><style>${EARLY_RULE}</style>
         <meta name="viewport" content="width=device-width, initial-scale=1">
         <body style="max-width: 480px; margin: 0 auto"><h1>Till</h1>${body}${text}</body></html>`;
    await page.goto(site.put('/till', html), { waitUntil: 'domcontentloaded' });
    const checkout = checkoutPage(page, 'body');
    await expect(checkout.frame.locator('.total')).toHaveText('$58.04');
    const shifts = () => page.evaluate(() => window.shifts.reduce((sum, one) => sum + one, 0));
    expect(await shifts()).toBe(0);
    // Proves that the observer notices a shift.
    await page.evaluate(() => document.querySelector('h1')?.style.setProperty('margin-top', '90px'));
    await expect.poll(shifts).toBeGreaterThan(0);
  });
}
