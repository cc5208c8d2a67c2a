/**
 * A4: a page pins the loader to a signing key instead of a hash. The sandbox signs with its own key. The flows in
 * `engines/` cover Firefox and WebKit.
 */
import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto';
import { readManifest } from '../hosting/hosting.ts';
import { expect, test } from '../support/fixtures.ts';
import { withOneByteChanged, withRunReport } from '../support/tampering-proxy.ts';

type Keys = KeyPairKeyObjectResult;

/** Headers with another key's signature of a text. */
const signedByAnother = (
  text: string,
  { privateKey, publicKey } = generateKeyPairSync('ed25519'),
): Record<string, string> => {
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  const digest = `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
  const input = `("unencoded-digest";sf);keyid="${key}";tag="ed25519-integrity"`;
  const base = Buffer.from(`"unencoded-digest";sf: ${digest}\n"@signature-params": ${input}`);
  return {
    'unencoded-digest': digest,
    'signature-input': `signature=${input}`,
    signature: `signature=:${sign(null, base, privateKey).toString('base64')}:`,
  };
};

const integrityOf = ({ publicKey }: Keys): string =>
  `ed25519-${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`;

/** Headers of a release that two keys sign, as the build writes them during a change of keys. */
const signedByBoth = (text: string, present: Keys, former: Keys): Record<string, string> => {
  const [one, other] = [signedByAnother(text, present), signedByAnother(text, former)];
  const both = (name: string) => `${one[name]}, ${other[name]?.replace(/^signature=/, 'former=')}`;
  return { ...one, 'signature-input': both('signature-input'), signature: both('signature') };
};

const UNSIGNED = { 'unencoded-digest': null, 'signature-input': null, signature: null };

for (const kind of ['moving', 'versioned'] as const) {
  test(`threat-model 2.4: the loader at its ${kind} address runs if signed; altered, unsigned or signed with another key it does not`, {
    tag: kind === 'moving' ? [] : ['@thorough'],
  }, async ({ tampering, page, service, site, watch }) => {
    watch.expect(/integrity|digest|signature|Signature|ERR_|CardForm is not defined/);
    const { release } = await readManifest();
    const address =
      kind === 'moving' ? '/partner/v1/card-form.js' : `/partner/v1/card-form/${release}/card-form.js`;
    const { client_secret } = await service.createIntent();
    const tag = (origin: string, integrity: string) =>
      `<!doctype html><title>Shop</title><div id="form"></div>
<script src="${origin}${address}" integrity="${integrity}" crossorigin></script>
<script>CardForm.mount('#form', { publishableKey: '${service.keys.publishable}', clientSecret: '${client_secret}' });</script>`;
    const number = page.locator('#form').frameLocator('iframe').getByLabel('Card number');
    const refused = async (origin: string, integrity = service.integrity) => {
      await page.goto(site.put('/checkout', tag(origin, integrity)));
      expect(await page.evaluate(() => 'CardForm' in window || 'altered' in window)).toBe(false);
      await expect(page.locator('iframe')).toHaveCount(0);
    };

    // Compressed, as the service sends it to a browser, and plain, as the proxy does.
    for (const origin of [service.url, tampering.url]) {
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.url() === origin + address),
        page.goto(site.put('/checkout', tag(origin, service.integrity))),
      ]);
      expect(await response.headerValue('content-encoding')).toBe(origin === service.url ? 'br' : null);
      await expect(number).toBeVisible();
    }

    for (const alter of [withOneByteChanged, withRunReport]) {
      tampering.alter({ address, alter });
      await refused(tampering.url);
    }
    // An attacker can send the digest of the altered file but can't sign it.
    tampering.alter({ address, alter: withRunReport, headers: signedByAnother('') });
    await refused(tampering.url);
    const served = await (await fetch(service.url + address)).text();
    tampering.alter({ address, alter: (text) => text, headers: signedByAnother(served) });
    await refused(tampering.url);
    tampering.alter({
      address,
      alter: withRunReport,
      headers: { 'unencoded-digest': signedByAnother(withRunReport(served))['unencoded-digest'] ?? '' },
    });
    await refused(tampering.url);
    tampering.alter({ address, alter: (text) => text, headers: UNSIGNED });
    await refused(tampering.url);
    // The service signs with a different key than the page names.
    await refused(service.url, `ed25519-${Buffer.alloc(32, 7).toString('base64')}`);
  });
}

test('threat-model 2.4: during a key change pages that name either key keep their script, afterwards only those that name the new key', {
  tag: '@thorough',
}, async ({ tampering, page, service, site, watch }) => {
  watch.expect(/integrity|digest|signature|Signature|ERR_|CardForm is not defined/);
  const address = '/partner/v1/card-form.js';
  const [first, next] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const served = await (await fetch(service.url + address)).text();
  const runs = async (keys: Keys): Promise<boolean> => {
    await page.goto(
      site.put(
        '/checkout',
        `<!doctype html><title>Shop</title><script src="${tampering.url}${address}" integrity="${integrityOf(keys)}" crossorigin></script>`,
      ),
    );
    return page.evaluate(() => 'CardForm' in window);
  };
  const signed = (headers: Record<string, string>) =>
    tampering.alter({ address, alter: (text) => text, headers });
  const found: boolean[][] = [];
  for (const headers of [
    signedByAnother(served, first),
    signedByBoth(served, next, first),
    signedByAnother(served, next),
  ]) {
    signed(headers);
    found.push([await runs(first), await runs(next)]);
  }
  expect(found).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
  signed(signedByBoth(served, next, first));
  expect(await runs(generateKeyPairSync('ed25519'))).toBe(false);
});
