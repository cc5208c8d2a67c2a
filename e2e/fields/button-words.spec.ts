/** The words on the button, which the page chooses with `buttonType` (promises 2.10). */
import { payCardForm } from '../support/built-modules.mjs';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';
import { NO_OVERFLOW, overflowOf } from '../support/overflow.ts';

/** In every language one of these has the longest words; src/form/i18n/button-texts.test.ts checks the others. */
const LONGEST = ['order', 'subscribe'] as const;
const LANGUAGES =
  'en ar bg cs da de el es et fi fr he hr hu id it ja ko lt lv nb nl pl pt ro sk sl sv th tr uk vi zh zh-Hant';

test.use({ knownBuyer: true });

test('a button that must state an obligation to pay does so in German, with the total, and pays', async ({
  open,
  service,
}) => {
  const intent = await service.createIntent({ currency: 'eur' });
  const { frame, hears } = await open(intent, { options: { buttonType: 'order', locale: 'de' } });
  await frame.getByLabel('Kartennummer').fill(CARD.visa);
  await frame.getByLabel('Gültig bis').fill('12/34');
  await frame.getByLabel('Prüfnummer').fill('123');
  await frame.getByRole('button', { name: 'Zahlungspflichtig bestellen – 58,04 €' }).click();
  expect(await hears('result')).toMatchObject({ outcome: 'succeeded' });
});

test('the button is offered only with its words, and says Pay if they cannot be loaded', async ({
  open,
  page,
  service,
}) => {
  const words = await holdRequests(page, /\/translations\.js$/);
  const { frame, fillCard, ready, hears } = await open(await service.createIntent(), {
    options: { buttonType: 'order' },
  });
  await words.asked;
  await fillCard(CARD.visa);
  await expect(frame.locator('.total')).toContainText('$58.04');
  await expect(frame.locator('button.pay')).toHaveAttribute('data-kind', 'loading');
  words.release();
  await expect(frame.getByRole('button', { name: 'Order and pay $58.04' })).toBeEnabled();
  await expect(frame.locator('button.pay')).toHaveAttribute('data-kind', 'pay');

  await page.route(/\/translations\.js$/, (route) => route.abort());
  await open(await service.createIntent(), { options: { buttonType: 'donate' } });
  await ready('Pay $58.04');
  expect(await hears('warning')).toMatchObject({ about: 'buttonType' });
});

test('the longest words of every language fit 240 px with the total, and the test helper finds the button', {
  tag: '@thorough',
}, async ({ open, page, service }) => {
  test.slow();
  await page.setViewportSize({ width: 240, height: 1200 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { frame, hears } = await open(await service.createIntent(), { options: { buttonType: 'buy' } });
  const root = frame.locator(':root');
  const button = frame.locator('button.pay[data-kind="pay"]');
  await expect(button).toHaveText('Buy for $58.04');
  const seen = new Set<string | null>();
  for (const locale of LANGUAGES.split(' ')) {
    for (const buttonType of LONGEST) {
      await page.evaluate(
        async (changes) => {
          window.forms[0]?.update(changes);
          // The form accepts 20 calls a second: four frames last longer than a twentieth of a second.
          for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        },
        { locale, buttonType },
      );
      await expect(root).toHaveAttribute('lang', locale);
      await expect
        .poll(async () => seen.has(await button.textContent()), `${locale} ${buttonType}`)
        .toBe(false);
      seen.add(await button.textContent());
      await expect(button.locator('[data-amount]')).toHaveCount(1);
      expect(await overflowOf(root), `${locale} ${buttonType}`).toEqual(NO_OVERFLOW);
    }
  }
  expect(seen.size).toBe(34 * 2);
  await payCardForm(page, {}); // in Traditional Chinese, like the previous one
  expect(await hears('result')).toMatchObject({ outcome: 'succeeded' });
});
