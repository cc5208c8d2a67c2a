/** Fields that share an outline: `appearance.fields: 'grouped'`. */
import type { Page } from 'playwright/test';
import { expect, type Open, test } from '../support/fixtures.ts';
import { type Form, formOn } from '../support/form-states.ts';
import type { Service } from '../support/service.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 1500 } });

const openForm = async (open: Open, service: Service, options: object = {}): Promise<Form> => {
  const { page } = await open(await service.createIntent(), {
    css: 'body { margin: 0 } h1 { display: none }',
    options: { appearance: { fields: 'grouped' }, ...options },
  });
  const form = formOn(page);
  await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
  return form;
};

const resize = async (page: Page, form: Form, width: number) => {
  await page.setViewportSize({ width, height: 1500 });
  await form.settled();
};

type Cell = { name: string; left: number; top: number; right: number; bottom: number; radii: string[] };

/** The controls of the two groups, and the rounded corners of each, clockwise from the top left. */
const groupsOf = ({ frame }: Form): Promise<readonly (readonly Cell[])[]> =>
  frame.locator('.fields').evaluateAll((groups) =>
    groups.map((group) =>
      [...group.querySelectorAll('.control:not(#field-name, #field-email)')].map((control) => {
        const { left, top, right, bottom } = control.getBoundingClientRect();
        const style = getComputedStyle(control);
        const radii = {
          'top left': style.borderTopLeftRadius,
          'top right': style.borderTopRightRadius,
          'bottom right': style.borderBottomRightRadius,
          'bottom left': style.borderBottomLeftRadius,
        };
        const round = Object.entries(radii).filter(([, radius]) => radius !== '0px');
        return { name: control.id, left, top, right, bottom, radii: round.map(([corner]) => corner) };
      }),
    ),
  );

const WIDTHS = [320, 390, 1280] as const;

/** A language, a country whose address has other fields, and a field that the country does not have. */
const LOCALES = [
  ['en', 'US', ''],
  ['de', 'DE', 'address-level1'],
  ['ja', 'JP', 'address-level2'],
  ['ar', 'AE', 'postal-code'],
] as const;

test('in both directions of writing, the fields of a group share 1 px borders, only its outer corners are round, and expiry date and code are side by side below the number', async ({
  open,
  page,
  service,
}) => {
  test.slow();
  const form = await openForm(open, service);
  await form.field('country').focus();
  await expect.poll(() => form.field('country').locator('option').count()).toBeGreaterThan(200);
  for (const [locale, country, lacking] of LOCALES) {
    await page.evaluate((to) => window.forms[0]?.update({ locale: to }), locale);
    await expect(form.root).toHaveAttribute('lang', locale);
    await form.field('country').selectOption(country);
    if (lacking) await expect(form.field(lacking)).toHaveCount(0);
    for (const width of WIDTHS) {
      await resize(page, form, width);
      const groups = await groupsOf(form);
      expect(groups.map(({ length }) => length > 2)).toEqual([true, true]);
      // The number on top; expiry date and code side by side below it. Longer labels take a line each.
      const [number, expiry, code] = groups[0] ?? [];
      if (locale === 'en')
        expect([expiry?.top, code?.top], `${width} px`).toEqual(Array(2).fill((number?.bottom ?? 0) - 1));
      for (const cells of groups) {
        const left = Math.min(...cells.map((cell) => cell.left));
        const right = Math.max(...cells.map((cell) => cell.right));
        const top = Math.min(...cells.map((cell) => cell.top));
        const bottom = Math.max(...cells.map((cell) => cell.bottom));
        const near = (one: number, other: number) => Math.abs(one - other) < 0.1;
        for (const cell of cells) {
          const where = `${cell.name}, ${locale}, ${width} px`;
          // Each side is an edge of the group or the border of a neighbour.
          const shares = (side: 'left' | 'top', opposite: 'right' | 'bottom') =>
            cells.some((other) => near(other[opposite] - 1, cell[side]));
          expect(near(cell.left, left) || shares('left', 'right'), where).toBe(true);
          expect(near(cell.top, top) || shares('top', 'bottom'), where).toBe(true);
          const outer = [
            near(cell.top, top) && near(cell.left, left) && 'top left',
            near(cell.top, top) && near(cell.right, right) && 'top right',
            near(cell.bottom, bottom) && near(cell.right, right) && 'bottom right',
            near(cell.bottom, bottom) && near(cell.left, left) && 'bottom left',
          ];
          expect(cell.radii, where).toEqual(outer.filter((corner) => corner !== false));
        }
      }
    }
  }
});

test('the corners follow the country, also when it changes', async ({ open, service }) => {
  const form = await openForm(open, service);
  await form.field('country').focus();
  await expect.poll(() => form.field('country').locator('option').count()).toBeGreaterThan(200);
  const lowest = async () => {
    const [, cells = []] = await groupsOf(form);
    return cells
      .filter(({ radii }) => radii.some((corner) => corner.startsWith('bottom')))
      .map(({ name }) => name);
  };
  expect(await lowest()).toEqual(['field-city']);
  await form.field('country').selectOption('GB');
  await expect(form.field('address-level1')).toHaveCount(0);
  expect(await lowest()).toEqual(['field-city', 'field-postal_code']);
});

test('the focused field is above its neighbours, with its border on all four sides', async ({
  open,
  service,
}) => {
  const form = await openForm(open, service);
  /** The topmost control at the border between number and expiry date. */
  const atSharedBorder = () =>
    form.root.evaluate(() => {
      const box = document.querySelector('#field-expiry')?.getBoundingClientRect();
      return box && document.elementFromPoint(box.left + 40, box.top + 0.5)?.id;
    });
  for (const name of ['number', 'expiry'] as const) {
    await form.frame.locator(`#field-${name}`).focus();
    expect(await atSharedBorder()).toBe(`field-${name}`);
    const colours = await form.frame.locator(`#field-${name}`).evaluate((control) => {
      const style = getComputedStyle(control);
      return [style.borderTopColor, style.borderRightColor, style.borderBottomColor, style.borderLeftColor];
    });
    expect(colours).toEqual(Array(4).fill('rgb(37, 87, 214)'));
  }
});

test("problems are below their group, name their field and describe it; the field's border is red on all four sides", async ({
  open,
  service,
}) => {
  const form = await openForm(open, service);
  await form.press();
  const [card = [], address = []] = await groupsOf(form);
  const messages = form.frame.locator('.problem:not(:empty)');
  await expect(messages).toHaveText([
    'Card number: Enter your card number.',
    'Expiry date: Enter the expiry date.',
    'Security code: Enter the security code.',
    'Enter the name on your card.',
    'Enter your email address.',
    'Address: Enter your address.',
    'ZIP code: Enter your ZIP code.',
    /^State: /,
    /^City: /,
  ]);
  const tops = await messages.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
  expect(Math.min(...tops.slice(0, 3))).toBeGreaterThanOrEqual(Math.max(...card.map(({ bottom }) => bottom)));
  expect(Math.min(...tops.slice(5))).toBeGreaterThanOrEqual(Math.max(...address.map(({ bottom }) => bottom)));
  for (const [token, description] of [
    ['cc-exp', 'Expiry date: Enter the expiry date.'],
    ['postal-code', 'ZIP code: Enter your ZIP code.'],
    ['email', 'Enter your email address.'],
  ] as const) {
    await expect(form.field(token)).toHaveAccessibleDescription(description);
    await form.field('cc-name').focus();
    const colours = await form.field(token).evaluate((control) => {
      const style = getComputedStyle(control);
      return [style.borderTopColor, style.borderRightColor, style.borderBottomColor, style.borderLeftColor];
    });
    expect(colours, token).toEqual(Array(4).fill('rgb(180, 35, 24)'));
  }
  await form.field('postal-code').fill('97205');
  await expect(form.field('postal-code')).toHaveAccessibleDescription('');
});

test('a problem below the group does not move the button while a press is under way', async ({
  open,
  page,
  service,
}) => {
  const form = await openForm(open, service);
  await form.fillIn();
  await form.field('cc-number').fill('99999'); // of no brand, and too short to move on to the next field
  const message = form.frame.locator('#problem-number');
  await expect(message).toBeEmpty();
  const box = await form.pay.boundingBox();
  if (!box) throw new Error('There is no button.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await expect(form.field('cc-number')).not.toBeFocused();
  expect(await form.pay.boundingBox()).toMatchObject({ x: box.x, width: box.width });
  expect(Math.abs(((await form.pay.boundingBox())?.y ?? 0) - box.y)).toBeLessThan(2); // the pressed button sinks 1 px
  await page.mouse.up();
  await expect(message).toHaveText(/^Card number: /);
});

test('in forced colours no label covers a placeholder', async ({ open, page, service }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const form = await openForm(open, service);
  const opacity = () =>
    form.field('cc-number').evaluate((control) => getComputedStyle(control, '::placeholder').opacity);
  expect(await opacity()).toBe('0');
  await form.field('cc-number').focus();
  expect(await opacity()).toBe('1');
});

test('update() groups fields and separates them again; typed text and its problem stay', async ({
  open,
  page,
  service,
}) => {
  const form = await openForm(open, service, { appearance: {} });
  await form.field('cc-number').fill('4242424242424241');
  await form.field('cc-exp').focus();
  const message = form.frame.locator('#problem-number');
  const text = await message.textContent();
  expect(text).toMatch(/mistake/);
  const update = (appearance: object) =>
    page.evaluate((given) => window.forms[0]?.update({ appearance: given }), appearance);
  await update({ fields: 'grouped' });
  await expect(message).toHaveText(`Card number: ${text}`);
  await expect(message).toHaveCount(1);
  await update({});
  await expect(message).toHaveText(text ?? '');
  await expect(form.field('cc-number')).toHaveValue('4242 4242 4242 4241');
});

test('the styles of groups are not in the first response', async ({ page, service }) => {
  const response = await page.request.get(`${service.url}/partner/v1/card-form/frame`);
  expect(await response.text()).not.toContain('data-edges');
});
