/** A share that is watched on a site as it is published: what stops it, and what visitors have then. */
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START, type siteAt, siteInMemory } from '../operate/release/folder.fixture.ts';
import { runRelease } from '../operate/release/run.ts';
import { buildRelease } from '../operate/release/site.fixture.ts';
import type { AbortLimits } from '../operate/release/watch.ts';
import { followLog } from './reports-log.ts';
import { guardShare } from './share-guard.ts';

const MINUTE = 60_000;

let folder: string;
const names: string[] = [];
const nameOf = (index: number): string => names[index] ?? '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'share-'));
  for (const index of [0, 1]) names.push(await buildRelease(join(folder, `${index}`), `1.${index}.0`));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Looks = {
  limits: AbortLimits;
  /** What happens in the pause after each look. */
  between?: (minute: number, log: string, run: ReturnType<typeof siteAt>['run']) => unknown;
  open?: () => Promise<string | null>;
  /** Whether taking it back works. */
  takesBack?: boolean;
};

/** Publishes the second release for a share, and watches it for five minutes. */
const guarded = async ({ limits, between = () => undefined, open, takesBack = true }: Looks) => {
  const site = siteInMemory();
  const publish = (index: number, share: number | null) =>
    site.run({ command: 'publish', from: join(folder, `${index}`), keepDays: null, share });
  await publish(0, null);
  await publish(1, 5);
  site.lines.length = 0;
  const log = join(folder, 'reports.log');
  writeFileSync(log, '');
  let time = START;
  const context = site.contextAt(START, {
    now: () => time,
    wait: async (ms) => {
      time += ms;
      await between((time - START) / MINUTE, log, site.run);
    },
    open: open ?? null,
  });
  const reasons: string[] = [];
  const stopped = await guardShare(
    context,
    nameOf(1),
    { limits, duration: 5 * MINUTE, pause: MINUTE, wait: context.wait, signal: new AbortController().signal },
    await followLog(log),
    async (reason) => {
      reasons.push(reason);
      if (!takesBack) throw new Error('the server is down');
      await runRelease(context, { command: 'abort' });
    },
  ).catch((error: Error) => error.message);
  const { canary, moving } = await site.run({ command: 'status' });
  const minutes = (time - START) / MINUTE;
  return { stopped, reasons, minutes, canary, moving, lines: site.lines };
};

const report = (release = nameOf(1)) =>
  `{"documentURL":"https://pay.example/partner/v1/card-form/${release}/frame.html"}\n`;
const REPORTS: AbortLimits = { probe: null, reports: 3 };

describe('--abort-if takes the share back', () => {
  it('leaves it as it is if all went well until the time was over', async () => {
    const found = await guarded({
      limits: { probe: 1, reports: 3 },
      open: async () => null,
      between: (minute, log) => appendFileSync(log, minute < 3 ? report() : report(nameOf(0))),
    });
    expect(found).toMatchObject({ stopped: null, reasons: [], minutes: 5, canary: { release: nameOf(1) } });
  });

  it('at the limit of reports that name the release', async () => {
    const found = await guarded({
      limits: REPORTS,
      between: (_, log) => appendFileSync(log, report() + report(nameOf(0))),
    });
    const stopped = '3 reports of errors since the share began';
    expect(found).toMatchObject({ stopped, minutes: 3, canary: null, moving: nameOf(0) });
    expect(found.reasons).toEqual([`--abort-if: ${stopped}`]);
    expect(found.lines.at(-1)).toBe(`ABORTED: ${stopped}`);
  });

  it('counts on over a log that is rotated or truncated meanwhile', async () => {
    const found = await guarded({
      limits: REPORTS,
      between: (minute, log) => {
        if (minute === 1) appendFileSync(log, report() + report());
        if (minute === 2) renameSync(log, `${log}.1`);
        if (minute === 2) writeFileSync(log, '');
        if (minute === 3) appendFileSync(log, report());
      },
    });
    expect(found).toMatchObject({ minutes: 3, canary: null });
  });

  it('if the log cannot be read any longer, and says why', async () => {
    const found = await guarded({ limits: REPORTS, between: (_, log) => rmSync(log) });
    expect(found).toMatchObject({ minutes: 1, canary: null, moving: nameOf(0) });
    expect(found.lines.at(-1)).toMatch(
      /^ABORTED: it can no longer be watched: .*reports\.log was expected to be .* ENOENT/,
    );
  });

  it('if the browser fails with an exception in place of an answer, and says why', async () => {
    const found = await guarded({
      limits: { probe: 5, reports: null },
      open: async () => {
        throw new TypeError('browser has been closed');
      },
    });
    const stopped = 'it can no longer be watched: browser has been closed';
    expect(found).toMatchObject({ stopped, minutes: 0, canary: null, moving: nameOf(0) });
    expect(found.lines.at(-1)).toBe(`ABORTED: ${stopped}`);
  });

  it('says that it is still live, and why it was to end, if it cannot be taken back', async () => {
    const found = await guarded({
      limits: REPORTS,
      between: (_, log) => rmSync(log),
      takesBack: false,
    });
    expect(found.canary).toMatchObject({ release: nameOf(1) });
    expect(found.stopped).toMatch(
      /^The share was to be taken back: it can no longer be watched: .*\nThat failed: the server is down\n.* may still get 1\.1\.0-\w+\. Run card-form release abort\.$/,
    );
  });

  it('leaves alone what another command made of the share meanwhile', async () => {
    const found = await guarded({
      limits: { probe: 1, reports: null },
      open: async () => null,
      between: (_, __, run) => run({ command: 'promote' }),
    });
    expect(found).toMatchObject({ minutes: 1, reasons: [], canary: null, moving: nameOf(1) });
    expect(found.stopped).toBe('There is no share any more: another command ended it.');
  });
});
