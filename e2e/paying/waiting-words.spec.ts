/** outcomes 2.5: a buyer who waits for the bank reads something else after 10, 30 and 60 s, on a page that is not one of ours. */
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

const WORDS = [
  [9, 'Confirming your payment. Please keep this page open.'],
  [
    2,
    'Still confirming with your bank. This can take a minute. You will not be charged twice for this order.',
  ],
  [20, 'Your bank is slower than usual. Please keep this page open; you will not be charged twice.'],
  [30, 'Your bank has not answered yet. We keep asking, so please do not pay for this order again.'],
] as const;

test('the words change 10, 30 and 60 s after the press', async ({ time, page, service, site }) => {
  await service.nextAnswer({ route: 'client.confirm', never: true, act: false });
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), {
    options: { defaultValues: KNOWN_BUYER },
  });
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await time.stop();
  await checkout.pay();
  await expect(checkout.notice).toHaveText(WORDS[0][1]);
  for (const [seconds, words] of WORDS) {
    await time.pass(seconds, 1);
    await expect(checkout.notice).toHaveText(words);
  }
});
