/** The hosted fonts: fetched only if named, from the service, and nothing moves when they arrive. */
import type { Page } from 'playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { formOn } from '../support/form-states.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { painted } from '../support/painted.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 1500 } });

const FONT = /\.woff2$/;

/** Records the paths of the fonts that the page fetches from now on. */
const watchFonts = (page: Page) => {
  const found: string[] = [];
  page.on('request', (request) => {
    if (FONT.test(request.url())) found.push(request.url());
  });
  return found;
};

const withFont = (fontFamily: string) => ({
  css: 'body { margin: 0 } h1 { display: none }',
  options: { appearance: { variables: { fontFamily } } },
});

test('a form whose appearance names no hosted font fetches none', async ({ open, page, service }) => {
  const fonts = watchFonts(page);
  const { ready } = await open(await service.createIntent());
  await ready();
  const other = await open(await service.createIntent(), withFont('Georgia, "Lobster", serif'));
  await other.ready();
  await other.pay();
  await expect(other.field('number')).toHaveAttribute('aria-invalid', 'true');
  expect(fonts).toEqual([]);
});

test('a hosted font is fetched from the release, only for the scripts in use', async ({
  open,
  page,
  service,
}) => {
  const fonts = watchFonts(page);
  const answers: (string | undefined)[] = [];
  page.on('response', async (response) => {
    if (FONT.test(response.url())) answers.push((await response.allHeaders())['cache-control']);
  });
  const { frame, ready } = await open(await service.createIntent(), withFont('inter'));
  await ready();
  const isDrawn = () =>
    frame
      .locator(':root')
      .evaluate(() =>
        [...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family),
      );
  await expect.poll(isDrawn).toContain('Inter');
  const release = `${service.url}/partner/v1/card-form/`;
  expect(fonts.map((url) => url.replace(/^.*\//, ''))).toEqual(['inter-latin-wght-normal.woff2']);
  expect(fonts.every((url) => url.startsWith(release))).toBe(true);
  expect(answers).toEqual(['public, max-age=31536000, immutable']);

  await page.evaluate(() => window.forms[0]?.update({ locale: 'uk' }));
  await expect
    .poll(() => fonts.map((url) => url.replace(/^.*\//, '')))
    .toEqual(['inter-latin-wght-normal.woff2', 'inter-cyrillic-wght-normal.woff2']);
});

test('another font can be named later, and a font that never arrives does not prevent a payment', async ({
  open,
  page,
  service,
}) => {
  await page.route(FONT, (route) => route.abort());
  const { ready, fill, pay, outcome } = await open(await service.createIntent(), withFont('Lato, Poppins'));
  await ready();
  await page.evaluate(() =>
    window.forms[0]?.update({ appearance: { variables: { fontFamily: '"Work Sans", sans-serif' } } }),
  );
  await fill();
  await pay();
  await expect(outcome).toHaveText('Payment received');
});

const FAMILIES = [
  'DM Sans',
  'IBM Plex Sans',
  'Inter',
  'Montserrat',
  'Noto Sans',
  'Nunito Sans',
  'Open Sans',
  'Roboto',
  'Source Sans 3',
  'Work Sans',
] as const;

test('nothing moves when any hosted font arrives', async ({ open, page, service }) => {
  test.slow();
  const { frame, iframe, ready, details } = await open(await service.createIntent(), withFont('Georgia'));
  await ready();
  await details.click();
  const root = frame.locator(':root');
  const boxes = () =>
    root.evaluate(() =>
      [...document.querySelectorAll('label, input, select, button, h2, .total')].map((element) => {
        const { top, height } = element.getBoundingClientRect();
        return [element.tagName, Math.round(top), Math.round(height)];
      }),
    );
  const statuses = (family: string) =>
    root.evaluate(
      (_, name) =>
        [...document.fonts].filter((face) => face.family.includes(name)).map((face) => face.status),
      family,
    );
  await root.evaluate(() => {
    window.fontShifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.fontShifts += entry.toJSON().value;
    }).observe({ type: 'layout-shift' });
  });
  for (const family of FAMILIES) {
    const { release } = await holdRequests(page, FONT);
    await page.evaluate(
      (appearance) => window.forms[0]?.update({ appearance }),
      withFont(family).options.appearance,
    );
    await expect.poll(() => statuses(family), family).toContain('loading');
    await formOn(page).settled(); // in the fallback font
    const before = { boxes: await boxes(), height: await iframe.evaluate((it) => it.clientHeight) };
    await root.evaluate(() => {
      window.fontShifts = 0;
    });
    release();
    await expect.poll(() => statuses(family), family).not.toContain('loading');
    expect(await statuses(family), family).toContain('loaded');
    await painted(root);
    const after = { boxes: await boxes(), height: await iframe.evaluate((it) => it.clientHeight) };
    expect(after, family).toEqual(before);
    // Zero to three decimals, as browsers report it: an amount at the right edge starts some 3 px beside its former
    // place, because its digits have another width.
    expect(await root.evaluate(() => window.fontShifts), family).toBeLessThan(0.0005);
  }
});

declare global {
  interface Window {
    /** The sum of the layout shifts in the frame. */
    fontShifts: number;
  }
}
