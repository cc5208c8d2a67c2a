import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import { violations } from '../support/axe.ts';
import { createSandbox, listen } from '../support/built-modules.mjs';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { listening } from '../support/listening.ts';
import type { Service } from '../support/service.ts';

const run = promisify(execFile);

const root = fileURLToPath(new URL('../../dist', import.meta.url));

/** The page model of the inspector. */
const inspectorOn = (page: Page, service: Service) => {
  const said = page.getByRole('status');
  const timeline = page.getByRole('region', { name: 'Timeline' });
  return {
    page,
    said,
    timeline,
    async open(part = 'payments') {
      await page.goto(`${service.url}/_sandbox/#/${part}`);
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
    },
    /** The titles of the timeline, in order. */
    titles: () => timeline.locator('.title').allTextContents(),
    /** `by`: the step as in the button's title. */
    async moveClock(by: string) {
      await page.getByTitle(`Move the clock forward by ${by}`).click();
      await expect(said).toHaveText(`Moved the clock forward by ${by}.`);
    },
  };
};

const PARTS = ['payments', 'requests', 'webhooks', 'balance', 'cards', 'faults', 'controls'];

/** Adds an endpoint where no server listens. */
const addDeafEndpoint = (service: Service) =>
  fetch(`${service.url}/_sandbox/webhook_endpoints`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://localhost:9/hook' }),
  });

/** Pays an intent as the form does, without the form. */
const confirm = async (service: Service, client_secret: string): Promise<void> => {
  const answer = await fetch(`${service.url}/partner/v1/client/payment_intents/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keys.publishable}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      client_secret,
      amount_total: 5804,
      currency: 'usd',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
      billing_details: {
        ...KNOWN_BUYER.billingDetails,
        address: { ...KNOWN_BUYER.billingDetails.address, line2: null },
      },
    }),
  });
  if (!answer.ok) throw new Error(`The confirm answered ${answer.status}: ${await answer.text()}`);
};

test.describe('the inspector', () => {
  test.use({ knownBuyer: true });

  test('shows a payment being created, declined, released, paid and refunded, without a reload', async ({
    context,
    open,
    service,
  }) => {
    const inspector = inspectorOn(await context.newPage(), service);
    await inspector.open();
    await expect(inspector.page.getByText('No payment yet.')).toBeVisible();

    const intent = await service.createIntent();
    const row = inspector.page.getByRole('link', { name: intent.id });
    await expect(row).toContainText('$58.04');
    await expect(row).toContainText('pending');
    await row.click();
    await expect(inspector.timeline).toContainText('Created');

    const checkout = await open(intent);
    await expect(inspector.timeline).toContainText('Retrieved by the form');
    // A background tab is throttled.
    await checkout.page.bringToFront();
    await checkout.fillCard('4000000000000002');
    await checkout.pay();
    await expect(inspector.timeline).toContainText('Declined, attempt 1');
    await expect(inspector.timeline).toContainText('402 payment_method_declined');
    await checkout.fillCard('4242424242424242');

    await test.step('an amount changed in the inspector is shown at the next press, before anything is charged', async () => {
      await inspector.page.getByLabel('Amount, minor units').fill('6100');
      await inspector.page.getByRole('button', { name: 'Change the amount' }).click();
      await expect(inspector.timeline).toContainText('Total changed from $58.04 to $61.00');
      await checkout.page.bringToFront();
      await checkout.pay();
      await expect(checkout.total).toHaveText('$61.00');
      expect(await service.record(intent.id)).toMatchObject({ charges: 0 });
    });
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect(inspector.timeline).toContainText('Paid$61.00');
    await expect(row).toContainText('succeeded');
    const titles = await inspector.titles();
    const inOrder = ['Created', 'Declined, attempt 1', 'Released by the form', 'Paid'];
    expect(titles.filter((title) => inOrder.includes(title))).toEqual(inOrder);
    await expect(inspector.timeline).toContainText('Step 1 available');

    await inspector.page.bringToFront();
    await inspector.page.getByRole('link', { name: 'Balance' }).click();
    const usd = inspector.page.getByRole('region', { name: 'Balance in USD' });
    const net = 6100 - 177 - 30 - 31; // 2.90 % + 30 and 0.50 %, each rounded half up (contract 6.5)
    const money = (minor: number) => `$${(minor / 100).toFixed(2)}`;
    await expect(usd).toContainText(`Available$0.00Locked${money(net)}`);
    await expect(usd.getByRole('row')).toHaveCount(3);

    await inspector.page.getByRole('link', { name: 'Payments' }).click();
    await inspector.page.getByRole('link', { name: intent.id }).click();
    await inspector.page.getByLabel('Refund, minor units').fill('1000');
    await inspector.page.getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(inspector.timeline).toContainText('Refund of $10.00 begun');
    const steps = inspector.page.getByRole('region', { name: 'Unlock steps' });
    await expect(steps.getByRole('row').nth(1)).toContainText('$10.00');
    await inspector.moveClock('30 seconds');
    await expect(inspector.timeline).toContainText('Refund of $10.00 succeeded');

    await inspector.page.getByRole('link', { name: 'Balance' }).click();
    await expect(usd).toContainText(`Locked${money(net - 1000)}`);
    await inspector.moveClock('30 days');
    await inspector.moveClock('1 day');
    await expect(usd).toContainText(`Available${money(net - 1000)}Locked$0.00`);
  });

  test('a failed webhook is retried when the clock moves, and by a button', { tag: '@thorough' }, async ({
    context,
    open,
    service,
  }) => {
    let answers = 500;
    const arrived: (string | undefined)[] = [];
    const receiver = createServer((request, response) => {
      arrived.push(request.headers['service-event-type']?.toString());
      request.resume();
      response.writeHead(answers).end(answers === 500 ? 'unknown order' : '');
    });
    const { url, stop } = await listening(receiver, '127.0.0.1');
    try {
      const inspector = inspectorOn(await context.newPage(), service);
      await inspector.open('webhooks');
      await inspector.page.getByLabel('URL').fill(`${url}/hook`);
      await inspector.page.getByRole('button', { name: 'Add an endpoint' }).click();
      await expect(inspector.page.getByRole('region', { name: 'Endpoints' })).toContainText('enabled');

      const checkout = await open(await service.createIntent());
      await checkout.fillCard('4242424242424242');
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      const deliveries = inspector.page.getByRole('region', { name: 'Deliveries' });
      await expect(deliveries).toContainText('payment_intent.succeeded');
      await expect(deliveries.getByText('HTTP 500')).toHaveCount(1);
      await expect(deliveries).toContainText('next attempt in');
      await inspector.moveClock('30 seconds');
      await expect(deliveries.getByText('HTTP 500')).toHaveCount(2);
      await test.step('a delivery shows its body and the answer, and links to the payment', async () => {
        await deliveries.getByText('Body', { exact: true }).click();
        await expect(deliveries.locator('pre').first()).toContainText('"payment_intent.succeeded"');
        await deliveries.getByText('Answer', { exact: true }).first().click();
        await expect(deliveries.getByText('unknown order').first()).toBeVisible();
        const [id = ''] = await service.intents();
        await expect(deliveries.getByRole('link', { name: id })).toHaveAttribute('href', `#/payments/${id}`);
      });
      await test.step('deliveries can be searched and filtered by failure', async () => {
        const [search, failed] = [
          inspector.page.getByRole('searchbox'),
          inspector.page.getByLabel('Only failed'),
        ];
        const events = deliveries.getByText('payment_intent.succeeded', { exact: true });
        await search.fill('answered 500');
        await expect(events).toHaveCount(1);
        await search.fill('refund.');
        await expect(deliveries).toContainText('No such delivery.');
        await search.fill('');
        await failed.check();
        await expect(events).toHaveCount(1);
        await failed.uncheck();
      });
      answers = 204;
      await inspector.page.getByRole('button', { name: 'Send again: payment_intent.succeeded' }).click();
      await expect(inspector.said).toHaveText('Sent, and the endpoint accepted it.');
      await expect(deliveries.getByText('HTTP 204')).toHaveCount(1);
      await expect(deliveries).toContainText('by hand');
      expect(arrived).toEqual(Array(3).fill('payment_intent.succeeded'));
    } finally {
      await stop();
    }
  });

  test('a fault set in the inspector affects the next confirm, the request log names it, and one click removes all faults', async ({
    context,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard('4242424242424242');
    const inspector = inspectorOn(await context.newPage(), service);
    await inspector.open('faults');
    await inspector.page.getByRole('button', { name: 'acts, then the connection is cut' }).click();
    const waiting = inspector.page.getByRole('region', { name: 'Faults to come' });
    await expect(waiting).toContainText('{"cut":"after"}');

    await checkout.page.bringToFront();
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect(waiting).toContainText('None: everything works.');
    await inspector.page.getByRole('link', { name: 'Requests' }).click();
    const confirm = inspector.page.getByRole('row').filter({ hasText: 'cut: after' });
    await expect(confirm).toContainText('POST /partner/v1/client/payment_intents/confirm');
    await confirm.getByRole('link', { name: intent.id }).click();
    await expect(inspector.timeline).toContainText('the connection ended before the response');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1 });

    await inspector.page.getByRole('link', { name: 'Faults' }).click();
    await inspector.page.getByLabel('The next request to').selectOption('refunds.create');
    await inspector.page.getByLabel('Number of requests').fill('2');
    await inspector.page.getByRole('button', { name: 'acts, answers 502 with an HTML page' }).click();
    await expect(waiting).toContainText('refunds.create 2 times {"act":true,"status":502,"html":true}');
    await inspector.page.getByRole('button', { name: 'arrive, but their response is lost' }).click();
    await expect(waiting).toContainText('webhooks: time_out {"arrives":true,"times":1}');
    await inspector.page.getByLabel('Requests of').selectOption('Your server');
    await inspector.page.getByRole('button', { name: 'Start' }).click();
    await expect(waiting).toContainText('random, seed 1, 20 %');
    const faults: unknown = await (await fetch(`${service.url}/_sandbox/faults`)).json();
    expect(faults).toMatchObject({ random: { routes: expect.arrayContaining(['refunds.create']) } });
    await inspector.page.getByRole('button', { name: 'Remove all faults' }).click();
    await expect(waiting).toContainText('None: everything works.');
  });
});

test('a test payment is created and paid beside its timeline; secrets are shown on demand', async ({
  page,
  service,
}) => {
  const inspector = inspectorOn(page, service);
  await inspector.open();
  await expect(page.getByRole('region', { name: 'First steps' })).toContainText('No payment yet');
  await page.getByRole('button', { name: 'Create a test payment' }).click();
  await expect(page.getByRole('heading', { name: '$24.00' })).toBeVisible();
  const secret = (await page.locator('.secret code').first().textContent()) ?? '';
  expect(secret).toMatch(/^lg_cs_/);
  await expect(inspector.timeline).toContainText('Retrieved by the form');
  const form = page.getByRole('complementary', { name: 'Checkout' }).frameLocator('iframe');
  await form.getByLabel('Card number').fill('4242424242424242');
  await form.getByLabel('Expiry date').fill('12 / 34');
  await form.getByLabel('Security code').fill('123');
  await form.getByRole('button', { name: /Pay/ }).click();
  await expect(inspector.timeline).toContainText('Paid');
  await expect(form.getByText('Payment received')).toBeVisible();
  const [id, ...others] = await service.intents();
  expect(others).toEqual([]);

  await page.reload();
  await expect(inspector.timeline).toContainText('Paid');
  expect(await page.content()).not.toContain('lg_cs_');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.locator('.facts')).toContainText(secret);

  await test.step('a bug report contains the payment, its requests and the release, and no secret', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save a bug report' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`card-form-${id}.json`);
    const text = await readFile(await download.path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      release: expect.stringMatching(/^\d+\.\d+\.\d+/),
      payment: { payment: { id, status: 'succeeded', billing_details: '[redacted]' } },
    });
    expect(text).toContain('client.confirm');
    expect(text).not.toMatch(/lg_cs_|_live_|Lovelace|Orchard|ada@/);
  });

  await page.getByRole('link', { name: 'Controls' }).click();
  await expect(page.getByRole('region', { name: 'Keys' })).toContainText('sk_live_…0001');
  expect(await page.content()).not.toContain(service.keys.secret);
});

test.describe('a first day', () => {
  test('the start page shows keys and pages, help says where things are, and copied commands run unchanged', async ({
    context,
    page,
    service,
  }) => {
    await context.grantPermissions(['clipboard-write']);
    /** The copied text, as pasted elsewhere. */
    const copied = async () => {
      const other = await context.newPage();
      await other.setContent('<textarea autofocus></textarea>');
      const text = other.getByRole('textbox');
      await text.focus();
      await other.keyboard.press('Control+V');
      const pasted = await text.inputValue();
      await other.close();
      return pasted;
    };
    await page.goto(service.url);
    await expect(page.getByText('4242 4242 4242 4242')).toBeVisible();
    await expect(page.getByRole('link', { name: /documentation/i })).toBeVisible();

    const inspector = inspectorOn(page, service);
    await inspector.open();
    await page.getByText('Help', { exact: true }).click();
    await page.getByRole('definition').filter({ hasText: 'The keys to copy' }).waitFor();
    await page.getByRole('term').getByRole('link', { name: 'Controls' }).click();
    await page.getByRole('button', { name: 'Copy the secret key' }).click();
    await expect(inspector.said).toHaveText('Copied the secret key');
    expect(await copied()).toBe(service.keys.secret);

    await page.getByRole('link', { name: 'Payments', exact: true }).first().click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect(inspector.said).toHaveText(/^Copied the command/);
    const made = JSON.parse((await run('/bin/sh', ['-c', await copied()])).stdout);
    expect(made).toMatchObject({ amount: 2400, status: 'pending' });
    await page.getByRole('link', { name: made.id }).click();
    await page.getByRole('button', { name: 'curl: retrieve' }).click();
    await expect(inspector.said).toHaveText('Copied the command: retrieve');
    const read = JSON.parse((await run('/bin/sh', ['-c', await copied()])).stdout);
    expect(read).toMatchObject({ id: made.id });
    expect(await page.content()).not.toContain(service.keys.secret);
  });

  test('untouched payments of the playground are hidden unless included', async ({ page, service }) => {
    const mine = await service.createIntent();
    await page.goto(`${service.url}/_sandbox/playground/`);
    await expect.poll(async () => (await service.intents()).length).toBe(2);
    const inspector = inspectorOn(page, service);
    await inspector.open();
    const rows = page.locator('.rows li');
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(mine.id);
    await page.getByLabel('Include untouched playground payments (1)').check();
    await expect(rows).toHaveCount(2);
  });

  test('times on another day show the date, in every section', async ({ page, service }) => {
    const { id, client_secret } = await service.createIntent();
    await addDeafEndpoint(service);
    await confirm(service, client_secret);
    const today = new Date().toISOString().slice(0, 10);
    const inspector = inspectorOn(page, service);
    await inspector.open('webhooks');
    const main = page.getByRole('main');
    await expect(main).toContainText('payment_intent.succeeded');
    for (const part of ['webhooks', 'requests', 'payments', `payments/${id}`]) {
      await inspector.open(part);
      await expect(main).toContainText(
        part === 'webhooks' ? 'no response' : part.startsWith('payments/') ? 'Paid' : 'ago',
      );
    }
    await inspector.moveClock('1 day');
    for (const part of ['webhooks', 'requests', 'payments', `payments/${id}`]) {
      await inspector.open(part);
      await expect(main.getByText(today).first(), part).toBeVisible();
    }
  });

  test('on a phone the selected section is in view, and its content begins in the first third', async ({
    page,
    service,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await service.createIntent();
    const inspector = inspectorOn(page, service);
    for (const part of PARTS) {
      await inspector.open(part);
      await expect(page.locator('nav [aria-current=page]')).toBeInViewport({ ratio: 1 });
      const top = await page.getByRole('main').evaluate((main) => main.getBoundingClientRect().top);
      expect(top, part).toBeLessThan(844 / 3);
    }
    await page.getByText('Help', { exact: true }).click();
    await expect(page.getByRole('term').getByRole('link', { name: 'Documentation' })).toBeInViewport({
      ratio: 1,
    });
  });
});

test('a live list: pages, search, comparison and keyboard control', {
  tag: '@thorough',
}, async ({ context, page, service }) => {
  const order = 'ORDER-'.padEnd(100, 'A1B2C3D4E5');
  for (let made = 0; made < 118; made += 1) await service.createIntent({ order_reference: `N-${made}.` });
  const [first, second] = [
    await service.createIntent({ order_reference: order }),
    await service.createIntent({ amount: 7000 }),
  ];
  const inspector = inspectorOn(page, service);
  const search = page.getByRole('searchbox');
  await inspector.open();
  const rows = page.locator('.rows li');
  await expect(rows).toHaveCount(50);
  await expect(page.getByText('1 to 50 of 120')).toBeVisible();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect(page.getByText('51 to 100 of 120')).toBeVisible();
  await search.fill('N-17.');
  await expect(rows).toHaveCount(1);
  await search.fill('');
  await expect(rows).toHaveCount(50);

  await page.reload(); // back to the newest page

  await test.step('a long order number stays in its pane, and opening a payment sends no request from the form', async () => {
    await inspector.open(`payments/${first.id}`);
    await expect(page.locator('.facts')).toContainText(order);
    const side = (selector: string, edge: 'left' | 'right') =>
      page.locator(selector).evaluate((element, edge) => element.getBoundingClientRect()[edge], edge);
    const foot = page.locator('.row-foot span').filter({ hasText: order });
    expect(await foot.evaluate((element) => element.getBoundingClientRect().right)).toBeLessThanOrEqual(
      await side('.rows', 'right'),
    );
    expect(await side('.rows', 'right')).toBeLessThan(await side('.detail', 'left'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(await inspector.titles()).toEqual(['Created']);
  });

  await test.step('the comparison of two payments has its own address', async () => {
    await page.getByLabel('Compare with').selectOption(second.id);
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await expect(comparison.getByRole('row', { name: 'amount_total' })).toContainText('7000');
    await expect(comparison.getByRole('region', { name: `Timeline of ${second.id}` })).toContainText(
      'Created',
    );
    expect(new URL(page.url()).hash).toBe(`#/payments/${first.id}/${second.id}`);
    expect(await violations(page.mainFrame(), 'rgb(255, 255, 255)')).toEqual([]);
  });

  await test.step('a payment can be canceled by keyboard alone', async () => {
    const { id } = await service.createIntent();
    await inspector.open();
    await page.getByRole('link', { name: id }).focus();
    await page.keyboard.press('Enter');
    const cancel = page.getByRole('button', { name: 'Cancel the payment' });
    await expect(cancel).toBeVisible();
    for (let presses = 0; presses < 80; presses += 1) {
      if (await cancel.evaluate((button) => button === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(cancel).toBeFocused();
    await page.keyboard.press('Space');
    await expect(inspector.timeline).toContainText('Canceled');
    await expect(cancel).toHaveCount(0);
  });

  await test.step('a card number is copied with one click, and is never searched for', async () => {
    await page.getByRole('link', { name: 'Cards' }).click();
    await context.grantPermissions(['clipboard-write']); // a browser with a window grants this to a click
    await page.getByRole('button', { name: '4000 0000 0000 9995' }).click();
    await expect(inspector.said).toHaveText('Copied 4000 0000 0000 9995');
    await page.getByRole('link', { name: 'Payments' }).click();
    await search.focus();
    await page.keyboard.press('Control+V');
    await expect(search).toHaveValue('4000000000009995');
    await expect(page.getByText('Card numbers, keys and client secrets are not searched for.')).toBeVisible();
  });
});

test('axe finds nothing in any section, and a narrow screen does not scroll sideways', {
  tag: '@thorough',
}, async ({ page, service }) => {
  await addDeafEndpoint(service);
  await service.createIntent();
  const { id, client_secret } = await service.createIntent();
  await confirm(service, client_secret);
  const inspector = inspectorOn(page, service);
  await inspector.open();
  // Each part in one scheme and, for axe, at one width.
  for (const [turn, part] of [...PARTS, `payments/${id}`].entries()) {
    const [colorScheme, width] = [turn % 2 ? 'dark' : 'light', turn % 3 === 2 ? 1280 : 360] as const;
    const where = `${part}, ${colorScheme}, ${width}`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await inspector.open(part);
    await expect(page.getByRole('main')).not.toBeEmpty();
    if (part === `payments/${id}`) await expect(inspector.timeline).toContainText('Paid');
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await violations(page.mainFrame(), ground), where).toEqual([]);
    await page.setViewportSize({ width: 360, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, where).toBeLessThanOrEqual(0);
  }
});

test('contract 6.3: from another machine, the inspector asks for the control token, or takes it from the printed link', {
  tag: '@thorough',
}, async ({ context, watch }) => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  test.skip(outside === undefined, 'this machine has no address but loopback');
  const sandbox = createSandbox();
  const token = 'a-control-token-of-this-test';
  const running = await listen(sandbox, { port: 0, root, host: '0.0.0.0', token });
  const address = `http://${outside}:${running.port}/_sandbox/`;
  watch.expect(new RegExp(`^asked a stranger: http://${outside}:`));
  // Ignored on a page without https, the case of a browser on another machine.
  watch.expect(/^The Cross-Origin-Opener-Policy header has been ignored/);

  const page = await context.newPage();
  await page.goto(address);
  await expect(page.getByText('Locked', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create a test payment' })).toHaveCount(0);
  await page.getByLabel('Control token').fill('another-token-altogether');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Locked', { exact: true })).toBeVisible();
  await page.getByLabel('Control token').fill(token);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  const linked = await context.newPage();
  await linked.goto(`${address}#token=${token}`);
  await expect(linked.getByText('Live', { exact: true })).toBeVisible();
  expect(linked.url()).not.toContain(token);
  await linked.getByRole('button', { name: 'Create a test payment' }).click();
  await expect(linked.getByRole('heading', { name: '$24.00' })).toBeVisible();
  sandbox.close();
  await running.close();
});

test('the inspector says that the sandbox has ended, and reconnects to one that starts on its port', {
  tag: '@thorough',
}, async ({ page }) => {
  const first = createSandbox();
  const before = await listen(first, { port: 0, root });
  await page.goto(`${before.url}/_sandbox/`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  first.close();
  await before.close();
  await expect(page.getByText('The sandbox does not answer')).toBeVisible();

  const second = createSandbox();
  const after = await listen(second, { port: before.port, root });
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create a test payment' }).click();
  await expect(page.getByRole('heading', { name: '$24.00' })).toBeVisible();
  second.close();
  await after.close();
});
