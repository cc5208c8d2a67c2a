/** promises 2.7: the layout of the form while it loads, with long content, and at the end of a payment. */
import { startDesktopChromium } from '../browsers/desktop-chromium.ts';
import { checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formOn, STATES } from '../support/form-states.ts';
import { NO_OVERFLOW, overflowOf } from '../support/overflow.ts';

declare global {
  interface Window {
    /** The scores of the layout shifts. */
    shifts: number[];
    /** The durations of the animations in an outcome, in ms. */
    lasting: number[];
  }
}

/** Records the layout shifts, in every document. */
const noteShifts = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value: unknown = Reflect.get(entry, 'value');
      if (typeof value === 'number') window.shifts.push(value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

const settled = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });

test.describe('while the form loads', () => {
  test('nothing moves in the frame when scroll bars take up space', async ({ serve, service }) => {
    const chromium = await startDesktopChromium();
    try {
      const page = await chromium.newPage();
      await page.addInitScript(noteShifts);
      await page.goto(
        serve(await service.createIntent(), { body: '<main style="width: 480px" id="card-form"></main>' }),
      );
      const checkout = checkoutPage(page);
      await checkout.ready();
      const [, frame] = page.frames();
      await frame?.evaluate(settled);
      expect(await frame?.evaluate(() => [window.innerHeight > 700, window.shifts])).toEqual([true, []]);
    } finally {
      await chromium.close();
    }
  });

  test('every field has its place before the total is known', async ({ page, service, open }) => {
    const form = await STATES.loading({ page, service, open, locale: 'en' });
    const places = () =>
      form.frame.locator('.control, button.pay').evaluateAll((elements) =>
        elements.map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [x, y, width, height].map(Math.round);
        }),
      );
    const before = await places();
    expect(before.length).toBeGreaterThan(9);
    await service.clearFaults();
    await page.evaluate(() => window.forms[0]?.refresh());
    const other = formOn(page);
    await page.reload();
    await expect(other.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
    expect(await places()).toEqual(before);
  });
});

/** Records the duration of each animation in an outcome when it starts, since it may have ended a moment later. */
const noteMotion = () => {
  window.lasting = [];
  document.addEventListener('animationstart', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('.outcome')) return;
    const { animationDelay, animationDuration, animationIterationCount } = getComputedStyle(target);
    const once = parseFloat(animationDelay) + parseFloat(animationDuration);
    window.lasting.push(animationIterationCount === '1' ? once * 1000 : Number.POSITIVE_INFINITY);
  });
};

test.describe('a payment received', () => {
  for (const { reducedMotion, what, longest } of [
    { reducedMotion: 'no-preference', what: 'is checked off in less than a second', longest: 999 },
    { reducedMotion: 'reduce', what: 'appears at once with reduced motion', longest: 10 },
  ] as const) {
    test(`${what}, and then nothing moves`, async ({ page, service, open }) => {
      await page.emulateMedia({ reducedMotion });
      await page.addInitScript(noteMotion);
      const { root } = await STATES.succeeded({ page, service, open, locale: 'en' });
      const form = root.locator('#form');
      const lasting = () => form.evaluate(() => window.lasting);
      await expect.poll(async () => (await lasting()).length).toBe(4); // the mark, its drawing, the words, the receipt
      expect(Math.max(...(await lasting()))).toBeLessThanOrEqual(longest);
      await expect.poll(() => form.evaluate((all) => all.getAnimations({ subtree: true }).length)).toBe(0);
    });
  }
});

/** Long names, and a total with the maximum number of digits. */
const HEAVY = {
  items: [
    {
      name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamter',
      quantity: 1,
      unit_amount: 1,
    },
    { name: 'x'.repeat(120), quantity: 1, unit_amount: 1 },
    ...Array.from({ length: 98 }, (_, index) => ({
      name: `Article ${index + 1} of a long list`,
      quantity: 3,
      unit_amount: 1000,
    })),
  ],
  amount: 99_999_999,
  shipping_amount: 999_999,
  tax_amount: 1_999_999,
  discount_amount: 123_456,
  description: `Order ${'9'.repeat(60)} of today`,
};

test('a hundred items scroll in their own list, by keyboard, and the button stays within reach', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent(HEAVY);
  await open(intent);
  const form = formOn(page);
  await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
  const height = () => form.iframe.evaluate((iframe) => iframe.clientHeight);
  const before = await height();
  await form.details.press('Enter');
  const list = form.frame.locator('.details ul');
  await expect(list.getByRole('listitem')).toHaveCount(105);
  await expect.poll(height).toBeLessThan(before + 450);
  await page.keyboard.press('Tab');
  await expect(list).toBeFocused();
  await page.keyboard.press('End');
  await expect(list.getByText('999,999.99')).toBeInViewport();
});

const LANGUAGES =
  'en de fr es it nl pt pl sv da fi nb cs el ro hu et lv lt sk sl hr bg uk tr ja zh zh-Hant ko th vi id ar he'.split(
    ' ',
  );

// Each language in each look and at each width, and one width for each look.
for (const [look, currency, width, appearance] of [
  ['labels above', 'usd', 340, { labels: 'above' }],
  ['floating labels', 'eur', 320, { labels: 'floating' }],
  ['grouped fields', 'eur', 200, { fields: 'grouped' }],
] as const) {
  test.describe(() => {
    test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width, height: 1500 } });

    test(`no text is cut off, with the longest amounts and names, in every language: ${look}, ${width} px${width === 340 ? ', where state and postal code share a line' : ''}`, async ({
      page,
      service,
      open,
    }) => {
      test.slow();
      await open(await service.createIntent({ ...HEAVY, currency }), {
        css: 'body { margin: 0 } h1 { display: none }',
        options: { appearance },
      });
      const form = formOn(page);
      await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
      await form.details.click();
      const softly = expect.configure({ soft: true }); // a failing language does not hide others
      // One form for all languages: a page load for each would take most of the time.
      for (const language of LANGUAGES) {
        await page.evaluate((locale) => window.forms[0]?.update({ locale }), language);
        await expect(form.root).toHaveAttribute('lang', language);
        await form.root.evaluate(settled); // the layout matches the new words
        await softly.poll(() => overflowOf(form.root), language).toEqual(NO_OVERFLOW);
        // A label inside its field is larger: two long ones, as in Slovenian, take a line each.
        if (width !== 340) continue;
        const tops = ['address-level1', 'postal-code'].map((token) =>
          form.field(token).evaluate((it) => it.getBoundingClientRect().top),
        );
        softly(new Set(await Promise.all(tops)).size, language).toBe(1);
      }
    });
  });
}
