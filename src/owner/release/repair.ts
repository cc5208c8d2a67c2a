/**
 * Finds damage in a target folder and repairs it: from a good `dist/` or package, from the copies beside it, and from
 * the files themselves. Reports what no source can restore.
 */
import { join } from 'node:path';
import { MOVING_FOLDER } from '../hosting/moving.ts';
import { damageOf, type Source } from './damage.ts';
import type { Disk } from './disk.ts';
import { configure, fallbackOf, MANIFESTS, type Site } from './plans.ts';
import { keptManifest } from './read-manifest.ts';
import { ReleaseError } from './release-error.ts';
import {
  findRelease,
  formatReleases,
  liveAfter,
  parseReleases,
  RELEASES_COPY,
  RELEASES_FILE,
  type Releases,
  withRelease,
} from './releases-file.ts';
import { copyFolder, type Manifest, manifestFolder } from './site.ts';
import type { Transaction, TransactionStep } from './transaction.ts';

/** A source of good files, and the release it contains. */
export type Good = { release: string; source: Source };

/** The damage found, and the steps that repair it. */
export type Repair = {
  transaction: Transaction;
  manifests: ReadonlyMap<string, Manifest>;
  /** What is restored and from where, one sentence each. */
  restored: readonly string[];
  /** What can't be restored, one sentence each. */
  remaining: readonly string[];
};

/** `releases.json`, or its copy. Throws a `ReleaseError` if neither is intact. */
const keptReleases = async (disk: Disk, known: Releases | null): Promise<Releases> => {
  const copy = known === null ? await disk.read(RELEASES_COPY) : null;
  try {
    return known ?? parseReleases(`${copy}`);
  } catch {
    throw new ReleaseError(
      `${RELEASES_FILE} and ${RELEASES_COPY} are both lost or damaged. Restore one of them from a backup. Nothing was changed.`,
    );
  }
};

/** Computes the steps that repair the damage. Changes nothing itself. */
export const planRepair = async (
  site: Omit<Site, 'releases' | 'manifests'>,
  known: Releases | null,
  goods: readonly Good[],
): Promise<Repair> => {
  const { disk } = site;
  const named = await keptReleases(disk, known);
  const releases = await withMarked(disk, named);
  const restored =
    known === null ? [`${RELEASES_FILE} was lost or damaged: restored from ${RELEASES_COPY}`] : [];
  if (releases.moving !== named.moving)
    restored.push(
      `${RELEASES_FILE} named ${named.moving ?? 'no release'} as the moving one; the server gives ${releases.moving ?? 'none'}`,
    );
  const remaining: string[] = [];
  const manifests = new Map<string, Manifest>();
  const steps: TransactionStep[] = [];
  const intact: string[] = [];
  for (const kept of releases.releases) {
    const { release } = kept;
    const sources = goods.filter((good) => good.release === release).map(({ source }) => source);
    const places: readonly { from: string; disk: Source; folder: string }[] = [
      { from: manifestFolder(release), disk, folder: manifestFolder(release) },
      ...sources.map((source) => ({ from: 'the build', disk: source, folder: '' })),
      { from: copyFolder(release), disk, folder: copyFolder(release) },
    ];
    const whole = await wholeAmong(places, release);
    if (whole === null) {
      remaining.push(
        `${manifestFolder(release)}: headers.json or sri.json is missing or damaged, and no copy is whole. Name the dist/ of ${release} with --from`,
      );
      continue;
    }
    const { manifest, place } = whole;
    manifests.set(release, manifest);
    for (const name of MANIFESTS) {
      const content = await place.disk.read(join(place.folder, name));
      for (const folder of content ? [manifestFolder(release), copyFolder(release)] : []) {
        const path = `${folder}/${name}`;
        if (!content || (await disk.read(path))?.equals(content)) continue;
        steps.push({ kind: 'file', path, content });
        restored.push(`${path} was missing or damaged: restored from ${place.from}`);
      }
    }
    const damaged = await damageOf(disk, kept, manifest, sources);
    for (const { path, problem, content } of damaged) {
      if (content === null) remaining.push(`${path}: ${problem}. Name the dist/ of ${release} with --from`);
      else {
        steps.push({ kind: 'file', path, content });
        restored.push(`${path}: ${problem}; restored`);
      }
    }
    if (damaged.every(({ content }) => content !== null)) intact.push(release);
  }
  const { moving } = releases;
  // Leaves out what can't be configured, so that the rest can be.
  const configured = {
    ...releases,
    releases: releases.releases.filter(({ release }) => manifests.has(release)),
  };
  if (moving !== null && !(await disk.exists(`${MOVING_FOLDER}/${moving}`))) {
    steps.push({ kind: 'marker', from: null, to: moving });
    restored.push(`${MOVING_FOLDER}/${moving} was missing: the moving addresses name ${moving} again`);
  }
  const knownOr = (release: string, other: string) => (manifests.has(release) ? release : other);
  const rules =
    moving !== null && manifests.has(moving)
      ? configure(
          { ...site, releases, manifests, isForced: true },
          releases,
          knownOr(fallbackOf({ releases }, configured, moving), moving),
        )
      : [];
  for (const step of rules) {
    if (step.kind !== 'file' || (await disk.read(step.path))?.equals(Buffer.from(step.content))) continue;
    restored.push(`${step.path} was missing or not as this program writes it: written`);
  }
  const text = formatReleases(releases);
  return {
    manifests,
    restored,
    remaining,
    transaction: {
      name: 'repair',
      switchesTo: null,
      leaves: releases,
      steps: [
        ...steps,
        ...rules,
        ...intact.map((release) => ({ kind: 'verify', what: 'release', release }) as const),
        { kind: 'file', path: RELEASES_COPY, content: text },
        { kind: 'file', path: RELEASES_FILE, content: text },
      ],
    },
  };
};

/** The first of these places with a whole manifest of the release; null if there is none. */
const wholeAmong = async <Place extends { disk: Source; folder: string }>(
  places: readonly Place[],
  release: string,
): Promise<{ place: Place; manifest: Manifest } | null> => {
  for (const place of places) {
    const manifest = await keptManifest(place.disk, place.folder, release);
    if (manifest) return { place, manifest };
  }
  return null;
};

/** Sets the moving release to the one named by the marker, which is the one buyers get. */
const withMarked = async (disk: Disk, releases: Releases): Promise<Releases> => {
  const marked = (await disk.list(MOVING_FOLDER)).filter((name) => findRelease(releases, name));
  const [only] = marked;
  return marked.length !== 1 || only === undefined || marked.includes(releases.moving ?? '')
    ? releases
    : {
        ...withRelease(releases, only, { lastMoving: null }),
        moving: only,
        live: liveAfter(releases.live, only, true),
      };
};
