/** Releases in trouble: files damaged, lost, unreachable or broken, and each command's message about it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isVital } from './damage.ts';
import { buildThree, type Files, START, siteInMemory } from './folder.fixture.ts';
import { ReleaseError } from './release-error.ts';
import type { OpenedForm, ReleaseCommand } from './run.ts';
import { buildRelease } from './site.fixture.ts';

const { dist, nameOf, publish } = buildThree();
const rollback = (to: string | null = null): ReleaseCommand => ({ command: 'rollback', to });

const startSite = async (published: readonly number[]) => {
  const site = siteInMemory();
  for (const index of published) await site.run(publish(index));
  site.lines.length = 0;
  const moving = async () => {
    const { 'card-form.js': answer = '' } = await site.answers([]);
    return /load\('(.+)'\)/.exec(answer)?.[1];
  };
  return { ...site, moving };
};

describe('a release is opened in a browser before any visitor gets it', () => {
  /** A browser that finds some forms broken. */
  const browser = (broken: (form: OpenedForm) => boolean) => {
    const opened: string[] = [];
    const open = async (form: OpenedForm) => {
      opened.push(`${form.what} ${form.release}${form.userAgent === undefined ? '' : ' as a visitor'}`);
      return broken(form) ? 'no buyer could pay: script: TypeError: x' : null;
    };
    return { open, opened };
  };
  const whole = () => browser(() => false);

  it('at its own address before the moving addresses move, and at those afterwards', async () => {
    const site = await startSite([0]);
    const { open, opened } = whole();
    await site.run(publish(1), START, { open });
    expect(opened).toEqual([`release ${nameOf(1)}`, `moving ${nameOf(1)}`]);
    const marker = site.lines.findIndex((line) => line.startsWith('rename'));
    const steps = site.lines.map((line, index) => (line.startsWith('open') ? index - marker : 0));
    expect(steps.filter((step) => step < 0)).toHaveLength(1);
    expect(steps.filter((step) => step > 0)).toHaveLength(1);
  });

  it('nothing moves if it is broken, and the message says why', async () => {
    const site = await startSite([0]);
    const before = await site.snapshot();
    await expect(
      site.run(
        publish(1),
        START,
        browser(() => true),
      ),
    ).rejects.toThrow(
      /^add 1\.1\.0-\w+ failed at the step "open the form of the release in a browser: .*": no buyer could pay: script: TypeError: x\nAll was undone: the site is as it was\.$/,
    );
    expect(await site.snapshot()).toEqual(before);
    expect(site.lines.filter((line) => line.startsWith('rename'))).toEqual([]);
  });

  it.each<[string, readonly number[], number | null, () => ReleaseCommand, () => string[]]>([
    ['a publish', [0], null, () => publish(1), () => [`release ${nameOf(1)}`, `moving ${nameOf(1)}`]],
    ['a rollback', [0, 1], null, () => rollback(), () => [`release ${nameOf(0)}`, `moving ${nameOf(0)}`]],
    [
      'a promotion',
      [0],
      5,
      () => ({ command: 'promote' }),
      () => [`release ${nameOf(1)}`, `moving ${nameOf(1)}`],
    ],
    [
      'a share',
      [0],
      null,
      () => publish(1, 50),
      () => [`release ${nameOf(1)}`, `moving ${nameOf(1)} as a visitor`],
    ],
  ])(
    'for %s at its own address and at the moving ones, and broken at one of them, nothing moves',
    async (_, published, before, command, expected) => {
      const prepare = async () => {
        const site = await startSite(published);
        if (before !== null) await site.run(publish(1, before));
        return site;
      };
      const site = await prepare();
      const { open, opened } = whole();
      await site.run(command(), START, { open });
      expect(opened).toEqual(expected());
      for (const at of ['release', 'moving']) {
        const broken = await prepare();
        const moving = await broken.moving();
        await expect(
          broken.run(
            command(),
            START,
            browser(({ what }) => what === at),
          ),
        ).rejects.toThrow('no buyer could pay');
        expect(await broken.moving()).toBe(moving);
        expect(await broken.answers([])).toEqual(await (await prepare()).answers([]));
      }
    },
  );
});

describe('a rollback always works', () => {
  const asset = (index: number, file = 'assets/form.js') => `partner/v1/card-form/${nameOf(index)}/${file}`;

  it('continues with a list of the damaged files', async () => {
    const site = await startSite([0, 1]);
    site.files.set(asset(0), Buffer.from('damaged'));
    await site.run(rollback());
    expect(await site.moving()).toBe(nameOf(0));
    expect(site.lines.join('\n')).toMatch(
      new RegExp(`goes on although it is damaged: ${asset(0)}: it has sha384-.* in place of sha384-`),
    );
  });

  it.each([
    ['partner/v1/card-form.js', true],
    [asset(0, 'card-form.js'), true],
    [asset(0, 'frame.html'), true],
    ['/partner/v1/card-form/frame', true],
    [asset(0, 'frame.de.html'), false],
    ['/partner/v1/card-form/frame?de', false],
    [asset(0), false],
  ])('without %s no buyer has a form: %j', (path, is) => {
    expect(isVital(path)).toBe(is);
  });

  it('is refused where no buyer would have a form, unless it is forced', async () => {
    const site = await startSite([0, 1]);
    site.files.delete(asset(0, 'frame.html'));
    const before = await site.snapshot();
    await expect(site.run(rollback())).rejects.toThrow(
      /frame\.html: it is missing\. Without it no buyer has a form\. Restore it: card-form release repair\. Or add --force\. Nothing was changed\.$/,
    );
    expect(await site.snapshot()).toEqual(before);
    await site.run(rollback(), START, { isForced: true });
    expect(await site.snapshot()).toHaveProperty(`moving/${nameOf(0)}`);
  });

  it('says that it checked nothing where the address is out of reach and it is forced', async () => {
    const site = await startSite([0, 1]);
    const out = {
      get: async () => {
        throw new Error('getaddrinfo ENOTFOUND pay.example');
      },
    };
    await expect(site.run(rollback(), START, out)).rejects.toThrow(
      /^https:\/\/pay\.example cannot be reached from here: .*ENOTFOUND.*\. Add --force .* Nothing was changed\.$/,
    );
    expect(await site.moving()).toBe(nameOf(1));
    await site.run(rollback(), START, { ...out, isForced: true });
    expect(await site.moving()).toBe(nameOf(0));
    expect(site.lines).toContain('NOT CHECKED, because of --force. Open a page of a shop to see the form.');
  });

  it('does not need the manifests of other releases, nor its own if it is forced', async () => {
    const site = await startSite([0, 1, 2]);
    site.files.set(`releases/${nameOf(0)}/headers.json`, Buffer.from('{'));
    await site.run(rollback());
    expect(await site.moving()).toBe(nameOf(1));
    await expect(site.run(rollback())).rejects.toThrow(
      /headers\.json and sri\.json of .* are missing or damaged/,
    );
    await site.run(rollback(), START, { isForced: true });
    expect(await site.moving()).toBe(nameOf(0));
  });

  it('with a form that cannot be opened only if it is forced', async () => {
    const site = await startSite([0, 1]);
    const open = async () => 'no buyer could pay: timeout';
    await expect(site.run(rollback(), START, { open })).rejects.toThrow('no buyer could pay');
    expect(await site.moving()).toBe(nameOf(1));
    await site.run(rollback(), START, { open, isForced: true });
    expect(await site.moving()).toBe(nameOf(0));
  });
});

describe('a rollback restores a release that was live before', () => {
  it('even after an older release was published again', async () => {
    const site = await startSite([0, 1]);
    await site.run(publish(0), START + 60_000);
    expect((await site.run(rollback(), START + 120_000)).moving).toBe(nameOf(1));
    expect((await site.run(rollback(), START + 180_000)).moving).toBe(nameOf(0));
    await expect(site.run(rollback(), START + 240_000)).rejects.toThrow('There is no release before');
  });

  it('even a release that was published later, if it was live before', async () => {
    const site = await startSite([0, 1, 2]);
    await site.run(publish(0), START + 60_000);
    expect((await site.run(rollback(nameOf(2)))).moving).toBe(nameOf(2));
  });
});

describe('card-form release repair', () => {
  const repair = (...from: string[]): ReleaseCommand => ({ command: 'repair', from });

  it('restores files from a build, from their own codings, and the manifests from their copies', async () => {
    const site = await startSite([0, 1]);
    const before = await site.snapshot();
    const home = `partner/v1/card-form/${nameOf(0)}`;
    site.files.set(`${home}/assets/form.js`, Buffer.from('damaged'));
    site.files.delete(`${home}/card-form.js`);
    for (const suffix of ['', '.br', '.gz']) site.files.delete(`${home}/frame.html${suffix}`);
    site.files.set(`releases/${nameOf(1)}/headers.json`, Buffer.from('{'));
    site.files.delete(`nginx/card-form-${nameOf(1)}.conf`);
    const part = await site.run(repair());
    expect(part.remaining.join('\n')).toMatch(
      /frame\.html: it is missing\. Name the dist\/ of 1\.0\.0-\w+ with --from/,
    );
    const report = await site.run(repair(dist(0)));
    expect(report.remaining).toEqual([]);
    expect(await site.snapshot()).toEqual(before);
    expect((await site.run(repair())).restored).toEqual([]);
    expect(site.lines).toContain('there is nothing to restore');
  });

  it.each<[string, (files: Files) => void]>([
    ['is lost', (files) => void files.delete('releases.json')],
    ['is half written', (files) => void files.set('releases.json', Buffer.from('{"moving": "1.'))],
  ])('releases.json that %s is named by every command, and restored with its history', async (_, spoil) => {
    const site = await startSite([0, 1]);
    const before = await site.snapshot();
    spoil(site.files);
    for (const command of [publish(2), rollback(), { command: 'status' } as const])
      await expect(site.run(command)).rejects.toThrow(/releases\.json .* card-form release repair/);
    const { restored } = await site.run(repair());
    expect(restored.join('\n')).toMatch(
      /releases\.json was lost or damaged: restored from copies\/releases\.json/,
    );
    expect(await site.snapshot()).toEqual(before);
  });

  it('is refused if its copy is gone as well', async () => {
    const site = await startSite([0]);
    for (const path of ['releases.json', 'copies/releases.json']) site.files.delete(path);
    const before = await site.snapshot();
    await expect(site.run(repair())).rejects.toThrow(
      /^releases\.json and copies\/releases\.json are both lost or damaged\. Restore one .* Nothing was changed\.$/,
    );
    expect(await site.snapshot()).toEqual(before);
  });

  it('publishing over a damaged file says how to restore it', async () => {
    const site = await startSite([0, 1]);
    site.files.set(`partner/v1/card-form/${nameOf(0)}/assets/form.js`, Buffer.from('damaged'));
    await expect(site.run(publish(0))).rejects.toThrow(
      /Restore it: card-form release repair --from .*\. Nothing was changed\.$/,
    );
  });
});

describe('a damaged file causes a message with the expectation and a remedy, not a stack trace', () => {
  const FORMAT = 'was expected to be as the build writes it; it is not';
  const damaged: [string, string][] = [
    ['headers.json', '{"release"'],
    ['sri.json', '{}'],
    ['sri.json', ''],
  ];

  it.each(damaged)('%s of the build that is published: %j', async (name, text) => {
    const site = await startSite([0]);
    const before = await site.snapshot();
    const from = await mkdtemp(join(tmpdir(), 'damaged-'));
    await buildRelease(from, '1.9.0');
    await writeFile(join(from, name), text);
    const publishing = site.run({ command: 'publish', from });
    await expect(publishing).rejects.toThrow(ReleaseError);
    await expect(publishing).rejects.toThrow(
      `${join(from, name)} ${FORMAT}. Copy the release again, or build it again. Nothing was changed.`,
    );
    expect(await site.snapshot()).toEqual(before);
    await rm(from, { recursive: true });
  });

  it.each([
    '{"name"',
    '{}',
    'null',
    '{"name":"x","switchesTo":null,"reached":0,"entries":[{"kind":"change"}]}',
  ])('.card-form/journal.json of a stopped command: %j', async (text) => {
    const site = await startSite([0, 1]);
    const path = '.card-form/journal.json';
    site.files.set(path, Buffer.from(text));
    const before = await site.snapshot();
    const message = `${path} was expected to be as card-form release wrote it; it is not. Keep a copy of the target folder, remove this file, and run card-form release repair. Nothing was changed.`;
    for (const command of [{ command: 'status' } as const, rollback()])
      await expect(site.run(command)).rejects.toEqual(new ReleaseError(message));
    expect(await site.snapshot()).toEqual(before);
    site.files.delete(path);
    await site.run({ command: 'repair', from: [dist(0), dist(1)] });
    expect(await site.moving()).toBe(nameOf(1));
  });
});
