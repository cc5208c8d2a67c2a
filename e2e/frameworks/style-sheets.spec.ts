/** `appearance.from` beside the style sheets of ten frameworks: the page's field and button, and the form's, pixel by pixel. */
import type { Locator, Page } from 'playwright/test';
import type { CheckoutPage } from '../support/checkout-page.ts';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { type Colour, readPicture } from '../support/pixels.ts';
import { deltaE } from './delta-e.ts';
import { installProject } from './project.ts';
import { PACKAGES, readerIn, SAMPLES, type Sample } from './style-sheets.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 560, height: 1500 } });

/** How far from an edge pixels are compared, in px: rings reach 6 px outside, lines 5 px inside. */
const REACH = { out: 6, into: 5 };

type Strip = { top: readonly Colour[]; bottom: readonly Colour[]; width: number; height: number };

/** The colours across the upper and the lower edge of a box, left of its middle, where no text is. */
const stripOf = async (page: Page, box: Locator, at: number): Promise<Strip> => {
  const { x, y, width, height } = (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const picture = readPicture(await page.screenshot());
  const column = Math.round(x + width * at);
  const across = (edge: number, direction: 1 | -1) =>
    Array.from({ length: REACH.out + REACH.into }, (_, step) =>
      picture.at(column, edge + direction * (step - REACH.out)),
    );
  return { top: across(Math.round(y), 1), bottom: across(Math.round(y + height) - 1, -1), width, height };
};

let folder = process.env.STYLE_SHEETS ?? '';
let remove = async () => {};
let rendered = '';

test.beforeAll(async () => {
  test.setTimeout(300_000);
  if (folder) {
    const { readFile } = await import('node:fs/promises');
    rendered = await readFile(`${folder}/out.json`, 'utf8');
    return;
  }
  const project = await installProject(PACKAGES, '', {});
  const { readFile } = await import('node:fs/promises');
  await project.write({
    'render.mjs': await readFile(new URL('templates/style-sheets/render.mjs', import.meta.url), 'utf8'),
  });
  rendered = await project.run(['node', 'render.mjs']);
  ({ folder, remove } = project);
});

test.afterAll(() => remove());

const STATES = ['rest', 'hover', 'focus', 'invalid'] as const;

const setInvalid = (page: Page, { on, name, value }: Sample['invalid'], isOn: boolean) =>
  page.evaluate(
    ([selector, attribute, given, set]) => {
      for (const one of document.querySelectorAll(selector)) {
        if (attribute === 'class') one.classList.toggle(given, set);
        else if (set) one.setAttribute(attribute, given);
        else one.removeAttribute(attribute);
      }
    },
    [on, name, value, isOn] as const,
  );

for (const sample of SAMPLES)
  for (const scheme of sample.schemes)
    test(`${sample.name} in ${scheme}: field and button differ by at most 1 px and ΔE 2 in each state`, async ({
      open,
      page,
      service,
    }) => {
      const read = JSON.parse(rendered);
      const rootOf = sample.root?.(scheme) ?? {};
      const sheet = await sample.css(readerIn(folder), read, scheme);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.addInitScript((attributes) => {
        for (const [name, value] of Object.entries(attributes))
          document.documentElement?.setAttribute(name, value);
        document.addEventListener('readystatechange', () => {
          for (const [name, value] of Object.entries(attributes))
            document.documentElement.setAttribute(name, value);
        });
      }, rootOf);
      const checkout = await open(await service.createIntent(), {
        css: `${sheet}\nbody { margin: 16px !important; padding: 0 !important } #shop, #card-form { width: 440px }\n #shop { margin-bottom: 40px } #shop p { margin: 24px 0 }`,
        body: `<main><div id="shop">${sample.body(read, scheme)}</div><div id="card-form"></div></main>`,
        options: {
          appearance: { from: sample.from, labels: 'above' },
          defaultValues: { billingDetails: { ...KNOWN_BUYER.billingDetails, name: undefined } },
        },
      });
      await checkout.ready();
      await expect(checkout.frame.locator(':root')).toHaveAttribute('data-scheme', scheme);
      const report = await compare(page, checkout, sample);
      if (process.env.SHOW)
        await page.screenshot({ path: `${process.env.SHOW}/${sample.name}-${scheme}.png` });
      expect(report).toEqual([]);
    });

const compare = async (page: Page, checkout: CheckoutPage, sample: Sample): Promise<readonly string[]> => {
  const pairs = [
    ['field', page.locator(sample.from.field), checkout.field('name')],
    ['button', page.locator(sample.from.button), checkout.payButton],
  ] as const;
  const found: string[] = [];
  for (const [name, theirs, ours] of pairs) {
    let atRest = '';
    for (const state of STATES) {
      if (name === 'button' && state === 'invalid') continue;
      const strips: Strip[] = [];
      for (const [index, box] of [theirs, ours].entries()) {
        const isTheirs = index === 0;
        await page.mouse.move(5, 5);
        await page.evaluate(() =>
          document.activeElement instanceof HTMLElement ? document.activeElement.blur() : 0,
        );
        await page.evaluate(() => window.forms[0]?.blur());
        if (state === 'hover') await box.hover({ position: { x: 40, y: 8 } });
        if (state === 'focus') {
          await (isTheirs && name === 'field' ? page.locator('#email') : box).focus();
          await page.keyboard.press('Shift'); // the browser shows the focus of buttons for keys alone
          if (isTheirs && name === 'field' && sample.focused)
            await setInvalid(page, { name: 'class', ...sample.focused }, true);
        }
        if (state === 'invalid') {
          if (isTheirs) await setInvalid(page, sample.invalid, true);
          else {
            await ours.evaluate((field) => field.closest('.field')?.setAttribute('data-state', 'problem'));
          }
        }
        await page.waitForTimeout(400);
        strips.push(await stripOf(page, box, 0.3));
        if (isTheirs) await setInvalid(page, sample.invalid, false);
        if (isTheirs && sample.focused) await setInvalid(page, { name: 'class', ...sample.focused }, false);
      }
      const [their, our] = strips;
      if (!their || !our) continue;
      // The form draws an outline where the page's own focus cannot be seen.
      if (state === 'rest') atRest = JSON.stringify([their.top, their.bottom]);
      if (state === 'focus' && JSON.stringify([their.top, their.bottom]) === atRest) continue;
      const least = 36;
      if (state === 'rest' && Math.abs(Math.max(their.height, least) - our.height) > 1)
        found.push(`${name}: ${their.height}px high, ours ${our.height}px`);
      for (const edge of ['top', 'bottom'] as const) {
        // Both may stand between pixels, each in its own way.
        const shifted = [0, 1, -1].map((shift) =>
          their[edge].map((colour, step) => deltaE(colour, our[edge][step + shift] ?? colour)),
        );
        const far = shifted.toSorted((one, other) => Math.max(...one) - Math.max(...other))[0] ?? [];
        const worst = Math.max(...far);
        if (worst > 2)
          found.push(
            `${name}:${state} ${edge} ${far
              .map((one, step) =>
                one > 2 ? `${step - REACH.out}: ${their[edge][step]} ours ${our[edge][step]}` : '',
              )
              .filter(Boolean)
              .join(' | ')}`,
          );
      }
    }
    const type = (box: Locator) =>
      box.evaluate((element) => {
        const text = element.querySelector('input') ?? element;
        const { fontSize, fontWeight, letterSpacing, fontFamily } = getComputedStyle(text);
        return { fontSize, fontWeight, letterSpacing, fontFamily };
      });
    const [their, our] = [await type(theirs), await type(ours)];
    if (process.env.SHOW) console.log(sample.name, name, JSON.stringify(their), JSON.stringify(our));
  }
  return found;
};
