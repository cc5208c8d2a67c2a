/**
 * promises 2.7: the fields begin and end where the container does, in line with the page's own headings and fields. The
 * frame's room for the focus ring makes nothing scroll sideways.
 */
import type { Page } from 'playwright/test';
import { earlyFrame } from '../support/built-modules.mjs';
import { checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';

type Layout = {
  css?: string;
  /** Initial content of the container. */
  content?: string;
  dir?: 'rtl';
  width?: number;
};

/** A page with a heading and a field above the form, all three in one column. */
const open = async (
  { page, site, service }: { page: Page; site: ForeignSite; service: Service },
  { css = '', content = '', dir, width = 900 }: Layout,
) => {
  await page.setViewportSize({ width, height: 1400 });
  const { client_secret } = await service.createIntent();
  const options = {
    publishableKey: service.keys.publishable,
    clientSecret: client_secret,
    locale: dir ? 'ar' : 'en',
  };
  const html = `<!doctype html><html dir="${dir ?? 'ltr'}"><meta charset="utf-8"><title>Till</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
    <style>* { box-sizing: border-box } body { margin: 16px } main { max-width: 480px } h2, input { display: block; width: 100% } ${css}</style>
    <main><h2>Pay</h2><input aria-label="Voucher"><div class="around"><div id="payment">${content}</div></div></main>
    <script src="${service.url}/partner/v1/card-form.js"></script>
    <script>window.forms = [CardForm.mount('#payment', ${JSON.stringify(options)})]</script>`;
  await page.goto(site.put('/till', html));
  const checkout = checkoutPage(page, '#payment');
  await expect(checkout.total).toHaveText(/[\d٠-٩]/);
  await expect(checkout.frame.locator('.summary')).toHaveAttribute('data-state', 'known');
  return checkout;
};

/** Left and right edges, in the page's coordinates. */
const edgesOf = async ({ page, iframe, frame }: ReturnType<typeof checkoutPage>) => {
  const edges = (element: Element) => {
    const { left, right } = element.getBoundingClientRect();
    return [left, right] as const;
  };
  const [start] = await iframe.evaluate(edges);
  const inForm = async (selector: string) =>
    (await frame.locator(selector).evaluate(edges)).map((x) => x + start);
  return {
    page: [await page.locator('h2').evaluate(edges), await page.locator('main > input').evaluate(edges)],
    form: await Promise.all(['#field-number', '#field-email', '.summary', '.pay'].map(inForm)),
  };
};

const canScroll = (page: Page, selector = 'html') =>
  page.locator(selector).evaluate((element) => element.scrollWidth > element.clientWidth);

/** In a page's own HTML, as in the documentation of 0.1.0. */
const early = ({ url }: Service) => earlyFrame(url, { height: 960 });

const expectInLine = async (checkout: ReturnType<typeof checkoutPage>, what: string) => {
  const { page: own, form } = await edgesOf(checkout);
  const [[left, right] = []] = own;
  for (const [x, end] of [...own, ...form]) {
    const where = `${what}: ${JSON.stringify({ own, form })}`;
    expect(Math.abs((x ?? 0) - (left ?? 0)), `left, ${where}`).toBeLessThanOrEqual(0.5);
    expect(Math.abs((end ?? 0) - (right ?? 0)), `right, ${where}`).toBeLessThanOrEqual(0.5);
  }
  expect(await canScroll(checkout.page), what).toBe(false);
};

const LINE_UP = 'promises 2.7: the fields align with the page’s own heading and field';

test(`${LINE_UP}, in containers of all kinds`, async ({ page, site, service }) => {
  const checkout = await open({ page, site, service }, {});
  const sheet = await page.addStyleTag({ content: '/* none yet */' });
  for (const [what, css, width] of [
    ['a block', '', 900],
    ['a flex container', '#payment { display: flex }', 900],
    [
      'a flex container of columns',
      '#payment { display: flex; flex-direction: column; align-items: center }',
      900,
    ],
    ['an item of a flex container', '.around { display: flex } #payment { flex: 1; min-width: 0 }', 900],
    ['a grid', 'main, .around, #payment { display: grid }', 900],
    ['a container that clips', '#payment { overflow: hidden }', 900],
    ['a narrow phone', '', 320],
    ['a phone', '', 390],
  ] as const) {
    await sheet.evaluate((style, text) => {
      style.textContent = text;
    }, css);
    await page.setViewportSize({ width, height: 1400 });
    await expect(async () => expectInLine(checkout, what)).toPass({ timeout: 10_000 });
  }
});

for (const [name, layout] of [
  ['a page from right to left', () => ({ dir: 'rtl' })],
  ['an early frame in the page’s HTML', (service) => ({ content: early(service) })],
  ['an early frame in a page from right to left', (service) => ({ content: early(service), dir: 'rtl' })],
] as const satisfies readonly (readonly [string, (service: Service) => Layout])[]) {
  test(`${LINE_UP}: ${name}`, async ({ page, site, service }) => {
    await expectInLine(await open({ page, site, service }, layout(service)), name);
  });
}

for (const [name, layout] of [
  ['as wide as the window', { css: 'body { margin: 0 }', width: 390 }],
  ['as wide as the window, from right to left', { css: 'body { margin: 0 }', width: 390, dir: 'rtl' }],
  ['at the window’s far edge', { css: 'body { margin: 0 } main { margin-inline-start: auto }' }],
  [
    'in a page that has a scroll bar',
    { css: 'body { margin: 0; min-height: 4000px } main { max-width: none }' },
  ],
  ['in an element that scrolls', { css: '.around { overflow: auto } #payment { width: 100% }' }],
] as const satisfies readonly (readonly [string, Layout])[]) {
  test(`promises 2.7: nothing can be scrolled sideways because of the form: ${name}`, async ({
    page,
    site,
    service,
  }) => {
    const checkout = await open({ page, site, service }, layout);
    await expect.poll(() => canScroll(page, '.around')).toBe(false);
    expect(await canScroll(page)).toBe(false);
    // No field is cut off.
    const { page: own, form } = await edgesOf(checkout);
    for (const [left = 0, right = 0] of form) {
      expect(left).toBeGreaterThanOrEqual((own[0]?.[0] ?? 0) - 0.5);
      expect(right).toBeLessThanOrEqual((own[0]?.[1] ?? 0) + 0.5);
    }
  });
}
