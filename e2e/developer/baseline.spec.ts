/** promises 7.14: the built files need nothing that one of the browsers in docs/reference.md lacks. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import bcd from '@mdn/browser-compat-data/forLegacyNode';
import type { Page } from 'playwright/test';
import {
  BROWSERS,
  type FindLacking,
  findLackingNames,
  findLackingStyles,
  lackingIn,
  SERVERS,
  takeAway,
} from '../support/baseline.ts';
import { payCardForm } from '../support/built-modules.mjs';
import { checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { page as pageOf, tablesIn } from './docs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((name) => ending.test(name));

const textOf = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

/** The scripts of a built file; for a document, its inline scripts. */
const scriptsIn = (file: string): readonly string[] =>
  file.endsWith('.html')
    ? Array.from(textOf(file).matchAll(/<script>([\s\S]*?)<\/script>/g), ([, script = '']) => script)
    : [textOf(file)];

/** Features in these texts that a browser lacks, sorted. */
const lackingOf = (texts: readonly string[], find: FindLacking): readonly string[] =>
  [...new Set(texts.flatMap((text) => [...find(text)]))].sort();

/** Platform names that the form uses if they exist, with the fallback for each. */
const DONE_WITHOUT = {
  autocapitalize: 'a property of ours for an attribute, which other browsers ignore',
  checkVisibility: 'what is on the form and has no opacity may count as a cover',
  fetchPriority: 'a property of ours for an attribute, which other browsers ignore',
  dispose: 'there is no `using`',
  moveBefore: "Preact's: an element is removed and inserted",
  popover: 'the form does not come to the front, and the hint repeats the amount',
  prerendering: 'no page is prerendered',
  responseStatus: 'a script that failed is not tried again',
  showPopover: 'the form does not come to the front, and the hint repeats the amount',
  supportsText: 'a sheet that the page imports under a condition counts without it',
  trustedTypes: 'no page enforces them',
};

/** Our own names that newer parts of the platform also have. */
const OURS = [
  'actions',
  'address',
  'alpha',
  'displayName',
  'font',
  'letterSpacing',
  'locale',
  'states',
  'sync',
  'touched',
];

/** The form's look without each: the style has no effect, and nothing else depends on it. */
const STYLE_DONE_WITHOUT = {
  autofill: 'the build writes it with its prefix as well',
  'color-mix': 'no faint ring around the mark of success, a spinner of one tone if motion is reduced',
  'forced-color-adjust': 'marks in the colours of the system',
  hyphens: 'the build writes it with its prefix as well',
  'overscroll-behavior': 'the page scrolls on at the end of a list',
  'scrollbar-width': 'a scroll bar as the browser has it',
  'text-size-adjust': 'text as large as the browser makes it',
  'text-wrap': 'lines as they come',
  'user-select': 'the build writes it with its prefix as well',
};

test.describe('the build', () => {
  const built = [
    ...filesIn('dist/partner', /\.js$|frame\.html$/),
    ...filesIn('dist/package', /package\/(?!server|testing|cypress)[a-z-]+\.c?js$/),
  ];

  test('uses no name in scripts that a baseline browser lacks, except those it can do without', () => {
    expect(built.length).toBeGreaterThan(30);
    const found = lackingOf(built.flatMap(scriptsIn), findLackingNames(BROWSERS));
    expect(found).toEqual([...Object.keys(DONE_WITHOUT), ...OURS].sort());
  });

  test('uses no property, selector, rule or function in styles that a baseline browser lacks, except those it can do without', () => {
    const styles = filesIn('src/form', /\.css$/).map(textOf);
    expect(styles.length).toBeGreaterThan(3);
    expect(lackingOf(styles, findLackingStyles(BROWSERS))).toEqual(Object.keys(STYLE_DONE_WITHOUT).sort());
  });

  test('uses no name in the server client that the lowest Node lacks', () => {
    // `navigator` is used only if it exists; `origin` is one of our own names.
    expect(lackingOf([textOf('dist/package/server.js')], findLackingNames(SERVERS))).toEqual([
      'navigator',
      'origin',
    ]);
  });
});

test('docs/reference.md: the table has the versions of the baseline and their release dates', () => {
  const { rows = [] } = tablesIn(pageOf('reference')).find(({ heading }) => heading === 'Browsers') ?? {};
  const released = Object.entries(BROWSERS).map(([name, version]) => {
    const [, browser] = Object.entries(bcd.browsers).find(([one]) => one === name) ?? [];
    const [year, month] = browser?.releases[version]?.release_date?.split('-') ?? [];
    return `${browser?.name} ${version}, ${new Date(Number(year), Number(month) - 1).toLocaleString('en-US', { month: 'long' })} ${year}`;
  });
  expect(rows.map(([browser, version, date]) => `${browser} ${version}, ${date}`)).toEqual(released);
});

test.describe('a browser that lacks whatever any baseline browser lacks can pay', () => {
  const LACKING = lackingIn(BROWSERS);

  // A page can't remove Trusted Types from the browser, which would continue to enforce them as the shop's policy says.
  test.use({ bypassCSP: true });

  test.beforeEach(async ({ page }) => {
    await page.addInitScript(takeAway, LACKING);
  });

  const expectNothingNewer = async (page: Page) => {
    const left = () => [
      Object.hasOwn(URL, 'canParse'),
      'moveBefore' in document.body,
      'trustedTypes' in window,
    ];
    expect(await page.evaluate(left)).toEqual([false, false, false]);
    expect(await page.frameLocator('iframe').locator('body').evaluate(left)).toEqual([false, false, false]);
  };

  test('with mount()', async ({ checkout, intent, page, service }) => {
    await checkout.ready();
    await expectNothingNewer(page);
    await payCardForm(page, {});
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('without code, and moves on to the next page', async ({ merchant, page, service }) => {
    const { id, client_secret } = await service.createIntent();
    const { publishable } = service.keys;
    const body = `<div id="card-form" data-card-form data-client-secret="${client_secret}"></div>`;
    const attributes = `data-card-form data-publishable-key="${publishable}" data-success-url="/thanks"`;
    await page.goto(merchant.serve({ body, attributes }));
    await checkoutPage(page).ready();
    await expectNothingNewer(page);
    await payCardForm(page, {});
    await page.waitForURL(/thanks/);
    expect(await service.record(id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  for (const framework of ['react', 'vue', 'svelte'])
    test(`with the component for ${framework}`, async ({ page, service, shop }) => {
      await page.goto(`${shop}/${framework}`);
      await page.getByRole('button', { name: 'Check out' }).click();
      await checkoutPage(page, '#app').ready();
      await expectNothingNewer(page);
      await payCardForm(page, {});
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
      const [intent = ''] = await service.intents();
      expect(await service.record(intent)).toMatchObject({ charges: 1, confirms: 1 });
    });
});
