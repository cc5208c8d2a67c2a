/** promises 2.7: the layout of the form while it loads, with long content, and at the end of a payment. */
import { startDesktopChromium } from '../browsers/desktop-chromium.ts';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formOn, STATES } from '../support/form-states.ts';
import { NO_OVERFLOW, overflowOf } from '../support/overflow.ts';
import { type Picture, pixelsIn, readPicture } from '../support/pixels.ts';

declare global {
  interface Window {
    /** The scores of the layout shifts. */
    shifts: number[];
    /** The durations of the animations in an outcome, in ms. */
    lasting: number[];
  }
}

const DARK = ':root { color-scheme: dark } body { background: #15171b; color: #fff } h1 { color: #888 }';

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

const total = (shifts: readonly number[]) => shifts.reduce((sum, shift) => sum + shift, 0);

const settled = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });

test.describe('while it loads', () => {
  for (const { what, width, height } of [
    { what: 'a phone', width: 390, height: 844 },
    { what: 'a desktop', width: 900, height: 900 },
  ]) {
    test(`nothing moves on ${what}: a layout shift of 0, on the page and in the frame`, async ({
      open,
      page,
      service,
    }) => {
      await page.setViewportSize({ width, height });
      await page.addInitScript(noteShifts);
      // The page reserves room for the form, as the documentation says: only the page can before a script has run.
      const body =
        '<main><h1>Checkout</h1><div id="card-form" style="min-height: 960px"></div><p>By paying you accept our terms.</p></main>';
      const checkout = await open(await service.createIntent(), { body });
      await checkout.ready();
      for (const frame of page.frames()) {
        await frame.evaluate(settled);
        expect(total(await frame.evaluate(() => window.shifts)), frame.url()).toBe(0);
      }
      // The observer does notice a shift.
      await page.evaluate(() => document.querySelector('h1')?.style.setProperty('margin-top', '90px'));
      await page.evaluate(settled);
      await expect.poll(async () => total(await page.evaluate(() => window.shifts))).toBeGreaterThan(0);
    });
  }

  test('nothing moves in the frame where scroll bars take room', async ({ serve, service }) => {
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

  test('no flash of white in a dark page', async ({ merchant, page, service, serve }) => {
    test.slow();
    const intent = await service.createIntent();
    const css = `${DARK} main { height: 1300px }`;
    const address = serve(intent, { css });
    await page.goto(merchant.serve({ body: '<main></main>', css }));
    const session = await page.context().newCDPSession(page);
    const pictures: string[] = [];
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      pictures.push(data);
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
    });
    await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
    // Slow enough that every step is painted.
    await page.route(/card-form|assets/, async (route) => {
      await page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
          }),
      );
      await route.continue();
    });
    await page.goto(address);
    const form = formOn(page);
    await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
    await form.field('cc-number').fill(CARD.visa);
    await expect.poll(() => pictures.length).toBeGreaterThan(3);
    await session.send('Page.stopScreencast');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const bright = pictures.map((one) => brightnessOf(readPicture(Buffer.from(one, 'base64'))));
    expect(Math.max(...bright), bright.join(' ')).toBeLessThan(0.1);
    // The measure does recognise a white page.
    await page.goto(merchant.serve({ css: 'body { background: white }' }));
    expect(brightnessOf(readPicture(await page.screenshot()))).toBeGreaterThan(0.9);
  });
});

/** The share of nearly white pixels in a picture, 0 to 1. */
const brightnessOf = ({ width, height, at }: Picture): number => {
  let count = 0;
  for (const [x, y] of pixelsIn({ x: 0, y: 0, width, height }))
    if (at(x, y).reduce((sum, channel) => sum + channel, 0) > 600) count += 1;
  return count / (width * height);
};

/** Records the duration of each animation in an outcome at its start, since it may have ended a moment later. */
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
    { reducedMotion: 'reduce', what: 'is there at once where motion is not wanted', longest: 10 },
  ] as const) {
    test(`${what}, and then nothing moves`, async ({ page, service, open }) => {
      await page.emulateMedia({ reducedMotion });
      await page.addInitScript(noteMotion);
      const { root } = await STATES.succeeded({ page, service, open, locale: 'en' });
      const form = root.locator('#form');
      const lasting = () => form.evaluate(() => window.lasting);
      await expect.poll(async () => (await lasting()).length).toBe(4); // the mark, what is drawn in it, the words, the receipt
      expect(Math.max(...(await lasting()))).toBeLessThanOrEqual(longest);
      await expect.poll(() => form.evaluate((all) => all.getAnimations({ subtree: true }).length)).toBe(0);
    });
  }
});

/** Long names, and a total with as many digits as a payment can have. */
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

test('a hundred items scroll in a list of their own, by keyboard, and the button stays in reach', async ({
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

test.describe('no text is cut off, with the longest amounts and names', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 320, height: 1500 } });

  for (const [currency, appearance] of [
    ['usd', { labels: 'above' }],
    ['eur', { labels: 'floating' }],
    ['eur', { fields: 'grouped' }],
  ] as const) {
    test(`in every language, with ${Object.entries(appearance).join().replace(',', ' ')}, at 340, 320 and 200 px; state and postal code share a line at 340 if labels are above`, async ({
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
      const softly = expect.configure({ soft: true }); // one language that fails does not hide the others
      // One form in all languages: a page load for each would take most of the time.
      for (const language of LANGUAGES) {
        await page.evaluate((locale) => window.forms[0]?.update({ locale }), language);
        await expect(form.root).toHaveAttribute('lang', language);
        await form.root.evaluate(settled); // the layout is that of the new words
        for (const width of [340, 320, 200]) {
          await page.setViewportSize({ width, height: 1500 });
          await softly.poll(() => overflowOf(form.root), `${language} ${width} px`).toEqual(NO_OVERFLOW);
          // A label inside its field is larger: two long ones, such as the Slovenian, take a line each.
          if (width !== 340 || !('labels' in appearance && appearance.labels === 'above')) continue;
          const tops = ['address-level1', 'postal-code'].map((token) =>
            form.field(token).evaluate((it) => it.getBoundingClientRect().top),
          );
          softly(new Set(await Promise.all(tops)).size, `${language} ${width} px`).toBe(1);
        }
      }
    });
  }
});

test('nothing scrolls in any state, at 320, 400 and 900 px, in light and in dark', async ({
  open,
  page,
  service,
}) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const checkout = await open(await service.createIntent(), {
    css: ':root { color-scheme: light dark } body { background: light-dark(#fff, #121214); color: light-dark(#16202e, #f1f2f4) }',
  });
  const form = checkout.frame.locator(':root');
  const scrolls = (root: Element) => [
    root.scrollWidth - root.clientWidth,
    root.scrollHeight - root.clientHeight,
  ];
  const expectNoScrolling = async (state: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(form).toHaveAttribute('data-scheme', colorScheme);
      for (const width of [320, 400, 900]) {
        await page.setViewportSize({ width, height: 1500 });
        const where = `${state}, ${colorScheme}, ${width} px`;
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), where).toBe(width);
        await expect.poll(() => form.evaluate(scrolls), where).toEqual([0, 0]);
      }
    }
  };
  await checkout.ready();
  await expectNoScrolling('empty');
  await checkout.pay();
  await expect(checkout.field('zip')).toHaveAttribute('aria-invalid', 'true');
  await expectNoScrolling('with problems');
  await checkout.details.click();
  await checkout.fill({ number: CARD.declined });
  await checkout.pay();
  await expect(checkout.notice).toContainText('declined');
  await expectNoScrolling('declined');
  await checkout.fillCard(CARD.totalRises);
  await checkout.pay();
  await expect(checkout.notice).toContainText('The total changed');
  await expectNoScrolling('total changed');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await expectNoScrolling('paid');
});
