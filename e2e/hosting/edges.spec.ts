/**
 * A release behind caches: two nginx that cached their files at different times, in front of one origin, and browsers
 * that reach one or the other with each request.
 */
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { test as base, LOADER } from './hosted.ts';
import { DIST, type Hosting, NGINX, needs, startHosting } from './hosting.ts';
import { cardForm, type Ended, release as releaseOn } from './program.ts';
import { restamp } from './restamp.ts';

/** Two caching nginx, and one address that passes requests to them in turn. */
const startEdges = async (folder: string, authority: string, origin: string, ports: readonly number[]) => {
  const [front = 0, one = 0, two = 0] = ports;
  const key = authority.replace('certificate.pem', 'key.pem');
  const tls = `ssl_certificate ${authority}; ssl_certificate_key ${key};`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const edge = (port: number) =>
    `server { listen 127.0.0.1:${port} ssl; ${tls} location / { proxy_cache edge_${port}; proxy_cache_key $uri$coding; proxy_pass ${origin}; } }`;
  await mkdir(join(folder, 'cache'));
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; user root; pid ${folder}/nginx.pid; error_log stderr warn;
events { }
http {
  # As CDNs do: one copy for each coding, not for each way to ask for it.
  map $http_accept_encoding $coding { default identity; ~br br; ~gzip gzip; }
  proxy_ignore_headers Vary; proxy_set_header Accept-Encoding $coding;
  access_log off; ${temporary} proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header If-None-Match $http_if_none_match;
  # Otherwise nginx keeps an empty 304, the answer to one visitor, and gives it to those who have nothing.
  map $upstream_status $is_for_one { default 0; 304 1; }
  proxy_no_cache $is_for_one;
  ${[one, two].map((port) => `proxy_cache_path ${folder}/cache/${port} keys_zone=edge_${port}:1m;`).join(' ')}
  upstream edges { server 127.0.0.1:${one}; server 127.0.0.1:${two}; }
  ${edge(one)}
  ${edge(two)}
  server { listen 127.0.0.1:${front} ssl; ${tls} location / { proxy_pass https://edges; } }
}
`,
  );
  const server = spawn(NGINX.program ?? '', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  while (!(await readdir(folder)).includes('nginx.pid')) {
    if (server.exitCode !== null) throw new Error('the edges did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return async () => {
    server.kill('SIGTERM');
    await ended;
  };
};

const test = base.extend<{ url: string; hosting: Hosting }>({
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  url: async ({}, use) => {
    await use(`https://127.0.0.1:${await freePort()}`);
  },
  hosting: async ({ merchant, service, url }, use) => {
    const hosting = await startHosting(NGINX, { service: service.url, shop: merchant.url }, async (root) => {
      const conf = join(root, 'nginx.conf');
      const text = await readFile(conf, 'utf8');
      await writeFile(conf, text.replace(/(set \$card_form_origin) \S+;/, `$1 ${url};`));
    });
    await use(hosting);
    await hosting.stop();
  },
});

test.describe('card-form release behind caches', () => {
  test.skip(NGINX.program === null || process.getuid?.() !== 0, needs(NGINX));

  test('says which caches are stale until they agree, and no page is without a form meanwhile', async ({
    browser,
    checkoutAt,
    folder,
    hosting,
    named,
    url,
  }) => {
    await restamp(join(folder, 'older'), await named('ed'));
    const [one = 0, two = 0] = [await freePort(), await freePort()];
    const edgesFolder = join(folder, 'edges');
    await mkdir(edgesFolder);
    const stop = await startEdges(edgesFolder, hosting.authority, hosting.url, [
      Number(new URL(url).port),
      one,
      two,
    ]);
    const env = { NODE_EXTRA_CA_CERTS: hosting.authority };
    const release = (...argv: string[]): Promise<Ended> =>
      releaseOn({ ...hosting, url }, [
        ...[...argv, '--origin', new URL(hosting.url).host],
        ...(argv[0] === 'rollback' ? [] : ['--no-probe']),
      ]);
    const edges = [`127.0.0.1:${one}`, `127.0.0.1:${two}`];
    const verify = (nodes: readonly string[] = edges) =>
      cardForm(
        [
          ...['verify', '--base-url', url, '--edges', nodes.join(',')],
          ...['--releases', join(hosting.root, 'releases.json')],
        ],
        env,
      );

    /** Opens pages one after another, whose files come from both. */
    const openPages = async () => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      for (let page = 0; page < 3; page += 1) {
        const opened = await context.newPage();
        await opened.goto(await checkoutAt({ at: url }));
        await checkoutPage(opened).ready();
        await opened.close();
      }
      await context.close();
    };

    expect(await release('publish', '--from', join(folder, 'older'))).toMatchObject({ code: 0, err: '' });
    await openPages(); // both have the older release's script from here on
    expect(await release('publish', '--from', DIST)).toMatchObject({ code: 0, err: '' });
    await openPages();
    const both = await verify();
    expect(both.code).toBe(1);
    expect(both.out).toContain(`Different: ${edges.join(', ')}.`);

    await rm(join(edgesFolder, 'cache', `${one}`), { recursive: true });
    // A node that can't be reached does not hide the others' results.
    const dead = `127.0.0.1:${await freePort()}`;
    const second = await verify([dead, ...edges]);
    expect(second.code).toBe(1);
    expect(second.err).toMatch(new RegExp(`^${edges[1]}: ${LOADER}: content: expected `, 'm'));
    expect(second.out).toContain(`Different: ${edges[1]}. Not asked: ${dead}.`);
    expect(second.err).toContain(`${url} at ${dead} cannot be asked: `);
    expect(await verify([dead])).toMatchObject({ code: 2, out: expect.stringContaining('Not asked: ') });
    await openPages(); // one has the new script, the other the old one

    const back = await release('rollback');
    expect(back).toMatchObject({ code: 0, err: '' });
    expect(back.out).toMatch(
      /open the form of the release in a browser: [\s\S]*rename [\s\S]*open the form at the moving addresses in a browser: /,
    );
    for (const port of [one, two]) await rm(join(edgesFolder, 'cache', `${port}`), { recursive: true });
    expect(await verify()).toMatchObject({
      code: 0,
      out: expect.stringContaining('All 2 nodes serve what was built.'),
    });
    await stop();
  });
});
