/**
 * `card-form release` opens the form in a browser before visitors get it, on a running nginx: a release with a broken
 * form never goes live. Sharing one browser between commands would hide the behaviour under test: each command starts
 * its own, as for its owner.
 */
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '../support/fixtures.ts';
import { test } from './hosted.ts';
import { DIST, type Hosting, NGINX, needs, readManifest } from './hosting.ts';
import { release as releaseOn } from './program.ts';
import { restamp } from './restamp.ts';

/** The release of the moving marker. */
const movingOf = async ({ root }: Hosting) =>
  JSON.parse(await readFile(join(root, 'releases.json'), 'utf8')).moving;

test.describe('card-form release opens the form first', () => {
  test.skip(NGINX.program === null, needs(NGINX));

  test('a form that throws or cannot be typed into never goes live', async ({ folder, hosting, named }) => {
    const { release: built } = await readManifest();
    const release = (argv: readonly string[]) => releaseOn(hosting, argv, { cwd: folder });
    // Without a browser, publishing requires an explicit flag and says so.
    const none = ['--executable-path', join(folder, 'no-browser')];
    expect(await release(['publish', '--from', DIST, ...none])).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /could not be opened in a browser: chromium was expected to start.*--no-probe/,
      ),
    });
    expect(await release(['publish', '--from', DIST, '--no-probe'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/NOT PROBED: .*because of --no-probe/),
    });

    const next = await named('fee1');
    await restamp(join(folder, next), next);
    const opened = await release(['publish', '--from', join(folder, next)]);
    expect(opened).toMatchObject({ code: 0, err: '' });
    expect(opened.out).toMatch(
      /open the form of the release in a browser: [\s\S]*rename moving\/\S+ to moving\/[\s\S]*open the form at the moving addresses in a browser: /,
    );

    const broken: readonly [string, (path: string, text: string) => string, RegExp][] = [
      [
        'bad1',
        (path, text) => (path === 'assets/form.js' ? `throw new TypeError('x is undefined');${text}` : text),
        /no buyer could pay: script: TypeError: x is undefined at \S+\/assets\/form\.js:1:\d+/,
      ],
      [
        'bad2',
        (path, text) =>
          path === 'assets/form.js'
            ? text
                .replaceAll('beforeinput', 'keydown')
                .replace(/^/, 'addEventListener("keydown",(e)=>e.preventDefault(),true);')
            : text,
        /no buyer could pay: typing: the field "Card number" was expected to have 4242424242424242, as it was typed; it has ""/,
      ],
    ];
    for (const [end, alter, message] of broken) {
      const name = await named(end);
      await restamp(join(folder, name), name, alter);
      const ended = await release(['publish', '--from', join(folder, name)]);
      expect(ended.code).toBe(1);
      expect(ended.err).toMatch(message);
      expect(ended.err).toContain('All was undone: the site is as it was.');
      expect(ended.out).not.toMatch(/rename/);
      expect(await movingOf(hosting)).toBe(next);
    }

    // A rollback continues despite damage, which it names, and says that no form was opened.
    for (const file of ['assets/de.json', 'frame.de.html']) {
      const language = join(hosting.root, `partner/v1/card-form/${built}/${file}`);
      await unlink(language); // a new file: an earlier release may share the old one
      await writeFile(language, 'damaged');
    }
    const back = await release(['rollback', ...none]);
    expect(back).toMatchObject({ code: 0, err: '' });
    expect(back.out).toMatch(/goes on although it is damaged: \S+\/assets\/de\.json: it has sha384-/);
    expect(back.out).toMatch(/goes on although it is damaged: \S+\/frame\.de\.html: it has sha384-/);
    expect(back.out).toMatch(/NOT PROBED: .*because none could be used/);
    expect(await movingOf(hosting)).toBe(built);
  });
});
