/**
 * promises 2.7: the form is legible on whatever the page paints behind it. The contrast is measured from pixels, on
 * foreign pages. Each page with different elements is opened; one page shows all colours and ways to change them.
 * src/form/channel/backdrop.test.ts judges more of them.
 */
import type { Frame, Page } from 'playwright/test';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { measureContrast } from '../support/contrast.ts';
import { expect, test } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { openStrangeShop, type StrangeShop } from '../support/strange-shop.ts';

const picture = (colours: readonly string[]) =>
  `url("data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'>${colours
      .map((colour, at) => `<rect width='90' height='30' y='${at * 30}' fill='${colour}'/>`)
      .join('')}</svg>`,
  )}")`;

const NIGHT_SKY = picture(['#05070d', '#0b1a33', '#3b4d73']);
const MEADOW = picture(['#9ed36a', '#e8f7c8', '#2f6b1e']);

/** `see-through`: the page shows through the form. `panel`: the form lays a panel under itself. */
type Look = 'light see-through' | 'dark see-through' | 'light panel' | 'dark panel';

type Case = StrangeShop & { what: string; look: Look; system?: 'light' | 'dark' };

const light = (what: string, shop: StrangeShop): Case => ({ what, look: 'light see-through', ...shop });
const dark = (what: string, shop: StrangeShop): Case => ({ what, look: 'dark see-through', ...shop });
const panel = (what: string, look: 'light panel' | 'dark panel', shop: StrangeShop): Case => ({
  what,
  look,
  ...shop,
});

const inside = (...around: readonly string[]) =>
  `${around.map((style) => `<div style="${style}">`).join('')}<div id="payment"></div>${'</div>'.repeat(around.length)}`;

const IN_SHADOW = `const host = document.querySelector('#payment').parentElement;
  const root = host.attachShadow({ mode: 'open' });
  root.innerHTML = '<section style="background: #101418; color: #eee; padding: 12px"><slot></slot></section>'`;

/** Pages that differ only in a style: one page wears the styles one after another, like a change of theme. */
const WORN: readonly Case[] = [
  light('white', { css: 'body { background: #fff }' }),
  light('no background', { css: 'body { background: none }' }),
  light('#eee', { css: 'body { background: #eee }' }),
  light('pale blue', { css: 'body { background: hsl(210 100% 97%) }' }),
  light('oklch', { css: 'body { background: oklch(97% 0.02 90) }' }),
  light('lab', { css: 'body { background: lab(96% 2 4) }' }),
  dark('dark, without a color-scheme', { css: 'body { background: #101418; color: #e8eaed }' }),
  dark('dark, in oklch', { css: 'body { background: oklch(21% 0.034 264.665); color: #fff }' }),
  dark('dark, in lab', { css: 'body { background: lab(8% 1 -4); color: #fff }' }),
  dark('dark, in display-p3', { css: 'body { background: color(display-p3 0.05 0.07 0.1); color: #fff }' }),
  dark('color-mix()', { css: 'body { background: color-mix(in srgb, navy, black 70%); color: #fff }' }),
  dark('#333', { css: 'body { background: #333; color: #fff }' }),
  dark('navy', { css: 'body { background: #0b2038; color: #fff }' }),
  panel('grey', 'light panel', { css: 'body { background: #888; color: #000 }' }),
  panel('grey with white text', 'dark panel', { css: 'body { background: #777; color: #fff }' }),
  panel('red', 'dark panel', { css: 'body { background: #c8102e; color: #fff }' }),
  panel('yellow', 'light panel', { css: 'body { background: #ffd400 }' }),
  panel('teal in oklch', 'dark panel', { css: 'body { background: oklch(60% 0.11 195); color: #fff }' }),
  panel('a gradient', 'light panel', { css: 'body { background: linear-gradient(#fff, #000) }' }),
  panel('a dark picture', 'dark panel', { css: `body { background: ${NIGHT_SKY}; color: #fff }` }),
  panel('a light picture', 'light panel', { css: `body { background: ${MEADOW} }` }),
];

/** Pages that differ in what surrounds the form, or in what the browser knows when it opens them. */
const PAGES: readonly Case[] = [
  light('a cream page', {}),
  light('a white card on a picture', {
    css: `body { background: ${NIGHT_SKY} }`,
    place: inside('background: #fff; padding: 12px'),
  }),
  light('a white drawer that stays in place', {
    css: 'body { background: #101418; color: #eee }',
    place: inside(
      'position: fixed; inset: 0 0 0 auto; width: 480px; background: #fff; color: #222; overflow: auto',
    ),
  }),
  { ...light('a page with its own colours on a dark system', {}), system: 'dark' },
  dark('a dark page that declares it', { night: true }),
  dark('the browser’s own dark canvas', { css: ':root { color-scheme: dark } body { background: none }' }),
  dark('the dark canvas, declared in the head', {
    head: '<meta name="color-scheme" content="dark">',
    css: 'body { background: none; color: CanvasText }',
  }),
  {
    ...dark('light and dark canvas on a dark system', {
      css: ':root { color-scheme: light dark } body { background: none; color: CanvasText }',
    }),
    system: 'dark',
  },
  dark('black at 88 % over white', {
    css: 'body { background: #fff }',
    place: inside('background: rgb(0 0 0 / 88%); color: #fff; padding: 12px'),
  }),
  dark('a dark card on a light page', { place: inside('background: #101418; color: #eee; padding: 12px') }),
  dark('a dark card in a shadow root', { place: inside(''), script: IN_SHADOW }),
  {
    ...dark('light-dark() on a dark system', {
      css: ':root { color-scheme: light dark } body { background: light-dark(#fff, #121214); color: light-dark(#222, #eee) }',
    }),
    system: 'dark',
  },
  panel('a gradient on the root', 'dark panel', {
    css: 'html { background: linear-gradient(90deg, #0b2038, #c8102e) } body { background: none; color: #fff }',
  }),
  panel('a card of glass on a picture', 'dark panel', {
    css: `body { background: ${NIGHT_SKY}; color: #fff }`,
    place: inside('background: rgb(255 255 255 / 12%); backdrop-filter: blur(8px); padding: 12px'),
  }),
  panel('a drawer without a background', 'light panel', {
    place: inside('position: fixed; inset: 0 0 0 auto; width: 480px; overflow: auto'),
  }),
  panel('a dialog without a background', 'dark panel', {
    css: 'dialog { background: none; border: 0; color: #fff; width: 480px } ::backdrop { background: #0009 }',
    place: '<dialog><div id="payment"></div></dialog>',
    script: "document.querySelector('dialog').showModal()",
  }),
  panel('a picture behind everything, before the body', 'dark panel', {
    css: `body { background: none; color: #fff } body::before { content: ''; position: fixed; inset: 0; z-index: -1; background: ${NIGHT_SKY} }`,
  }),
  panel('an inset shadow', 'dark panel', {
    css: 'body { background: #fff } .till { box-shadow: inset 0 0 0 900px #101418; color: #eee }',
  }),
  panel('a border image that fills its box', 'dark panel', {
    css: `body { background: #fff } .till { border: 1px solid; border-image: ${NIGHT_SKY} 30 fill; color: #eee }`,
  }),
  panel('a ::before in the same cell of a grid', 'dark panel', {
    css: `body { background: #fff } .cell { display: grid; color: #eee } .cell > *, .cell::before { grid-area: 1 / 1; min-width: 0 }
      .cell::before { content: ''; background: #101418 }`,
    place: '<div class="cell"><div id="payment"></div></div>',
  }),
  panel('the outline of a box below', 'dark panel', {
    css: `body { background: #fff } .till { position: relative; color: #eee }
      .rim { position: absolute; top: 0; left: 0; width: 1px; height: 1px; outline: 1500px solid #101418 }`,
    place: '<i class="rim"></i><div style="position: relative"><div id="payment"></div></div>',
  }),
  panel('a picture that is an element behind the form', 'dark panel', {
    css: `body { color: #fff } .till { position: relative } .sky { position: absolute; inset: 0; background: ${NIGHT_SKY}; pointer-events: none }`,
    place: '<div class="sky"></div><div style="position: relative"><div id="payment"></div></div>',
  }),
];

/** Returns illegible texts. */
const faintIn = async (page: Page, frame: Frame) =>
  (await measureContrast(page, frame)).filter(({ contrast }) => contrast < 4.5);

/** Replaces the page's latest styles. */
const wear = (page: Page, css: string) =>
  page.evaluate((text) => {
    const worn =
      document.querySelector('#worn') ?? document.head.appendChild(document.createElement('style'));
    worn.id = 'worn';
    worn.textContent = text;
  }, css);

/** The form's look: its scheme, and whether it has a panel. */
const lookOf = (frame: Frame) =>
  frame.evaluate(() => {
    const { dataset } = document.documentElement;
    const grounds = [document.body, document.querySelector('#form')].map((one) =>
      one ? getComputedStyle(one).backgroundColor : '',
    );
    const isPainted = grounds.some((colour) => !/^$|, 0\)$/.test(colour));
    return `${dataset.scheme} ${isPainted ? 'panel' : 'see-through'}`;
  });

test.describe('total and labels have 4.5:1', () => {
  test.use({ viewport: { width: 1280, height: 1200 } });

  for (const [at, { what, look, system = 'light', ...shop }] of PAGES.entries()) {
    test(`on ${what}: ${look}`, async ({ page, service, site }, info) => {
      await page.emulateMedia({ colorScheme: system, reducedMotion: 'reduce' });
      // Every second one without a button, because the page has its own.
      const options = at % 2 ? { defaultValues: KNOWN_BUYER } : { payButton: 'host' };
      const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), {
        options,
        ...shop,
      });
      await expect(checkout.total).toHaveText('$58.04');
      await checkout.hasAll();
      const frame = formFrame(page);
      await expect.poll(() => lookOf(frame)).toBe(look);
      expect(await faintIn(page, frame)).toEqual([]);
      await page.screenshot({ path: info.outputPath('page.png') });
    });
  }

  test('on a page of any colour, in any notation', async ({ page, service, site }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    const checkout = await openStrangeShop(page, { service, site }, await service.createIntent());
    await checkout.ready();
    await checkout.hasAll();
    const frame = formFrame(page);
    for (const { what, look, css = '' } of WORN) {
      await wear(page, css);
      await expect.poll(() => lookOf(frame), what).toBe(look);
      expect(await faintIn(page, frame), what).toEqual([]);
    }
  });
});

test.describe('the form notices whatever appears behind it later', () => {
  const add = (tag: string, text: string) => ({ tag, text });
  for (const [what, added, look] of [
    [
      'a style in the body, as of a tag manager',
      add('style', '.till { background: #101418; color: #eee }'),
      'dark see-through',
    ],
    [
      'a style with an absolute ::before',
      add(
        'style',
        `.till { position: relative; color: #eee }
        .till::before { content: ''; position: absolute; inset: 0; z-index: -1; background: #101418 }`,
      ),
      'dark panel',
    ],
    ['a sibling', add('p', ''), 'light panel'],
  ] as const) {
    test(what, async ({ page, service, site }) => {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      const css = `body { background: #fff } .till { position: relative }
        .till > p { position: absolute; inset: 0; margin: 0; background: #101418; z-index: -1 }`;
      // A page that never rests, such as one with a clock.
      const script = "setInterval(() => { document.querySelector('.terms').textContent = Date.now() }, 20)";
      const shop = { css, script };
      const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), shop);
      await checkout.ready();
      const frame = formFrame(page);
      expect(await lookOf(frame)).toBe('light see-through');
      await page.evaluate(({ tag, text }) => {
        const element = document.createElement(tag);
        element.textContent = text;
        document.querySelector('.till')?.append(element);
      }, added);
      await expect.poll(() => lookOf(frame)).toBe(look);
      expect(await faintIn(page, frame)).toEqual([]);
    });
  }
});

test('the form follows a page whose theme changes', async ({ page, service, site }) => {
  test.slow();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent());
  await checkout.ready();
  const frame = formFrame(page);
  const body = (colour: string) => `body { background: ${colour} } `;
  for (const [what, css, change] of [
    ['by a class of the root', `${body('#fff')} .dark body { background: #101418; color: #eee }`, 'dark'],
    [
      'by a class, with colours of text elsewhere',
      `${body('#fff')} .dark body { background: #101418 }`,
      'dark',
    ],
    [
      'by a class, with a fade',
      `${body('#fff')} body { transition: background-color 0.3s } .dark body { background: #101418; color: #eee }`,
      'dark',
    ],
    [
      'by data-theme',
      `${body('#fff')} [data-theme="dark"] body { background: #101418; color: #eee }`,
      'theme',
    ],
    [
      'with the system',
      `${body('#fff')} @media (prefers-color-scheme: dark) { body { background: #101418 } }`,
      'system',
    ],
    ['of a part around it', `${body('#fff')} main.dark { background: #101418; color: #eee }`, 'part'],
  ] as const) {
    await wear(page, css);
    await expect.poll(() => lookOf(frame), what).toBe('light see-through');
    const turn = (isDark: boolean) =>
      page.evaluate(
        ([how, on]) => {
          const { documentElement } = document;
          if (how === 'dark') documentElement.classList.toggle('dark', on);
          if (how === 'part') document.querySelector('main')?.classList.toggle('dark', on);
          if (how === 'theme') documentElement.dataset.theme = on ? 'dark' : 'light';
        },
        [change, isDark] as const,
      );
    await page.emulateMedia({ colorScheme: change === 'system' ? 'dark' : 'light' });
    await turn(true);
    await expect.poll(() => lookOf(frame), what).toBe('dark see-through');
    expect(await faintIn(page, frame), what).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await turn(false);
    await expect.poll(() => lookOf(frame), what).toBe('light see-through');
  }
});
