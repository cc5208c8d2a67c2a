/**
 * Pay can be pressed before `form.js` has arrived: the press is judged immediately and runs once the script has loaded
 * (outcomes 2.7).
 */
import { cover, uncover } from '../press/veil.ts';
import { BUYER, CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';
import type { Service } from '../support/service.ts';
import { expectPaid } from './journey.ts';

const SCRIPT = /\/assets\/form\.js$/;

/** `checkout` has a form whose payment script is held back until `held.release()`. */
const test = base.extend<{ held: Awaited<ReturnType<typeof holdRequests>> }>({
  held: async ({ page }, use) => use(await holdRequests(page, SCRIPT)),
  checkout: async ({ held: _, open, intent }, use) => use(await open(intent)),
});

/** True if a press waits for the script. */
const waits = ({ frame }: CheckoutPage) =>
  expect(frame.locator('.pay-place')).toHaveAttribute('aria-busy', 'true');
const waitsNot = ({ frame }: CheckoutPage) =>
  expect(frame.locator('.pay-place')).not.toHaveAttribute('aria-busy');

const nothingSent = async (service: Service, id: string) =>
  expect(await service.record(id)).toMatchObject({ charges: 0, confirms: 0 });

test.describe('with known billing details', () => {
  test.use({ knownBuyer: true });

  test('a press before hydration waits for form.js, and pays once', async ({
    checkout,
    held,
    intent,
    service,
  }) => {
    await held.asked;
    await checkout.fillCard(CARD.visa);
    await expect(checkout.payButton).toHaveText('Pay $58.04');
    await checkout.pay();
    await waits(checkout);
    await checkout.payButton.click(); // a second press changes nothing
    expect(await checkout.events()).not.toContainEqual(expect.objectContaining({ type: 'ready' }));
    await nothingSent(service, intent.id);
    held.release();
    await expectPaid(checkout, service, intent, { charges: 1, confirms: 1, retrieves: 1 });
  });

  test('threat-model 1.4: a press under a cover is refused even if the cover is gone when the script arrives', async ({
    checkout,
    held,
    intent,
    service,
  }) => {
    await checkout.fillCard(CARD.visa);
    await checkout.payButton.click({ trial: true });
    await checkout.field('code').press('Tab');
    await cover(checkout, checkout.total);
    await checkout.field('code').press('Enter');
    await waitsNot(checkout); // it was judged
    await uncover(checkout);
    held.release();
    await expect(checkout.notice).toContainText('Please check the total, then press the button again.');
    expect(await checkout.hears('error')).toMatchObject({ code: 'obscured', charged: 'no' });
    await nothingSent(service, intent.id);
  });

  test('a page that forbids paying in the meantime is obeyed', { tag: '@thorough' }, async ({
    checkout,
    held,
    intent,
    page,
    service,
  }) => {
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await waits(checkout);
    // Not awaited: the held-back script answers it.
    await page.evaluate(() => void window.forms[0]?.update({ readOnly: true }));
    held.release();
    await expect(checkout.button).toHaveAttribute('aria-disabled', 'true');
    await expect(checkout.field('number')).toHaveAttribute('readonly', '');
    await nothingSent(service, intent.id);
  });
});

test('a press of an incomplete form focuses the first missing field', async ({
  checkout,
  held,
  intent,
  service,
}) => {
  await checkout.field('number').fill(CARD.visa);
  await checkout.field('name').fill(BUYER.name);
  await checkout.pay();
  await waits(checkout);
  held.release();
  await expect(checkout.field('expiry')).toBeFocused();
  await expect(checkout.field('expiry')).toHaveAttribute('aria-invalid', 'true');
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await nothingSent(service, intent.id);
});

for (const locale of ['en', 'ar']) {
  test(`in ${locale} the button keeps its words and size during hydration`, {
    tag: locale === 'en' ? [] : ['@thorough'],
  }, async ({ held, intent, open }) => {
    const checkout = await open(intent, { options: { locale } });
    const button = checkout.frame.locator('.pay');
    await expect(button).toHaveText(/\d|[٠-٩]/);
    const [box, words] = [await button.boundingBox(), await button.textContent()];
    await button.evaluate((element) => {
      const notes: string[] = [];
      Reflect.set(window, 'notes', notes);
      const note = () => notes.push(`${element.textContent} ${element.getAttribute('data-kind')}`);
      new MutationObserver(note).observe(element, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    });
    held.release();
    await expect(checkout.frame.locator('.summary')).toHaveAttribute('data-state', 'known');
    const after = await button.boundingBox();
    expect([after?.width, after?.height]).toEqual([box?.width, box?.height]);
    const others = await button.evaluate(
      (_, kept) => Reflect.get(window, 'notes').filter((one: string) => one !== kept),
      `${words} pay`,
    );
    expect(others).toEqual([]);
    await expect(button).toHaveText(`${words}`);
  });
}
