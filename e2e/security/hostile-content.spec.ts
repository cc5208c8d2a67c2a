/** Merchants' texts and service answers that contain markup, control characters or invalid data. */
import type { Locator, Page } from 'playwright/test';
import { CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { painted } from '../support/painted.ts';
import type { Service } from '../support/service.ts';

test.use({ knownBuyer: true });

const MARKUP =
  '<img src=x onerror=alert(1)><script>alert(2)</script><style>.total{display:none}</style>{{7*7}}';
const ZALGO = `H${'\u0336\u0489\u030d\u0333'.repeat(110)}x`;
const LONG = 'W'.repeat(500);
const item = (name: string, amount: number) => ({ name, quantity: 1, unit_amount: amount });

/** 58.04 in total. */
const HOSTILE_ORDER = {
  description: `${MARKUP}\u202e 99.1$ :latoT \u0000\u0007\u001b[31m\r\n\u2028\u2067end`,
  items: [
    item(MARKUP, 1001),
    item('\u202eReversed \u202d\u2066\u2067\u2068', 1234),
    item('\u05d2\u05d1\u05d9\u05e0\u05d4 3', 1567), // Hebrew, ending in a digit that tends to join the amount
    item('\u0627\u0644\u0642\u0647\u0648\u0629 100', 1002), // Arabic
    item(ZALGO, 500),
    { name: LONG, quantity: 2, unit_amount: 250 },
  ],
  amount: 5804,
  shipping_amount: 0,
  tax_amount: 0,
};

/** The amount as seen: its characters in visual order. */
const seen = (amount: Locator): Promise<string> =>
  amount.evaluate((element) => {
    const letters: { left: number; letter: string }[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      for (let index = 0; index < text.length; index += 1) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        letters.push({ left: range.getBoundingClientRect().left, letter: text.charAt(index) });
      }
    }
    return letters
      .sort((one, other) => one.left - other.left)
      .map(({ letter }) => letter)
      .join('');
  });

/** The form's elements and boxes, which would differ if a text had been treated as markup. */
const intact = (checkout: CheckoutPage) =>
  checkout.frame.locator(':root').evaluate(() => {
    const form = document.querySelector('#form');
    const elements = new Set([...(form?.querySelectorAll('*') ?? [])].map(({ localName }) => localName));
    const boxes = [...(form?.querySelectorAll('.details li') ?? [])].map((line) => {
      const label = line.querySelector('.line-label')?.getBoundingClientRect();
      const amount = line.querySelector('.line-amount')?.getBoundingClientRect();
      const whole = line.getBoundingClientRect();
      if (!label || !amount) return false;
      // An amount without room beside its label goes below it.
      return (label.right <= amount.left || label.bottom <= amount.top) && amount.right <= whole.right + 1;
    });
    return {
      foreign: ['img', 'script', 'style', 'iframe', 'a', 'link', 'b'].filter((name) => elements.has(name)),
      turning: /[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u.test(form?.textContent ?? ''),
      wide: document.documentElement.scrollWidth > innerWidth,
      apart: boxes.every(Boolean),
      lines: boxes.length,
    };
  });
const INTACT = { foreign: [], turning: false, wide: false, apart: true };

const AMOUNTS = ['$10.01', '$12.34', '$15.67', '$10.02', '$5.00', '$5.00', '$58.04'];

test('threat-model C38: markup, bidi and control characters, piled marks and endless words in description and item names are inert text at any width, and every amount reads from left to right', async ({
  open,
  page,
  service,
}) => {
  await page.setViewportSize({ width: 900, height: 1600 });
  const intent = await service.createIntent(HOSTILE_ORDER);
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.ready('Pay $58.04');
  await checkout.details.click();
  const amounts = checkout.frame.locator('.line-amount');
  for (const width of [900, 320]) {
    await page.setViewportSize({ width, height: 1600 });
    await expect.poll(() => intact(checkout)).toEqual({ ...INTACT, lines: AMOUNTS.length });
    expect(await seen(checkout.total)).toBe('$58.04');
    expect(await seen(checkout.payButton)).toBe('Pay $58.04');
    await expect(amounts).toHaveText(AMOUNTS);
    for (const [index, amount] of AMOUNTS.entries()) expect(await seen(amounts.nth(index))).toBe(amount);
  }
  await expect(checkout.frame.locator('.description')).toContainText(MARKUP);
  await expect(checkout.frame.locator('.line-label').first()).toHaveText(MARKUP);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('threat-model C38: marks piled on a letter and characters as wide as a line do not paint over an amount', {
  tag: '@thorough',
}, async ({ open, page, service }) => {
  await page.setViewportSize({ width: 320, height: 1600 });
  const pictures: string[] = [];
  for (const [description, name] of [
    ['Order', 'Beans'],
    [ZALGO.repeat(2), ZALGO],
    ['\ufdfd'.repeat(3), '\ufdfd'.repeat(30)],
  ] as const) {
    const items = [item('Mug', 2804), item(name, 2000), item('Tea', 1000)];
    const checkout = await open(await service.createIntent({ ...HOSTILE_ORDER, description, items }));
    await checkout.ready('Pay $58.04');
    await checkout.details.click();
    const amounts = checkout.frame.locator('.total, .line-amount');
    await expect(amounts).toHaveCount(5);
    for (let index = 0; index < 5; index += 1) {
      const amount = amounts.nth(index);
      await amount.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await painted(amount);
      await painted(amount);
      const box = await amount.boundingBox();
      // Only the line of the amount: a label of several lines makes its box taller.
      const clip = { x: 0, y: 0, width: 0, ...box, height: 20 };
      pictures.push((await page.screenshot({ clip })).toString('base64'));
    }
  }
  for (const start of [5, 10]) {
    const same = pictures.slice(start, start + 5).map((one, index) => one === pictures[index]);
    expect(same).toEqual([true, true, true, true, true]);
  }
});

const RETRIEVE = '**/client/payment_intents/retrieve';
const CONFIRM = '**/client/payment_intents/confirm';

/** Changes an answer of the service. */
const distort = (page: Page, call: 'retrieve' | 'confirm', change: (text: string) => string) =>
  page.route(call === 'retrieve' ? RETRIEVE : CONFIRM, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });

const NODE = { type: 'img', props: { src: 'x', onerror: 'alert(1)' }, key: null, ref: null, __v: 1 };
const ITEM = { name: 'Mug', quantity: 1, unit_amount: 5804, amount: 5804 };

test('threat-model C38: a value that is not text is not shown, and the payment continues', {
  tag: '@thorough',
}, async ({ open, page, service }) => {
  await page.setViewportSize({ width: 320, height: 1600 });
  for (const [what, different] of [
    ['elements instead of texts', { description: NODE, items: [{ ...ITEM, name: NODE }] }],
    ['an element with a constructor', { description: { ...NODE, constructor: null }, items: NODE }],
    [
      'texts of 100,000 letters',
      { description: 'W'.repeat(100_000), items: [{ ...ITEM, name: 'W'.repeat(100_000) }] },
    ],
    [
      'amounts and quantities without end',
      { items: [{ ...ITEM, quantity: 1e300, unit_amount: 99_999_999, amount: 2 ** 53 - 1 }] },
    ],
    ['a hundred lines', { items: Array.from({ length: 100 }, () => ({ ...ITEM, name: MARKUP })) }],
  ] as const) {
    await test.step(what, async () => {
      const intent = await service.createIntent();
      await distort(page, 'retrieve', (text) => JSON.stringify({ ...JSON.parse(text), ...different }));
      const checkout = await open(intent);
      await checkout.fillCard(CARD.visa);
      await checkout.ready('Pay $58.04');
      await checkout.details.click();
      expect(await intact(checkout)).toMatchObject(INTACT);
      await expect(checkout.frame.locator('#form')).not.toContainText('[object');
      expect(await seen(checkout.total)).toBe('$58.04');
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
      await page.unroute(RETRIEVE);
    });
  }
});

/** The sandbox's answer for a declined card, with another message. */
const refuse = async (page: Page, service: Service, error: object) => {
  await service.nextAnswer({ route: 'client.confirm', code: 'payment_method_declined' });
  await distort(page, 'confirm', (text) => {
    const body = JSON.parse(text);
    return JSON.stringify({ error: { ...body.error, ...error } });
  });
};

test('threat-model C19, C38: nothing in an error of the service reaches buyer or page unless a closed list contains it', async ({
  checkout,
  page,
  service,
}) => {
  await checkout.fillCard(CARD.visa);
  const hostile = { message: `${MARKUP}\u202e`, param: '__proto__', decline_code: '<b>' };
  await refuse(page, service, hostile);
  await checkout.pay();
  const heard = await checkout.hears('decline');
  expect(heard).toMatchObject({
    error: { code: 'payment_method_declined', decline_code: 'generic_decline', charged: 'no' },
  });
  expect(heard).not.toHaveProperty('error.param');
  expect(JSON.stringify(await checkout.events())).not.toMatch(/onerror|\u202e|__proto__|<b>/);
  await expect(checkout.notice).toContainText('declined');
  await expect(checkout.frame.locator('#form')).not.toContainText('onerror');
  expect(await intact(checkout)).toMatchObject({ foreign: [], turning: false });
  const arePlain = await page.evaluate(() => {
    const plain = (value: unknown): boolean => {
      if (typeof value !== 'object' || value === null) return typeof value !== 'function';
      const prototype: unknown = Object.getPrototypeOf(value);
      return (
        (prototype === Object.prototype || prototype === Array.prototype || prototype === null) &&
        Object.values(Object.getOwnPropertyDescriptors(value)).every(
          (one) => 'value' in one && plain(one.value),
        )
      );
    };
    return window.events.map(({ detail }) => plain(detail));
  });
  expect(arePlain).not.toContain(false);
  expect(arePlain.length).toBeGreaterThan(2);
});
