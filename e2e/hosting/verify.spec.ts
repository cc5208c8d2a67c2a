/** `card-form verify` as a schedule runs it, on a real nginx that keeps two releases. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../support/fixtures.ts';
import { needs, readManifest, startHosting, WEB_SERVERS, type WebServer } from './hosting.ts';
import { restamp } from './restamp.ts';

/** One is enough: the differences are of verify, not of the server. */
const nginx: WebServer = WEB_SERVERS.find(({ name }) => name === 'nginx') ?? { name: 'nginx', program: null };
const PROGRAM = fileURLToPath(new URL('../../dist/sandbox/cli.js', import.meta.url));

type Ended = { code: number | string; out: string; err: string };

test.describe('card-form verify', () => {
  test.skip(nginx.program === null, needs(nginx));

  test('threat-model C79: every kept release, as every client gets it, with JSON and an exit code', async ({
    merchant,
    service,
  }) => {
    test.setTimeout(300_000); // asks for some thousand files
    const { release, files } = await readManifest();
    const next = release.replace(/-\w+$/, '-0000000000aa');
    const folder = await mkdtemp(join(tmpdir(), 'card-form-verify-'));
    await restamp(folder, next);
    const hosting = await startHosting(nginx, { service: service.url, shop: merchant.url }, undefined, {
      isReloadable: true,
    });
    const { root, url, authority } = hosting;
    const run = (argv: readonly string[]): Promise<Ended> =>
      new Promise((resolve) => {
        const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
        execFile(process.execPath, [PROGRAM, ...argv], { env, maxBuffer: 1e8 }, (error, out, err) =>
          resolve({ code: error?.code ?? 0, out, err }),
        );
      });
    const server = ['--target', root, '--server', 'nginx', '--url', url];
    const reload = ['--check', hosting.check, '--reload', hosting.reload, '--no-probe'];
    for (const from of [[], ['--from', folder]])
      expect(await run(['release', 'publish', ...from, ...server, ...reload])).toMatchObject({ code: 0 });

    const verify = (...more: string[]) =>
      run(['verify', '--base-url', url, '--releases', join(root, 'releases.json'), ...more]);
    const count = Object.keys(files).length;
    const good = await verify();
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out.split('\n')).toEqual(
      expect.arrayContaining([
        `${url}: ${count - 2} addresses of release ${release}: headers and content as built.`,
        `${url}: ${count} addresses of release ${next}, the moving one: headers and content as built.`,
      ]),
    );

    // A crawler gets another file, and the old release says that it may be kept for a day.
    const conf = join(root, 'nginx.conf');
    const text = await readFile(conf, 'utf8');
    const cloak =
      'if ($http_user_agent ~ Googlebot) { rewrite ^(/partner/.*)/mistakes.js$ $1/card-form.js last; }';
    await writeFile(
      conf,
      text.replace(/server_name [^;]+;/, (name) => `${name} ${cloak}`),
    );
    const old = join(root, `nginx/card-form-${release}.conf`);
    const rules = await readFile(old, 'utf8');
    const folderOf = (name: string) => `/partner/v1/card-form/${name}/`;
    const [before, after] = rules.split(`location = ${folderOf(release)}page.js {`);
    await writeFile(
      old,
      `${before}location = ${folderOf(release)}page.js {${after?.replace('max-age=31536000, immutable', 'max-age=86400')}`,
    );
    const [program = '', ...words] = hosting.reload.split(' ');
    await new Promise<void>((resolve, reject) =>
      execFile(program, words, (error) => (error ? reject(error) : resolve())),
    );

    await expect(async () => {
      const spoilt = await verify('--json');
      expect(spoilt.code).toBe(1);
      const { ok, releases } = JSON.parse(spoilt.out.trim().split('\n').at(-1) ?? '');
      expect(ok).toBe(false);
      const cloaked = (name: string) => ({
        address: `${folderOf(name)}mistakes.js`,
        problem: expect.stringMatching(/^content: expected .*\(card-form\.js of release /),
        askedAs: ['Googlebot'],
      });
      expect(releases.map(({ differences }: { differences: unknown }) => differences)).toEqual([
        expect.arrayContaining([
          cloaked(release),
          {
            address: `${folderOf(release)}page.js`,
            problem:
              'cache-control: expected "public, max-age=31536000, immutable"; got "public, max-age=86400"',
            askedAs: null,
          },
        ]),
        [cloaked(next)],
      ]);
      expect(releases[0].differences).toHaveLength(2);
    }).toPass();

    const unreadable = await run([
      'verify',
      '--base-url',
      url,
      '--releases',
      join(folder, 'releases.json'),
      '--json',
    ]);
    expect(unreadable.code).toBe(2);
    expect(JSON.parse(unreadable.out)).toEqual({
      ok: false,
      problem: expect.stringContaining('releases.json'),
    });
    await hosting.stop();
    await rm(folder, { recursive: true });
  });
});
