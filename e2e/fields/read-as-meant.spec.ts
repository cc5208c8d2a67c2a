/** promises 2.12: what a buyer sees of a text that is read as it was meant. */
import { expectPaid } from '../paying/journey.ts';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

test('a field that was left shows what is sent', async ({ checkout, intent, service }) => {
  await checkout.ready();
  await checkout.fill({
    expiry: '34/12',
    name: ' Ada\u200b Lovelace\u3164',
    email: '\u200fAda <mailto:ada@example.com>,',
  });
  for (const [name, shown] of [
    ['expiry', '12 / 34'],
    ['name', 'Ada Lovelace'],
    ['email', 'ada@example.com'],
  ] as const)
    await expect(checkout.field(name)).toHaveValue(shown);
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});

test('a card number in the name is said to be one, and nothing is sent until it is gone', async ({
  checkout,
  intent,
  service,
}) => {
  await checkout.ready();
  await checkout.fill({ name: '4242 4242 4242 4242' });
  const problem = checkout.frame.getByText('This looks like a card number.');
  await expect(problem).toBeVisible();
  await checkout.pay();
  await expect(checkout.field('name')).toBeFocused();
  await checkout.field('name').fill('Ada Lovelace');
  await expect(problem).toBeHidden();
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});

test('a code in Latvia gets the letters that its country writes', async ({ checkout }) => {
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.field('country').selectOption('LV');
  const code = checkout.frame.getByLabel('Postal code');
  await code.fill('1010');
  await code.blur();
  await expect(code).toHaveValue('LV-1010');
});
