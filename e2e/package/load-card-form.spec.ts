/** promises 1.4: the built `loadCardForm` of the npm package under real browser policies. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { expect, test } from '../support/fixtures.ts';
import type { Merchant } from '../support/merchant.ts';

const built = (path: string) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

/** Opens a page under this policy that has the package but not the service's script. */
const openPage = async (page: Page, merchant: Merchant, policy: string) => {
  await page.route('**/package/*.js', (route) =>
    route.fulfill({ path: built(new URL(route.request().url()).pathname.slice(1)) }),
  );
  await page.goto(merchant.serve({ loaders: 0, policy: `script-src 'self' ${policy}` }));
};

/** Loads the script and returns its release, or the error. */
const load = (page: Page, url: string, options: object = {}): Promise<string> =>
  page.evaluate(`import('/package/card-form.js').then(({ loadCardForm }) =>
    loadCardForm(${JSON.stringify(url)}, ${JSON.stringify(options)}).then(
      ({ version }) => version,
      ({ code, message }) => code + ': ' + message,
    ))`);

const releaseFile = async () => {
  const { release, files } = JSON.parse(await readFile(built('sri.json'), 'utf8'));
  return { release, integrity: files[`/partner/v1/card-form/${release}/card-form.js`] };
};

test('loads a release by its hash, under a nonce policy and under Trusted Types; retries once, and again at the next call', async ({
  merchant,
  page,
  service,
}) => {
  const { release, integrity } = await releaseFile();
  await openPage(page, merchant, "'nonce-n0'");
  expect(await load(page, service.url, { version: release, integrity, nonce: 'n0' })).toBe(release);

  await openPage(
    page,
    merchant,
    `${service.url}; require-trusted-types-for 'script'; trusted-types card-form`,
  );
  let asked = 0;
  await page.route('**/partner/v1/card-form.js', (route) => {
    asked += 1;
    return asked > 2 ? route.continue() : route.abort('connectionrefused');
  });
  expect(await load(page, service.url)).toMatch(/^blocked: /);
  expect(asked).toBe(2);
  expect(await load(page, service.url)).toMatch(/^\d/);
});

test('names what blocks the script: a different hash, the policy, Trusted Types', {
  tag: '@thorough',
}, async ({ merchant, page, service, watch }) => {
  watch.expect(/Failed to find a valid digest/);
  watch.expect(/CSP violation: (script-src-elem|trusted-types)|violates the following|[Tt]rusted ?[Tt]ypes?/);
  const { release } = await releaseFile();
  await openPage(page, merchant, service.url);
  const options = { version: release, integrity: `sha384-${'A'.repeat(64)}` };
  expect(await load(page, service.url, options)).toMatch(
    /^blocked: .*that integrity is the hash of that version/,
  );
  expect(await page.evaluate(() => window.CardForm === undefined)).toBe(true);

  await openPage(page, merchant, '');
  const loader = `${service.url}/partner/v1/card-form.js`;
  expect(await load(page, service.url)).toBe(
    `csp: The page's Content-Security-Policy forbids ${loader}. Add it to script-src-elem.`,
  );

  await openPage(page, merchant, `${service.url}; require-trusted-types-for 'script'; trusted-types other`);
  expect(await load(page, service.url)).toMatch(/^csp: .*Add card-form to trusted-types\.$/);
});
