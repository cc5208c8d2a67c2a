/**
 * Releases on a server, with a kill or a failure at every single step, and buyers who check after each step. The steps
 * are the same for Caddy, whose own rules are tested by `e2e/hosting/releases.spec.ts` and
 * `e2e/hosting/hosting.spec.ts`.
 */
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../api/served/inline.ts';
import { buildThree, START, testContext } from './folder.fixture.ts';
import { parseReleases } from './releases-file.ts';
import { type ReleaseCommand, runRelease } from './run.ts';
import { fakeNginx, memoryDisk, SITE_ORIGIN } from './site.fixture.ts';
import type { ServerKind } from './site.ts';

const MINUTE = 60_000;

const { nameOf, publish } = buildThree();

/** Kills the process. Everything it tries afterwards is killed too. */
class Killed extends Error {}
class DiskFull extends Error {}

/** The way a run is disturbed at its step number `at`. */
type Disturbance = { kind: 'kill' | 'fail'; at: number };

/** One of the visitors in a share of 5 %. */
const CANARY_BROWSER = 'browser 73';

/** Initial state of a site. */
type Start = { files: ReadonlyMap<string, Buffer>; inBrowsers: ReadonlyMap<string, number>; now: number };

const EMPTY: Start = { files: new Map(), inBrowsers: new Map(), now: START };

const startSite = (start: Start = EMPTY, kind: ServerKind = 'nginx') => {
  const files = new Map(start.files);
  const server = fakeNginx(files);
  const trouble: unknown[] = [];
  const site = { now: start.now, files, steps: 0, isOpen: files.size > 0, trouble };
  server.load();
  const lines: string[] = [];
  /** Releases whose loader a browser may still have, so that it requests their frames. */
  const inBrowsers = new Map(start.inBrowsers);

  const read = async (address: string, agent = 'a browser') => {
    const { status, headers, body } = await server.get(SITE_ORIGIN + address, { 'user-agent': agent });
    return { status, headers, text: body.toString() };
  };

  /** A new buyer, and one for each open page: all of them get a complete form of a single release. */
  const shop = async (): Promise<string | null> => {
    const loader = await read('/partner/v1/card-form.js');
    if (!site.isOpen && loader.status === 404) return null; // nothing was ever published
    expect(loader.status).toBe(200);
    const [, release = ''] = /^load\('(.+)'\)$/.exec(loader.text) ?? [];
    inBrowsers.set(release, site.now);
    const canary = await read('/partner/v1/card-form.js', CANARY_BROWSER);
    inBrowsers.set(/^load\('(.+)'\)$/.exec(canary.text)?.[1] ?? 'none', site.now);
    server.check(); // it may restart at any moment
    const missing: string[] = []; // one expectation for all, because this runs after each of thousands of steps
    for (const [known, since] of inBrowsers) {
      if (site.now - since > 5 * MINUTE) continue;
      const home = `/partner/v1/card-form/${known}`;
      for (const name of ['frame.html', 'card-form.js', 'assets/form.js']) {
        const { status } = await read(`${home}/${name}`);
        if (status !== 200) missing.push(`${status} ${name} of ${known}`);
      }
    }
    expect(missing).toEqual([]);
    const early = await read('/partner/v1/card-form/frame');
    const [, own = ''] = /start\('(.+)'\)/.exec(early.text) ?? [];
    expect(early.text).toBe((await read(`/partner/v1/card-form/${own}/frame.html`)).text);
    expect(own).toBe(release);
    expect(early.headers['content-security-policy']).toContain(`/partner/v1/card-form/${own}/;`);
    return release;
  };

  const run = async (command: ReleaseCommand, disturbance: Disturbance | null = null) => {
    let step = 0;
    let isDead = false;
    const before = () => {
      step += 1;
      if (isDead) throw new Killed();
      if (disturbance?.at !== step) return;
      if (disturbance.kind === 'fail') throw new DiskFull('ENOSPC: no space left on device');
      isDead = true;
      throw new Killed();
    };
    const after = async () => {
      // Not thrown, because the command would mistake it for its own failure.
      if (site.isOpen) await shop().catch((error: unknown) => site.trouble.push(error));
    };
    const report = await runRelease(
      testContext({
        kind,
        disk: memoryDisk(files, before, after),
        server: {
          check: async () => before(),
          reload: async () => {
            before();
            server.load();
            await after();
          },
        },
        get: (url, headers) => {
          if (isDead) throw new Killed();
          return server.get(url, headers);
        },
        now: () => site.now,
        log: (line) => void lines.push(line),
      }),
      command,
    ).finally(() => {
      site.steps = step;
    });
    site.isOpen = true;
    return report;
  };
  const snapshot = () =>
    Object.fromEntries(
      [...files]
        .filter(([path]) => !path.startsWith('.card-form/'))
        .map(([path, content]) => [path, `${content}`]),
    );
  return Object.assign(site, { run, shop, read, snapshot, server, lines, inBrowsers });
};

/** A site on which these commands have run. */
const siteWith = async (...commands: readonly ReleaseCommand[]) => {
  const site = startSite();
  for (const command of commands) await site.run(command);
  return site;
};

/** The commands run on a site, how long ago, and the command to disturb. */
type Scenario = {
  before: () => readonly ReleaseCommand[];
  wait?: number;
  command: () => ReleaseCommand;
  moving: [number | null, number];
};

/** Publishes for a share of visitors. */
const share = (index: number, percent = 5): ReleaseCommand => publish(index, percent);
const both = () => [publish(0), publish(1)];
const rollback = (): ReleaseCommand => ({ command: 'rollback', to: nameOf(0) });
const withdraw = (): ReleaseCommand => ({ command: 'withdraw', release: nameOf(0) });

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the first publish': { before: () => [], command: () => publish(0), moving: [null, 0] },
  'a second publish': {
    before: () => [publish(0)],
    command: () => publish(1),
    moving: [0, 1],
  },
  'a rollback': { before: both, command: rollback, moving: [1, 0] },
  'a withdrawal': { before: both, wait: 6 * MINUTE, command: withdraw, moving: [1, 1] },
  'a publish that turns on reports': {
    before: both,
    command: () => ({ ...publish(1), reportsTo: '/reports' }),
    moving: [1, 1],
  },
  'a release for a share of visitors': {
    before: () => [publish(0)],
    command: () => share(1),
    moving: [0, 0],
  },
  'a larger share': { before: () => [publish(0), share(1)], command: () => share(1, 50), moving: [0, 0] },
  'a promotion': {
    before: () => [publish(0), share(1)],
    command: () => ({ command: 'promote' }),
    moving: [0, 1],
  },
  'an abort': { before: () => [publish(0), share(1)], command: () => ({ command: 'abort' }), moving: [0, 0] },
  'a rollback while a share has the next release': {
    before: () => [...both(), share(2)],
    command: rollback,
    moving: [1, 0],
  },
};

const MOST_STEPS = 400;

describe.each(Object.entries(SCENARIOS))('%s', (_, { before, wait = 0, command, moving: [former, next] }) => {
  const prepare = async () => {
    const site = await siteWith(...before());
    site.now += wait;
    return site;
  };

  it('killed at any step: buyers have a form all the time, and the same command again completes it', async () => {
    const prepared = await prepare();
    const calm = startSite(prepared);
    await calm.run(command());
    const done = calm.snapshot();
    expect(await calm.shop()).toBe(nameOf(next));
    let at = 1;
    for (; at < MOST_STEPS; at += 1) {
      const site = startSite(prepared);
      const wasKilled = await site.run(command(), { kind: 'kill', at }).then(
        () => false,
        () => true,
      );
      await site.run(command());
      expect(await site.shop()).toBe(nameOf(next));
      // Only the times may differ, after a switch that was undone.
      const { 'releases.json': releases = '', ...rest } = site.snapshot();
      const { 'releases.json': doneReleases = '', ...doneRest } = done;
      expect(rest).toEqual(doneRest);
      expect(parseReleases(releases)).toEqual(parseReleases(doneReleases));
      // Nothing but the space reserved for a rollback.
      const left = [...site.files.keys()].filter((path) => path.startsWith('.card-form/'));
      expect(left.filter((path) => path !== '.card-form/reserve')).toEqual([]);
      expect(site.trouble).toEqual([]);
      if (!wasKilled) break;
    }
    expect(at).toBeGreaterThan(10);
    expect(at).toBeLessThan(MOST_STEPS);
  });

  it('failing once at any step: the site is as it was, and the message says so', async () => {
    const prepared = await prepare();
    const undisturbed = prepared.snapshot();
    let at = 1;
    for (; at < MOST_STEPS; at += 1) {
      const site = startSite(prepared);
      const error: unknown = await site.run(command(), { kind: 'fail', at }).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null && site.steps < at) break;
      if (error === null) continue; // the failure was in tidying up
      expect(site.trouble).toEqual([]);
      const message = error instanceof Error ? error.message : '';
      expect(message).toContain('ENOSPC');
      const moving = await site.shop();
      const isDone = moving === nameOf(next) && former !== next;
      if (!isDone && former !== null) expect(moving).toBe(nameOf(former));
      if (message.includes('All was undone')) expect(site.snapshot()).toEqual(undisturbed);
    }
    expect(at).toBeGreaterThan(10);
    expect(at).toBeLessThan(MOST_STEPS);
  });
});

describe('what card-form release leaves', () => {
  it('contract 2.1: the moving addresses have the new ETag with the new content, and no 304 for the former one', async () => {
    const site = await siteWith(publish(0));
    const before = await site.read('/partner/v1/card-form.js');
    await site.run(publish(1));
    const after = await site.server.get(`${SITE_ORIGIN}/partner/v1/card-form.js`, {
      'if-none-match': before.headers.etag ?? '',
    });
    expect([after.status, `${after.body}`]).toEqual([200, `load('${nameOf(1)}')`]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const again = await site.server.get(`${SITE_ORIGIN}/partner/v1/card-form.js`, {
      'if-none-match': after.headers.etag ?? '',
    });
    expect(again.status).toBe(304);
  });

  type Choice = Partial<ReleaseCommand & { command: 'publish' }>;
  it.each<[string, Choice, Choice, Readonly<Record<string, RegExp>>]>([
    [
      'ask for reports',
      { reportsTo: 'https://reports.pay.example/card-form' },
      { reportsTo: null },
      {
        'reporting-endpoints': /^default="https:\/\/reports\.pay\.example\/card-form"$/,
        'content-security-policy': /; report-to default$/,
      },
    ],
    [
      'let these apps embed them',
      { appSchemes: ['capacitor', 'ionic'] },
      { appSchemes: [] },
      { 'content-security-policy': /frame-ancestors https: capacitor: ionic:;/ },
    ],
  ])(
    'has all releases %s once the owner says so, and none after that is off',
    async (_, on, off, headers) => {
      const site = await siteWith(publish(0));
      const former = site.snapshot();
      await site.run({ ...publish(0), ...on });
      expect(await site.run(publish(1))).toMatchObject(on); // unchanged
      const documents = [0, 1].map((index) => `/partner/v1/card-form/${nameOf(index)}/frame.html`);
      for (const address of ['/partner/v1/card-form/frame', ...documents])
        for (const [name, expected] of Object.entries(headers))
          expect((await site.read(address)).headers[name]).toMatch(expected);
      site.now += 6 * MINUTE;
      await site.run({ command: 'withdraw', release: nameOf(0) });
      const withdrawn = await site.read(documents[0] ?? '');
      for (const name of Object.keys(headers)) expect(withdrawn.headers).toHaveProperty(name);

      const other = startSite();
      await other.run({ ...publish(0), ...on });
      expect(other.snapshot()).not.toEqual(former);
      await other.run({ ...publish(0), ...off });
      expect(other.snapshot()).toEqual(former);
    },
  );

  it('rolls back by one rename, without a reload', async () => {
    const site = await siteWith(publish(0), publish(1));
    site.lines.length = 0;
    await site.run({ command: 'rollback', to: null });
    expect(await site.shop()).toBe(nameOf(0));
    expect(site.lines.filter((line) => line.includes('reload'))).toEqual([]);
    expect(site.lines.filter((line) => line.startsWith('rename'))).toEqual([
      `rename moving/${nameOf(1)} to moving/${nameOf(0)}`,
    ]);
  });

  it('a server that does not load the new release is noticed before anything moves', async () => {
    const site = await siteWith(publish(0));
    const before = site.snapshot();
    site.server.load = () => undefined;
    await expect(site.run(publish(1))).rejects.toThrow(
      /^add 1\.1\.0-\w+ failed at the step "verify the release over HTTP: [\s\S]*expected status 200; got 404\nAll was undone: the site is as it was\.$/,
    );
    expect(site.snapshot()).toEqual(before);
    expect(await site.shop()).toBe(nameOf(0));
    const moves = site.lines.filter((line) => line.startsWith('rename'));
    expect(moves).toEqual([`rename nothing to moving/${nameOf(0)}`]);
    expect(site.trouble).toEqual([]);
  });

  it('a withdrawn release answers with a document that says so, and keeps its script but nothing else', async () => {
    const site = await siteWith(publish(0), publish(1));
    site.now += 6 * MINUTE;
    await site.run({ command: 'withdraw', release: nameOf(0) });
    const home = `/partner/v1/card-form/${nameOf(0)}`;
    const frame = await site.read(`${home}/frame.html`);
    expect(frame.text).toContain("reason: 'withdrawn'");
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(frame.text) ?? [];
    expect(frame.headers['content-security-policy']).toContain(`'${integrityOf(script, 'sha256')}'`);
    expect(frame.headers['cache-control']).toBe('no-cache');
    const packed = site.files.get(`${home.slice(1)}/withdrawn.html.br`); // nginx sends it if brotli is accepted
    expect(packed && `${brotliDecompressSync(packed)}`).toBe(frame.text);
    expect((await site.read(`${home}/card-form.js`)).status).toBe(200);
    expect((await site.read(`${home}/assets/form.js`)).status).toBe(404);
    expect(Object.keys(site.snapshot()).filter((path) => path.startsWith(`${home.slice(1)}/assets`))).toEqual(
      [],
    );
  });
});

describe('card-form release', () => {
  it('a release that was switched to and failed counts as one that browsers have', async () => {
    const prepared = startSite();
    await prepared.run(publish(0));
    const site = startSite(prepared);
    const steps = { at: 0 };
    for (let at = 1; steps.at === 0 && at < MOST_STEPS; at += 1) {
      const trial = startSite(prepared);
      await trial.run(publish(1), { kind: 'kill', at }).catch(() => undefined);
      if (trial.files.has(`moving/${nameOf(1)}`)) steps.at = at;
    }
    await site.run(publish(1), { kind: 'kill', at: steps.at }).catch(() => undefined);
    expect(await site.shop()).toBe(nameOf(1));
    const { moving, releases } = await site.run({ command: 'promote' });
    expect(moving).toBe(nameOf(0));
    expect(releases.at(-1)).toMatchObject({ release: nameOf(1), lastMoving: '2026-01-01T00:00:00.000Z' });
    await expect(site.run({ command: 'withdraw', release: nameOf(1) })).rejects.toThrow(
      'Withdraw it in 300 seconds',
    );
  });

  it('adds a release beside the others without moving to it, and moves when it is published', async () => {
    const site = await siteWith(publish(0));
    expect((await site.run({ ...publish(1), isOnlyAdded: true })).moving).toBe(nameOf(0));
    expect(await site.shop()).toBe(nameOf(0));
    expect((await site.read(`/partner/v1/card-form/${nameOf(1)}/card-form.js`)).status).toBe(200);
    expect((await site.run(publish(1))).moving).toBe(nameOf(1));
  });

  it('the same publish twice changes nothing the second time', async () => {
    const site = await siteWith(publish(0));
    const before = site.snapshot();
    site.now += MINUTE;
    await site.run(publish(0));
    expect(site.snapshot()).toEqual(before);
  });
});

describe('a release for a share of visitors', () => {
  const loaderFor = async (site: ReturnType<typeof startSite>, agent?: string) => {
    const { text, headers } = await site.read('/partner/v1/card-form.js', agent);
    return { release: /^load\('(.+)'\)$/.exec(text)?.[1], cache: headers['cache-control'] };
  };
  const start = async () => {
    const site = await siteWith(publish(0), { ...publish(1), share: 5 });
    return site;
  };

  it('splits only the script: its visitors have the frame of its release, early frames stay with the moving one', async () => {
    const site = await start();
    expect(await loaderFor(site)).toMatchObject({ release: nameOf(0) });
    expect(await loaderFor(site, CANARY_BROWSER)).toMatchObject({ release: nameOf(1) });
    for (const agent of ['a browser', CANARY_BROWSER])
      expect((await site.read('/partner/v1/card-form/frame', agent)).text).toContain(`start('${nameOf(0)}')`);
  });

  it('keeps shared caches from giving the script of one side to the other, as long as it lasts', async () => {
    const site = await start();
    for (const agent of ['a browser', CANARY_BROWSER])
      expect((await loaderFor(site, agent)).cache).toBe('private, max-age=300, must-revalidate');
    await site.run({ command: 'promote' });
    expect(await loaderFor(site)).toEqual({
      release: nameOf(1),
      cache: 'public, max-age=300, must-revalidate',
    });
  });

  it('leaves no byte behind when it is aborted, except that browsers may have its script', async () => {
    const site = await siteWith(publish(0));
    const before = site.snapshot();
    await site.run({ ...publish(1), share: 5 });
    const report = await site.run({ command: 'abort' });
    expect(report).toMatchObject({ moving: nameOf(0), canary: null });
    expect(await loaderFor(site, CANARY_BROWSER)).toMatchObject({ release: nameOf(0) });
    expect(Object.keys(site.snapshot()).filter((path) => path.includes('canary'))).toEqual([]);
    expect((await loaderFor(site)).cache).toContain('public');
    expect(site.snapshot()['partner/v1/card-form.js']).toBe(before['partner/v1/card-form.js']);
    await expect(site.run({ command: 'withdraw', release: nameOf(1) })).rejects.toThrow(
      'Withdraw it in 300 seconds',
    );
    site.now += 6 * MINUTE;
    await site.run({ command: 'withdraw', release: nameOf(1) });
  });

  it('ends with a publish for all', async () => {
    const site = await start();
    const report = await site.run(publish(2));
    expect(report).toMatchObject({ moving: nameOf(2), canary: null });
    expect(await loaderFor(site, CANARY_BROWSER)).toMatchObject({ release: nameOf(2) });
  });

  it('that no visitor gets is noticed, and undone', async () => {
    const site = await siteWith(publish(0), publish(1), { command: 'rollback', to: null });
    const before = { ...site.snapshot(), 'releases.json': '' };
    site.server.load = () => undefined; // a reload that does nothing
    await expect(site.run({ ...publish(1), share: 5 })).rejects.toThrow(
      `/partner/v1/card-form.js: none of 240 visitors got that of ${nameOf(1)}`,
    );
    expect({ ...site.snapshot(), 'releases.json': '' }).toEqual(before);
  });

  it('is refused where the server cannot split', async () => {
    const site = await start();
    const caddy = startSite(site, 'caddy');
    await expect(caddy.run({ ...publish(1), share: 5 })).rejects.toThrow('Only nginx can give');
  });
});
