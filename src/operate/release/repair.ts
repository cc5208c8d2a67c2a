/**
 * Finds what is damaged in a target folder and restores it: from a good `dist/` or package, from the copies that lie beside,
 * and from the files themselves. What no source has is named.
 */
import { appSchemesIn } from '../hosting/app-schemes.ts';
import { NGINX_SPLIT_FILE } from '../hosting/canary.ts';
import { parseHeadersFile, parseIntegrityFile } from '../hosting/manifest.ts';
import { MOVING_FOLDER, WITHDRAWN_FILE } from '../hosting/moving.ts';
import type { OwnersChoice } from '../hosting/owners-choice.ts';
import { isReportsTo } from '../hosting/reports.ts';
import { damageOf, type Source } from './damage.ts';
import type { Disk } from './disk.ts';
import { configure, fallbackOf, MANIFESTS, type Site } from './plans.ts';
import {
  findRelease,
  formatReleases,
  isReleaseName,
  isShare,
  type KeptRelease,
  liveAfter,
  liveByPublication,
  NO_RELEASES,
  parseReleases,
  RELEASES_COPY,
  RELEASES_FILE,
  type Releases,
  withRelease,
} from './releases-file.ts';
import { copyFolder, type Manifest, manifestFolder, releaseFolder, ruleFile } from './site.ts';
import type { Transaction, TransactionStep } from './transaction.ts';

/** A source of good files, with the release that it has. */
export type Good = { release: string; source: Source };

/** What was found, and the steps that restore it. */
export type Repair = {
  transaction: Transaction;
  manifests: ReadonlyMap<string, Manifest>;
  /** What is restored and from where, a sentence each. */
  restored: readonly string[];
  /** What nothing here can restore, a sentence each. */
  remaining: readonly string[];
};

const ALL_RELEASES = releaseFolder('x').replace(/\/x$/, '');

/** Reads something; null if it throws, as it does for what is damaged. */
const readable = <Value>(read: () => Value): Value | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

/** `releases.json` as far as the folder says, and where that is from; null if the file itself is whole. */
const rebuildReleases = async (
  { kind, disk, now }: Pick<Site, 'kind' | 'disk' | 'now'>,
  origin: string,
  known: Releases | null,
): Promise<{ releases: Releases; restored: string | null }> => {
  if (known !== null) return { releases: known, restored: null };
  const copy = await disk.read(RELEASES_COPY);
  const copied = copy === null ? null : readable(() => parseReleases(copy.toString()));
  const names = (await disk.list(ALL_RELEASES)).filter(isReleaseName);
  const found: KeptRelease[] = [...(copied?.releases ?? [])];
  for (const release of names) {
    if (found.some((one) => one.release === release)) continue;
    const folder = releaseFolder(release);
    if (!(await disk.exists(`${folder}/card-form.js`)) || !(await disk.exists(manifestFolder(release))))
      continue;
    const time = new Date((await disk.modified(manifestFolder(release))) ?? now).toISOString();
    const isWithdrawn = await disk.exists(`${folder}/${WITHDRAWN_FILE}`);
    // Just now in browsers.
    found.push({
      release,
      published: time,
      lastMoving: new Date(now).toISOString(),
      withdrawn: isWithdrawn ? time : null,
    });
  }
  found.sort((one, other) => Date.parse(one.published) - Date.parse(other.published));
  const isFound = (release: string | undefined): release is string =>
    found.some((one) => one.release === release);
  const [marked] = await disk.list(MOVING_FOLDER);
  const moving = isFound(marked) ? marked : (copied?.moving ?? found.at(-1)?.release ?? null);
  const split = `${(await disk.read(NGINX_SPLIT_FILE)) ?? ''}`;
  const [, share = '', canary = ''] = /^ +(\d+)% (\S+);$/m.exec(split) ?? [];
  const rules = `${(await disk.read('nginx/card-form.conf')) ?? ''}`;
  const isSplit = rules.includes('$card_form_canary') && isFound(canary) && isShare(Number(share));
  const releases: Releases = {
    ...(copied ?? { ...NO_RELEASES, ...(await choiceIn({ kind, disk }, origin, names)) }),
    moving: isFound(moving ?? undefined) ? moving : null,
    live: copied?.live ?? liveByPublication(moving, found),
    canary: isSplit ? { release: canary, share: Number(share) } : null,
    releases: found,
  };
  const source = copied === null ? 'the files of the releases' : RELEASES_COPY;
  return {
    releases:
      releases.moving === null ? releases : withRelease(releases, releases.moving, { lastMoving: null }),
    restored: `${RELEASES_FILE} was lost or damaged: rebuilt from ${source}, with ${found.length} releases`,
  };
};

/** What the owner chose, as the configuration of the server says. */
const choiceIn = async (
  { kind, disk }: Pick<Site, 'kind' | 'disk'>,
  origin: string,
  names: readonly string[],
): Promise<OwnersChoice> => {
  let reportsTo: string | null = null;
  let appSchemes: OwnersChoice['appSchemes'] = [];
  for (const name of names) {
    const text = `${(await disk.read(ruleFile(kind, name))) ?? ''}`;
    const [, url = ''] = /reporting-endpoints\W+default=\W*(https:[^"\\]+|[${][^"\\]+)/i.exec(text) ?? [];
    const own = url.replace(/^(\$card_form_origin|\{vars\.card_form_origin\}|\{origin\})/, '');
    const address = own.startsWith(`${origin}/`) ? own.slice(origin.length) : own;
    if (isReportsTo(address)) reportsTo ??= address;
    if (appSchemes.length === 0) appSchemes = appSchemesIn(text);
  }
  return { reportsTo, appSchemes };
};

const parsed = (release: string, texts: readonly (Buffer | null)[]): Manifest | null => {
  const [headers, integrity] = texts;
  if (!headers || !integrity) return null;
  const manifest = readable(() => ({
    headers: parseHeadersFile(headers.toString()),
    integrity: parseIntegrityFile(integrity.toString()),
  }));
  return manifest?.headers.release === release && manifest.integrity.release === release ? manifest : null;
};

/** The steps that restore what is damaged. Nothing here changes anything. */
export const planRepair = async (
  site: Omit<Site, 'releases' | 'manifests'>,
  origin: string,
  known: Releases | null,
  goods: readonly Good[],
): Promise<Repair> => {
  const { disk } = site;
  const rebuilt = await rebuildReleases(site, origin, known);
  const releases = await withMarked(disk, rebuilt.releases);
  const restored = rebuilt.restored === null ? [] : [rebuilt.restored];
  if (releases.moving !== rebuilt.releases.moving)
    restored.push(
      `${RELEASES_FILE} named ${rebuilt.releases.moving ?? 'no release'} as the moving one; the server gives ${releases.moving ?? 'none'}`,
    );
  const remaining: string[] = [];
  const manifests = new Map<string, Manifest>();
  const steps: TransactionStep[] = [];
  const whole: string[] = [];
  for (const kept of releases.releases) {
    const { release } = kept;
    const sources = goods.filter((good) => good.release === release).map(({ source }) => source);
    const own = async (folder: string) =>
      Promise.all(MANIFESTS.map((name) => disk.read(`${folder}/${name}`)));
    const fromSources = await Promise.all(
      sources.map((source) => Promise.all(MANIFESTS.map((name) => source.read(name)))),
    );
    const places = [
      { from: '', texts: await own(manifestFolder(release)) },
      { from: 'the build', texts: fromSources.find((texts) => parsed(release, texts) !== null) ?? [] },
      { from: copyFolder(release), texts: await own(copyFolder(release)) },
    ];
    const place = places.find(({ texts }) => parsed(release, texts) !== null);
    const manifest = place ? parsed(release, place.texts) : null;
    if (place === undefined || manifest === null) {
      remaining.push(
        `${manifestFolder(release)}: headers.json or sri.json is missing or damaged, and no copy is whole. Name the dist/ of ${release} with --from`,
      );
      continue;
    }
    manifests.set(release, manifest);
    for (const [index, name] of MANIFESTS.entries()) {
      const content = place.texts[index];
      for (const folder of content ? [manifestFolder(release), copyFolder(release)] : []) {
        const path = `${folder}/${name}`;
        if (!content || (await disk.read(path))?.equals(content)) continue;
        steps.push({ kind: 'file', path, content });
        restored.push(
          `${path} was missing or damaged: restored from ${place.from || manifestFolder(release)}`,
        );
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
    if (damaged.every(({ content }) => content !== null)) whole.push(release);
  }
  const { moving } = releases;
  // What cannot be configured is left out, so that the rest can be.
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
        ...whole.map((release) => ({ kind: 'verify', what: 'release', release }) as const),
        { kind: 'file', path: RELEASES_COPY, content: text },
        { kind: 'file', path: RELEASES_FILE, content: text },
      ],
    },
  };
};

/** With the release that the marker names, which is what buyers get. */
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
