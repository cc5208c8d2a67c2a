/** promises 2.12: what a buyer sees when the form corrects a text to its meaning. */
import { expectPaid } from '../paying/journey.ts';
import { expect, test } from '../support/fixtures.ts';

test('a field shows on blur what is sent; a card number in the name is reported, and nothing is sent until it is gone', async ({
  checkout,
  intent,
  service,
}) => {
  await checkout.ready();
  await checkout.field('country').selectOption('LV');
  const code = checkout.frame.getByLabel('Postal code');
  await code.fill('1010');
  await code.blur();
  await expect(code).toHaveValue('LV-1010'); // the letters that its country uses
  await checkout.field('country').selectOption('US');

  await checkout.fill({
    expiry: '34/12',
    name: '4242 4242 4242 4242',
    email: '\u200fAda <mailto:ada@example.com>,',
  });
  const problem = checkout.frame.getByText('This looks like a card number.');
  await expect(problem).toBeVisible();
  await checkout.pay();
  await expect(checkout.field('name')).toBeFocused();
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  await checkout.field('name').fill(' Ada\u200b Lovelace\u3164');
  await expect(problem).toBeHidden();
  await checkout.field('name').blur();
  for (const [name, shown] of [
    ['expiry', '12 / 34'],
    ['name', 'Ada Lovelace'],
    ['email', 'ada@example.com'],
  ] as const)
    await expect(checkout.field(name)).toHaveValue(shown);
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});
