/** What an owner runs, as a process of its own: `card-form verify` and `card-form release`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificate } from '../../e2e/hosting/certificate.ts';
import { freePort } from '../../e2e/support/free-port.ts';
import { httpGetVia } from '../operate/hosting/http-get.ts';
import { buildRelease } from '../operate/release/site.fixture.ts';
import { buildProgram, type Program } from './program.fixture.ts';
import { buildTwo, serveTarget } from './served-site.fixture.ts';

let built: Program;
let folder: string;

beforeAll(async () => {
  built = await buildProgram();
  ({ folder } = built);
}, 60_000);

afterAll(() => built.close());

const start = (...argv: string[]) => built.start(...argv);

describe('card-form verify', () => {
  /** A service that serves nothing as it was built, and a wrong security.txt. */
  const serveBadly = async () => {
    const { key, certificate } = createCertificate();
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, certificate);
    const server = createSecureServer({ key, cert: certificate }, ({ url }, response) => {
      const isText = url === '/.well-known/security.txt';
      response.writeHead(isText ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(isText ? 'Contact: nobody\nExpires: 2001-01-01T00:00:00Z\n' : '');
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${port}`;
    const verify = (...argv: string[]) =>
      built.startWith({ NODE_EXTRA_CA_CERTS: authority }, 'verify', '--base-url', url, ...argv).ended;
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { verify, close };
  };

  it('--json prints a line for each fault, those of security.txt too, and the result in the last line', async () => {
    const release = await buildRelease(join(folder, 'dist'), '1.0.0');
    const { verify, close } = await serveBadly();
    const { code, out } = await verify('--json');
    close();
    const lines: Record<string, unknown>[] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const result = lines.pop();
    const about = {
      edge: null,
      release: null,
      address: '/.well-known/security.txt',
      addresses: 1,
      askedAs: null,
    };
    expect(lines.filter((line) => line.release === null)).toEqual([
      { ...about, problem: expect.stringMatching(/^Contact must begin with mailto:/) },
      { ...about, problem: expect.stringMatching(/^it expired at 2001-01-01T00:00:00Z/) },
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({ release, problem: expect.stringContaining('expected status 200; got 404') }),
    );
    expect(result).toMatchObject({ ok: false, securityTxt: [expect.any(String), expect.any(String)] });
    expect(code).toBe(1);
  });

  it('exits with 2 and says what is wrong if the build with which it compares is damaged', async () => {
    const dist = join(folder, 'dist');
    await buildRelease(dist, '1.0.0');
    writeFileSync(join(dist, 'headers.json'), '{"release"');
    const { verify, close } = await serveBadly();
    const problem = 'headers.json was expected to be as the build writes it; it is not. Build again.';
    expect(await verify()).toEqual({ code: 2, signal: null, out: '', err: `${problem}\n` });
    expect(await verify('--json')).toMatchObject({
      code: 2,
      out: `${JSON.stringify({ ok: false, problem })}\n`,
    });
    close();
  });
});

/** A server of the test's own commands, without a browser. */
const SERVER = ['--server', 'nginx', '--check', 'true', '--reload', 'true', '--no-probe'];

describe('card-form release on several origins', () => {
  const listening = async (answer: RequestListener) => {
    const server = createServer(answer);
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${port}`, close };
  };

  /** Two origins, an address for browsers that asks the one or the other, and a CDN that takes purges. */
  const serveOrigins = async () => {
    const { place, releases, from } = await buildTwo(folder);
    const nodes: string[] = [];
    let requests = 0;
    const edge = await listening(async ({ url = '', headers: sent }, response) => {
      requests += 1;
      const get = httpGetVia(nodes[requests % nodes.length] ?? '');
      const given = Object.entries(sent).map(([name, value]) => [name, `${value}`]);
      const { status, headers, body } = await get(edge.url + url, Object.fromEntries(given));
      response.writeHead(status, headers).end(body);
    });
    const a = await serveTarget(place, edge.url);
    const b = await serveTarget(place, edge.url);
    nodes.push(a.node, b.node);
    const purged: string[] = [];
    const cdn = await listening(({ method, url }, response) => {
      purged.push(`${method} ${url}`);
      response.end();
    });
    const publish = async (index: number) => {
      purged.length = 0;
      const { out, ...rest } = await start(
        ...['release', 'publish', ...from(index), '--url', edge.url, ...SERVER],
        ...['--target', `${a.target},${b.target}`, '--origin', `${a.node},${b.node}`],
        ...['--check', 'test -d {target}', '--reload', 'touch {target}/reloaded'],
        ...['--purge', `${cdn.url}/purge?path={path}`],
      ).ended;
      const steps = out.match(/^ {2}(127\S+:|copy|rename|purge|verify the moving addresses behind)/gm) ?? [];
      return { ...rest, out, steps: steps.map((step) => step.trim()) };
    };
    const close = () => {
      for (const one of [edge, a, b, cdn]) one.close();
    };
    return { a, b, publish, purged, releases, close };
  };

  const PURGED = expect.arrayContaining([
    'POST /purge?path=/partner/v1/card-form.js',
    'POST /purge?path=/partner/v1/card-form/frame',
  ]);

  it('checks and reloads each folder, moves them in order, purges each moving address and verifies it', async () => {
    const { a, b, publish, purged, releases, close } = await serveOrigins();
    const { code, steps } = await publish(0);
    const moves = [
      `${a.node}:`,
      'copy',
      `${b.node}:`,
      'copy',
      `${a.node}:`,
      'rename',
      `${b.node}:`,
      'rename',
    ];
    expect({ code, steps }).toEqual({
      code: 0,
      steps: [...moves, 'purge', 'verify the moving addresses behind'],
    });
    for (const one of [a, b]) {
      expect(one.kept()).toMatchObject({ moving: releases[0] });
      expect(readFileSync(join(one.target, 'reloaded'), 'utf8')).toBe('');
    }
    expect(purged).toEqual(PURGED);
    close();
  }, 60_000);
});
