/** The log formats that the build brings, on a running nginx and Caddy: release and outcome of each answer, and no secret. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from '../support/fixtures.ts';
import { type Hosting, needs, readManifest, startHosting, WEB_SERVERS } from './hosting.ts';
import { DIST, runRelease } from './run-release.ts';

const LOADER = '/partner/v1/card-form.js';
const SECRETS = ['pk_live_', 'lg_cs_', 'session=', 'order=17'];

const ask = (
  { url }: Hosting,
  path: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<{ status: number; etag: string }> =>
  new Promise((resolve, reject) => {
    const asked = { method, headers, rejectUnauthorized: false, agent: false };
    request(url + path, asked, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, etag: `${response.headers.etag}` }),
      );
    })
      .on('error', reject)
      .end(method === 'POST' ? '{"client_secret":"lg_cs_00000000000000000000000a"}' : undefined);
  });

type Line = { path: string; release: string; status: number };

/** What a line says, by server: Caddy's has the release in the address, or in the ETag of the moving script. */
const READ: Readonly<Record<string, (line: string, releaseOf: (etag: string) => string) => Line>> = {
  nginx: (line) => {
    const { asked, release, status } = JSON.parse(line);
    return { path: asked, release, status };
  },
  caddy: (line, releaseOf) => {
    const { request: asked, resp_headers: sent, status } = JSON.parse(line);
    const [, named] = /^\/partner\/v1\/card-form\/([^/]+)\//.exec(asked.uri) ?? [];
    return { path: asked.uri, release: named ?? releaseOf(`${sent.Etag?.[0]}`), status };
  },
};

for (const server of WEB_SERVERS)
  test.describe(`the log of ${server.name}`, () => {
    test.skip(server.program === null, needs(server));

    test('shows release and outcome of each answer, and neither key nor query', async ({
      merchant,
      service,
    }) => {
      const { release } = await readManifest();
      const hosting = await startHosting(server, { service: service.url, shop: merchant.url }, undefined, {
        isReloadable: true,
      });
      await runRelease(server, hosting, ['publish', '--from', DIST]);
      const moving = await ask(hosting, LOADER);
      await ask(hosting, `/partner/v1/card-form/${release}/frame.html?de-AT`);
      await ask(hosting, `/partner/v1/card-form/${release}/assets/none.js`);
      const key = { authorization: `Bearer ${service.keys.publishable}`, cookie: 'session=1' };
      await ask(hosting, '/partner/v1/client/payment_intents/retrieve?order=17', { method: 'POST', ...key });
      const read = READ[server.name];
      const lines = async () =>
        (await readFile(join(hosting.root, 'access.log'), 'utf8')).trim().split('\n').slice(-4);
      await expect.poll(async () => (await lines()).at(-1)).toContain('retrieve');
      const last = await lines();
      expect(last.map((line) => read?.(line, (etag) => (etag === moving.etag ? release : '-')))).toEqual([
        { path: LOADER, release, status: 200 },
        { path: `/partner/v1/card-form/${release}/frame.html`, release, status: 200 },
        { path: `/partner/v1/card-form/${release}/assets/none.js`, release, status: 404 },
        {
          path: '/partner/v1/client/payment_intents/retrieve',
          release: '-',
          status: expect.any(Number),
        },
      ]);
      for (const secret of SECRETS) expect(last.join('\n')).not.toContain(secret);
      await hosting.stop();
    });
  });
