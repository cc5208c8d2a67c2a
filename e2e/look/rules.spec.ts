/**
 * Styles by part and state: whatever a page sets, total and button are legible, the focus is visible, and nothing
 * covers a text (threat-model 1.6). Judged by pixels.
 */
import type { Page } from 'playwright/test';
import { CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { measureContrast } from '../support/contrast.ts';
import { expect, test } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { type Form, formOn } from '../support/form-states.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { painted } from '../support/painted.ts';
import { type Box, contrast, pixelsIn, readPicture } from '../support/pixels.ts';
import { sightOf } from './sight.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 440, height: 1500 } });

type Look = {
  variables?: object;
  rules?: object;
  darkRules?: object;
  labels?: string;
  fields?: string;
  theme?: string;
};

const DARK = ':root { color-scheme: dark } body { background: #121212; color: white }';

/** Gives the form this look and waits until it applies. */
const wearRules = async (form: Form, appearance: Look, turn: number) => {
  const variables = { ...appearance.variables, buttonBorderRadius: `${turn}px` };
  await form.page.evaluate((given) => window.forms[0]?.update({ appearance: given }), {
    ...appearance,
    variables,
  });
  await expect
    .poll(() => form.root.evaluate((root) => root.style.getPropertyValue('--button-radius')))
    .toBe(`${turn}px`);
  await form.settled();
};

/** Texts that are illegible or missing. */
const unreadIn = async (form: Form): Promise<readonly string[]> => {
  const texts = await measureContrast(form.page, await formFrame(form.page));
  const { items } = await sightOf(form);
  const amounts = items.filter(({ id, text }) => (id === 'total' || id === 'pay') && text === '$58.04');
  const lost = (['total', 'pay'] as const).filter(
    (place) => !amounts.some(({ id, ink }) => id === place && ink),
  );
  const faint = items.filter(
    // Antialiased text is slightly paler than its colour.
    ({ kind, text, ink, contrast: measured }) =>
      kind !== 'picture' && text !== '' && (!ink || measured < 4.2),
  );
  const cut = amounts.filter(
    ({ ink, box }) => (ink?.width ?? 0) < box.width * 0.85 || (ink?.height ?? 0) < 10,
  );
  return [
    // Compares with every pixel behind the text: nothing covers a part of it.
    ...texts
      .filter((one) => one.contrast < 4.4)
      .map((one) => `"${one.text}" has ${one.contrast}:1 somewhere`),
    ...lost.map((place) => `no amount in ${place}`),
    ...faint.map(({ text, contrast: measured }) => `"${text}" has ${measured.toFixed(2)}:1`),
    ...cut.map(({ id }) => `the amount in ${id} is cut`),
  ];
};

const areaOf = async (form: Form, id: string): Promise<Box> => {
  const box = await form.frame.locator(id).boundingBox();
  if (!box) throw new Error(`${id} is not seen.`);
  return { x: box.x - 10, y: box.y - 10, width: box.width + 20, height: box.height + 20 };
};

const shoot = async (form: Form, clip: Box) => {
  await painted(form.root);
  return readPicture(await form.page.screenshot({ clip }));
};

/** The number of pixels around a control that differ by 2.5:1 when it has the focus, per pixel of its edges. */
const focusAround = async (form: Form, id: string, focus: () => Promise<void>): Promise<number> => {
  await form.frame.locator(':focus').evaluateAll((focused) => {
    for (const one of focused) if (one instanceof HTMLElement) one.blur();
  });
  await form.page.mouse.move(0, 0);
  const area = await areaOf(form, id);
  const before = await shoot(form, area);
  await focus();
  const after = await shoot(form, area);
  let count = 0;
  for (const [x, y] of pixelsIn({ ...after, x: 0, y: 0 }))
    if (contrast(before.at(x, y), after.at(x, y)) >= 2.5) count += 1;
  return count / (2 * (area.width + area.height - 40));
};

const everything = (value: object): object => ({
  field: value,
  'field:hover': value,
  'field:complete': value,
  'field:focus': value,
  'field:invalid': value,
  button: value,
  'button:hover': value,
  'button:focus': value,
  'button:disabled': value,
  notice: value,
  'notice:invalid': value,
});

const texts = (color: string): object => ({
  ...everything({ color }),
  ...{ label: { color }, hint: { color }, error: { color }, total: { color }, details: { color } },
});

const white = '#fff';
const WHITE_NOTICE = { color: white, backgroundColor: white, borderColor: white };
const WHITE_FIELDS = { color: white, placeholderColor: white, backgroundColor: white };

/** Attempts of a page to hide a text, the amount or the focus. */
const HOSTILE: Readonly<Record<string, Look>> = {
  'all texts white': { rules: texts(white) },
  'all texts black on black': {
    rules: { ...texts('#000'), ...everything({ color: '#000', backgroundColor: '#000' }) },
  },
  'white fields with white texts and examples': {
    rules: { field: WHITE_FIELDS, 'field:focus': WHITE_FIELDS },
  },
  'a ring at rest like the outline of the focus': {
    rules: {
      ...everything({ boxShadow: '0 0 0 2px #2557d6' }),
      'field:focus': { outlineColor: '#2557d6', boxShadow: '0 0 0 2px #2557d6' },
    },
  },
  'black rings of three shadows at rest': {
    rules: everything({ boxShadow: '0 0 0 8px #000, 0 0 0 6px #000, 0 0 0 4px #000' }),
  },
  'shadows over the labels above and below': {
    rules: everything({ boxShadow: '0 8px #000, 0 -8px #000, 8px 0 rgb(0 0 0 / 90%)' }),
  },
  'the widest outline over labels and messages': {
    rules: {
      'field:focus': { outlineWidth: '4px', outlineOffset: '4px', outlineColor: '#000' },
      'button:focus': { outlineWidth: '4px', outlineOffset: '4px', outlineColor: '#000' },
    },
    variables: { spacingUnit: '3px' },
  },
  'all texts nearly transparent': { rules: texts('rgb(0 0 0 / 2%)') },
  'the grey that contrasts least': {
    rules: {
      ...texts('#767676'),
      ...everything({ color: '#777', backgroundColor: '#767676', borderColor: '#767676' }),
    },
  },
  'a total of the colour of its background': { rules: { total: { color: '#f3f4f4', fontWeight: 300 } } },
  'white text at rest, white background in the focus': {
    rules: { field: { color: white, backgroundColor: '#000' }, 'field:focus': { backgroundColor: white } },
  },
  'a text for each state, a background for another': {
    rules: {
      'field:hover': { backgroundColor: '#000' },
      'field:complete': { color: white },
      'field:focus': { color: '#000' },
      'field:invalid': { placeholderColor: '#000', backgroundColor: '#222' },
    },
  },
  'an outline of the colour of the page': {
    rules: {
      'field:focus': { outlineColor: white },
      'button:focus': { outlineColor: 'rgb(255 255 255 / 1%)' },
    },
  },
  'borders like the outline of the focus': {
    rules: {
      ...everything({ borderColor: '#2557d6' }),
      field: { borderColor: '#2557d6', borderWidth: '3px' },
      'field:focus': { borderColor: '#2557d6', outlineColor: '#2557d6' },
    },
  },
  'the widest shadows between the narrowest gaps': {
    rules: everything({ boxShadow: '0 0 0 8px #0008' }),
    variables: { spacingUnit: '3px', formPadding: '4px' },
  },
  'fields without three of their lines': { rules: { field: { borderWidth: '0 0 1px', borderColor: white } } },
  'the widest letters in the largest size': {
    rules: {
      ...{
        field: { letterSpacing: '0.2em', fontWeight: 800, padding: '24px' },
        label: { letterSpacing: '0.2em', fontWeight: 800 },
      },
      ...{ error: { letterSpacing: '0.2em' }, hint: { letterSpacing: '0.2em' }, total: { fontWeight: 800 } },
      button: { letterSpacing: '0.2em', textTransform: 'uppercase', fontWeight: 800 },
    },
    variables: { fontSizeBase: '20px' },
  },
  'the lowest fields and button': {
    rules: {
      field: { height: '36px', padding: '8px' },
      button: { height: '36px' },
      notice: { padding: '8px' },
    },
  },
  'floating labels on black fields, white in the focus': {
    labels: 'floating',
    rules: {
      field: { backgroundColor: '#000', height: '36px' },
      'field:focus': { backgroundColor: white, color: white },
    },
  },
  'hidden labels with white examples': { labels: 'hidden', rules: { field: { placeholderColor: white } } },
  'grouped fields with shadows and no lines': {
    fields: 'grouped',
    rules: {
      ...everything({ boxShadow: '0 0 0 8px #000' }),
      field: { borderWidth: '0 0 3px', borderColor: white },
    },
  },
  'a black form with black rules': {
    theme: 'dark',
    darkRules: { ...texts('#000'), ...everything({ color: '#000' }) },
  },
  'a button in the colour of the page, under the pointer in the colour of its text': {
    rules: {
      button: { backgroundColor: white, color: white, borderColor: white },
      'button:hover': { backgroundColor: '#000', color: '#000' },
      'button:focus': { backgroundColor: 'rgb(255 255 255 / 0%)' },
    },
  },
  'notices in the colour of the page': {
    rules: { notice: WHITE_NOTICE, 'notice:invalid': WHITE_NOTICE, details: { color: white } },
  },
};

/** A form with complete, wrong and empty fields, and with the breakdown of the total. */
const formInEveryState = async (checkout: CheckoutPage, page: Page): Promise<Form> => {
  const form = formOn(page);
  await checkout.ready();
  await form.hasAll();
  await checkout.details.click();
  await checkout.field('number').fill(CARD.visa);
  await checkout.field('expiry').fill('01/20');
  await checkout.field('email').fill('ada@example.com');
  await checkout.field('code').focus();
  await expect(form.frame.locator('#problem-expiry')).toBeVisible();
  return form;
};

const styles = Object.entries(HOSTILE);
const EACH = 6;

for (let start = 0; start < styles.length; start += EACH) {
  const some = styles.slice(start, start + EACH);
  test(`threat-model C82: texts are legible and the focus is visible, from "${some[0]?.[0]}"`, {
    tag: start === 0 ? [] : ['@thorough'],
  }, async ({ open, page, service }) => {
    const checkout = await open(await service.createIntent());
    const form = await formInEveryState(checkout, page);
    /** How visible the focus is on each of these controls, and on the button. */
    const seen = async (...ids: readonly string[]) => {
      const found: Record<string, number> = {};
      for (const id of ids) found[id] = await focusAround(form, id, () => form.frame.locator(id).focus());
      found['.pay'] = await focusAround(form, '.pay', async () => {
        await form.frame.locator('.control').last().focus();
        await page.keyboard.press('Tab');
        await expect(form.pay).toBeFocused();
      });
      return found;
    };
    const plain = await seen('#field-number', '#field-expiry');
    for (const [index, [name, appearance]] of some.entries()) {
      await page.mouse.move(0, 0);
      await checkout.field('number').focus();
      await wearRules(form, appearance, index + 1);
      await form.pay.hover();
      expect(
        await unreadIn(form),
        `${name}, with the focus in the number and the pointer on the button`,
      ).toEqual([]);
      // A complete field and a wrong one in turn; the button is focused last.
      for (const [id, share] of Object.entries(await seen(index % 2 ? '#field-number' : '#field-expiry')))
        expect(share, `${name}, ${id}`).toBeGreaterThan((plain[id] ?? 0) * 0.85);
      await form.frame.locator('#field-line1').hover();
      expect(
        await unreadIn(form),
        `${name}, with the focus on the button and the pointer on a field`,
      ).toEqual([]);
    }
  });
}

test('threat-model C82: after a failed payment every notice is legible, and so are the amounts beside it', {
  tag: ['@thorough'],
}, async ({ open, page, service }) => {
  const checkout = await open(await service.createIntent());
  const form = formOn(page);
  await checkout.ready();
  await form.hasAll();
  await checkout.fill({ number: CARD.declined });
  await checkout.pay();
  await expect(form.notice).toContainText('declined');
  // The looks with rules for notices.
  const ofNotices = styles.filter(([, { rules, darkRules }]) => 'notice' in { ...rules, ...darkRules });
  expect(ofNotices.length).toBeGreaterThan(8);
  for (const [index, [name, appearance]] of ofNotices.entries()) {
    await wearRules(form, appearance, index + 1);
    expect(await unreadIn(form), name).toEqual([]);
  }
});

test('threat-model C82: a button in lowercase, spaced letters shows its amount as elsewhere', async ({
  open,
  page,
  service,
}) => {
  const rules = { button: { letterSpacing: '0.2em', textTransform: 'lowercase' } } as const;
  const checkout = await open(await service.createIntent(), {
    options: { appearance: { rules }, locale: 'ar' },
  });
  await checkout.ready(/58/);
  const form = formOn(page);
  const amount = form.frame.locator('.pay [data-amount]');
  const { width } = (await amount.boundingBox()) ?? {};
  expect(await amount.innerText()).toContain('US$'); // as rendered
  await wearRules(form, {}, 10);
  expect((await amount.boundingBox())?.width).toBeCloseTo(width ?? 0, 1);
});

test('a form is first painted with its rules, and a form without rules fetches nothing for them', async ({
  open,
  page,
  service,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const plain = await open(await service.createIntent(), {
    options: { appearance: { variables: { borderRadius: '2px' } } },
  });
  await plain.ready();
  expect(asked.filter((url) => /rule-styles/.test(url))).toEqual([]);
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const form = document.querySelector('#form:not([hidden])');
      const field = form?.querySelector('#field-number');
      if (!form || !field || 'firstHeight' in window) return;
      Reflect.set(window, 'firstHeight', field.getBoundingClientRect().height);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  const ruled = await open(await service.createIntent(), {
    options: { appearance: { rules: { field: { height: '60px' } } } },
  });
  await ruled.ready();
  expect(asked.filter((url) => /rule-styles/.test(url))).toHaveLength(1);
  expect(await ruled.frame.locator(':root').evaluate(() => Reflect.get(window, 'firstHeight'))).toBe(60);
});

test('a complete field has the style for complete fields until it is changed', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    css: DARK,
    options: { appearance: { rules: { 'field:complete': { borderColor: '#00c853' } } } },
  });
  await checkout.ready();
  const number = checkout.field('number');
  await number.fill(CARD.visa);
  await number.blur();
  await expect(number).toHaveCSS('border-color', 'rgb(0, 200, 83)');
  await number.fill('4242');
  await number.blur();
  await expect(number).not.toHaveCSS('border-color', 'rgb(0, 200, 83)');
  // An empty optional field needs no message and shows none: it does not count as complete.
  await expect(checkout.field('line2')).not.toHaveCSS('border-color', 'rgb(0, 200, 83)');
  await page.evaluate(() => window.forms[0]?.update({ appearance: {} }));
  await number.fill(CARD.visa);
  await number.blur();
  await expect(number).not.toHaveCSS('border-color', 'rgb(0, 200, 83)');
});

test('the last of two changes wins, even while the file for rules is loading', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  const number = checkout.field('number');
  const height = (await number.boundingBox())?.height;
  const file = await holdRequests(page, '**/rule-styles.js');
  const update = (appearance: object) =>
    page.evaluate((given) => window.forms[0]?.update({ appearance: given }), appearance);
  await update({ rules: { field: { height: '64px' } } });
  await file.asked;
  await update({ variables: { borderRadius: '3px' } });
  await expect(number).toHaveCSS('border-radius', '3px');
  file.release();
  await update({ rules: { field: { height: '60px' } } });
  await expect.poll(async () => (await number.boundingBox())?.height).toBe(60);
  await update({});
  await expect.poll(async () => (await number.boundingBox())?.height).toBe(height);
});

test('rules can name custom properties of the page, and follow them', async ({ open, page, service }) => {
  const checkout = await open(await service.createIntent(), {
    css: ':root { --field: #eef }',
    options: { appearance: { rules: { field: { backgroundColor: 'var(--field)' } } } },
  });
  await checkout.ready();
  await expect(checkout.field('number')).toHaveCSS('background-color', 'rgb(238, 238, 255)');
  await page.evaluate(() => document.documentElement.style.setProperty('--field', '#ffe'));
  await expect(checkout.field('number')).toHaveCSS('background-color', 'rgb(255, 255, 238)');
});
