/**
 * A build that two keys sign, on a real nginx and Caddy with the configuration that it wrote: both headers have to arrive as
 * Chromium wants them. `security/signature.spec.ts` goes from the first key to the last with headers made by hand.
 */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '../support/fixtures.ts';
import { needs, startHosting, WEB_SERVERS } from './hosting.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOADER = '/partner/v1/card-form.js';

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return {
    pem: `${privateKey.export({ type: 'pkcs8', format: 'pem' })}`,
    integrity: `ed25519-${raw.toString('base64')}`,
  };
};

/** Builds a copy of the project into its `dist/`, as its owner does for such a time. */
const buildWith = async (keys: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'card-form-keys-'));
  for (const name of await readdir(ROOT))
    if (!/^(node_modules|dist|mutants|\..*|test-results)$/.test(name))
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const program = join(ROOT, 'node_modules/vite/bin/vite.js');
  const options = { cwd: folder, env: { ...process.env, ...keys }, maxBuffer: 1e8 };
  await promisify(execFile)(process.execPath, [program, 'build', '--logLevel', 'warn'], options);
  return folder;
};

test('threat-model 2.4: the two signatures that a build writes arrive, and pages that name either key run the script', async ({
  merchant,
  page,
  service,
  watch,
}) => {
  const servers = WEB_SERVERS.filter(({ program }) => program !== null);
  test.skip(servers.length === 0, needs(WEB_SERVERS[0] ?? { name: 'nginx', program: null }));
  test.setTimeout(480_000); // builds the whole project once
  watch.expect(/integrity|signature|Signature|ERR_|CardForm is not defined/);
  const [first, next, third] = [newKey(), newKey(), newKey()];
  const project = await buildWith({
    CARD_FORM_SIGNING_KEY: next.pem,
    CARD_FORM_FORMER_SIGNING_KEY: first.pem,
  });
  const dist = join(project, 'dist');
  const { signedBy, former } = JSON.parse(await readFile(join(dist, 'sri.json'), 'utf8'));
  expect({ signedBy, former }).toEqual({
    signedBy: next.integrity,
    former: first.integrity,
  });
  for (const server of servers) {
    const addresses = { service: service.url, shop: merchant.url };
    const hosting = await startHosting(server, addresses, async (root) => {
      for (const folder of ['partner', server.name]) {
        await rm(join(root, folder), { recursive: true });
        await cp(join(dist, folder), join(root, folder), { recursive: true });
      }
    });
    const context = await page.context().browser()?.newContext({ ignoreHTTPSErrors: true });
    const shop = await context?.newPage();
    const runs = async ({ integrity }: { integrity: string }) => {
      const body = `<script src="${hosting.url}${LOADER}" integrity="${integrity}" crossorigin></script>`;
      const address = merchant.serve({ body, loaders: 0 });
      await shop?.goto(address.replace(merchant.url, hosting.shop));
      return shop?.evaluate(() => 'CardForm' in window);
    };
    expect([server.name, await runs(first), await runs(next), await runs(third)]).toEqual([
      ...[server.name, true, true, false],
    ]);
    await context?.close();
    await hosting.stop();
  }
  await rm(project, { recursive: true });
});
