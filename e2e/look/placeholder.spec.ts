/**
 * promises 2.7: while the frame is on its way its place is as high as the form will be and shows its outline, and no
 * picture of the film has a box of another colour. On a page that nobody made for the form.
 */
import type { Page } from 'playwright/test';
import { earlyFrame } from '../support/built-modules.mjs';
import { checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { openStrangeShop, type StrangeShop, serveStrangeShop } from '../support/strange-shop.ts';

/** Records the layout shifts of the page. */
const noteShifts = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts.push(Number(Reflect.get(entry, 'value')));
  }).observe({ type: 'layout-shift', buffered: true });
};

const early = (service: string, height: number): StrangeShop => ({
  place: `<div id="payment">${earlyFrame(service, { height })}</div><p>We send books on weekdays.</p>`,
});

/** As the documentation says: only the page can reserve the place before the script has run. */
const late = (height: number): StrangeShop => ({
  place: `<div id="payment" style="min-height: ${height}px"></div><p>We send books on weekdays.</p>`,
});

const HIDDEN = { billingDetails: { email: 'never', name: 'never', address: 'never' } };

for (const [width, height] of [
  [390, 844],
  [1280, 720],
] as const) {
  for (const [buyer, options, high] of [
    ['a guest', {}, 960],
    ['a guest, with the page’s own button', { payButton: 'host' }, 884],
    ['a known buyer', { defaultValues: KNOWN_BUYER }, 491],
    ['a known buyer whose details are hidden', { defaultValues: KNOWN_BUYER, fields: HIDDEN }, 398],
  ] as const) {
    for (const way of ['loader', 'early frame'] as const) {
      test(`nothing moves: ${buyer}, ${way}, ${width} px`, async ({ page, service, site }) => {
        await page.setViewportSize({ width, height });
        await page.addInitScript(noteShifts);
        const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), {
          options,
          ...(way === 'loader' ? late(high) : early(service.url, high)),
        });
        await expect(checkout.total).toHaveText('$58.04');
        const shifts = () => page.evaluate(() => window.shifts.reduce((sum, one) => sum + one, 0));
        expect(await shifts()).toBe(0);
        // The observer does notice a shift.
        await page.evaluate(() => document.querySelector('h2')?.style.setProperty('margin-top', '90px'));
        await expect.poll(shifts).toBeGreaterThan(0);
      });
    }
  }
}

for (const night of [false, true]) {
  for (const [buyer, options] of [
    ['guest', {}],
    ['known', { defaultValues: KNOWN_BUYER }],
  ] as const) {
    test(`while the frame is on its way, its place shows the outline of the form, and its height: ${buyer}, ${night ? 'dark' : 'light'}`, async ({
      page,
      service,
      site,
    }, info) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const { asked, release } = await holdRequests(page, /\/frame\.html$/);
      const address = serveStrangeShop({ service, site }, await service.createIntent(), { options, night });
      await page.goto(address, { waitUntil: 'commit' });
      await asked;
      const checkout = checkoutPage(page, '#payment');
      await expect(checkout.iframe).toHaveCSS('background-image', /^repeating-linear-gradient/);
      const firstBar = await checkout.iframe.evaluate(
        (iframe) => getComputedStyle(iframe).backgroundPositionY,
      );
      const height = () => checkout.iframe.evaluate(({ clientHeight }) => clientHeight);
      const before = await height();
      await page.screenshot({ path: info.outputPath('outline.png') });
      release();
      await expect(checkout.total).toHaveText('$58.04');
      await expect(checkout.iframe).toHaveCSS('background-image', 'none');
      expect(await height()).toBe(before);
      // The bars were where the fields of the card are: 77 px apart, and 44 high.
      const places = await checkout.frame
        .locator('#field-number, #field-expiry')
        .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().toJSON()));
      expect(places.map(({ top, height }) => [top, height])).toEqual([
        [Number.parseFloat(firstBar), 44],
        [Number.parseFloat(firstBar) + 77, 44],
      ]);
      await page.screenshot({ path: info.outputPath('form.png') });
    });
  }
}

/** The largest share of pixels that one of these colours has in any picture. */
const shareOf = (page: Page, pictures: readonly string[], colours: readonly string[]): Promise<number> =>
  page.evaluate(
    async ({ all, wanted }) => {
      let most = 0;
      for (const one of all) {
        const bytes = Uint8Array.from(atob(one), (character) => character.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        context?.drawImage(bitmap, 0, 0);
        const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] };
        let count = 0;
        for (let at = 0; at < data.length; at += 4) {
          if (wanted.includes(`${data[at]},${data[at + 1]},${data[at + 2]}`)) count += 1;
        }
        most = Math.max(most, (count * 4) / data.length);
      }
      return most;
    },
    { all: pictures, wanted: colours },
  );

for (const [what, shop] of [
  ['that declares color-scheme', { night: true }],
  ['that declares none', { css: 'body, header { background: #14171c !important; color: #e9e9ea }' }],
] as const) {
  test(`no picture of the film has a box of the browser’s own colour in a dark page ${what}`, async ({
    page,
    service,
    site,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const session = await page.context().newCDPSession(page);
    const pictures: string[] = [];
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      pictures.push(data);
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
    });
    await page.goto(site.put('/before', '<body style="background: #14171c">'));
    await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), shop);
    await expect(checkout.total).toHaveText('$58.04');
    await checkout.field('number').fill('4242');
    await expect.poll(() => pictures.length).toBeGreaterThan(3);
    await session.send('Page.stopScreencast');
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const blank = await page.context().newPage();
    expect(await shareOf(blank, pictures, ['18,18,18', '255,255,255'])).toBeLessThan(0.05);
    expect(await shareOf(blank, pictures, ['20,23,28'])).toBeGreaterThan(0.5); // the measure does see the page
  });
}
