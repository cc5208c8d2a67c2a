/** What the live region says to a buyer who cannot see the button, on a page that is not one of ours. */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer } from '../support/strange-shop.ts';

test("the live region says when Pay can be pressed after a 429's wait", async ({
  time,
  page,
  service,
  site,
}) => {
  const checkout = await openForKnownBuyer(page, { service, site });
  await checkout.fillCard(CARD.throttled);
  await time.stop();
  await checkout.pay();
  await expect(checkout.notice).toContainText(/^You can try again in \ds\./);
  await expect(checkout.frame.locator('.notice')).toHaveAttribute('data-tone', 'info');
  await time.pass(5.5, 0.5);
  await checkout.ready('Pay $58.04');
  await expect(checkout.notice).toHaveText('You can try again now.');
});
