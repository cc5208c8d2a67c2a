/**
 * promises 2.7: while the frame loads, its place has the form's final height and shows its outline, and no picture of
 * the film has a box of another colour. On a foreign page. Buyers, ways and widths or schemes are combined pairwise.
 */
import { earlyFrame } from '../support/built-modules.mjs';
import { checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { type Colour, distance, type Picture, readPicture, shareOf } from '../support/pixels.ts';
import { openStrangeShop, type StrangeShop, serveStrangeShop } from '../support/strange-shop.ts';

/** Records the layout shifts of the page. */
const noteShifts = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts.push(Number(Reflect.get(entry, 'value')));
  }).observe({ type: 'layout-shift', buffered: true });
};

/** With the rule of docs/quick-start.md in the page's own style sheet. */
const early = (service: string, height: number): StrangeShop => ({
  css: 'iframe[data-card-form-frame] { width: clamp(100%, 100vw, 100% + 8px); margin: 0 clamp(-4px, 50% - 50vw, 0px) }',
  place: `<div id="payment">${earlyFrame(service, { height })}</div><p>We send books on weekdays.</p>`,
});

/** As documented: only the page can reserve the place before the script has run. */
const late = (height: number): StrangeShop => ({
  place: `<div id="payment" style="min-height: ${height}px"></div><p>We send books on weekdays.</p>`,
});

const GUEST = ['a guest', {}, 960] as const;
const OWN_BUTTON = ['a guest, with the page’s own button', { payButton: 'host' }, 884] as const;
const KNOWN = ['a known buyer', { defaultValues: KNOWN_BUYER }, 491] as const;
const HIDDEN = [
  'a known buyer whose details are hidden',
  {
    defaultValues: KNOWN_BUYER,
    fields: { billingDetails: { email: 'never', name: 'never', address: 'never' } },
  },
  398,
] as const;

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 720 };

for (const [[buyer, options, high], way, size] of [
  [GUEST, 'loader', PHONE],
  [GUEST, 'early frame', DESK],
  [OWN_BUTTON, 'early frame', PHONE],
  [OWN_BUTTON, 'loader', DESK],
  [KNOWN, 'loader', PHONE],
  [KNOWN, 'early frame', DESK],
  [HIDDEN, 'early frame', PHONE],
  [HIDDEN, 'loader', DESK],
] as const) {
  test(`nothing moves, on the page and in the frame: ${buyer}, ${way}, ${size.width} px`, async ({
    page,
    service,
    site,
  }) => {
    await page.setViewportSize(size);
    await page.addInitScript(noteShifts);
    const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), {
      options,
      ...(way === 'loader' ? late(high) : early(service.url, high)),
    });
    await expect(checkout.total).toHaveText('$58.04');
    const shifts = () => page.evaluate(() => window.shifts.reduce((sum, one) => sum + one, 0));
    await expect(checkout.frame.locator('.summary')).toHaveAttribute('data-state', 'known');
    expect(await formFrame(page).evaluate(() => window.shifts), 'in the frame').toEqual([]);
    expect(await shifts()).toBe(0);
    // Proves that the observer notices a shift.
    await page.evaluate(() => document.querySelector('h2')?.style.setProperty('margin-top', '90px'));
    await expect.poll(shifts).toBeGreaterThan(0);
  });
}

/** Bars painted in one column of a picture, from top to bottom, on this background. */
const barsIn = ({ height, at }: Picture, x: number, ground: Colour) => {
  const bars: { top: number; height: number }[] = [];
  for (let y = 0; y < height; y += 1) {
    if (distance(at(x, y), ground) < 12) continue; // too faint to be seen
    const last = bars.at(-1);
    if (last && last.top + last.height === y) last.height += 1;
    else bars.push({ top: y, height: 1 });
  }
  return bars;
};

const GROUNDS = { light: [251, 248, 243], dark: [20, 23, 28] } as const;

for (const [[buyer, options, height], way, scheme] of [
  [GUEST, 'loader', 'light'],
  [GUEST, 'early frame', 'dark'],
  [KNOWN, 'loader', 'dark'],
  [KNOWN, 'early frame', 'light'],
] as const) {
  test(`while the frame loads, its place shows bars where the fields will be: ${buyer}, ${way}, ${scheme}`, async ({
    page,
    service,
    site,
  }, info) => {
    const ground = GROUNDS[scheme];
    await page.setViewportSize({ width: 390, height: 1400 });
    const { asked, release } = await holdRequests(page, /\/frame(?:\.html)?$/);
    const shop = {
      options,
      night: scheme === 'dark',
      ...(way === 'loader' ? {} : early(service.url, height)),
    };
    const address = serveStrangeShop({ service, site }, await service.createIntent(), shop);
    await page.goto(address, { waitUntil: 'commit' });
    await asked;
    const checkout = checkoutPage(page, '#payment');
    const picture = async (name: string) =>
      readPicture(await checkout.iframe.screenshot({ path: info.outputPath(`${name}.png`), scale: 'css' }));
    const bars = async (x: number) => barsIn(await picture('outline'), x, ground);
    await expect.poll(() => bars(40)).toHaveLength(3);
    const seen = await bars(40);
    expect(await bars(200)).toEqual(seen); // as wide as the fields, with the same left edge
    expect([await bars(1), await bars(6)]).toEqual([[], seen]);
    // Replays a regression that nobody noticed: the outline's grey had no start, so that only the gaps repeated.
    const paint = await checkout.iframe.evaluate((iframe) => {
      const { background } = iframe.style;
      iframe.style.background = background.replace(/(#8882|rgba\([^)]*\)) 0(?:px)?(?:,| 44px,)/, '$1 44px,');
      return [background, iframe.style.background];
    });
    expect(paint[1]).not.toBe(paint[0]);
    expect(await bars(40)).toEqual([]);
    const { height: before } = await picture('outline');
    release();
    await expect(checkout.total).toHaveText('$58.04');
    expect((await picture('form')).height).toBe(before);
    const fields = await checkout.frame
      .locator('#field-number, #field-expiry')
      .evaluateAll((all) => all.map((field) => field.getBoundingClientRect().toJSON()));
    for (const [index, { top, height }] of fields.entries()) {
      expect(seen[index]?.height).toBe(height);
      // The height of the page's text is not a whole number of pixels.
      expect(Math.abs((seen[index]?.top ?? 0) - top), `${top}`).toBeLessThanOrEqual(1);
    }
    // No outline is left behind the form: the gap between two fields shows the page.
    expect(distance((await picture('form')).at(2, (seen[0]?.top ?? 0) + 20), ground)).toBe(0);
    await expect(checkout.iframe).toHaveCSS('background-image', 'none');
  });
}

for (const [what, shop] of [
  ['that declares color-scheme', { night: true }],
  ['that declares none', { css: 'body, header { background: #14171c !important; color: #e9e9ea }' }],
] as const) {
  test(`no picture of the film shows a box in the browser’s own colour on a dark page ${what}`, async ({
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
    const film = pictures.map((picture) => readPicture(Buffer.from(picture, 'base64')));
    const most = (...colours: Colour[]) => Math.max(...film.map((picture) => shareOf(picture, colours)));
    expect(most([18, 18, 18], [255, 255, 255])).toBeLessThan(0.05);
    expect(most([20, 23, 28])).toBeGreaterThan(0.5); // proves that the measure sees the page
  });
}
