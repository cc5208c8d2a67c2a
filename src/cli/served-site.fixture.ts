/** A target folder with a server that answers over HTTP, for commands that run in a separate process. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listening } from '../../e2e/support/listening.ts';
import { withoutHttps } from '../api/served/headers.ts';
import { placeAt } from '../owner/release/folder.fixture.ts';
import { buildRelease, fakeNginx, SITE_ORIGIN } from '../owner/release/site.fixture.ts';

/** A target folder, and the server of `site.fixture.ts` over HTTP. It answers for `url`, or at its own address. */
export const serveTarget = async (place: string, given: string | null = null) => {
  const target = mkdtempSync(join(place, 'target-'));
  const { seen, look } = placeAt(target);
  const nginx = fakeNginx(seen);
  const server = createServer(async (request, response) => {
    await look();
    nginx.load();
    const sent = Object.entries(request.headers).map(([name, value]) => [name, `${value}`]);
    const { status, headers, body } = await nginx.get(url + request.url, Object.fromEntries(sent));
    const own = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(SITE_ORIGIN, url)]);
    response.writeHead(status, withoutHttps(Object.fromEntries(own))).end(body);
  });
  const { url: own, stop: close } = await listening(server, '127.0.0.1');
  const url = given ?? own;
  const kept = () => JSON.parse(readFileSync(join(target, 'releases.json'), 'utf8'));
  return { target, url, node: new URL(own).host, kept, close };
};

/** Two releases below a folder, to publish. */
export const buildTwo = async (folder: string) => {
  const place = mkdtempSync(join(folder, 'releases-'));
  const builds = [join(place, '0'), join(place, '1')];
  const releases: string[] = [];
  for (const [index, build] of builds.entries()) releases.push(await buildRelease(build, `1.${index}.0`));
  return { place, releases, from: (index: number) => ['--from', builds[index] ?? ''] };
};
