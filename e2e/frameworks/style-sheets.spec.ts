/**
 * `appearance.from` beside the style sheets of ten frameworks: compares the page's field and button with the form's,
 * pixel by pixel. `PICTURES=1 npm run test:frameworks -- style-sheets` takes a screenshot of each page; `npm run
 * screenshots` puts them on one sheet.
 */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { SCREENSHOTS } from '../screenshots/plan.ts';
import { type CheckoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { formOn, hideRibbon } from '../support/form-states.ts';
import { type Colour, readPicture } from '../support/pixels.ts';
import { deltaE } from './delta-e.ts';
import { installProject } from './project.ts';
import { PACKAGES, type Rendered, readerIn, SAMPLES, type Sample, STATES } from './style-sheets.ts';

type Sheets = { rendered: Rendered; read: (path: string) => Promise<string> };

const test = base.extend<object, { sheets: Sheets }>({
  sheets: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
    async ({}, use) => {
      const project = await installProject(PACKAGES);
      const template = new URL('templates/style-sheets/render.mjs', import.meta.url);
      await project.write({ 'render.mjs': await readFile(template, 'utf8') });
      const rendered = JSON.parse(await project.run(['node', 'render.mjs']));
      await use({ rendered, read: readerIn(project.folder) });
      await project.remove();
    },
    { scope: 'worker', timeout: 5 * 60_000 },
  ],
});

test.describe.configure({ mode: 'default' }); // one project serves all
test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 560, height: 1100 } });

/** The range around an edge in which pixels are compared, in px: rings reach 6 px outside, lines 5 px inside. */
const REACH = { out: 6, into: 5 };

/** The minimum height of a field of the form, in px. */
const LEAST = 36;

type Strip = { top: readonly Colour[]; bottom: readonly Colour[]; height: number };

/**
 * The colours across the upper and the lower edge of a box, left of its middle, where there is no text. Transitions
 * have ended.
 */
const stripOf = async (page: Page, box: Locator): Promise<Strip> => {
  const { x, y, width, height } = (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const from = Math.floor(y) - 10;
  const clip = { x: Math.round(x + width * 0.3), y: from, width: 1, height: Math.ceil(height) + 20 };
  const picture = readPicture(await page.screenshot({ animations: 'disabled', clip }));
  const across = (edge: number, direction: 1 | -1) =>
    Array.from({ length: REACH.out + REACH.into }, (_, step) =>
      picture.at(0, edge - from + direction * (step - REACH.out)),
    );
  return { top: across(Math.round(y), 1), bottom: across(Math.round(y + height) - 1, -1), height };
};

/** The strip once two readings in succession are equal. */
const settledStrip = async (page: Page, box: Locator): Promise<Strip> => {
  let strip = await stripOf(page, box);
  await expect(async () => {
    const before = strip;
    strip = await stripOf(page, box);
    expect(strip).toEqual(before);
  }).toPass();
  return strip;
};

/** Lists each pixel that differs by more than ΔE 2, with its distance from the edge in px and both colours. */
const differences = (their: Strip, our: Strip): readonly string[] =>
  (['top', 'bottom'] as const).flatMap((edge) => {
    // Either edge may fall between pixels, and round differently.
    const shifted = [0, 1, -1].map((shift) =>
      their[edge].flatMap((colour, step) => {
        const own = our[edge][step + shift] ?? colour;
        return deltaE(colour, own) > 2 ? [`${edge} ${step - REACH.out}: ${colour}, ours ${own}`] : [];
      }),
    );
    return shifted.toSorted((one, other) => one.length - other.length)[0] ?? [];
  });

const toggle = (page: Page, mark: Sample['invalid'] | undefined, isOn: boolean) =>
  page.evaluate(
    ([selector = '', name = '', value = '', set]) => {
      for (const one of selector ? document.querySelectorAll(selector) : []) {
        if (name === 'class') one.classList.toggle(value, set);
        else if (set) one.setAttribute(name, value);
        else one.removeAttribute(name);
      }
    },
    [mark?.on, mark?.name, mark?.value, isOn] as const,
  );

const leaveAll = async (page: Page, sample: Sample) => {
  await page.mouse.move(5, 5);
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.forms[0]?.blur();
  });
  await toggle(page, sample.invalid, false);
  await toggle(page, sample.focused, false);
};

type State = (typeof STATES)[number];

/** Puts the page's field or button into a state. */
const put = async (page: Page, box: Locator, control: Locator, sample: Sample, state: State) => {
  if (state === 'hover') await box.hover({ position: { x: 40, y: 8 } });
  if (state === 'invalid') await toggle(page, sample.invalid, true);
  if (state !== 'focus') return;
  await control.focus();
  await page.keyboard.press('Shift'); // the browser shows a button's focus only after key input
};

/** Puts the form's field or button into a state. */
const putOwn = async (page: Page, box: Locator, state: State) => {
  await box.evaluate((element, isInvalid) => {
    if (isInvalid) element.closest('.field')?.setAttribute('data-state', 'problem');
  }, state === 'invalid');
  if (state === 'hover') await box.hover({ position: { x: 40, y: 8 } });
  if (state !== 'focus') return;
  await box.focus();
  await page.keyboard.press('Shift');
};

const compare = async (page: Page, checkout: CheckoutPage, sample: Sample) => {
  const { field, button } = sample.from;
  const pairs = [
    ['field', page.locator(field), page.locator('#email'), checkout.field('name')],
    ['button', page.locator(button), page.locator(button), checkout.payButton],
  ] as const;
  for (const [name, theirs, control, ours] of pairs) {
    let rest: Strip | undefined;
    for (const state of STATES) {
      if (name === 'button' && state === 'invalid') continue;
      await leaveAll(page, sample);
      await put(page, theirs, control, sample, state);
      if (name === 'field' && state === 'focus') await toggle(page, sample.focused, true);
      const their = await settledStrip(page, theirs);
      rest ??= their;
      // The form draws an outline where the page's own focus is invisible.
      const isUnseen = state === 'focus' && differences(their, rest).length === 0;
      if (isUnseen || sample.except?.includes(`${name}:${state}`)) continue;
      await leaveAll(page, sample);
      await putOwn(page, ours, state);
      await expect
        .poll(async () => differences(their, await stripOf(page, ours)), { message: `${name}:${state}` })
        .toEqual([]);
      if (state !== 'rest') continue;
      const { height } = await stripOf(page, ours);
      expect(Math.abs(Math.max(their.height, LEAST) - height), `height of the ${name}`).toBeLessThanOrEqual(
        1,
      );
    }
  }
};

/** A picture of the page from its own field to the form's button, without the ribbon. */
const takePicture = async (page: Page, payButton: Locator, name: string) => {
  const form = formOn(page);
  await hideRibbon(form);
  await form.settled();
  const { y = 0, height = 0 } = (await payButton.boundingBox()) ?? {};
  const clip = { x: 0, y: 0, width: 472, height: Math.ceil(y + height) + 16 };
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, clip });
};

for (const sample of SAMPLES)
  for (const [index, scheme] of sample.schemes.entries())
    test(`${sample.name} in ${scheme}: field and button differ by at most 1 px and ΔE 2 in each state`, {
      tag: index > 0 ? ['@thorough'] : [],
    }, async ({ open, page, service, sheets: { read, rendered } }) => {
      const rootOf = sample.root?.(scheme) ?? {};
      const sheet = await sample.css(read, rendered, scheme);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.addInitScript((attributes) => {
        const set = () => {
          for (const [name, value] of Object.entries(attributes))
            document.documentElement?.setAttribute(name, value);
        };
        set();
        document.addEventListener('readystatechange', set);
      }, rootOf);
      const checkout = await open(await service.createIntent(), {
        css: `${sheet}\nbody { margin: 16px !important; padding: 0 !important } #shop, #card-form { width: 440px }\n #shop { margin-bottom: 40px } #shop p { margin: 24px 0 }`,
        body: `<main><div id="shop">${sample.body(rendered, scheme)}</div><div id="card-form"></div></main>`,
        options: {
          appearance: { from: sample.from, labels: 'above' },
          defaultValues: { billingDetails: { ...KNOWN_BUYER.billingDetails, name: undefined } },
        },
      });
      await checkout.ready();
      await expect(checkout.frame.locator(':root')).toHaveAttribute('data-scheme', scheme);
      if (process.env.PICTURES) await takePicture(page, checkout.payButton, `from-${sample.name}-${scheme}`);
      await compare(page, checkout, sample);
    });
