/**
 * threat-model 1.4: a press refused because of a cover brings the form to the front, in its place. A veil of the page
 * prevents that, and keeps keys from the button.
 */
import type { Page } from 'playwright/test';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';
import { layOver } from './attacks.ts';
import { quickStartForm, quickStartPage, type Surroundings } from './quick-start-checkout.ts';

const COVER =
  '<div style="position:absolute;&;background:#fff;pointer-events:none;z-index:9">Total: $1.00</div>';

const open = async (
  { page, service, site }: { page: Page; service: Service; site: ForeignSite },
  surroundings: Surroundings = {},
) => {
  const intent = await service.createIntent();
  await page.goto(site.put('/checkout', quickStartPage(service, '', surroundings)));
  await page.evaluate(([secret, known]) => window.pay(secret, known), [
    intent.client_secret,
    KNOWN_BUYER,
  ] as const);
  const form = quickStartForm(page);
  await form.fillCard();
  const refuse = async () => {
    await form.focusByKeys();
    expect(await form.pressed()).toBe('obscured');
  };
  const isFront = () => page.evaluate(() => !!document.querySelector('iframe:popover-open'));
  const layout = () =>
    page.evaluate(() => ({
      height: document.body.scrollHeight,
      outcome: document.querySelector('#outcome')?.getBoundingClientRect().y,
      iframe: JSON.stringify(document.querySelector('#payment iframe')?.getBoundingClientRect()),
    }));
  return { intent, form, refuse, isFront, layout, record: () => service.record(intent.id) };
};

test.use({ viewport: { width: 1280, height: 800 } });

test('threat-model 1.4: the form in front stays in its place; nothing on the page moves, the focus stays, and typing continues', async ({
  page,
  service,
  site,
}) => {
  const { form, refuse, isFront, layout, record } = await open({ page, service, site });
  const before = await layout();
  let documents = 0;
  page.on('framenavigated', () => {
    documents += 1;
  });
  await page.evaluate(layOver, [COVER, '#payment'] as const);
  await refuse();
  await expect.poll(isFront).toBe(true);
  expect(await layout()).toEqual(before);
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('4');
  await expect(form.frame.getByLabel('Security code')).toHaveValue('124');
  await form.pay.click();
  await form.isPaid();
  await expect.poll(isFront).toBe(false);
  expect(await record()).toMatchObject({ charges: 1, confirms: 1 });
  expect(documents).toBe(0);
  expect(await page.locator('#payment > *').count()).toBe(1);
  expect(await page.locator('#payment iframe').getAttribute('popover')).toBeNull();
});

const PAGES: Readonly<Record<string, Surroundings>> = {
  'from right to left': { css: 'body { direction: rtl }' },
  'with a zoom': { css: 'body { zoom: 1.25 }' },
  'that lays the form out by styles for iframes': {
    css: '#payment { display: flex; justify-content: center } #payment > * { max-width: 400px } #payment > iframe { margin: 0 auto 20px }',
  },
  'that styles siblings of the form': {
    css: '#payment > div { display: none !important } #payment > * + * { margin-top: 50px; animation: spin 1s infinite } @keyframes spin { to { rotate: 1turn } }',
  },
};

test('threat-model 1.4: the form in front stays in its place, and nothing on the page moves there or back, whatever the layout', async ({
  page,
  service,
  site,
}) => {
  for (const [what, surroundings] of Object.entries(PAGES)) {
    const after = '<p>Terms</p>';
    const { refuse, isFront, layout } = await open({ page, service, site }, { ...surroundings, after });
    const before = await layout();
    await page.evaluate(layOver, [COVER, '#payment'] as const);
    await refuse();
    await expect.poll(isFront, what).toBe(true);
    expect(await layout(), what).toEqual(before);
    await page.keyboard.press('Escape');
    await expect.poll(isFront, what).toBe(false);
    expect(await layout(), what).toEqual(before);
  }
});

test("threat-model 1.4: with the page's own button, the form in front has a button too, whose press asks the page, and the page's checks come first", async ({
  page,
  service,
  site,
}) => {
  const { id, client_secret: clientSecret } = await service.createIntent();
  const { publishable: publishableKey } = service.keys;
  const options = { publishableKey, clientSecret, defaultValues: KNOWN_BUYER, payButton: 'host' };
  const after = `<label><input type="checkbox" id="terms"> Terms</label><script>
    window.form = CardForm.mount('#payment', ${JSON.stringify(options)});
    form.on('error', (error) => errors.push(error.code));
    form.on('submitrequest', () => { if (terms.checked) form.submit(); else errors.push('terms'); });
    form.result.then((result) => { outcome.textContent = result.outcome; });
  </script>`;
  await page.goto(site.put('/checkout', quickStartPage(service, '', { after })));
  const form = quickStartForm(page);
  const told = () => page.evaluate(() => window.errors.at(-1));
  await form.fillCard();
  await expect(form.pay).toHaveCount(0);
  const below = await page.locator('#terms').boundingBox();
  await page.locator('#terms').check();
  await page.evaluate(layOver, [COVER, '#payment'] as const);
  await expect(async () => {
    await page.evaluate(() => window.form.submit());
    await expect.poll(told, { timeout: 1000 }).toBe('obscured');
  }).toPass({ timeout: 20_000 });
  await expect(form.pay).toBeVisible();
  expect(await page.locator('#terms').boundingBox()).toEqual(below);

  const setTerms = (isChecked: boolean) =>
    page.locator('#terms').evaluate((box, to) => Reflect.set(box, 'checked', to), isChecked);
  await setTerms(false);
  await form.pay.click();
  await expect.poll(told).toBe('terms');
  expect(await service.record(id)).toMatchObject({ confirms: 0 });
  await setTerms(true);
  await form.pay.click();
  await form.isPaid();
  expect(await service.record(id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('threat-model 1.4: a box that cuts the form off does not do so in front', async ({
  page,
  service,
  site,
}) => {
  const after = '<p style="height:900px">Terms</p>';
  const surroundings = { around: 'height: 10px; overflow: hidden', after };
  const { form, isFront, record } = await open({ page, service, site }, surroundings);
  await expect(async () => {
    await page.keyboard.press('Enter');
    await expect.poll(isFront, { timeout: 1000 }).toBe(true);
  }).toPass({ timeout: 20_000 });
  expect(await record()).toMatchObject({ confirms: 0 });
  await form.pay.click();
  await form.isPaid();
  expect(await record()).toMatchObject({ charges: 1, confirms: 1 });
});

test('threat-model 1.4: the form goes back on a scroll, a resize, Escape, a press elsewhere, and when it is changed or removed', async ({
  page,
  service,
  site,
}) => {
  const { form, refuse, isFront } = await open(
    { page, service, site },
    { after: '<div style="height:2000px"></div>' },
  );
  await page.evaluate(layOver, [COVER, '#payment'] as const);
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'a scroll': () => page.mouse.wheel(0, 5),
    'a resize': () => page.setViewportSize({ width: 1270, height: 800 }),
    'Escape in the form': () => page.keyboard.press('Escape'),
    'a press elsewhere': () => page.mouse.click(5, 5),
    'a changed attribute': () =>
      page.evaluate(() => document.querySelector('#payment iframe')?.setAttribute('style', 'height:300px')),
  };
  for (const [what, act] of Object.entries(ways)) {
    await form.frame.getByLabel('Security code').focus();
    await refuse();
    await expect.poll(isFront, what).toBe(true);
    await act();
    await expect.poll(isFront, what).toBe(false);
    expect(await page.locator('#payment > *').count(), what).toBe(1);
  }
  await page.evaluate(() => window.form.unmount());
  await expect(page.locator('#payment > *')).toHaveCount(0);
});

const VEILS: Readonly<Record<string, string>> = {
  'a veil over the page':
    '<div style="position:fixed;inset:0;cursor:wait;z-index:9" class="veil">Updating your basket</div>',
  'a veil that paints nothing':
    '<div style="position:fixed;inset:0;cursor:wait;z-index:9" class="veil"></div>',
  'a veil over the form': '<div style="position:absolute;&;z-index:9" class="veil"></div>',
  'a veil over the button':
    '<div style="position:absolute;&;clip-path:inset(calc(100% - 120px) 0 0);z-index:9" class="veil"></div>',
};

/** Attributes and styles of what surrounds the form. An inert element loses the focus, and with it the keys. */
const DISABLED: Readonly<Record<string, readonly [name: string, value: string]>> = {
  'pointer-events: none': ['style', 'pointer-events: none; opacity: .6'],
};

test('threat-model 1.4: a veil that catches the pointer over the button refuses keys as well, and the form is not brought to the front', async ({
  page,
  service,
  site,
}) => {
  const { form, isFront, refuse, record } = await open({ page, service, site });
  const press = async (what: string) => {
    await form.frame.getByLabel('Security code').evaluate((field) => field.focus());
    await refuse();
    expect(await isFront(), what).toBe(false);
  };
  for (const [what, veil] of Object.entries(VEILS)) {
    await page.evaluate(layOver, [veil, '#payment'] as const);
    await press(what);
    await page.evaluate(() => document.querySelector('#layer')?.remove());
  }
  for (const [what, [name, value]] of Object.entries(DISABLED)) {
    await page
      .locator('#payment')
      .evaluate((place, [key, to]) => place.setAttribute(key, to), [name, value] as const);
    await press(what);
    await page.locator('#payment').evaluate((place, key) => place.removeAttribute(key), name);
  }
  expect(await record()).toMatchObject({ confirms: 0 });
  await expect(async () => {
    await form.frame.getByLabel('Security code').press('Enter');
    await expect(page.locator('#outcome')).toHaveText('succeeded', { timeout: 2000 });
  }).toPass();
});
