/**
 * Every option, method and event of the public interface without its own test file (promises 1.5 to 1.8), in a real
 * browser.
 */
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

const DARK = 'html.dark { color-scheme: dark } body { color: CanvasText }';

test('readOnly blocks typing and paying until it is lifted, and keeps what was typed', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, { options: { readOnly: true, defaultValues: KNOWN_BUYER } });
  await expect(checkout.field('number')).not.toBeEditable();
  await expect(checkout.payButton).toHaveAttribute('aria-disabled', 'true');
  await page.evaluate(() => window.forms[0]?.update({ readOnly: false }));
  await checkout.fillCard(CARD.visa);
  await page.evaluate(() => window.forms[0]?.update({ readOnly: true }));
  await expect(checkout.field('number')).not.toBeEditable();
  await checkout.payButton.click({ force: true });
  await page.evaluate(() => window.forms[0]?.update({ readOnly: false }));
  await expect(checkout.field('number')).toBeEditable();
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });

  // A press counts although the page changes the texts before it.
  await checkout.payButton.focus();
  await page.evaluate(() => window.forms[0]?.update({ translations: { 'section.card': 'Your card' } }));
  await expect(checkout.frame.getByText('Your card', { exact: true })).toBeVisible();
  await checkout.pay();
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
  expect(await checkout.events('error')).toEqual([]);
});

test('focus, blur and escape events name only the field; the container has the classes of the form; the form follows the theme', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), { css: DARK });
  await checkout.ready();
  await expect(checkout.container).toHaveClass('CardForm--empty');
  await page.evaluate(() => window.forms[0]?.focus('email'));
  await expect(checkout.field('email')).toBeFocused();
  await expect(checkout.container).toHaveClass(/CardForm--focus/);
  await page.keyboard.type('ada@example.com');
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.forms[0]?.blur());
  await expect(checkout.field('email')).not.toBeFocused();
  await expect(checkout.container).not.toHaveClass(/CardForm--focus/);
  await page.evaluate(() => window.forms[0]?.focus());
  await expect(checkout.field('number')).toBeFocused();
  await expect
    .poll(() => checkout.events('focus'))
    .toEqual([
      { type: 'focus', field: 'email' },
      { type: 'focus', field: 'card' },
    ]);
  await expect.poll(() => checkout.events('blur')).toEqual([{ type: 'blur', field: 'email' }]);
  await expect.poll(() => checkout.events('escape')).toEqual([{ type: 'escape' }]);

  await checkout.field('number').fill('4242424242424241');
  await checkout.field('number').blur();
  await expect(checkout.container).toHaveClass('CardForm--invalid');
  await checkout.fill();
  await expect(checkout.container).toHaveClass(/CardForm--complete/);

  const root = checkout.frame.locator(':root');
  await expect(root).toHaveAttribute('data-scheme', 'light');
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  await expect(root).toHaveAttribute('data-scheme', 'dark');
  await page.evaluate(() => document.documentElement.classList.remove('dark'));
  await expect(root).toHaveAttribute('data-scheme', 'light');
  await page.evaluate(() => window.forms[0]?.[Symbol.dispose]());
  await expect(checkout.container).toHaveClass('');
  await expect(checkout.iframe).toHaveCount(0);
});

test('diagnostics() says what happened and when, without card, buyer or secret', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, { options: { appearance: { variables: { colorText: 'url(x)' } } } });
  await checkout.ready();
  await checkout.fill({ number: CARD.declined });
  await checkout.pay();
  await checkout.hears('decline');
  const diagnostics = await page.evaluate(() => window.forms[0]?.diagnostics());
  const { entries, timings: { mounted, typeable, payable } = {} } = diagnostics ?? {};
  expect(diagnostics).toMatchObject({ presses: {}, troubles: { 'confirm.402': 1 } });
  const times = [0, mounted, typeable, payable, await page.evaluate(() => performance.now())].map(Number);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(Number(mounted)).toBeGreaterThan(0);
  expect(entries).toContainEqual({
    at: expect.any(Number),
    event: 'decline',
    what: 'payment_method_declined',
  });
  expect(entries).toContainEqual({
    at: expect.any(Number),
    event: 'warning',
    what: expect.stringContaining('appearance.variables.colorText'),
  });
  expect(JSON.stringify(diagnostics)).not.toMatch(/4000|Ada|ada@|Orchard|lg_cs_|pk_live_/);
});
