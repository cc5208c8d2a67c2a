/** The commands of docs/hosting.md in the wrong order, on a real folder: which are refused and how; nothing changes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildThree, placeAt, START, siteAt } from './folder.fixture.ts';
import { ReleaseError } from './release-error.ts';
import type { ReleaseCommand } from './run.ts';

const SECOND = 1000;

const { dist, names, nameOf, publish: published } = buildThree();
let target: string;
beforeEach(async () => {
  target = await mkdtemp(join(tmpdir(), 'wrong-order-'));
});
afterEach(() => rm(target, { recursive: true }));

type Make = () => ReleaseCommand;
const publish =
  (index: number, share: number | null = null): Make =>
  () =>
    published(index, share);
const rollback =
  (index: number | null = null): Make =>
  () => ({ command: 'rollback', to: index === null ? null : nameOf(index) });
const withdraw =
  (index: number): Make =>
  () => ({ command: 'withdraw', release: nameOf(index) });
const promote: Make = () => ({ command: 'promote' });
const abort: Make = () => ({ command: 'abort' });
const repair: Make = () => ({ command: 'repair', from: [dist('0')] });

/** Earlier commands, five minutes apart; the command that comes too early or too late; and its error. */
const REFUSED: readonly [string, readonly Make[], Make, RegExp][] = [
  ['rollback before the first publish', [], rollback(), /^Nothing was published here yet.* Publish first\./],
  [
    'rollback of the only release',
    [publish(0)],
    rollback(),
    /^There is no release before \S+ Publish one that works\./,
  ],
  [
    'a rollback too many',
    [publish(0), publish(1), rollback()],
    rollback(),
    /^There is no release before \S+ Publish/,
  ],
  [
    'rollback to a newer release',
    [publish(0), publish(1), rollback()],
    rollback(1),
    /To go forward, publish\./,
  ],
  [
    'rollback to a withdrawn release',
    [publish(0), publish(1), withdraw(0)],
    rollback(0),
    /that was not withdrawn \(none\).*To go forward, publish\./,
  ],
  ['withdraw before the first publish', [], withdraw(0), /^There is no release \S+ here; .* Publish first\./],
  [
    'withdraw of an unknown release',
    [publish(0)],
    withdraw(1),
    /here; there is 1\.0\.0-\w+\. Name one of these\./,
  ],
  [
    'withdraw before the rollback',
    [publish(0), publish(1)],
    withdraw(1),
    /is the moving release\. Roll back or publish first\./,
  ],
  [
    'withdraw before the abort',
    [publish(0), publish(1, 5)],
    withdraw(1),
    /End that first: card-form release abort\./,
  ],
  ['a share of the first release', [], publish(0, 5), /Publish without a share first\./],
  [
    'a share of the moving release',
    [publish(0)],
    publish(0, 5),
    /is the moving release: all visitors get it\./,
  ],
  ['a second share', [publish(0), publish(1, 5)], publish(2, 5), /Promote or abort it first\./],
  [
    'publish of a withdrawn release',
    [publish(0), publish(1), withdraw(0)],
    publish(0),
    /was withdrawn at .* is not published again\. Build a new one\./,
  ],
  [
    'publish before the build',
    [publish(0)],
    () => ({ command: 'publish', from: dist('none') }),
    /was expected to be the dist\/ of a build.*Name it with --from\./,
  ],
];

/** Commands that may come at any time and then have nothing to do. */
const HARMLESS: readonly [string, readonly Make[], Make, RegExp][] = [
  ['promote before the first publish', [], promote, /^there is no canary: nothing is the moving release$/],
  [
    'promote without a share',
    [publish(0)],
    promote,
    /^there is no canary: 1\.0\.0-\w+ is the moving release$/,
  ],
  ['a second promote', [publish(0), publish(1, 5), promote], promote, /^there is no canary: 1\.1\.0-\w+ is/],
  ['abort before the first publish', [], abort, /^there is no canary: nothing is the moving release$/],
  ['abort after promote', [publish(0), publish(1, 5), promote], abort, /^there is no canary: 1\.1\.0-\w+ is/],
  ['repair before the first publish', [], repair, /^there is nothing to restore$/],
  ['repair of what is whole', [publish(0), publish(1)], repair, /^there is nothing to restore$/],
];

/** The folder after these commands, with what buyers get, and a function that runs the next command. */
const startAfter = async (before: readonly Make[]) => {
  const site = siteAt(placeAt(target));
  let now = START;
  for (const make of before) {
    await site.run(make(), now);
    now += 301 * SECOND;
  }
  await site.reload();
  site.lines.length = 0;
  const state = async () => ({ files: await site.snapshot(), answers: await site.answers(names) });
  return { site, now, state };
};

describe('the wrong order', () => {
  it.each(REFUSED)(
    '%s is refused, says what to do, and changes nothing',
    async (_, before, make, message) => {
      const { site, now, state } = await startAfter(before);
      const former = await state();
      const error: unknown = await site.run(make(), now).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ReleaseError);
      const text = error instanceof Error ? error.message : '';
      expect(text).toMatch(message);
      expect(text).toMatch(/ Nothing was changed\.$/);
      expect(await state()).toEqual(former);
    },
  );

  it.each(HARMLESS)('%s does nothing, and says so', async (_, before, make, line) => {
    const { site, now, state } = await startAfter(before);
    const former = await state();
    await site.run(make(), now);
    expect(await state()).toEqual(former);
    expect(site.lines.join('\n')).toMatch(new RegExp(line.source, 'm'));
  });

  it('contract 2.1: withdraw is refused in the five minutes after the rollback, and says how long to wait', async () => {
    const { site, now, state } = await startAfter([publish(0), publish(1)]);
    await site.run(rollback()(), now);
    const former = await state();
    await expect(site.run(withdraw(1)(), now + 299 * SECOND)).rejects.toThrow(
      /Withdraw it in 1 seconds\. Nothing was changed\.$/,
    );
    expect(await state()).toEqual(former);
    await site.run(withdraw(1)(), now + 300 * SECOND);
  });

  it('publish of a release that was damaged on the way is refused, and names the file', async () => {
    const { site, now, state } = await startAfter([publish(0)]);
    const former = await state();
    const copy = join(dist(1), `partner/v1/card-form/${nameOf(1)}/assets/form.js`);
    const content = await readFile(copy);
    await writeFile(copy, 'half');
    await expect(site.run(publish(1)(), now)).rejects.toThrow(
      /assets\/form\.js: it has sha384-\S+ in place of sha384-\S+ Copy the release again, or build it again\. Nothing was changed\.$/,
    );
    await writeFile(copy, content);
    expect(await state()).toEqual(former);
  });

  it('has every command of the page', async () => {
    const page = await readFile(new URL('../../../docs/hosting.md', import.meta.url), 'utf8');
    const [, table = ''] = /^\| Command \| What it does \|\n(.+?)\n\n/ms.exec(page) ?? [];
    const cells = Array.from(table.matchAll(/^\| (`.+?`) \|/gm), ([, cell = '']) => cell);
    const told = new Set(cells.join().match(/[a-z]+/g));
    const tried = new Set([...REFUSED, ...HARMLESS].map(([, , make]) => make().command));
    expect(
      [...told].filter((verb) => !(verb === 'status' || [...tried].some((one) => one === verb))),
    ).toEqual([]);
    expect(told.size).toBeGreaterThan(6);
    const { site, now, state } = await startAfter([]);
    const former = await state();
    expect(await site.run({ command: 'status' }, now)).toMatchObject({ moving: null, releases: [] });
    expect(await state()).toEqual(former);
  });
});
