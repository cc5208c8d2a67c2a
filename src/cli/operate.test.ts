/** What an owner runs, as a process of its own: `card-form verify` and `card-form release`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificate } from '../../e2e/hosting/certificate.ts';
import { freePort } from '../../e2e/support/free-port.ts';
import { httpGetVia } from '../operate/hosting/http-get.ts';
import { buildRelease } from '../operate/release/site.fixture.ts';
import { buildProgram, type Program } from './program.fixture.ts';
import { type Asked, buildTwo, serveTarget } from './served-site.fixture.ts';

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

describe('card-form release', () => {
  it.each<[string, (...argv: string[]) => string[], string]>([
    [
      'dist/headers.json',
      (from) => ['publish', '--server', 'files', '--from', from ?? ''],
      'as the build writes it',
    ],
    ['.card-form/journal.json', () => ['status'], 'as card-form release wrote it'],
  ])('says in words that %s is damaged', async (path, argv, expected) => {
    const place = mkdtempSync(join(folder, 'damaged-'));
    const from = join(place, 'dist');
    await buildRelease(from, '1.0.0');
    mkdirSync(join(place, '.card-form'));
    writeFileSync(join(place, path), '{"name"');
    const { code, out, err } = await start('release', ...argv(from), '--target', place).ended;
    expect({ code, out }).toEqual({ code: 1, out: expect.not.stringContaining('done') });
    expect(err).toContain(`${path.replace('dist/', `${from}/`)} was expected to be ${expected}; it is not.`);
    expect(err).not.toMatch(/\n +at /);
  });

  it('repair restores a damaged file from a package as npm packs it', async () => {
    const place = mkdtempSync(join(folder, 'repair-'));
    const release = await buildRelease(join(place, 'package/dist'), '1.0.0');
    const packed = join(place, 'card-form-1.0.0.tgz');
    execFileSync('tar', ['-czf', packed, '-C', place, 'package']);
    const target = join(place, 'target');
    mkdirSync(target);
    const run = (command: string, from: string) =>
      start('release', command, '--from', from, '--server', 'files', '--target', target).ended;
    expect(await run('publish', join(place, 'package/dist'))).toMatchObject({ code: 0 });
    const file = join(target, `partner/v1/card-form/${release}/assets/pay.js`);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, 'damaged');
    const { code, out } = await run('repair', packed);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('assets/pay.js') });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

/** A server of the test's own commands, without a browser. */
const SERVER = ['--server', 'nginx', '--check', 'true', '--reload', 'true', '--no-probe'];

describe('card-form release publish --share --abort-if', () => {
  const serveSite = async (asked?: (site: Asked) => unknown) => {
    const { place, log, releases, from } = await buildTwo(folder);
    const { target, url, kept, close } = await serveTarget(place, { log, releases }, asked);
    const publish = (index: number, ...argv: string[]) =>
      start(
        ...['release', 'publish', ...from(index), '--target', target, ...SERVER],
        ...['--url', url, '--json', ...argv],
      );
    /** Publishes a release for all, then the other for a share that is watched for a minute, with one look. */
    const begin = async (...argv: string[]) => {
      expect(await publish(0).ended).toMatchObject({ code: 0 });
      const limits = ['--abort-if', 'reports=1', '--watch-for', '1', '--watch-every', '2'];
      return publish(1, '--share', '50', ...limits, '--reports-log', log, ...argv);
    };
    const share = async (...argv: string[]) => {
      const { code, out, err } = await (await begin(...argv)).ended;
      return { code, err, result: JSON.parse(out) };
    };
    /** Watches for an hour. */
    const beginLong = () => begin('--watch-for', '60', '--watch-every', '30');
    const [moving, release] = releases;
    return { begin: beginLong, share, close, log, moving, release, kept };
  };

  it('leaves a share as it is whose time is over without a report', async () => {
    const { share, close, moving, release } = await serveSite();
    expect(await share()).toMatchObject({
      code: 0,
      result: { ok: true, moving, canary: { release, share: 50 } },
    });
    close();
  }, 60_000);

  it('refuses a log of reports that cannot be read, before anybody gets the release', async () => {
    const { share, close, log, release, kept } = await serveSite();
    const { code, result } = await share('--reports-log', `${log}s`);
    expect({ code, result }).toEqual({
      code: 1,
      result: { ok: false, problem: expect.stringMatching(/reports\.logs was expected to be .* ENOENT/) },
    });
    expect(JSON.stringify(kept())).not.toContain(release);
    close();
  }, 60_000);

  it('takes the share back if the log of reports is lost meanwhile, exits with 1 and says why', async () => {
    // The release is there for the share from the first request that is made for it on.
    const site = await serveSite(({ seen, log, releases }) => {
      if ([...seen.keys()].some((path) => path.includes(`/${releases[1]}/`))) rmSync(log, { force: true });
    });
    const { code, err, result } = await site.share();
    expect({ code, result }).toMatchObject({
      code: 1,
      result: { ok: false, moving: site.moving, canary: null },
    });
    expect(err).toMatch(/ABORTED: it can no longer be watched: .*reports\.log was expected to be .* ENOENT/);
    site.close();
  }, 60_000);

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'takes the share back at %s, and says so',
    async (signal) => {
      const { begin, close, moving, release, kept } = await serveSite();
      const watching = await begin();
      await expect.poll(watching.err, { timeout: 30_000 }).toContain(`watching ${release} for 60 minutes`);
      expect(kept()).toMatchObject({ moving, canary: { release, share: 50 } });
      watching.child.kill(signal);
      watching.child.kill(signal); // npx sends its own to what Ctrl+C has reached already
      const { code, out, err } = await watching.ended;
      expect({ code, result: JSON.parse(out) }).toMatchObject({
        code: 1,
        result: { ok: false, moving, canary: null },
      });
      expect(err).toContain(`ABORTED: it can no longer be watched: stopped by ${signal}`);
      expect(kept().moves.at(-1)).toMatchObject({
        command: 'abort',
        reason: expect.stringContaining(signal),
      });
      close();
    },
    60_000,
  );

  it('takes the share back although the terminal that was closed takes no more lines', async () => {
    const { begin, close, release, kept } = await serveSite();
    const { child, ended, err } = await begin();
    await expect.poll(err, { timeout: 30_000 }).toContain(`watching ${release}`);
    child.stdout.destroy();
    child.stderr.destroy();
    child.kill('SIGHUP');
    expect(await ended).toMatchObject({ code: 1, signal: null });
    expect(kept().canary).toBeUndefined();
    close();
  }, 60_000);

  it('undoes what it has done if it is stopped before the share begins', async () => {
    const started: { kill: (signal: 'SIGINT') => unknown }[] = [];
    const { begin, close, moving, kept } = await serveSite(({ seen, releases }) => {
      if ([...seen.keys()].some((path) => path.includes(`/${releases[1]}/`))) started[0]?.kill('SIGINT');
    });
    const { child, ended } = await begin();
    started.push(child);
    const { code, out } = await ended;
    expect({ code, result: JSON.parse(out) }).toEqual({
      code: 1,
      result: {
        ok: false,
        problem: expect.stringMatching(/: stopped by SIGINT\nAll was undone: the site is as it was\./),
      },
    });
    expect(kept()).toMatchObject({ moving, releases: [{ release: moving }] });
    close();
  }, 60_000);

  it.each<[string, boolean]>([
    ['watches the share', false],
    ['takes the share back as usual', true],
  ])(
    '%s although the purge failed, and exits with 1',
    async (_, isLost) => {
      const { share, close, moving, release, kept } = await serveSite(({ seen, log, releases }) => {
        const isThere = [...seen.keys()].some((path) => path.includes(`/${releases[1]}/`));
        if (isLost && isThere) rmSync(log, { force: true });
      });
      const { code, err, result } = await share('--purge', 'false');
      expect(err).toMatch(/Attention: The caches were not told to forget [\s\S]*watching /);
      expect(err.includes('ABORTED: ')).toBe(isLost);
      const problem = expect.stringMatching(
        /^The caches were not told to forget .*: false was expected to exit/,
      );
      expect({ code, result }).toEqual({ code: 1, result: { ok: false, problem } });
      expect(kept()).toMatchObject({ moving, ...(isLost ? {} : { canary: { release } }) });
      expect('canary' in kept()).toBe(!isLost);
      close();
    },
    60_000,
  );
});

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
  const serveOrigins = async (asked: (name: 'a' | 'b', site: Asked) => unknown = () => undefined) => {
    const { place, log, releases, from } = await buildTwo(folder);
    const known = { log, releases };
    const nodes: string[] = [];
    let requests = 0;
    const edge = await listening(async ({ url = '', headers: sent }, response) => {
      requests += 1;
      const get = httpGetVia(nodes[requests % nodes.length] ?? '');
      const given = Object.entries(sent).map(([name, value]) => [name, `${value}`]);
      const { status, headers, body } = await get(edge.url + url, Object.fromEntries(given));
      response.writeHead(status, headers).end(body);
    });
    const a = await serveTarget(place, known, (site) => asked('a', site), edge.url);
    const b = await serveTarget(place, known, (site) => asked('b', site), edge.url);
    nodes.push(a.node, b.node);
    const purged: string[] = [];
    const cdn = await listening(({ method, url }, response) => {
      purged.push(`${method} ${url}`);
      response.end();
    });
    const begin = (index: number, ...more: string[]) => {
      purged.length = 0;
      return start(
        ...['release', 'publish', ...from(index), '--url', edge.url, ...SERVER],
        ...['--target', `${a.target},${b.target}`, '--origin', `${a.node},${b.node}`],
        ...['--check', 'test -d {target}', '--reload', 'touch {target}/reloaded'],
        ...['--purge', `${cdn.url}/purge?path={path}`, ...more],
      );
    };
    const publish = async (index: number) => {
      const { out, ...rest } = await begin(index).ended;
      const steps = out.match(/^ {2}(127\S+:|copy|rename|purge|verify the moving addresses behind)/gm) ?? [];
      return { ...rest, out, steps: steps.map((step) => step.trim()) };
    };
    const close = () => {
      for (const one of [edge, a, b, cdn]) one.close();
    };
    return { a, b, begin, publish, purged, releases, log, close };
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

  it('purges what had moved before the one that failed, exits with 1 and says which has what', async () => {
    const { a, b, publish, purged, releases, close } = await serveOrigins((name, { seen }) => {
      // Lost on the second once the first has moved.
      if (name === 'a' && seen.has(`moving/${releases[1]}`))
        rmSync(join(b.target, `releases/${releases[1]}/sri.json`), { force: true });
    });
    const [former, next] = releases;
    expect(await publish(0)).toMatchObject({ code: 0 });
    const { code, err } = await publish(1);
    expect(code).toBe(1);
    expect(err).toContain(
      `${b.node} failed: releases/${next} was expected to have headers.json and sri.json`,
    );
    expect(err).toContain(
      `Stopped there. Now ${a.node} has ${next}; ${b.node} has ${former}. Correct the cause and run publish again: it leaves alone what is done.\nThe caches were told to forget the moving addresses.\n`,
    );
    expect([a.kept().moving, b.kept().moving]).toEqual([next, former]);
    expect(purged).toEqual(PURGED);
    close();
  }, 60_000);

  it('takes a watched share back from those that have it if another cannot begin it', async () => {
    const started: { kill: (signal: 'SIGINT') => unknown }[] = [];
    const { a, b, begin, publish, releases, log, close } = await serveOrigins((name, { seen }) => {
      const hasSplit = [...seen.keys()].some((path) => path.startsWith('nginx/http/'));
      if (name === 'b' && hasSplit) started[0]?.kill('SIGINT');
    });
    expect(await publish(0)).toMatchObject({ code: 0 });
    const { child, ended } = begin(1, '--share', '50', '--abort-if', 'reports=1', '--reports-log', log);
    started.push(child);
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toContain(`${b.node} failed: give ${releases[1]} to 50 % of visitors failed at the step `);
    expect(err).toMatch(/: stopped by SIGINT\n[\s\S]*\nThe share was taken back everywhere\.\n$/);
    for (const one of [a, b]) {
      expect(one.kept()).toMatchObject({ moving: releases[0] });
      expect(one.kept()).not.toHaveProperty('canary');
    }
    close();
  }, 60_000);
});
