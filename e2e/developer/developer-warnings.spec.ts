/** promises 1.5: what a developer is told while developing. The test pages are loopback pages. */
import { expect, test } from '../support/fixtures.ts';

test('warns of an unknown option with "did you mean", once on the console', async ({
  open,
  page,
  service,
}) => {
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') said.push(message.text());
  });
  const checkout = await open(await service.createIntent(), { options: { acceptedBrand: ['visa'] } });
  await expect
    .poll(() => checkout.events('warning'))
    .toMatchObject([
      { about: 'acceptedBrand', hint: expect.stringContaining('Did you mean acceptedBrands?') },
    ]);
  expect(said.filter((text) => text.includes('acceptedBrand:'))).toHaveLength(1);
});

test('throws when a second form is mounted for one payment', async ({ open, page, service }) => {
  const intent = await service.createIntent();
  await open(intent, { body: '<div id="card-form"></div><div id="other"></div>' });
  const code = await page.evaluate(
    ({ key, secret }) => {
      try {
        window.mountCardForm('#other', { publishableKey: key, clientSecret: secret });
        return null;
      } catch (mistake) {
        return Reflect.get(Object(mistake), 'code');
      }
    },
    { key: service.keys.publishable, secret: intent.client_secret },
  );
  expect(code).toBe('already_mounted');
});

test('loaderror http: an error of the service in place of the form, at once, and trying again works', async ({
  open,
  page,
  service,
}) => {
  await page.route(/frame\.html$/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' }),
  );
  const checkout = await open(await service.createIntent());
  await expect(checkout.fallback).toBeVisible();
  await expect.poll(() => checkout.events('loaderror')).toMatchObject([{ reason: 'http' }]);
  await page.unroute(/frame\.html$/);
  await checkout.fallback.getByRole('button', { name: 'Try again' }).click();
  await checkout.ready();
});
