import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CODINGS } from '../api/served/codings.ts';
import { headersAt } from '../api/served/headers.ts';
import { integrityOf } from '../api/served/inline.ts';
import { parseSigningKey } from '../api/served/signature.ts';
import { parseHeadersFile, parseIntegrityFile } from '../owner/hosting/manifest.ts';
import { BUNDLED } from './packages.ts';
import { finishRelease, RELEASE_PLACEHOLDER, writeManifests } from './release.ts';

let dist: string;
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'release-'));
});
afterEach(() => rm(dist, { recursive: true }));

const BUILT: Readonly<Record<string, string>> = {
  'card-form.js': `load('${RELEASE_PLACEHOLDER}')`,
  'frame.html': `<style>a{}</style><link rel="modulepreload" href="/partner/v1/card-form/${RELEASE_PLACEHOLDER}/assets/form.js"><script>b()</script>`,
  'assets/form.js': 'pay()',
};

/** Writes files as the bundler leaves them. */
const build = async (files: Readonly<Record<string, string>>) => {
  const staged = join(dist, 'partner/v1/card-form', RELEASE_PLACEHOLDER);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(staged, path, '..'), { recursive: true });
    await writeFile(join(staged, path), text);
  }
};

describe('a release', () => {
  it('contract 2.2: is named after version and content, so that identical content has an identical name', async () => {
    await build(BUILT);
    const first = await finishRelease(dist, '1.2.3');
    expect(first.release).toMatch(/^1\.2\.3-[\da-f]{12}$/);
    await build(Object.fromEntries(Object.entries(BUILT).reverse()));
    expect((await finishRelease(dist, '1.2.3')).release).toBe(first.release);
    await build({ ...BUILT, 'assets/form.js': 'pay( )' });
    expect((await finishRelease(dist, '1.2.3')).release).not.toBe(first.release);
    await build({ ...BUILT, 'assets/de.js': '' });
    expect((await finishRelease(dist, '1.2.3')).release).not.toBe(first.release);
  });

  it('is at its addresses, plain and compressed, and the moving addresses have the same content', async () => {
    await build(BUILT);
    const { release, files } = await finishRelease(dist, '1.2.3');
    const folder = `partner/v1/card-form/${release}`;
    expect([...files.keys()]).toEqual([
      '/partner/v1/card-form.js',
      '/partner/v1/card-form/frame',
      `/${folder}/assets/form.js`,
      `/${folder}/card-form.js`,
      `/${folder}/frame.html`,
    ]);
    const loader = await readFile(join(dist, folder, 'card-form.js'), 'utf8');
    expect(loader).toBe(`load('${release}')`);
    expect(brotliDecompressSync(await readFile(join(dist, folder, 'card-form.js.br'))).toString()).toBe(
      loader,
    );
    expect(await readFile(join(dist, 'partner/v1/card-form.js'), 'utf8')).toBe(loader);
    for (const suffix of ['', '.br', '.gz']) {
      expect(await readFile(join(dist, `partner/v1/card-form/frame.html${suffix}`))).toEqual(
        await readFile(join(dist, folder, `frame.html${suffix}`)),
      );
    }
    expect(gunzipSync(await readFile(join(dist, folder, 'card-form.js.gz'))).toString()).toBe(loader);
    expect(await readdir(join(dist, 'partner/v1/card-form'))).not.toContain(RELEASE_PLACEHOLDER);
  });

  it('contains fonts byte for byte, without a compressed copy, since they are already compressed', async () => {
    await build(BUILT);
    const font = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0xff, 0xfe, 0x00, 0x80]); // not UTF-8
    const staged = join(dist, 'partner/v1/card-form', RELEASE_PLACEHOLDER);
    await writeFile(join(staged, 'assets/inter-latin.woff2'), font);
    const { release, files } = await finishRelease(dist, '1.2.3');
    const folder = `partner/v1/card-form/${release}/assets`;
    expect(files.get(`/${folder}/inter-latin.woff2`)).toEqual(font);
    expect(await readFile(join(dist, folder, 'inter-latin.woff2'))).toEqual(font);
    expect((await readdir(join(dist, folder))).filter((name) => /woff2\./.test(name))).toEqual([]);
  });

  it('fails the build if a file has no rule or refers to a source map', async () => {
    await build({ ...BUILT, 'assets/extra.svg': '<svg/>' });
    await expect(finishRelease(dist, '1.2.3')).rejects.toThrow('assets/extra.svg was built, but no rule');
    await rm(join(dist, 'partner/v1/card-form', RELEASE_PLACEHOLDER, 'assets/extra.svg'));
    await build({ 'card-form.js': 'x\n//# sourceMappingURL=card-form.js.map' });
    await expect(finishRelease(dist, '1.2.3')).rejects.toThrow('card-form.js refers to a source map');
  });
});

it('the manifests match the release: hashes of every address, headers, and the files of every host', async () => {
  await build(BUILT);
  const finished = await finishRelease(dist, '1.2.3');
  const versions = Object.fromEntries(BUNDLED.frame.map((name) => [name, '9.9.9']));
  await writeManifests(dist, finished, { versions, documentation: '# Card form\n' });
  const text = (name: string) => readFile(join(dist, name), 'utf8');

  const { release, files } = parseIntegrityFile(await text('sri.json'));
  expect(release).toBe(finished.release);
  expect(Object.keys(files)).toEqual([...finished.files.keys()]);
  for (const [address, content] of finished.files) expect(files[address]).toBe(integrityOf(content));

  const { rules, codings } = parseHeadersFile(await text('headers.json'));
  expect(codings).toEqual(CODINGS);
  const [, map = ''] = /importmap">([^<]*)</.exec(finished.html) ?? [];
  const policy = `script-src '${integrityOf(map, 'sha256')}' '${integrityOf('b()', 'sha256')}' {origin}/partner/v1/card-form/${release}/`;
  expect(rules[1]?.headers['content-security-policy']).toContain(policy);
  expect(await text('cloudflare/_headers')).toContain(policy);
  const conf = await text(`nginx/card-form-${release}.conf`);
  expect(conf).toContain(policy.replace('{origin}', '$card_form_origin'));
  expect(await text('nginx/card-form.conf')).toContain(`set $card_form_release ${release};`);
  const caddy = await text(`caddy/card-form-${release}.caddy`);
  expect(caddy).toContain(policy.replace('{origin}', '{vars.card_form_origin}'));
  expect(await text('caddy/card-form.caddy')).toContain(`card_form_release "${release}"`);
  expect(await text('SCRIPTS.md')).toContain('| `sha256-');
  expect(await text('well-known/security.txt.template')).toContain('\nContact: {contact}\n');
  expect(await text('llms.txt')).toBe('# Card form\n');
  expect(brotliDecompressSync(await readFile(join(dist, 'llms.txt.br'))).toString()).toBe('# Card form\n');
  expect(await text('nginx/card-form.conf')).toContain('location = /llms.txt {');
});

it('threat-model 2.4: a key signs the loader at both addresses and nothing else, and no file contains the key', async () => {
  await build(BUILT);
  const finished = await finishRelease(dist, '1.2.3');
  const versions = Object.fromEntries(BUNDLED.frame.map((name) => [name, '9.9.9']));
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = parseSigningKey(pem);
  await writeManifests(dist, finished, { versions, documentation: '# Card form\n', signer });

  const { rules } = parseHeadersFile(await readFile(join(dist, 'headers.json'), 'utf8'));
  const { signedBy } = parseIntegrityFile(await readFile(join(dist, 'sri.json'), 'utf8'));
  expect(signedBy).toBe(signer.integrity);
  const loader = Buffer.from(`load('${finished.release}')`);
  for (const address of finished.files.keys()) {
    const { signature } = headersAt(address, rules) ?? {};
    expect(signature, address).toBe(
      address.endsWith('/card-form.js') ? signer.headersFor(loader).signature : undefined,
    );
  }
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
  for (const file of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = await readFile(join(file.parentPath, file.name), 'latin1');
    for (const coding of ['base64', 'base64url', 'hex', 'latin1'] as const)
      expect(text).not.toContain(secret.toString(coding).slice(0, 40));
    expect(text).not.toContain(pem.split('\n')[1]);
  }
});

it('a manifest omits an unknown coding', () => {
  const text = '{"release":"1","codings":["br","zstd"],"languages":[],"rules":[]}';
  expect(parseHeadersFile(text).codings).toEqual(['br']);
});

it.each(['{}', 'null', '{"release":"x","rules":[{"address":1}],"files":{"/a":2}}'])(
  'a malformed manifest is refused with a remedy: %s',
  (text) => {
    expect(() => parseHeadersFile(text)).toThrow('npm run build');
    expect(() => parseIntegrityFile(text)).toThrow('npm run build');
  },
);
