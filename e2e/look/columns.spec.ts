/** promises 2.7: which fields are side by side, by the width of the page's container. */
import type { Page } from 'playwright/test';
import { expect, type Open, test } from '../support/fixtures.ts';
import { type Form, formOn } from '../support/form-states.ts';
import type { Service } from '../support/service.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 1280, height: 1500 } });

const openForm = async (open: Open, service: Service, options: object = {}): Promise<Form> => {
  const { page } = await open(await service.createIntent(), {
    css: 'body { margin: 0 16px } h1 { display: none }',
    options,
  });
  const form = formOn(page);
  await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
  return form;
};

/** Sets the width of the container. The frame has 4 px more on each side. */
const resize = async (page: Page, form: Form, width: number) => {
  await page.setViewportSize({ width: width + 32, height: 1500 });
  await form.settled();
};

type Box = { name: string; x: number; y: number; right: number; bottom: number; width: number };

/** The boxes of the controls, the total and the button, in document order. */
const boxes = ({ frame }: Form): Promise<readonly Box[]> =>
  frame.locator('.control, .summary, .pay').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, right, bottom, width } = element.getBoundingClientRect();
      return { name: element.id || element.className, x, y, right, bottom, width };
    }),
  );

const boxOf = (all: readonly Box[], name: string): Box => {
  const found = all.find((box) => box.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};

/**
 * Countries whose addresses have state and postal code in sequence. In others, such as Mexico, the city is between
 * them.
 */
const WITH_STATE_AND_CODE = ['US', 'CA', 'AU', 'BR', 'JP', 'KR'] as const;

test('state and postal code share a line from 340 px on, and the code has room for ten characters', async ({
  open,
  page,
  service,
}) => {
  test.slow();
  const form = await openForm(open, service);
  const softly = expect.configure({ soft: true });
  for (const country of WITH_STATE_AND_CODE) {
    await form.field('country').focus(); // loads the whole list
    await expect.poll(() => form.field('country').locator('option').count()).toBeGreaterThan(200);
    await form.field('country').selectOption(country);
    await expect(form.field('address-level1')).toBeVisible();
    // The narrowest width, where it is hardest, for every country; all widths for one country.
    for (const width of country === 'US' ? [340, 390, 480, 720, 1280] : [340]) {
      await resize(page, form, width);
      const all = await boxes(form);
      const [state, code] = [boxOf(all, 'field-state'), boxOf(all, 'field-postal_code')];
      softly(Math.abs(state.y - code.y), `${country}, ${width} px`).toBeLessThan(1);
      await form.field('postal-code').fill('97205-1234');
      const isCut = await form.field('postal-code').evaluate((it) => it.scrollWidth > it.clientWidth);
      softly(isCut, `${country}, ${width} px`).toBe(false);
      await form.field('postal-code').fill('');
    }
  }
});

for (const locale of ['en', 'ar'] as const) {
  test(`from 720 px on the card is beside the billing details, in ${locale}; the total spans both columns, the button is below the billing details`, async ({
    open,
    page,
    service,
  }) => {
    const form = await openForm(open, service, { locale });
    const isRtl = locale === 'ar';
    const columns = async (width: number) => {
      await resize(page, form, width);
      const all = await boxes(form);
      const [number, email] = [boxOf(all, 'field-number'), boxOf(all, 'field-email')];
      const [summary, pay] = [boxOf(all, 'summary'), boxOf(all, 'pay')];
      expect(summary.x, `${width} px`).toBe(Math.min(number.x, email.x));
      expect(summary.right, `${width} px`).toBe(Math.max(number.right, email.right));
      expect([pay.x, pay.right], `${width} px`).toEqual([email.x, email.right]);
      const start = isRtl ? width + 8 - Math.max(number.right, email.right) : Math.min(number.x, email.x);
      expect(start, `${width} px: where the container starts`).toBe(4);
      if (number.y !== email.y) return 'one';
      expect(isRtl ? number.x > email.right : number.right < email.x, `${width} px`).toBe(true);
      return 'two';
    };
    expect(await columns(719)).toBe('one');
    expect(await columns(720)).toBe('two');
    expect(await columns(1280)).toBe('two');
  });
}

test('the width of the container counts, not that of the window', async ({ open, page, service }) => {
  const checkout = await open(await service.createIntent(), {
    css: 'main { width: 600px }',
  });
  await checkout.ready();
  const form = formOn(page);
  const all = await boxes(form);
  expect(boxOf(all, 'field-email').y).toBeGreaterThan(boxOf(all, 'field-number').bottom);
  await page.addStyleTag({ content: 'main { width: 800px !important }' });
  await form.settled();
  const wide = await boxes(form);
  expect(boxOf(wide, 'field-email').y).toBe(boxOf(wide, 'field-number').y);
});

test('no field is ever wider than 480 px', async ({ open, page, service }) => {
  const form = await openForm(open, service);
  for (const width of [480, 600, 719, 720, 1000, 1600, 2400]) {
    await resize(page, form, width);
    const controls = (await boxes(form)).filter(({ name }) => name.startsWith('field-'));
    expect(Math.max(...controls.map((box) => box.width)), `${width} px`).toBeLessThanOrEqual(480);
  }
});

test('a form without billing fields is one column of 480 px, without the heading', async ({
  open,
  page,
  service,
}) => {
  const form = await openForm(open, service, {
    fields: { billingDetails: { email: 'never', name: 'never', address: 'never' } },
    defaultValues: {
      billingDetails: {
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        address: { line1: '1 Main St', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
      },
    },
  });
  await expect(form.frame.locator('legend').filter({ visible: true })).toHaveCount(1);
  for (const width of [480, 1280]) {
    await resize(page, form, width);
    const all = await boxes(form);
    expect(boxOf(all, 'pay').width).toBe(Math.min(480, width));
    expect(boxOf(all, 'field-number').width).toBe(Math.min(480, width));
  }
});

test('the focus moves in visual order, in one column and in two', async ({ open, page, service }) => {
  const form = await openForm(open, service);
  for (const width of [390, 1280]) {
    await resize(page, form, width);
    await form.field('cc-number').focus();
    const order: string[] = [];
    for (let presses = 0; presses < 20; presses += 1) {
      const at = await form.root.evaluate(() => document.activeElement?.matches('.control, .pay') ?? false);
      if (at) order.push(await form.root.evaluate(() => document.activeElement?.id || 'pay'));
      if (order.at(-1) === 'pay') break;
      await page.keyboard.press('Tab');
    }
    const all = (await boxes(form)).filter(({ name }) => name !== 'summary');
    const column = ({ name, x }: Box) => (name === 'pay' ? 2 : width < 720 || x < 490 ? 0 : 1);
    const seen = [...all].sort(
      (one, other) => column(one) - column(other) || one.y - other.y || one.x - other.x,
    );
    expect(order, `${width} px`).toEqual(seen.map(({ name }) => name));
  }
});

test('a notice about a field is above both columns', async ({ open, service }) => {
  const form = await openForm(open, service);
  await form.fillIn('4000000000000002');
  await form.press();
  const notice = form.frame.locator('.notice[data-tone="bad"]');
  await expect(notice).toBeVisible();
  await form.settled();
  const all = await boxes(form);
  const box = await notice.evaluate((it) => it.getBoundingClientRect().toJSON());
  expect(box.y).toBeGreaterThan(boxOf(all, 'summary').bottom);
  expect(box.bottom).toBeLessThan(boxOf(all, 'field-number').y);
  expect([box.x, box.right]).toEqual([boxOf(all, 'summary').x, boxOf(all, 'summary').right]);
});
