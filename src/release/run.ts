/** The commands of `card-form release`, on a target folder and its server. */
import { join } from 'node:path';
import { STATIC_ROUTES } from '../api/routes.ts';
import { LLMS_CODINGS, suffixesIn } from '../hosting/codings.ts';
import type { HttpGet } from '../hosting/http-get.ts';
import { integrityOf } from '../hosting/inline.ts';
import { LLMS_TXT } from '../hosting/llms.ts';
import { parseHeadersFile, parseIntegrityFile } from '../hosting/manifest.ts';
import { type Disk, diskAt } from './disk.ts';
import { type Holder, type IsAlive, locked } from './lock.ts';
import {
  type Built,
  hostedIn,
  hostedOf,
  planAbort,
  planAdd,
  planCanary,
  planPrune,
  planRollback,
  planSwitch,
  planWithdraw,
  prunable,
  ROLL_BACK,
  refuseShare,
  type Site,
} from './plans.ts';
import { messageOf, ReleaseError } from './release-error.ts';
import { isReleaseName, NO_RELEASES, parseReleases, RELEASES_FILE, type Releases } from './releases-file.ts';
import { type Manifest, manifestFolder, releaseFolder, type ServerKind } from './site.ts';
import {
  carryOut,
  committed,
  describeStep,
  type Environment,
  forgetCommitted,
  pendingSteps,
  recover,
  type Transaction,
  unfinished,
} from './transaction.ts';
import { verifyHosted, verifySplit } from './verify.ts';
import type { KeptReleases } from './verify-served.ts';

export type ReleaseCommand =
  /**
   * `from`: the `dist/` of the release. `keepDays`: how long it is promised to be kept; null for ever. `reportsTo`: where
   * browsers send violation reports, null for nowhere. Undefined leaves either as it is. `share`: of how many in a hundred
   * visitors; null for all.
   */
  | {
      command: 'publish';
      from: string;
      keepDays: number | null | undefined;
      reportsTo?: string | null | undefined;
      share?: number | null;
    }
  /** Makes the release that a share of visitors gets the moving one. */
  | { command: 'promote' }
  /** Gives these visitors the moving release again. */
  | { command: 'abort' }
  | { command: 'rollback'; to: string | null }
  | { command: 'withdraw'; release: string }
  | { command: 'status' }
  | { command: 'prune' };

export type ReleaseContext = {
  kind: ServerKind;
  disk: Disk;
  server: Environment['server'];
  /** Scheme and host at which browsers reach the server, if they are known. */
  origin: string | null;
  /** Whether to verify over HTTP what `origin` serves. */
  isVerified: boolean;
  get: HttpGet;
  wait: (ms: number) => Promise<unknown>;
  now: () => number;
  log: (line: string) => void;
  self: Holder;
  alive: IsAlive;
  /** Whether only to list the steps. */
  isDryRun: boolean;
};

/** What `--json` prints. */
export type ReleaseReport = {
  /** The release at the moving addresses; null if nothing was published yet. */
  moving: string | null;
  releases: Releases['releases'];
  /** Where browsers send violation reports; null for nowhere. */
  reportsTo: string | null;
  /** The release that a share of visitors gets, with the share in percent; null if there is none. */
  canary: Releases['canary'];
  /** The releases that `prune` would remove. */
  prunable: readonly string[];
  /** A command that was killed in the middle. The next command that changes anything undoes it first. */
  unfinished: string | null;
};

const readReleases = async (disk: Disk): Promise<Releases> => {
  const text = await disk.read(RELEASES_FILE);
  return text === null ? NO_RELEASES : parseReleases(text.toString());
};

const readManifest = async (disk: Disk, folder: string): Promise<Manifest | null> => {
  const [headers, integrity] = [
    await disk.read(join(folder, 'headers.json')),
    await disk.read(join(folder, 'sri.json')),
  ];
  if (headers === null || integrity === null) return null;
  return {
    headers: parseHeadersFile(headers.toString()),
    integrity: parseIntegrityFile(integrity.toString()),
  };
};

/** What the target folder has. `reportsTo` replaces the address that it has for reports, unless it is undefined. */
const readSite = async (
  { kind, origin, disk, now }: Pick<ReleaseContext, 'kind' | 'origin' | 'disk' | 'now'>,
  reportsTo?: string | null,
): Promise<Site> => {
  const known = await readReleases(disk);
  const releases = { ...known, reportsTo: reportsTo === undefined ? known.reportsTo : reportsTo };
  const manifests = new Map<string, Manifest>();
  for (const { release } of releases.releases) {
    const manifest = await readManifest(disk, manifestFolder(release));
    if (manifest) manifests.set(release, manifest);
  }
  return { kind, origin, disk, releases, manifests, now: now() };
};

/**
 * The releases of a target folder, or of a copy of its `releases.json` and `releases/`, with their manifests. Throws a
 * `ReleaseError` if these files are not there or not whole.
 */
export const readKept = async (disk: Disk): Promise<KeptReleases> => {
  if (!(await disk.exists(RELEASES_FILE)))
    throw new ReleaseError(
      `${RELEASES_FILE} was expected to be there; it is not. Give the one of the target folder, or of a copy.`,
    );
  const { releases, manifests } = await readSite({ kind: 'files', origin: null, disk, now: () => 0 });
  const { moving, canary } = releases;
  return { moving, canary, hosted: hostedIn({ manifests }, releases) };
};

/**
 * The release of a `dist/`, as if it were the only one, with reports to this address. Throws a `ReleaseError` if the
 * folder is no build.
 */
export const readBuiltAlone = async (dist: Disk, reportsTo: string | null): Promise<KeptReleases> => {
  const manifest = await readManifest(dist, '.');
  if (!manifest)
    throw new ReleaseError(
      'headers.json and sri.json of the build were expected; they are missing. Build again.',
    );
  const { release } = manifest.integrity;
  const own = { release, published: '', lastMoving: null, keepUntil: null, withdrawn: null };
  return { moving: release, hosted: [{ ...own, ...manifest, reportsTo, isSplit: false }] };
};

/** Throws unless every file of a release below the folder `partner/v1/…` of `disk` has the hash of the manifest. */
const checkFiles = async (
  disk: Disk,
  release: string,
  { integrity }: Manifest,
  where: string,
): Promise<void> => {
  const folder = STATIC_ROUTES.release(release);
  for (const [address, hash] of Object.entries(integrity.files)) {
    if (!address.startsWith(folder)) continue;
    const content = await disk.read(address.slice(1));
    if (content !== null && integrityOf(content) === hash) continue;
    throw new ReleaseError(
      `${join(where, address)} was expected to have the hash ${hash} of sri.json; ${content ? `it has ${integrityOf(content)}` : 'it is missing'}. Copy the release again, or build it again. Nothing was changed.`,
    );
  }
};

/** Reads a `dist/` and checks that it is complete. */
const readBuilt = async (from: string): Promise<Built> => {
  const dist = diskAt(from);
  const manifest = await readManifest(dist, '.');
  const release = manifest?.integrity.release;
  if (!manifest || !isReleaseName(release) || manifest.headers.release !== release)
    throw new ReleaseError(
      `${from} was expected to be the dist/ of a build, with headers.json and sri.json of one release; it is not. Name it with --from. Nothing was changed.`,
    );
  await checkFiles(dist, release, manifest, from);
  const manifestFiles = new Map<string, Buffer>();
  for (const name of [
    'headers.json',
    'sri.json',
    'SCRIPTS.md',
    ...suffixesIn(LLMS_CODINGS).map((suffix) => LLMS_TXT.slice(1) + suffix),
  ]) {
    const content = await dist.read(name);
    if (content) manifestFiles.set(name, content);
  }
  return { release, folder: join(from, releaseFolder(release)), manifest, manifestFiles };
};

const reportOf = async ({ disk, now }: ReleaseContext): Promise<ReleaseReport> => {
  const releases = await readReleases(disk);
  return {
    ...releases,
    prunable: prunable(releases, now()).map(({ release }) => release),
    unfinished: await unfinished(disk),
  };
};

const environmentOf = (
  { disk, server, origin, isVerified, get, wait, now, log }: ReleaseContext,
  manifests: ReadonlyMap<string, Manifest>,
): Environment => ({
  disk,
  server,
  now,
  log,
  verify: async (what, release, leaves) => {
    if (origin === null || !isVerified) return [];
    const hosted = hostedOf({ manifests }, leaves, release);
    if (what !== 'canary') return verifyHosted(origin, hosted, what, get, wait);
    const { moving, canary } = leaves;
    if (moving === null || canary === null) return [];
    return verifySplit(origin, hostedOf({ manifests }, leaves, moving), hosted, canary.share, get, wait);
  },
});

const DAY = 86_400_000;

/**
 * Runs a command. Throws a `ReleaseError` that says what failed and what the site serves now. One that is run again after
 * it was killed, or after it was done, leads to the same site.
 */
export const runRelease = async (
  context: ReleaseContext,
  command: ReleaseCommand,
): Promise<ReleaseReport> => {
  if (command.command === 'status') return reportOf(context);
  if (context.isDryRun) {
    if (!(await isRepeated(context, command))) await carryOutAll(context, command);
    return reportOf(context);
  }
  return locked(context.disk, context.self, context.alive, async () => {
    const undone = await recover(environmentOf(context, new Map())).catch((error: unknown) => {
      throw new ReleaseError(
        `What an earlier command left could not be undone: ${messageOf(error)}\nMove nothing by hand. Correct the cause and run the command again.`,
      );
    });
    if (undone !== null) context.log(`undid "${undone}", which had been stopped in the middle`);
    const wasRolledBack = await isRepeated(context, command);
    await forgetCommitted(context.disk);
    if (!wasRolledBack) await carryOutAll(context, command);
    const report = await reportOf(context);
    context.log(`done: the moving release is ${report.moving ?? 'none'}`);
    await forgetCommitted(context.disk);
    return report;
  });
};

/**
 * Whether the command is one that was stopped when all was done but said. Only a rollback that names no release must know:
 * it would go back once more.
 */
const isRepeated = async ({ disk, log }: ReleaseContext, command: ReleaseCommand): Promise<boolean> => {
  const name = await committed(disk);
  if (name === null) return false;
  const isRollback = command.command === 'rollback' && command.to === null && name.startsWith(ROLL_BACK);
  log(
    `"${name}" was complete when it was stopped${isRollback ? ': nothing is left to do. To go back further, run it again' : ''}`,
  );
  return isRollback;
};

const noCanary = ({ releases: { moving } }: Site): string =>
  `there is no canary: ${moving ?? 'nothing'} is the moving release`;

const carryOutAll = async (
  context: ReleaseContext,
  command: Exclude<ReleaseCommand, { command: 'status' }>,
): Promise<void> => {
  const site = await readSite(context, command.command === 'publish' ? command.reportsTo : undefined);
  const run = async (transaction: Transaction | null, built: Built | null = null) => {
    if (transaction === null) return;
    if (context.isDryRun) {
      for (const step of await pendingSteps(context.disk, transaction.steps)) context.log(describeStep(step));
      return;
    }
    const manifests = new Map(site.manifests);
    if (built) manifests.set(built.release, built.manifest);
    await carryOut(environmentOf(context, manifests), transaction);
  };
  switch (command.command) {
    case 'publish': {
      const built = await readBuilt(command.from);
      const { release } = built;
      const { keepDays, share = null } = command;
      if (share !== null) refuseShare(site, release);
      const keepUntil =
        typeof keepDays === 'number' ? new Date(context.now() + keepDays * DAY).toISOString() : keepDays;
      const added = planAdd(site, built, keepUntil);
      if (await context.disk.exists(releaseFolder(release)))
        await checkFiles(context.disk, release, built.manifest, 'the target folder');
      await run(added, built);
      if (context.isDryRun) {
        context.log(
          share === null
            ? `then make ${release} the moving release, and verify the moving addresses over HTTP`
            : `then give ${release} to ${share} % of visitors, and verify both sides over HTTP`,
        );
        return;
      }
      const then = await readSite(context);
      await run(share === null ? await planSwitch(then, release) : planCanary(then, release, share), built);
      return;
    }
    case 'promote': {
      const { canary } = site.releases;
      if (canary === null) context.log(noCanary(site));
      else await run(await planSwitch(site, canary.release));
      return;
    }
    case 'abort': {
      const transaction = planAbort(site);
      if (transaction === null) context.log(noCanary(site));
      await run(transaction);
      return;
    }
    case 'rollback':
      await run(await planRollback(site, command.to));
      return;
    case 'withdraw':
      await run(await planWithdraw(site, command.release));
      return;
    case 'prune': {
      const transaction = planPrune(site);
      if (transaction === null) context.log('there is nothing to prune');
      await run(transaction);
      return;
    }
    default:
      command satisfies never;
  }
};
