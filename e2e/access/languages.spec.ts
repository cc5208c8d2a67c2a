/** Every language: on the document, on the button, and in a decline. */
import type { Locator } from 'playwright/test';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { NO_OVERFLOW, overflowOf } from '../support/overflow.ts';

/** The button for an order of 58.04 dollars, with plain spaces, and part of the sentence for a declined card. */
const LANGUAGES = [
  ['en', 'Pay $58.04', 'was declined'],
  ['de', '58,04 $ bezahlen', 'wurde abgelehnt'],
  ['fr', 'Payer 58,04 $US', 'a été refusée'],
  ['es', 'Pagar 58,04 US$', 'ha sido rechazada'],
  ['it', 'Paga 58,04 USD', 'è stata rifiutata'],
  ['nl', 'US$ 58,04 betalen', 'is geweigerd'],
  ['pt', 'Pagar US$ 58,04', 'foi recusado'],
  ['pl', 'Zapłać 58,04 USD', 'została odrzucona'],
  ['sv', 'Betala 58,04 US$', 'nekades'],
  ['da', 'Betal 58,04 US$', 'blev afvist'],
  ['fi', 'Maksa 58,04 $', 'hylättiin'],
  ['nb', 'Betal 58,04 USD', 'ble avvist'],
  ['cs', 'Zaplatit 58,04 US$', 'byla zamítnuta'],
  ['el', 'Πληρωμή 58,04 $', 'απορρίφθηκε'],
  ['ro', 'Plătiți 58,04 USD', 'a fost refuzat'],
  ['hu', '58,04 USD fizetése', 'elutasították'],
  ['tr', '$58,04 öde', 'reddedildi'],
  ['ja', '$58.04を支払う', '承認されませんでした'],
  ['zh', '支付 US$58.04', '被拒绝'],
  ['ko', 'US$58.04 결제', '거절되었습니다'],
  ['et', 'Maksa 58,04 $', 'lükati tagasi'],
  ['lv', 'Maksāt 58,04 $', 'tika noraidīta'],
  ['lt', 'Mokėti 58,04 USD', 'kortelė atmesta'],
  ['sk', 'Zaplatiť 58,04 USD', 'bola zamietnutá'],
  ['sl', 'Plačaj 58,04 $', 'bila zavrnjena'],
  ['hr', 'Plati 58,04 USD', 'kartica odbijena'],
  ['bg', 'Плащане на 58,04 щ.д.', 'беше отказана'],
  ['uk', 'Сплатити 58,04 USD', 'відхилено'],
  ['zh-Hant', '支付 US$58.04', '遭拒'],
  ['th', 'ชำระ US$58.04', 'ถูกปฏิเสธ'],
  ['vi', 'Thanh toán 58,04 US$', 'bị từ chối'],
  ['id', 'Bayar US$58,04', 'ditolak'],
  ['ar', 'دفع 58.04 US$', 'رُفضت'],
  ['he', 'תשלום 58.04 $', 'נדחה'],
] as const;

/** The text a buyer reads: without direction marks, and with plain spaces. */
const read = (text: string) =>
  text
    .replace(/[\u200e\u200f\u2066-\u2069]/g, '')
    .replace(/\s/g, ' ')
    .trim();

test('the button and a decline are in each language; look/layout.spec.ts checks that they fit', async ({
  open,
  page,
  service,
}) => {
  test.slow();
  const { frame, ready, fill, pay, events } = await open(await service.createIntent());
  const root = frame.locator(':root');
  await ready();
  await fill({ number: CARD.lost });
  await pay();
  await expect(frame.getByRole('status')).toContainText('was declined');
  for (const [language, button, refused] of LANGUAGES) {
    await page.evaluate((locale) => window.forms[0]?.update({ locale }), language);
    await expect(root).toHaveAttribute('lang', language);
    await expect(root).toHaveAttribute('dir', /^(?:ar|he)$/.test(language) ? 'rtl' : 'ltr');
    await expect(frame.getByRole('status')).toContainText(refused);
    expect(read((await frame.locator('button.pay').textContent()) ?? '')).toBe(button);
    await expect.poll(() => overflowOf(root), language).toEqual(NO_OVERFLOW);
  }
  expect(await events('decline')).toHaveLength(1);
});

for (const language of ['ar', 'he']) {
  test(`in ${language}, card digits, an address in Latin letters and an amount keep their direction, and digits are right-aligned`, async ({
    open,
    service,
  }) => {
    const intent = await service.createIntent({ discount_amount: 250 });
    const { frame } = await open(intent, { options: { locale: language } });
    const number = frame.locator('[autocomplete$="cc-number"]');
    await expect(number).toBeVisible(); // the field exists earlier, in no language yet
    for (const token of ['cc-number', 'cc-exp', 'cc-csc']) {
      const style = frame.locator(`[autocomplete$="${token}"]`).evaluate((input) => {
        const { direction, textAlign } = getComputedStyle(input);
        return { direction, textAlign };
      });
      expect(await style, token).toEqual({ direction: 'ltr', textAlign: 'right' });
    }
    await number.fill('4242');
    await number.press('End');
    await number.pressSequentially('4242');
    await expect(number).toHaveValue('4242 4242');
    // The brand is at the end of the line, on the left, and covers no digit.
    const overlap = await number.evaluate((input) => {
      const mark = input.parentElement?.querySelector('.brand')?.getBoundingClientRect();
      const { left } = input.getBoundingClientRect();
      const padding = Number.parseFloat(getComputedStyle(input).paddingLeft);
      return mark ? { atLeft: mark.left < left + 40, covers: mark.right > left + padding } : null;
    });
    expect(overlap).toEqual({ atLeft: true, covers: false });
    const line1 = frame.locator('[autocomplete$="address-line1"]');
    await line1.fill('12 Orchard Lane');
    // It reads from the left; look/mistakes.spec.ts checks that values are on the right.
    expect(await line1.evaluate((input) => getComputedStyle(input).direction)).toBe('ltr');
    await frame.locator('.details > summary').click();
    /** The characters of an amount in painted order, from the left. */
    const painted = (amount: Locator) =>
      amount.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const found: { text: string; left: number }[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (const { 0: text, index } of (node.textContent ?? '').matchAll(/[-\d.A-Z$]/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + 1);
            found.push({ text, left: range.getBoundingClientRect().left });
          }
        }
        return found
          .sort((one, other) => one.left - other.left)
          .map(({ text }) => text)
          .join('');
      });
    const dollars = language === 'ar' ? 'US$' : '$';
    expect(await painted(frame.locator('.total'))).toBe(`${dollars}58.04`);
    expect(await painted(frame.locator('.line-amount', { hasText: '-' }))).toBe(`${dollars}-2.50`);
    expect(await painted(frame.locator('button.pay'))).toBe(`${dollars}58.04`);
  });
}

test('a mounted form keeps values and focus when its language changes', async ({ open, page, service }) => {
  await page.addInitScript(() => {
    window.ports = [];
    window.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        window.ports.push(this.port1);
      }
    };
  });
  const { frame, ready } = await open(await service.createIntent());
  await ready();
  const root = frame.locator(':root');
  const pay = frame.locator('button.pay');
  const number = frame.locator('[autocomplete$="cc-number"]');
  await frame.locator('[autocomplete$="email"]').fill('ada@example.com');
  await number.fill('4242424242424242');
  for (const [locale, dir, label, button] of [
    ['ar', 'rtl', 'رقم البطاقة', 'دفع 58.04 US$'],
    ['fr-CA', 'ltr', 'Numéro de carte', 'Payer 58,04 $ US'],
    ['en', 'ltr', 'Card number', 'Pay $58.04'],
  ] as const) {
    await page.evaluate((wish) => window.ports.at(-1)?.postMessage({ type: 'update', locale: wish }), locale);
    await expect(root).toHaveAttribute('lang', locale);
    await expect(root).toHaveAttribute('dir', dir);
    await expect(frame.getByLabel(label, { exact: true })).toHaveValue('4242 4242 4242 4242');
    await expect(number).toBeFocused();
    await expect.poll(async () => read((await pay.textContent()) ?? '')).toBe(button);
    await expect(frame.locator('[autocomplete$="email"]')).toHaveValue('ada@example.com');
  }
});

test("only the texts of the form's language are fetched", async ({ open, page, service }) => {
  const words: string[] = [];
  page.on('request', (request) => {
    const name = /assets\/([a-z]{2}(?:-Hant)?)\.json/.exec(request.url())?.[1];
    if (name !== undefined) words.push(name);
  });
  const { frame } = await open(await service.createIntent(), { options: { locale: 'hu' } });
  await expect(frame.locator('button.pay[data-kind="pay"]:not([data-early])')).toBeEnabled();
  expect(words).toEqual(['hu']);
});
