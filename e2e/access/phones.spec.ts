/** Phones: small screens, touch, on-screen keyboards, and autofill. */
import { devices } from 'playwright/test';
import { BUYER, CARD, type CheckoutPage, type FieldName } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { NO_OVERFLOW, overflowOf } from '../support/overflow.ts';

/** A Playwright device without its engine: Chromium emulates every phone. */
const phone = (name: string) => {
  const { viewport, userAgent, deviceScaleFactor, isMobile, hasTouch } = devices[name] ?? {};
  if (!viewport || !userAgent) throw new Error(`Playwright knows no ${name}.`);
  return {
    viewport,
    userAgent,
    deviceScaleFactor: deviceScaleFactor ?? 1,
    isMobile: isMobile ?? true,
    hasTouch: hasTouch ?? true,
  };
};

/** The height of the tallest on-screen keyboard, as an approximate share of the screen. */
const KEYBOARD = 0.45;

// The smallest screen and one of the largest, of two makers.
for (const name of ['iPhone SE', 'Pixel 7']) {
  test.describe(`on ${name}`, () => {
    const device = phone(name);
    test.use(device);

    test('a field with an error scrolls clear of the keyboard, and a buyer can pay by touch', async ({
      checkout,
      intent,
      page,
      service,
    }) => {
      await checkout.ready();
      await expect.poll(() => overflowOf(checkout.frame.locator(':root'))).toEqual(NO_OVERFLOW);
      const typed: readonly (readonly [FieldName, string])[] = [
        ['number', CARD.visa],
        ['expiry', '1234'],
        ['code', BUYER.code],
        ['name', BUYER.name],
        ['email', 'ada@'],
        ['line1', BUYER.line1],
        ['city', BUYER.city],
        ['zip', BUYER.zip],
      ];
      for (const [field, value] of typed) {
        // A tap is aimed before the page has finished scrolling.
        await expect(async () => {
          await checkout.field(field).tap();
          await expect(checkout.field(field)).toBeFocused({ timeout: 500 });
        }).toPass({ timeout: 10_000 });
        await page.keyboard.type(value);
      }
      await checkout.field('state').selectOption('OR');
      await checkout.payButton.tap();
      const email = checkout.field('email');
      await expect(email).toBeFocused();
      // The keyboard leaves only the upper part of the window: the field, its label and its error message.
      const { height } = device.viewport;
      await expect
        .poll(async () => {
          const box = await checkout.frame.locator('.field', { has: email }).boundingBox();
          return box !== null && box.y >= 0 && box.y + box.height <= height;
        })
        .toBe(true);
      await page.setViewportSize({ ...device.viewport, height: Math.round(height * (1 - KEYBOARD)) });
      await email.press('Enter');
      await expect
        .poll(async () => {
          const box = await email.boundingBox();
          return box !== null && box.y >= 0 && box.y + box.height <= height * (1 - KEYBOARD);
        })
        .toBe(true);
      await page.setViewportSize(device.viewport);
      await email.fill(BUYER.email);
      await checkout.payButton.tap();
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
    });
  });
}

/** The attributes of each field for autofill and keyboards, for an address in the US. */
const HINTS: readonly (readonly [field: FieldName, tokens: string, inputmode: string, key: string])[] = [
  ['number', 'billing cc-number', 'numeric', 'next'],
  ['expiry', 'billing cc-exp', 'numeric', 'next'],
  ['code', 'billing cc-csc', 'numeric', 'next'],
  ['name', 'billing cc-name', '', 'next'],
  ['email', 'billing email', 'email', 'next'],
  ['line1', 'billing address-line1', '', 'next'],
  ['line2', 'billing address-line2', '', 'next'],
  ['zip', 'billing postal-code', 'numeric', 'next'],
  ['state', 'billing address-level1', '', 'next'],
  ['city', 'billing address-level2', '', 'go'],
];

const hintsOf = (checkout: CheckoutPage, name: FieldName) =>
  checkout.field(name).evaluate((control) => {
    if (!(control instanceof HTMLElement)) throw new Error('not an element of HTML');
    return {
      tokens: control.getAttribute('autocomplete'),
      inputmode: control.inputMode,
      key: control.enterKeyHint,
      size: Number.parseFloat(getComputedStyle(control).fontSize),
      type: control.getAttribute('type'),
    };
  });

test('threat-model C45: every field says what it is for, which keyboard it needs and what Enter does; iOS zooms into none', async ({
  open,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    options: { appearance: { variables: { fontSizeBase: '14px' } } },
  });
  await checkout.ready();
  for (const [name, tokens, inputmode, key] of HINTS) {
    const { size, type, ...hints } = await hintsOf(checkout, name);
    expect(hints, name).toEqual({ tokens, inputmode, key });
    expect(size, name).toBeGreaterThanOrEqual(16); // below this size, iOS zooms in
    expect(type, name).not.toBe('password');
  }
  const tokens = await checkout.frame
    .locator('input, select, textarea')
    .evaluateAll((controls) => controls.map((control) => control.getAttribute('autocomplete')));
  expect(tokens).toEqual([
    'billing cc-number',
    'billing cc-exp',
    'billing cc-csc',
    'billing cc-name',
    'billing email',
    'billing country',
    'billing address-line1',
    'billing address-line2',
    'billing postal-code',
    'billing address-level1',
    'billing address-level2',
  ]);
  await expect(checkout.frame.locator('form')).toHaveAttribute('autocomplete', 'off');
  // Signals that make a browser offer to save a password: there must be none.
  await expect(
    checkout.frame.locator('[type="password"], [autocomplete*="password"], [autocomplete*="username"]'),
  ).toHaveCount(0);
});

test.describe('the keyboard key "next"', () => {
  test.use(phone('iPhone 15'));

  test('moves to the next field, and "go" pays', async ({ checkout, intent, service }) => {
    await checkout.ready();
    await checkout.field('number').fill(CARD.visa);
    await checkout.field('number').press('Enter');
    await expect(checkout.field('expiry')).toBeFocused();
    await expect(checkout.field('name')).not.toHaveAttribute('aria-invalid');
    await checkout.fill();
    await checkout.enter(checkout.field('city'));
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ confirms: 1 });
  });
});
