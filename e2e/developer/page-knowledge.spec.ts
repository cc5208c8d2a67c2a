import { expect, test } from '../support/fixtures.ts';

/** Mounts a form in a container that the page shows at `ready` or at `loaderror`. */
const HIDDEN = '#card-form { display: none } #card-form.shown { display: block }';

test('a container hidden until ready resolves ready with the total, and has its height at once', async ({
  page,
  merchant,
  service,
}) => {
  const { client_secret } = await service.createIntent();
  await page.goto(merchant.serve({ css: HIDDEN }));
  const ready = await page.evaluate(
    async (options) => {
      const form = window.CardForm?.mount('#card-form', options);
      const told = await form?.ready;
      document.querySelector('#card-form')?.classList.add('shown');
      return told;
    },
    { publishableKey: service.keys.publishable, clientSecret: client_secret, locale: 'en' },
  );
  expect(ready).toEqual({ type: 'ready', amountTotal: 5804, currency: 'usd' });
  const frame = page.frameLocator('#card-form iframe');
  await expect(frame.locator('.total')).toHaveText('$58.04');
  await expect
    .poll(async () => {
      const [outside, inside] = [
        await page.locator('#card-form iframe').evaluate(({ clientHeight }) => clientHeight),
        await frame.locator('#form').evaluate((form) => Math.ceil(form.getBoundingClientRect().height)),
      ];
      return outside - inside;
    })
    .toBe(0);
});

test('validate() shows the messages at the fields, pays nothing and leaves the focus alone', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, { body: '<button id="next">Next</button><div id="card-form"></div>' });
  await checkout.ready();
  await checkout.field('email').fill('ada@@example.com');
  await page.locator('#next').focus();
  const validate = () => page.evaluate(() => window.forms[0]?.validate());
  expect(await validate()).toMatchObject({
    complete: false,
    invalid: ['email'],
    missing: ['card', 'name', 'line1', 'postal_code', 'state', 'city'],
    canPay: false,
  });
  await expect(checkout.field('number')).toHaveAccessibleDescription(/Enter your card number/);
  await expect(checkout.field('zip')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('#next')).toBeFocused();
  await checkout.fill();
  expect(await validate()).toMatchObject({ complete: true, invalid: [], missing: [], canPay: true });
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
});
