/**
 * A3: each file of a release, altered in transit. It does not run, no card field accepts input, and the container says
 * what is wrong. The page is served from a foreign site. Two languages stand for all texts; reading the files shows
 * that each language has its hash where the form looks for it.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readManifest } from '../hosting/hosting.ts';
import { expect, test } from '../support/fixtures.ts';
import { withOneByteChanged, withRunReport } from '../support/tampering-proxy.ts';

const LOADER = '/partner/v1/card-form.js';
const ALTERED_LANGUAGES: readonly string[] = ['de', 'zh-Hant'];

const built = (address: string) => readFile(new URL(`../../dist${address}`, import.meta.url));

/**
 * A language's texts have their hash in the language's own document, and in the list for documents of other languages.
 */
const expectHashOfTexts = async (folder: string, language: string) => {
  const texts = await built(`${folder}/assets/${language}.json`);
  const hash = `sha256-${createHash('sha256').update(texts).digest('base64')}`;
  expect(`${await built(`${folder}/frame.${language}.html`)}`, language).toContain(hash);
  expect(`${await built(`${folder}/assets/other-language.js`)}`, language).toContain(hash);
};

/** A shop's page with the loader of this origin and a script of the shop's. */
const shopPage = (origin: string, script: string): string =>
  `<!doctype html><title>Shop</title><div id="form"></div><script src="${origin}${LOADER}"></script><script>${script}</script>`;

/** One country for each file of addresses. */
const COUNTRY_OF: Readonly<Record<string, string>> = {
  'address-americas': 'BR',
  'address-europe': 'ES',
  'address-south-asia': 'IN',
  'address-east-asia': 'JP',
  'address-elsewhere': 'AU',
  'address-others': 'GI',
};

/** Options that make the form load the script of this name. */
const optionsFor = (name: string): object => {
  const country = COUNTRY_OF[name];
  if (country) return { defaultValues: { billingDetails: { address: { country } } } };
  if (/^[a-z]{2}(-[A-Z][a-z]{3})?$/.test(name)) return { locale: name };
  switch (name) {
    case 'appearance':
      return { appearance: { theme: 'dark', variables: { colorPrimary: '#ff0000' } } };
    case 'rule-styles':
      return { appearance: { rules: { field: { color: '#333' } } } };
    case 'page-fonts':
      return {
        fonts: [{ family: 'Brand', src: '/brand.woff2' }],
        appearance: { variables: { fontFamily: 'Brand' } },
      };
    case 'address-suggestions':
      return { addressLookup: true }; // instead of a function, which can't be passed
    case 'keep':
      return { keep: true };
    case 'swap':
      return { swaps: true };
    case 'other-language':
      return { locale: 'de' };
    case 'translations':
      return { translations: { pay: 'Donate {amount}' } };
    default:
      return {};
  }
};

for (const { which, names, tag } of [
  { which: 'form.js', names: /^form$/, tag: [] },
  { which: 'any file', names: /./, tag: ['@thorough'] },
])
  test(`threat-model 2.3: an altered script or text of the frame is not used, ${which}: no field, and the container says so`, {
    tag,
  }, async ({ page, tampering, service, site, watch }) => {
    watch.expect(/integrity|dynamically imported module|ERR_/);
    const { client_secret } = await service.createIntent();
    const url = site.put(
      '/checkout',
      shopPage(
        tampering.url,
        `
      window.ran = [];
      addEventListener('message', ({ data }) => { if (data === 'altered') window.ran.push(data) });
      window.attempt = (options) => new Promise((resolve) => {
        const form = CardForm.mount('#form', { publishableKey: '${service.keys.publishable}', clientSecret: '${client_secret}', locale: 'en', ...options });
        const end = (outcome) => {
          const place = document.querySelector('#form');
          const told = { ...outcome, text: place.textContent, frames: place.querySelectorAll('iframe').length };
          form.unmount();
          resolve(told);
        };
        form.on('loaderror', ({ reason, message }) => setTimeout(end, 0, { reason, message }));
        setTimeout(end, 15_000, { reason: 'none came' });
        if (options.swaps) form.on('ready', () => form.update({ clientSecret: 'lg_cs_other' }));
        if (options.good) form.on('ready', () => setTimeout(end, 1000, {}));
      });
    `,
      ),
    );
    const { files, languages, release } = await readManifest();
    for (const language of languages) await expectHashOfTexts(`/partner/v1/card-form/${release}`, language);
    const loaded = Object.keys(files).filter((address) => /\/assets\/.*\.(js|json)$/.test(address));
    expect(loaded.length).toBeGreaterThan(40);
    await page.goto(url);
    const attempt = (options: object) =>
      page.evaluate((given) => Reflect.get(window, 'attempt')(given), options);
    // Without an alteration the proxy changes nothing.
    expect(await attempt({ good: true })).toMatchObject({ frames: 1 });
    for (const address of loaded) {
      const [, name = ''] = /([^/]+)\.(?:js|json)$/.exec(address) ?? [];
      if (!names.test(name) || (languages.includes(name) && !ALTERED_LANGUAGES.includes(name))) continue;
      const changes = name === 'payment' ? [withRunReport, withOneByteChanged] : [withRunReport];
      for (const alter of changes) {
        tampering.alter({ address, alter });
        // Loaded if a host has only the English document.
        if (name === 'other-language')
          await page.route(/frame\.html\?/, (route) =>
            route.continue({ url: route.request().url().replace(/\?.*/, '') }),
          );
        const attempted = attempt(optionsFor(name));
        const frame = page.frameLocator('#form iframe');
        // The list of test cards loads when it is opened, the table of postal codes when one is typed.
        if (name === 'test-cards') await frame.locator('summary.ribbon').click();
        if (name === 'address-codes') await frame.locator('[autocomplete~="postal-code"]').fill('97205');
        expect(await attempted, name).toEqual({
          reason: 'integrity',
          message: `integrity: ${tampering.url}${address}`,
          text: 'Card form does not load. (integrity) Try again',
          frames: 0,
        });
        await page.unrouteAll();
      }
    }
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toEqual([]);
  });

/** Policies under which a page may create forms from markup. */
const POLICIES: Record<string, (origin: string) => string> = {
  'no policy': () => '',
  'addresses and Trusted Types': (origin) =>
    `default-src 'none'; script-src ${origin}/partner/v1/; frame-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
  'a nonce': (origin) => `default-src 'none'; script-src 'nonce-abc'; frame-src ${origin}`,
  "a nonce and 'strict-dynamic'": (origin) =>
    `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; frame-src ${origin}; require-trusted-types-for 'script'`,
};

for (const [turn, [name, policy]] of Object.entries(POLICIES).entries()) {
  test(`threat-model 2.3: page.js runs as built and does not run altered, beside a pinned loader, with ${name}`, {
    tag: name.endsWith("dynamic'") ? [] : ['@thorough'],
  }, async ({ page, tampering, service, site, watch }) => {
    watch.expect(/integrity|ERR_/);
    const { release, files } = await readManifest();
    const loader = `/partner/v1/card-form/${release}/card-form.js`;
    const { client_secret } = await service.createIntent();
    const url = site.put('/checkout', {
      body: `<!doctype html><title>Shop</title><div id="form" data-card-form data-client-secret="${client_secret}"></div>
<script nonce="abc" data-card-form data-publishable-key="${service.keys.publishable}" src="${tampering.url}${loader}" integrity="${files[loader]}" crossorigin></script>`,
      headers: policy(tampering.url) ? { 'Content-Security-Policy': policy(tampering.url) } : {},
    });
    const place = page.locator('#form');
    await page.goto(url);
    await expect(place.frameLocator('iframe').getByLabel('Card number')).toBeVisible();

    // Each alteration under every second policy.
    const alter = turn % 2 ? withOneByteChanged : withRunReport;
    tampering.alter({ address: `/partner/v1/card-form/${release}/page.js`, alter });
    await page.goto(url);
    await expect(place).toHaveText('Card form does not load. (csp, integrity)');
    await expect(page.locator('iframe')).toHaveCount(0);
    expect(await page.evaluate(() => 'altered' in window)).toBe(false);
  });
}

const SPOILED: readonly { how: string; alter: (html: string) => string }[] = [
  {
    how: 'an altered script in it does not run',
    alter: (html) =>
      html.replace('<script>"use strict";', '<script>parent.postMessage("altered","*");"use strict";'),
  },
  { how: 'its end is missing', alter: (html) => html.slice(0, html.indexOf('<script>"use strict";')) },
];

for (const { how, alter } of SPOILED) {
  test(`threat-model 2.3, C14: the frame's document greets the page, but ${how}: the container says so`, {
    tag: how.startsWith('an altered') ? [] : ['@thorough'],
  }, async ({ page, tampering, service, site, watch }) => {
    watch.expect(/Content Security Policy|CSP violation|importmap|import map|integrity|ERR_/);
    const { release } = await readManifest();
    const { client_secret } = await service.createIntent();
    const url = site.put(
      '/checkout',
      shopPage(
        tampering.url,
        `
      addEventListener('message', ({ data }) => {
        if (data === 'altered') window.altered = 1;
        if (data.type === 'hello') window.greeted = 1;
      });
      CardForm.mount('#form', { publishableKey: '${service.keys.publishable}', clientSecret: '${client_secret}' });
    `,
      ),
    );
    // The sandbox's policy has the hash of the file that it read; a proxy behind it can't change that.
    tampering.alter({ address: `/partner/v1/card-form/${release}/frame.html`, alter });
    await page.clock.install();
    await page.goto(url);
    await page.waitForFunction(() => 'greeted' in window);
    await page.clock.runFor(10_000);
    await expect(page.locator('#form')).toHaveText('Card form does not load. (timeout) Try again');
    expect(await page.evaluate(() => 'altered' in window)).toBe(false);
  });
}
