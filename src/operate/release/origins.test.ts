/** Several origins with caches before them: in which order they move, what stops them, and what the caches forget then. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START, siteInMemory } from './folder.fixture.ts';
import { runOnOrigins } from './origins.ts';
import type { ReleaseCommand, ReleaseContext } from './run.ts';
import { buildRelease } from './site.fixture.ts';

let builds: string;
const names: string[] = [];
const nameOf = (index: number): string => names[index] ?? '';
const publish = (index: number): ReleaseCommand => ({
  command: 'publish',
  from: join(builds, `${index}`),
  keepDays: null,
});
const rollback = (to: string | null = null): ReleaseCommand => ({ command: 'rollback', to });

beforeAll(async () => {
  builds = await mkdtemp(join(tmpdir(), 'origins-'));
  for (const index of [0, 1, 2]) names.push(await buildRelease(join(builds, `${index}`), `1.${index}.0`));
});
afterAll(() => rm(builds, { recursive: true }));

/** Three origins, each with these releases. `b` alone runs with `trouble`. */
const threeOrigins = async (published: readonly number[]) => {
  const sites = { a: siteInMemory(), b: siteInMemory(), c: siteInMemory() };
  for (const index of published) for (const site of Object.values(sites)) await site.run(publish(index));
  const lines: string[] = [];
  const purged: (readonly string[])[] = [];
  const log = (line: string) => void lines.push(line);
  const run = (
    command: ReleaseCommand,
    trouble: Partial<ReleaseContext> = {},
    purge: ((addresses: readonly string[]) => Promise<void>) | null = async (addresses) =>
      void purged.push(addresses),
  ) => {
    purged.length = 0;
    lines.length = 0;
    const origins = Object.entries(sites).map(([name, site]) => ({
      name,
      context: site.contextAt(START, { log, ...(name === 'b' ? trouble : {}) }),
    }));
    return runOnOrigins(origins, command, purge, log).catch((error: Error) => error.message);
  };
  const moving = async () => {
    const found: (string | null)[] = [];
    for (const site of Object.values(sites)) found.push((await site.run({ command: 'status' })).moving);
    return found;
  };
  return { sites, run, moving, lines, purged };
};

/** A server that takes the first reloads, and fails at the one with this number. */
const failingAt = (number: number): Partial<ReleaseContext> => {
  let reloads = 0;
  return {
    server: {
      check: async () => undefined,
      reload: async () => {
        reloads += 1;
        if (reloads >= number) throw new Error('the server is down');
      },
    },
  };
};

/** A browser that finds the form at the moving addresses broken, so that they move back. */
const BROKEN_THERE: Partial<ReleaseContext> = {
  open: async ({ what }) => (what === 'moving' ? 'no buyer could pay' : null),
};

describe('several origins in a given order', () => {
  it('all have the release before one moves, and they move in the order in which they are named', async () => {
    const { run, lines, moving } = await threeOrigins([0]);
    expect(await run(publish(1))).toMatchObject({ moving: nameOf(1) });
    expect(await moving()).toEqual([nameOf(1), nameOf(1), nameOf(1)]);
    const told = lines.flatMap((line) =>
      /^[abc]:$/.test(line) ? [line] : (/^(copy|rename) /.exec(line)?.[1] ?? []),
    );
    expect(told).toEqual([
      'a:',
      'copy',
      'b:',
      'copy',
      'c:',
      'copy',
      'a:',
      'rename',
      'b:',
      'rename',
      'c:',
      'rename',
    ]);
  });

  it('none moves if one cannot take the release, and nothing is purged', async () => {
    const { run, moving, purged } = await threeOrigins([0]);
    const said = await run(publish(1), failingAt(1));
    expect(await moving()).toEqual([nameOf(0), nameOf(0), nameOf(0)]);
    expect(purged).toEqual([]);
    expect(said).toMatch(
      /^b failed: add 1\.1\.0-\w+ failed at the step "reload the server": the server is down\n/,
    );
    expect(said).toContain(
      `Stopped there. Now a has ${nameOf(0)}; b has ${nameOf(0)}; c has ${nameOf(0)}. Correct the cause and run publish again`,
    );
  });

  it('the first that fails to move stops the rest, what had moved is purged, and the message says who has what', async () => {
    const { run, moving, purged, lines } = await threeOrigins([0]);
    const said = await run(publish(1), BROKEN_THERE);
    expect(await moving()).toEqual([nameOf(1), nameOf(0), nameOf(0)]);
    expect(lines.filter((line) => line.startsWith('rename'))).toHaveLength(2); // a's, and b's that was undone
    expect(purged).toEqual([
      expect.arrayContaining(['/partner/v1/card-form.js', '/partner/v1/card-form/frame']),
    ]);
    expect(said).toMatch(/^b failed: .*no buyer could pay\nThe moving addresses are as they were\./);
    expect(said).toContain(
      `Stopped there. Now a has ${nameOf(1)}; b has ${nameOf(0)}; c has ${nameOf(0)}. Correct the cause and run publish again: it leaves alone what is done.\nThe caches were told to forget the moving addresses.`,
    );
    expect(await run(publish(1))).toMatchObject({ moving: nameOf(1) });
    expect(await moving()).toEqual([nameOf(1), nameOf(1), nameOf(1)]);
  });

  it('says that the caches were not told if that fails, too', async () => {
    const { run } = await threeOrigins([0]);
    const said = await run(publish(1), BROKEN_THERE, async () => {
      throw new Error('the CDN is down');
    });
    expect(said).toMatch(/^b failed: /);
    expect(said).toMatch(
      /\nThe caches were not told to forget the moving addresses: the CDN is down\nThey may answer what was there before for five minutes\. Purge them in another way\.$/,
    );
  });

  it('purges what moved and moved back on the one origin that there is', async () => {
    const site = siteInMemory();
    await site.run(publish(0));
    const purged: unknown[] = [];
    const only = (more: Partial<ReleaseContext>) =>
      runOnOrigins(
        [{ name: 'a', context: site.contextAt(START, more) }],
        publish(1),
        async (addresses) => void purged.push(addresses),
        () => undefined,
      ).catch((error: Error) => error.message);
    expect(await only({ open: async () => 'no buyer could pay' })).toMatch(/^add .*All was undone/s);
    expect(purged).toEqual([]); // nothing had moved
    expect(await only(BROKEN_THERE)).toMatch(
      /^switch to .*\nThe caches were told to forget the moving addresses\.$/s,
    );
    expect(purged).toHaveLength(1);
  });

  it('a rollback leads to one release on all, and says which when it is stopped', async () => {
    const { run, moving, purged } = await threeOrigins([0, 1, 2]);
    const said = await run(rollback(), BROKEN_THERE);
    expect(await moving()).toEqual([nameOf(1), nameOf(2), nameOf(2)]);
    expect(purged).toHaveLength(1);
    expect(said).toContain(`run rollback again with --to ${nameOf(1)}: it leaves alone what is done.`);
    // The first would go back by one more.
    expect(await run(rollback())).toBe(
      `The origins would go back to different releases: a to ${nameOf(0)}, b to ${nameOf(1)}, c to ${nameOf(1)}. Name the release with --to. Nothing was changed.`,
    );
    expect(await moving()).toEqual([nameOf(1), nameOf(2), nameOf(2)]);
    expect(await run(rollback(nameOf(1)))).toMatchObject({ moving: nameOf(1) });
    expect(await moving()).toEqual([nameOf(1), nameOf(1), nameOf(1)]);
  });

  it('a rollback that was stopped on the last before it said so does not go back twice', async () => {
    const { run, moving, sites } = await threeOrigins([0, 1, 2]);
    const { disk } = sites.c.contextAt(START);
    expect(await run(rollback())).toMatchObject({ moving: nameOf(1) });
    await disk.create(
      '.card-form/committed.json',
      JSON.stringify({ name: `roll back to ${nameOf(1)}`, switchesTo: null, reached: 0, entries: [] }),
    );
    expect(await run(rollback())).toMatch(
      /^The origins would go back to different releases: .* c to 1\.1\.0-/,
    );
    expect(await moving()).toEqual([nameOf(1), nameOf(1), nameOf(1)]);
  });
});
