/**
 * A page that the browser's translator or an extension has translated, together with the frame (promises 2.13). Like
 * them, ours replaces each text node with an element that contains the translation, and skips text marked as not
 * translatable.
 */
import type { Page } from 'playwright/test';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { type Form, formOn } from '../support/form-states.ts';

declare global {
  interface Window {
    translateNow(): void;
  }
}

/** `always`: from the start of the document, including later changes. Otherwise on demand. */
const installTranslator = (always: boolean) => {
  const translate = () => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isOurs = node.parentElement?.closest('font, script, style, [translate="no"]');
      if (node instanceof Text && node.data.trim() && !isOurs) texts.push(node);
    }
    for (const text of texts) {
      const font = document.createElement('font');
      const inner = font.appendChild(document.createElement('font'));
      inner.textContent = text.data.replace(/\S.*\S|\S/, '«$&»');
      text.replaceWith(font);
    }
  };
  window.translateNow = translate;
  if (always)
    new MutationObserver(translate).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    });
};

/** Translates every document of the page. */
const translate = (page: Page) =>
  Promise.all(page.frames().map((frame) => frame.evaluate(() => window.translateNow())));

/** The texts a buyer reads in these places, with each translation mapped back to its original. */
const reads = async ({ frame }: Form, ...places: readonly string[]) => {
  const texts = await Promise.all(places.map((place) => frame.locator(place).allTextContents()));
  return texts.map((all) => all.join(' | ').replace(/[«»]/g, '').replace(/\s+/g, ' ').trim());
};

test('promises 2.13: a page translated as it changes says what the form says after a changed total (409) and a refresh', async ({
  open,
  page,
  service,
}) => {
  await page.addInitScript(installTranslator, true);
  const intent = await service.createIntent();
  await open(intent);
  const form = formOn(page);
  await form.fillIn(CARD.totalRises);
  await form.hasAll();
  await translate(page);
  await form.press();
  await expect(form.frame.locator('.total-label s')).toBeVisible();
  await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
  await translate(page);
  expect(await reads(form, '.total', '.total-label', 'button.pay', '.notice')).toEqual([
    '$59.04',
    'Total$58.04',
    'Pay $59.04',
    'The total changed from $58.04 to $59.04. Review it and press the button again.',
  ]);
  // Texts that must not be translated are unchanged.
  expect(await form.frame.locator('[data-amount], s').allTextContents()).toEqual([
    '$58.04',
    '$59.04',
    '$59.04',
  ]);
  await service.update(intent.id, { amount: 7000 });
  await page.evaluate(() => window.forms[0]?.refresh());
  await expect(form.frame.locator('.total')).toHaveText('$70.00');
  await translate(page);
  expect(await reads(form, '.total', '.total-label', 'button.pay')).toEqual([
    '$70.00',
    'Total$59.04',
    'Pay $70.00',
  ]);
});

test('promises 2.13: a page translated once says what the form says while the buyer has to wait (429)', async ({
  time,
  open,
  page,
  service,
}) => {
  await page.addInitScript(installTranslator, false);
  await service.nextAnswer({ route: 'client.confirm', status: 429, retry_after: 90 });
  await open(await service.createIntent());
  const form = formOn(page);
  await form.fillIn();
  await form.hasAll();
  await form.press();
  await expect(form.notice).toContainText('1:');
  await translate(page);
  await time.stop();
  await time.pass(60);
  const [notice = ''] = await reads(form, '.notice > span:not(.unseen)');
  expect(notice).toMatch(/\D\d\ds\D/);
  await time.pass(40);
  await translate(page);
  expect(await reads(form, 'button.pay', '.notice', '.total')).toEqual([
    'Pay $58.04',
    'You can try again now.',
    '$58.04',
  ]);
});

test('promises 2.13: a page translated as it changes says what the form says after a decline and for another country', async ({
  open,
  page,
  service,
}) => {
  await page.addInitScript(installTranslator, true);
  await open(await service.createIntent());
  const form = formOn(page);
  await form.hasAll();
  await form.typeCard(CARD.declined);
  await translate(page);
  await form.field('country').selectOption('GB');
  await expect(form.frame.locator('[for="field-city"]')).toContainText('Town');
  await translate(page);
  expect(await reads(form, '[for="field-city"]', '[for="field-postal_code"]')).toEqual([
    'Town or city',
    'Postcode',
  ]);
  await form.field('country').selectOption('US');
  await expect(form.field('address-level1')).toBeVisible();
  await form.fillIn(CARD.declined);
  await form.press();
  await expect(form.frame.locator('.notice')).toBeVisible();
  await expect(form.frame.locator('button.pay[data-kind="pay"]')).toBeVisible();
  await translate(page);
  expect(await reads(form, '.total', '.total-label', 'button.pay', '.notice')).toEqual([
    '$58.04',
    'Total',
    'Pay $58.04',
    'Your card was declined. Check the details or use another card.',
  ]);
  await form.typeCard(CARD.visa);
  await form.press();
  await expect(form.outcome).toBeVisible();
  await translate(page);
  expect(await reads(form, 'h2')).toEqual(['Payment received']);
});
