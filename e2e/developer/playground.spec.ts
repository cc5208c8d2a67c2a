/**
 * The playground, as the sandbox serves it and as static files on another origin; its code, pasted into a merchant's
 * page.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { violations } from '../support/axe.ts';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** The page model of the playground. */
const playgroundOn = (page: Page) => {
  const form = checkoutPage(page, '.container');
  const code = page.getByRole('tabpanel').locator('pre');
  return {
    page,
    form,
    code,
    said: page.getByRole('status'),
    log: page.getByRole('region', { name: 'Events' }),
    async open(service: Service, hash = '') {
      await page.goto(`${service.url}/_sandbox/playground/${hash}`);
      await expect(form.total).toHaveText(/24[.,]00/);
    },
    /** Opens a group of controls. */
    group: (name: string) => page.locator('.controls summary').filter({ hasText: name }).click(),
    /** The code for one way of embedding. */
    async codeFor(tab: string): Promise<string> {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
      return (await code.textContent()) ?? '';
    },
  };
};

/** Moves the focus with Tab until this element has it. */
const tabTo = async (page: Page, name: string) => {
  for (let presses = 0; presses < 120; presses += 1) {
    const isThere = await page.evaluate((wanted) => {
      const element = document.activeElement;
      const label =
        element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent ?? element?.textContent;
      return label?.trim().startsWith(wanted) === true;
    }, name);
    if (isThere) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}.`);
};

test('form and code follow settings chosen by keyboard, and typed text stays', async ({ page, service }) => {
  const playground = playgroundOn(page);
  await playground.open(service);
  const { form, code } = playground;
  await form.field('name').fill('Grace Hopper');
  const before = await form.frame.locator(':root').evaluate(() => performance.timeOrigin);

  await page.getByRole('radio', { name: 'None' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Paper' })).toBeChecked();
  await expect(form.frame.locator(':root')).toHaveCSS('--page', '#faf6ef');
  await expect(code).toContainText("colorBackground: '#faf6ef'");

  await tabTo(page, 'colorPrimary');
  await page.keyboard.type('#ffe000');
  await expect(code).toContainText("colorPrimary: '#ffe000'");
  await expect(page.locator('.adjusted')).toHaveText(
    /^#ffe000 on #\w+ has a contrast of 1\.\d+:1; at least 4\.5:1 is needed/,
  );

  await tabTo(page, 'Language and texts');
  await page.keyboard.press('Enter');
  await page.getByLabel('Language').selectOption('de');
  await expect(form.payButton).toHaveText(/bezahlen$/);
  await expect(code).toContainText("locale: 'de',");

  const after = await form.frame.locator(':root').evaluate(() => performance.timeOrigin);
  expect(after).toBe(before);
  await expect(form.frame.getByLabel('Name auf der Karte')).toHaveValue('Grace Hopper');
  await expect(playground.log).toContainText('update()');
});

test('a link restores all settings, Back undoes one step, and invalid settings of a link are named', async ({
  context,
  page,
  service,
}) => {
  const playground = playgroundOn(page);
  await playground.open(service);
  await page.getByRole('radio', { name: 'Grouped' }).check();
  await expect(page).toHaveURL(/#fields=grouped$/);
  await page.getByRole('radio', { name: '390' }).check();
  await playground.group('Pay button');
  await page.getByRole('radio', { name: 'On the page' }).check();
  await expect(page).toHaveURL(/button=host/);
  await expect(page.getByRole('button', { name: 'Your page’s own button' })).toBeVisible();

  await context.grantPermissions(['clipboard-write']); // a browser with a window grants this to a click
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(playground.said).toHaveText('Copied the link.');
  await page.getByLabel('colorPrimary', { exact: true }).focus();
  await page.keyboard.press('Control+V');
  await expect(page.getByLabel('colorPrimary', { exact: true })).toHaveValue(page.url());

  const other = playgroundOn(await context.newPage());
  await other.page.goto(page.url());
  await expect(other.form.total).toHaveText('$24.00');
  await expect(other.page.getByRole('radio', { name: 'Grouped' })).toBeChecked();
  await expect(other.page.locator('.device')).toHaveCSS('width', '390px');
  await expect(other.code).toContainText("payButton: 'host'");
  await expect(other.code).toContainText("fields: 'grouped'");

  await page.goBack();
  await expect(page.getByRole('radio', { name: 'In the form' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Your page’s own button' })).toHaveCount(0);

  await other.page.goto(`${service.url}/_sandbox/playground/#locale=fr&v.colorText=url(x)&clientSecret=a`);
  await other.page.reload();
  await expect(other.page.getByRole('alert')).toContainText('“v.colorText” that cannot be used');
  await expect(other.page.getByRole('alert')).toContainText('“clientSecret” that cannot be used');
  await expect(other.code).toContainText("locale: 'fr'");
});

test('a payment is declined, then its total changes, then it is paid; the log shows each event', async ({
  page,
  service,
}) => {
  const playground = playgroundOn(page);
  const { form, log } = playground;
  const buyer = 'buyer.email=a@b.example&buyer.name=Ada&buyer.country=US&buyer.line1=12+Lane';
  await playground.open(service, `#${buyer}&buyer.city=Portland&buyer.state=OR&buyer.postal_code=97205`);
  const outcome = page.getByLabel('Outcome');
  await test.step('an outcome chosen in the ribbon of the form is shown in the panel', async () => {
    await form.frame.locator('.test-cards > summary').click();
    await form.frame.getByRole('button', { name: '402, insufficient_funds' }).click();
    await expect(outcome.locator('option:checked')).toHaveText('Declined: not enough money');
  });
  await outcome.selectOption('declined');
  await expect(page.locator('.payment-panel')).toContainText('4000 0000 0000 0002');
  await form.fillCard(CARD.declined);
  await form.pay();
  await expect(log).toContainText('decline');

  await outcome.selectOption('amount');
  await expect(playground.said).toContainText('The total changed');
  await form.fillCard(CARD.visa);
  await form.pay();
  await expect(form.total).toHaveText('$29.00');
  await expect(log).toContainText('"previous":2400,"current":2900');
  await form.pay();
  await expect(form.outcome).toHaveText('Payment received');
  await expect(log).toContainText('"outcome":"succeeded"');
  expect(await log.textContent()).not.toContain('lg_cs_');

  await page.getByRole('button', { name: 'New payment' }).click();
  await expect(form.total).toHaveText('$24.00');
  await expect(form.field('number')).toBeVisible();
});

/** The choices for the code that is pasted elsewhere. */
const CHOSEN = '#preset=meadow&v.colorPrimary=%237c3aed&locale=fr&brands=visa';

/** The visible properties of a form, apart from the payment. */
const looksOf = (form: ReturnType<typeof checkoutPage>) =>
  form.frame.locator(':root').evaluate((root) => ({
    language: root.getAttribute('lang'),
    properties: ['--accent', '--page', '--button', '--radius', '--button-radius', '--font'].map((name) =>
      getComputedStyle(root).getPropertyValue(name),
    ),
    labels: [...root.querySelectorAll('label')].map(({ textContent }) => textContent),
    look: ['data-scheme', 'data-labels', 'data-fields'].map((name) => root.getAttribute(name)),
  }));

test('the code, pasted into a page of another origin, shows the same form', { tag: '@thorough' }, async ({
  context,
  page,
  service,
  site,
}) => {
  const playground = playgroundOn(page);
  await playground.open(service, CHOSEN);
  await expect(playground.form.payButton.or(playground.form.frame.getByText(/^Payer/))).toBeVisible();
  const shown = await looksOf(playground.form);
  expect(shown.language).toBe('fr');
  for (const name of (await readdir(`${dist}/package`)).filter((one) => one.endsWith('.js'))) {
    site.put(`/package/${name}`, {
      body: await readFile(`${dist}/package/${name}`, 'utf8'),
      type: 'text/javascript',
    });
  }
  const pages = {
    'Script tag': (code: string) => code,
    npm: (code: string) =>
      `<div id="card-form"></div>
<script type="importmap">{"imports":{"@partner/card-form":"/package/card-form.js","@partner/card-form/themes":"/package/themes.js"}}</script>
<script type="module">${code}</script>`,
  };
  for (const [tab, pageWith] of Object.entries(pages)) {
    const form = await openPasted(context.newPage(), await playground.codeFor(tab), pageWith, {
      service,
      site,
    });
    await expect.poll(() => looksOf(form), tab).toEqual(shown);
    await form.page.close();
  }

  await test.step('the no-code tab shows the same form, and says what attributes cannot set', async () => {
    await playground.open(service, '#theme=dark&labels=floating&locale=fr');
    await page.reload();
    await expect(playground.form.frame.getByRole('button', { name: /^Payer/ })).toBeVisible();
    const dark = await looksOf(playground.form);
    const code = await playground.codeFor('No code');
    const form = await openPasted(context.newPage(), code, (text) => text, { service, site });
    await expect.poll(() => looksOf(form)).toEqual(dark);
    await page.getByRole('radio', { name: 'Grouped' }).check();
    await expect(page.getByText('Attributes cannot set')).toContainText('appearance.fields');
  });
});

/** Opens a page with this code for a new payment. */
const openPasted = async (
  opening: Promise<Page>,
  code: string,
  pageWith: (code: string) => string,
  { service, site }: { service: Service; site: ForeignSite },
) => {
  const { client_secret } = await service.createIntent();
  expect(code.match(/lg_cs_…/g)).toHaveLength(1);
  const body = pageWith(code.replace('lg_cs_…', client_secret)).replace(
    /<card-form\b/,
    '<card-form id="card-form"',
  );
  const page = await opening;
  await page.goto(
    site.put(
      '/pasted',
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pasted</title><link rel="icon" href="data:,"><body>${body}`,
    ),
  );
  const form = checkoutPage(page);
  await expect(form.total).toBeVisible();
  await expect(form.frame.locator(':root')).not.toHaveAttribute('lang', 'en');
  return form;
};

test('served as static files on another origin, under a strict policy, it shows the form of the named service and calls no control route', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const { client_secret } = await service.createIntent();
  const index = await readFile(`${dist}/playground/index.html`, 'utf8');
  expect(index).not.toMatch(/<style|style=|<script>|src="\//);
  for (const name of await readdir(`${dist}/playground/assets`)) {
    site.put(`/try/assets/${name}`, {
      body: await readFile(`${dist}/playground/assets/${name}`, 'utf8'),
      type: name.endsWith('.js') ? 'text/javascript' : 'text/css',
    });
  }
  site.put('/new-payment', {
    type: 'application/json',
    body: JSON.stringify({ clientSecret: client_secret }),
  });
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${service.url}/partner/v1/`,
    `frame-src ${service.url}/partner/v1/`,
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types card-form',
  ].join('; ');
  const put = (path: string, data: string) =>
    site.put(path, {
      body: index.replace('data-service="" data-publishable-key="" data-payment=""', data),
      headers: { 'Content-Security-Policy': policy },
    });
  const playground = playgroundOn(page);
  await page.goto(put('/try/', `data-service="${service.url}" data-payment="/new-payment"`));
  await expect(playground.form.total).toHaveText('$58.04');
  await expect(playground.code).toContainText(`${service.url}/partner/v1/card-form.js`);
  await expect(page.getByRole('region', { name: 'Events' })).toBeVisible();
  await expect(page.getByLabel('Outcome')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Inspector' })).toHaveCount(0);
  expect(site.requests.filter(({ path }) => path.includes('_sandbox'))).toEqual([]);

  // Without a route that creates payments, the visitor supplies a client secret.
  await page.goto(
    put('/try/by-hand', `data-service="${service.url}"`).replace('/try/by-hand', '/try/by-hand'),
  );
  await page.getByLabel('Client secret of a payment').fill(client_secret);
  await page.getByRole('button', { name: 'Show the form' }).click();
  await expect(playground.form.total).toHaveText('$58.04');
  await expect(page).not.toHaveURL(/lg_cs_/);
});

test('axe finds nothing with every group open, and no width scrolls sideways', { tag: '@thorough' }, async ({
  page,
  service,
}) => {
  const playground = playgroundOn(page);
  await playground.open(
    service,
    '#v.colorPrimary=%23ffe000&countries=DE,AT&fields=grouped&code=no-code&button=host&width=390',
  );
  await page.locator('.controls details:not([open]) summary').evaluateAll((summaries) => {
    for (const summary of summaries) if (summary instanceof HTMLElement) summary.click();
  });
  for (const [colorScheme, screen] of [
    ['light', 320],
    ['light', 1024],
    ['dark', 1440],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: screen, height: 900 });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await violations(page.mainFrame(), ground), `at ${screen}`).toEqual([]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, `at ${screen}`).toBeLessThanOrEqual(0);
  }
});

test('at 1280 px nothing is cut off: the preview fits its pane, the settings scroll separately, and code wraps', {
  tag: '@thorough',
}, async ({ page, service }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const playground = playgroundOn(page);
  await playground.open(service);
  const overflow = (selector: string) =>
    page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  for (const width of [320, 390, 480, 560, 600, 770]) {
    await page.getByLabel('Width of the page in pixels').fill(`${width}`);
    await expect(page.locator('.device')).toHaveCSS('width', `${width}px`);
    expect([width, await overflow('.sheet'), await overflow(':root')]).toEqual([width, 0, 0]);
  }
  await page.getByRole('radio', { name: 'Fit' }).check();
  for (const tab of ['Script tag', 'React', 'Vue']) {
    await playground.codeFor(tab);
    expect([tab, await overflow('.code-panel pre')]).toEqual([tab, 0]);
  }
  const form = await page.locator('.device').boundingBox();
  await page.locator('.controls').hover();
  await page.mouse.wheel(0, 4000);
  await expect.poll(() => page.locator('.controls').evaluate((one) => one.scrollTop)).toBeGreaterThan(300);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await page.locator('.device').boundingBox()).toEqual(form);
});
