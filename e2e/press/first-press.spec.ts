/**
 * The first press counts: a merchant's plain test and a hurried buyer pay at the first try, whatever an honest page has
 * around the form. `PRESS_RUNS` sets the number of tries.
 */
import type { Page } from 'playwright/test';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';
import { quickStartForm, quickStartPage, type Surroundings } from './quick-start-checkout.ts';

const RUNS = Number(process.env.PRESS_RUNS || 1);

// On a fast machine, many tries exceed the requests that a buyer may make in a minute.
test.use({ sandboxOptions: { clientRateLimit: 1_000_000 } });

const HEADER =
  '<header style="position:sticky;top:0;height:64px;background:#fff;z-index:5">Shop</header><div style="height:300px"></div>';
const BUBBLE =
  '<button style="position:fixed;right:24px;bottom:24px;width:64px;height:64px;border-radius:50%;background:#06c;z-index:9">Chat</button>';
const COOKIES =
  '<div style="position:fixed;left:0;right:0;bottom:0;height:72px;background:#222;color:#fff;z-index:9">We use cookies <button>OK</button></div>';

/** Common surroundings of a form in shops. The first three run before every commit. */
const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  nothing: {},
  'a sticky header': { before: HEADER },
  'a chat bubble': { after: BUBBLE },
  'a cookie bar': { after: COOKIES },
  'a filter': { around: 'filter: drop-shadow(0 2px 4px #0003)' },
  'a backdrop filter': { around: 'backdrop-filter: blur(2px)' },
  'opacity .999': { around: 'opacity: .999' },
  'scale(.98)': { around: 'transform: scale(.98)' },
  'a place for toasts over everything': {
    after: '<div style="position:fixed;inset:0;pointer-events:none;z-index:9"></div>',
  },
  'a list of 1,000 things': {
    before: '<style>.list { height: 40px; overflow: auto }</style>',
    after: `<div class="list">${'<i style="pointer-events: none">.</i>'.repeat(1000)}</div>`,
  },
  'a page of 2,000 elements': {
    before: '<style>.many { height: 40px; overflow: auto }</style>',
    after: `<div class="many">${'<p><b>.</b></p>'.repeat(1000)}</div>`,
  },
  // Never below 600 px: there the city wraps to its own line, the button jumps away, and a press misses it or counts as
  // `moved`.
  'a width that never rests': {
    before: '<style>@keyframes resize { from { width: 96% } to { width: 100% } }</style>',
    around: 'animation: resize 1s infinite alternate linear',
  },
  'a line that is drawn over it by a pseudo-element': {
    css: '#payment { position: relative } #payment::after { content: ""; position: absolute; inset: 0; border: 1px solid #ccc; box-shadow: inset 0 0 0 2px #0001; pointer-events: none }',
  },
  'grain over the whole page': {
    css: 'body::before { content: ""; position: fixed; inset: 0; background: repeating-linear-gradient(#000 0 1px, #fff 0 3px); opacity: .03; pointer-events: none; z-index: 9 }',
  },
  'a rounded card with shadows': {
    around:
      'clip-path: inset(0 round 12px); box-shadow: 0 10px 40px #0006; outline: 1px solid #ddd; filter: contrast(1.1) brightness(.95)',
    after:
      '<aside style="box-shadow: 0 -10px 25px #0004; outline: 2px solid #06c; outline-offset: 4px">Terms</aside>',
  },
  'a dialog that is closed': {
    after:
      '<div style="position:fixed;inset:0;background:#0008;opacity:0;pointer-events:none;z-index:9"><p>Newsletter</p></div>',
  },
};

/** The first three, and all others. */
const GROUPS = [
  { what: 'the usual', tag: [], around: Object.entries(SURROUNDINGS).slice(0, 3) },
  { what: 'anything else', tag: ['@thorough'], around: Object.entries(SURROUNDINGS).slice(3) },
] as const;

const openCheckout = async (
  { page, service, site }: { page: Page; service: Service; site: ForeignSite },
  surroundings: Surroundings,
) => {
  const { id, client_secret } = await service.createIntent();
  await page.goto(site.put('/checkout', quickStartPage(service, client_secret, surroundings)));
  return async (what: string) => {
    await quickStartForm(page).isPaid(what);
    expect(await page.evaluate(() => window.errors), what).toEqual([]);
    expect(await service.record(id), what).toMatchObject({ charges: 1, confirms: 1 });
  };
};

test.describe('a plain click() right after', () => {
  test.use({ viewport: { width: 1280, height: 720 } });

  for (const { what, tag, around } of GROUPS) {
    for (const how of ['fill', 'type'] as const) {
      test(`${how}(), with ${what} around the form, pays`, {
        tag: how === 'fill' ? [...tag] : ['@thorough'],
      }, async ({ page, service, site }) => {
        for (let run = 0; run < RUNS; run += 1) {
          for (const [name, surroundings] of around) {
            const expectPaid = await openCheckout({ page, service, site }, surroundings);
            const form = quickStartForm(page);
            await form[how]();
            await form.pay.click();
            await expectPaid(name);
          }
        }
      });
    }
  }
});

test('a hurried buyer who scrolls, moves the mouse and clicks within half a second pays at once', async ({
  page,
  service,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const form = quickStartForm(page);
  for (let run = 0; run < RUNS; run += 1) {
    const expectPaid = await openCheckout({ page, service, site }, { before: HEADER });
    await form.fill();
    await page.evaluate(() => scrollTo(0, 200));
    await page.mouse.move(640, 500);
    for (let turn = 0; turn < 8; turn += 1) await page.mouse.wheel(0, 120);
    await form.pay.scrollIntoViewIfNeeded();
    // A quarter to half a second after the button comes into view, varying by run.
    await page.waitForTimeout(150 + ((run * 67) % 250));
    const box = await form.pay.boundingBox();
    if (!box) throw new Error('The button has no place.');
    await page.mouse.move(box.x + 60 + ((run * 31) % 200), box.y + 20, { steps: 4 });
    await page.waitForTimeout(100);
    await page.mouse.down();
    await page.mouse.up();
    await expectPaid(`run ${run}`);
  }
});

test.describe('a tap 350 ms after the button came into view on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  for (const { what, tag, around } of GROUPS) {
    test(`pays, with ${what} around the form, even while the keyboard closes`, { tag: [...tag] }, async ({
      page,
      service,
      site,
    }) => {
      const form = quickStartForm(page);
      for (let run = 0; run < RUNS; run += 1) {
        for (const [index, [name, surroundings]] of around.entries()) {
          // Before every commit these alternate: otherwise each page would be opened twice.
          for (const closes of tag.length === 0 ? [index % 2 === 1] : [false, true]) {
            await page.setViewportSize({ width: 390, height: 844 });
            const expectPaid = await openCheckout({ page, service, site }, surroundings);
            await form.fill();
            if (closes) await page.setViewportSize({ width: 390, height: 480 });
            await form.frame.getByLabel('Security code').focus(); // the button is below the visible part
            if (closes) {
              await form.frame.getByLabel('ZIP code').focus();
              await page.setViewportSize({ width: 390, height: 844 });
            } else {
              await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
            }
            await expect(form.pay).toBeInViewport({ ratio: 0.5 });
            await page.waitForTimeout(350);
            const box = await form.pay.boundingBox();
            if (!box) throw new Error('The button has no place.');
            await page.touchscreen.tap(box.x + 40, box.y + box.height / 2);
            await expectPaid(name);
          }
        }
      }
    });
  }
});
