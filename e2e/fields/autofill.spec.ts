/**
 * Chromium's own autofill, over the DevTools protocol: everything the browser fills in on one press must arrive,
 * including the second address line, which looks like a link until then.
 */
import type { BrowserContext, Page } from 'playwright/test';
import { WHOLE_CHROMIUM } from '../browsers/launch-chromium.ts';
import { BUYER, CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';

test.use({ launchOptions: WHOLE_CHROMIUM });

const LINE2 = 'Flat 3';

/** Field types of Chromium's autofill. */
const ADDRESS = {
  fields: [
    { name: 'NAME_FULL', value: BUYER.name },
    { name: 'EMAIL_ADDRESS', value: BUYER.email },
    { name: 'ADDRESS_HOME_STREET_ADDRESS', value: `${BUYER.line1}\n${LINE2}` },
    { name: 'ADDRESS_HOME_CITY', value: BUYER.city },
    { name: 'ADDRESS_HOME_STATE', value: BUYER.state },
    { name: 'ADDRESS_HOME_ZIP', value: BUYER.zip },
    { name: 'ADDRESS_HOME_COUNTRY', value: 'US' },
  ],
};

const SAVED_CARD = {
  number: CARD.visa,
  name: BUYER.name,
  expiryMonth: '12',
  expiryYear: '2034',
  cvc: BUYER.code,
};

type Data = { address: typeof ADDRESS } | { card: typeof SAVED_CARD };

/** Makes the browser fill in the form, as if the buyer had chosen an entry at the field with this id. */
const autofill = async (context: BrowserContext, page: Page, id: string, data: Data) => {
  const frame = page.frames().find((one) => one.url().includes('/partner/v1/card-form/'));
  if (!frame) throw new Error('The page has no card form.');
  const browser = await context.newCDPSession(frame); // the frame is cross-site and has its own process
  await browser.send('Autofill.enable');
  const { frameTree } = await browser.send('Page.getFrameTree');
  const { root } = await browser.send('DOM.getDocument', { depth: 0 });
  const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector: `#${id}` });
  const { node } = await browser.send('DOM.describeNode', { nodeId });
  // The browser reads a form some time after the field receives the focus.
  await expect
    .poll(() =>
      browser
        .send('Autofill.trigger', { fieldId: node.backendNodeId, frameId: frameTree.frame.id, ...data })
        .then(() => 'filled', String),
    )
    .toBe('filled');
  await browser.detach();
};

const expectAddress = async (checkout: CheckoutPage) => {
  const expected = { ...BUYER, line2: LINE2 };
  for (const name of ['line1', 'line2', 'city', 'zip', 'email'] as const)
    await expect(checkout.field(name), name).toHaveValue(expected[name]);
  expect((await checkout.field('line2').boundingBox())?.height).toBeGreaterThan(40);
};

test('nothing autofilled is lost: the second address line is filled in and open, and the form pays with it', async ({
  context,
  checkout,
  page,
}) => {
  await checkout.ready();
  await checkout.field('number').click();
  await autofill(context, page, 'field-number', { card: SAVED_CARD });
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await checkout.field('line1').click();
  await autofill(context, page, 'field-line1', { address: ADDRESS });
  await expectAddress(checkout);
  await expect(checkout.field('state')).toHaveValue(BUYER.state);
  await checkout.field('code').fill(BUYER.code);
  await checkout.field('name').fill(BUYER.name);
  const sent = page.waitForRequest(/\/confirm$/);
  await checkout.pay();
  expect((await sent).postDataJSON()).toMatchObject({ billing_details: { address: { line2: LINE2 } } });
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
});

/** In a country that no browser here would guess. */
const BERLIN = { line1: 'Hauptstr. 5', city: 'Berlin', zip: '10115' };
const GERMAN_ADDRESS = {
  fields: [
    { name: 'NAME_FULL', value: BUYER.name },
    { name: 'EMAIL_ADDRESS', value: BUYER.email },
    { name: 'ADDRESS_HOME_STREET_ADDRESS', value: BERLIN.line1 },
    { name: 'ADDRESS_HOME_CITY', value: BERLIN.city },
    { name: 'ADDRESS_HOME_ZIP', value: BERLIN.zip },
    { name: 'ADDRESS_HOME_COUNTRY', value: 'DE' },
  ],
};

const expectBerlin = async (checkout: CheckoutPage) => {
  await expect(checkout.field('country')).toHaveValue('DE');
  await expect(checkout.field('state')).toHaveCount(0);
  await expect(checkout.field('line1')).toHaveValue(BERLIN.line1);
  await expect(checkout.field('city')).toHaveValue(BERLIN.city);
  await expect(checkout.frame.getByLabel('Postal code')).toHaveValue(BERLIN.zip);
  await expect(checkout.field('email')).toHaveValue(BUYER.email);
};

test('values autofilled before the scripts have loaded are kept, with their country', {
  tag: '@thorough',
}, async ({ context, open, page, service }) => {
  const { release } = await holdRequests(page, /\/form\.js$/);
  const checkout = await open(await service.createIntent());
  await checkout.field('line1').click();
  await expect.poll(() => checkout.field('country').locator('option').count()).toBe(249);
  await autofill(context, page, 'field-line1', { address: GERMAN_ADDRESS });
  await expect(checkout.field('country')).toHaveValue('DE');
  release();
  await checkout.ready();
  await expectBerlin(checkout);
});

test('a country autofilled before the browser was idle is kept and sent', async ({
  context,
  open,
  page,
  service,
}) => {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.field('line1').click();
  await autofill(context, page, 'field-line1', { address: GERMAN_ADDRESS });
  await expectBerlin(checkout);
  await checkout.field('name').fill(BUYER.name);
  const sent = page.waitForRequest(/\/confirm$/);
  await checkout.pay();
  expect((await sent).postDataJSON()).toMatchObject({
    billing_details: { address: { country: 'DE', state: null, postal_code: BERLIN.zip } },
  });
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
});
