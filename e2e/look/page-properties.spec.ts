/** Appearance values that are custom properties of the page, such as `var(--brand)`. */
import type { CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

declare global {
  interface Window {
    /** Every colour the button has had since the test began to watch. */
    buttonColours?: Set<string>;
  }
}

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 600, height: 1300 } });

const RUST = 'rgb(154, 52, 18)';
const MOSS = 'rgb(20, 83, 45)';
const PLUM = 'rgb(107, 33, 168)';

const css = `:root { --brand: #9a3412; --accent: #6b21a8 } .moss { --brand: #14532d }
  @media (min-width: 900px) { :root { --brand: #6b21a8 } }`;
const coloursOf = ({ frame }: CheckoutPage) =>
  frame.locator(':root').evaluate(() => [...(window.buttonColours ?? [])]);

const BRAND = { variables: { colorPrimary: 'var(--brand)' } };

test("the form has the page's colour from its first paint", async ({ open, page, service }) => {
  // The clock is stopped, since the form waits for its appearance for only half a second.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.addInitScript(() => {
    const colours = new Set<string>();
    window.buttonColours = colours;
    new MutationObserver(() => {
      if (document.querySelector('.form')?.checkVisibility({ visibilityProperty: true }))
        colours.add(getComputedStyle(document.documentElement).getPropertyValue('--button'));
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  const checkout = await open(await service.createIntent(), { css, options: { appearance: BRAND } });
  await expect(checkout.frame.locator('.form')).toBeVisible();
  await page.clock.resume();
  await checkout.ready();
  await expect(checkout.payButton).toHaveCSS('background-color', RUST);
  expect(await coloursOf(checkout)).toEqual(['#9a3412']);
});

test('the form follows a class, a style element and the width of the page when nothing behind it changes', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), { css, options: { appearance: BRAND } });
  await checkout.ready();
  await checkout.fill();
  await expect(checkout.payButton).toHaveCSS('background-color', RUST);
  await page.evaluate(() => document.body.classList.add('moss'));
  await expect(checkout.payButton).toHaveCSS('background-color', MOSS);
  await page.evaluate(() => document.body.classList.remove('moss'));
  await expect(checkout.payButton).toHaveCSS('background-color', RUST);
  const sheet = await page.addStyleTag({ content: ':root:root { --brand: #6b21a8 }' });
  await expect(checkout.payButton).toHaveCSS('background-color', PLUM);
  await sheet.evaluate((style) => {
    style.textContent = ':root:root { --brand: #14532d }';
  });
  await expect(checkout.payButton).toHaveCSS('background-color', MOSS);
  await sheet.evaluate((style) => style.parentNode?.removeChild(style));
  await expect(checkout.payButton).toHaveCSS('background-color', RUST);
  await page.setViewportSize({ width: 1000, height: 1300 });
  await expect(checkout.payButton).toHaveCSS('background-color', PLUM);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});

test('a property that only update() names is read first, and followed from then on', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), { css, options: { appearance: BRAND } });
  await checkout.ready();
  await expect(checkout.payButton).toHaveCSS('background-color', RUST);
  await checkout.frame.locator(':root').evaluate(() => {
    const colours = new Set<string>();
    window.buttonColours = colours;
    const note = () => {
      const button = document.querySelector('.pay');
      if (button) colours.add(getComputedStyle(button).backgroundColor);
      requestAnimationFrame(note);
    };
    note();
  });
  const changes = { appearance: { variables: { colorPrimary: 'var(--accent, #000)' } } };
  await page.evaluate((given) => window.forms[0]?.update(given), changes);
  await expect(checkout.payButton).toHaveCSS('background-color', PLUM);
  expect(await coloursOf(checkout)).toEqual([RUST, PLUM]);
  await page.evaluate(() => document.documentElement.style.setProperty('--accent', '#14532d'));
  await expect(checkout.payButton).toHaveCSS('background-color', MOSS);
});
