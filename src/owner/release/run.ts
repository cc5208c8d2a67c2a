/** The commands of `card-form release`, run on a target folder and its server. */
import { join } from 'node:path';
import type { HttpGet } from '../../api/command/http-get.ts';
import { STATIC_ROUTES } from '../../api/routes.ts';
import type { AppScheme } from '../../api/served/app-schemes.ts';
import { CODINGS, suffixesIn } from '../../api/served/codings.ts';
import { LLMS_TXT } from '../../api/served/llms-address.ts';
import { NOTHING_CHOSEN, type OwnersChoice } from '../../api/served/owners-choice.ts';
import { damageOf, isVital } from './damage.ts';
import { type Disk, diskAt } from './disk.ts';
import { type IsAlive, locked } from './lock.ts';
import {
  type Built,
  hostedIn,
  hostedOf,
  liveBefore,
  planAbort,
  planAdd,
  planCanary,
  planRollback,
  planSwitch,
  planWithdraw,
  refuseShare,
  type Site,
} from './plans.ts';
import { keptManifest, readManifest } from './read-manifest.ts';
import { messageOf, ReleaseError } from './release-error.ts';
import {
  findRelease,
  isReleaseName,
  NO_RELEASES,
  parseReleases,
  RELEASES_FILE,
  type Releases,
} from './releases-file.ts';
import { type Good, planRepair } from './repair.ts';
import { freeReserve, keepReserve } from './reserve.ts';
import { type Manifest, manifestFolder, releaseFolder, type ServerKind } from './site.ts';
import { carryOut, type ReleaseEnvironment, recover, type Transaction, unfinished } from './transaction.ts';
import { verifyHosted, verifySplit, visitorsOf } from './verify.ts';
import type { KeptReleases } from './verify-served.ts';

export type ReleaseCommand =
  /**
   * `from`: the release's `dist/`. `reportsTo`: where browsers send violation reports, null for nowhere. `appSchemes`:
   * schemes of the apps that may embed the form. Undefined leaves either setting unchanged. `share`: percentage of
   * visitors; null for all.
   */
  | {
      command: 'publish';
      from: string;
      reportsTo?: string | null | undefined;
      appSchemes?: readonly AppScheme[] | undefined;
      share?: number | null;
      /** Only adds it beside the others, so that all of several servers have it before one moves. */
      isOnlyAdded?: boolean;
    }
  /** Makes the canary the moving release. */
  | { command: 'promote' }
  /** Ends the canary: its visitors get the moving release again. */
  | { command: 'abort' }
  | { command: 'rollback'; to: string | null }
  | { command: 'withdraw'; release: string }
  | { command: 'status' }
  /** Restores what is damaged. `from`: folders laid out like `dist/` to take files from. */
  | { command: 'repair'; from: readonly string[] };

/** The form to open in a browser. */
export type OpenedForm = {
  /** A release's form at its own address, or the one the moving addresses serve. */
  what: 'release' | 'moving';
  release: string;
  /** The `User-Agent`, by which a server may choose a side of a split. */
  userAgent?: string;
};

export type ReleaseContext = {
  kind: ServerKind;
  disk: Disk;
  server: ReleaseEnvironment['server'];
  /** Scheme and host at which browsers reach the server. */
  origin: string;
  get: HttpGet;
  wait: (ms: number) => Promise<unknown>;
  now: () => number;
  log: (line: string) => void;
  /** This process, as `lock.ts` names it. */
  self: string;
  alive: IsAlive;
  /**
   * Opens a form in a browser. Resolves to why a buyer couldn't pay, or null. If `open` itself is null, no form is
   * opened.
   */
  open: ((form: OpenedForm) => Promise<string | null>) | null;
  /** `rollback`: moves back without checking what is served, and despite damage. */
  isForced: boolean;
};

/** The output of `--json`. */
export type ReleaseReport = Omit<Releases, 'live'> & {
  /** Releases that a rollback can return to, latest last. */
  before: readonly string[];
  /** What `repair` restored, and what it could not. */
  restored: readonly string[];
  remaining: readonly string[];
  /** A command that was killed halfway. The next command that changes anything undoes it first. */
  unfinished: string | null;
};

const readReleases = async (disk: Disk): Promise<Releases> => {
  const text = await disk.read(RELEASES_FILE);
  if (text !== null) return parseReleases(text.toString());
  const isLost = (await unfinished(disk)) === null && (await disk.list('releases')).length > 0;
  if (!isLost) return NO_RELEASES;
  throw new ReleaseError(
    `${RELEASES_FILE} was expected to be there, because releases/ is; it is missing. Run card-form release repair, or restore it from a backup. Nothing was changed.`,
  );
};

/** The state of the target folder. Given settings replace the owner's earlier ones. */
const readSite = async (
  { kind, disk, now, isForced }: Pick<ReleaseContext, 'kind' | 'disk' | 'now' | 'isForced'>,
  { reportsTo, appSchemes }: { [Name in keyof OwnersChoice]?: OwnersChoice[Name] | undefined } = {},
): Promise<Site> => {
  const known = await readReleases(disk);
  const releases = {
    ...known,
    reportsTo: reportsTo === undefined ? known.reportsTo : reportsTo,
    appSchemes: appSchemes ?? known.appSchemes,
  };
  const manifests = new Map<string, Manifest>();
  for (const { release } of releases.releases) {
    const manifest = await keptManifest(disk, manifestFolder(release), release);
    if (manifest) manifests.set(release, manifest);
  }
  return { kind, disk, releases, manifests, now: now(), isForced };
};

/**
 * The releases of a target folder, or of a copy of its `releases.json` and `releases/`, with their manifests. Throws a
 * `ReleaseError` if these files are missing or damaged.
 */
export const readKept = async (disk: Disk): Promise<KeptReleases> => {
  if (!(await disk.exists(RELEASES_FILE)))
    throw new ReleaseError(
      `${RELEASES_FILE} was expected to be there; it is not. Give the one of the target folder, or of a copy.`,
    );
  const { releases, manifests } = await readSite({ kind: 'nginx', disk, now: () => 0, isForced: false });
  const { moving, canary } = releases;
  return { moving, canary, hosted: hostedIn({ manifests }, releases) };
};

/** The release of a `dist/`, as if it were the only one. Throws a `ReleaseError` if the folder isn't a build. */
export const readBuiltAlone = async (dist: Disk): Promise<KeptReleases> => {
  const manifest = await readManifest(dist, '.', '', 'Build again.');
  if (!manifest)
    throw new ReleaseError(
      'headers.json and sri.json of the build were expected; they are missing. Build again.',
    );
  const { release } = manifest.integrity;
  const own = { release, published: '', lastMoving: null, withdrawn: null };
  return { moving: release, hosted: [{ ...own, ...manifest, ...NOTHING_CHOSEN, isSplit: false }] };
};

/** Throws unless every file of a release below the folder `partner/v1/…` of `disk` matches the manifest. */
const checkFiles = async (
  disk: Disk,
  release: string,
  manifest: Manifest,
  where: string,
  remedy: string,
): Promise<void> => {
  const [damage] = await damageOf(disk, { release, withdrawn: null }, manifest);
  if (damage)
    throw new ReleaseError(`${join(where, damage.path)}: ${damage.problem}. ${remedy} Nothing was changed.`);
};

/** Reads a `dist/` and checks that it is complete. */
const readBuilt = async (from: string): Promise<Built> => {
  const dist = diskAt(from);
  const remedy = 'Copy the release again, or build it again.';
  const manifest = await readManifest(dist, '.', from, `${remedy} Nothing was changed.`);
  const release = manifest?.integrity.release;
  if (!manifest || !isReleaseName(release) || manifest.headers.release !== release)
    throw new ReleaseError(
      `${from} was expected to be the dist/ of a build, with headers.json and sri.json of one release; it is not. Name it with --from. Nothing was changed.`,
    );
  await checkFiles(dist, release, manifest, from, remedy);
  const manifestFiles = new Map<string, Buffer>();
  for (const name of [
    'headers.json',
    'sri.json',
    'SCRIPTS.md',
    ...suffixesIn(CODINGS).map((suffix) => LLMS_TXT.slice(1) + suffix),
  ]) {
    const content = await dist.read(name);
    if (content) manifestFiles.set(name, content);
  }
  return { release, folder: join(from, releaseFolder(release)), manifest, manifestFiles };
};

const reportOf = async ({ disk }: ReleaseContext): Promise<ReleaseReport> => {
  const releases = await readReleases(disk);
  const { live: _, ...shown } = releases;
  const before = liveBefore(releases);
  return { ...shown, before, restored: [], remaining: [], unfinished: await unfinished(disk) };
};

const environmentOf = (
  { disk, server, origin, get, wait, now, log, open }: ReleaseContext,
  manifests: ReadonlyMap<string, Manifest>,
): ReleaseEnvironment => ({
  disk,
  server,
  now,
  log,
  open: async (what, release, leaves) => {
    if (open === null) return null;
    const { canary } = leaves;
    if (what !== 'canary' || canary === null)
      return open({ what: what === 'release' ? 'release' : 'moving', release });
    const side = hostedOf({ manifests }, leaves, release);
    const userAgent = (await visitorsOf(origin, [side], canary.share, get)).get(side);
    return userAgent === undefined
      ? `no visitor got the script of ${release}`
      : open({ what: 'moving', release, userAgent });
  },
  verify: async (what, release, leaves, isSettled) => {
    const hosted = hostedOf({ manifests }, leaves, release);
    if (what !== 'canary') return verifyHosted(origin, hosted, what, get, wait, isSettled);
    const { moving, canary } = leaves;
    if (moving === null || canary === null) return [];
    return verifySplit(origin, hostedOf({ manifests }, leaves, moving), hosted, canary.share, get, wait);
  },
});

/**
 * Runs a command. Throws a `ReleaseError` that says what failed and what the site serves now. Running a command again
 * after it was killed or finished gives the same site; a rollback without a named release goes back once more.
 */
export const runRelease = async (
  context: ReleaseContext,
  command: ReleaseCommand,
): Promise<ReleaseReport> => {
  if (command.command === 'status') return reportOf(context);
  const isBack = command.command === 'rollback' || command.command === 'abort';
  if (isBack) await freeReserve(context.disk);
  try {
    return await runLocked(context, command);
  } finally {
    if (isBack)
      await readSite(context)
        .then((site) => reserveFor(context, site, site.releases))
        .catch((error: unknown) => context.log(`Attention: ${messageOf(error)}`));
  }
};

const runLocked = (
  context: ReleaseContext,
  command: Exclude<ReleaseCommand, { command: 'status' }>,
): Promise<ReleaseReport> =>
  locked(context.disk, context.self, context.alive, async () => {
    await unfinished(context.disk); // throws if the journal is damaged, before anything is undone
    const undone = await recover(environmentOf(context, new Map())).catch((error: unknown) => {
      throw new ReleaseError(
        `What an earlier command left could not be undone: ${messageOf(error)}\nMove nothing by hand. Correct the cause and run the command again.`,
      );
    });
    if (undone !== null) context.log(`undid "${undone}", which had been stopped in the middle`);
    const found = await carryOutAll(context, command);
    const report = { ...(await reportOf(context)), ...found };
    context.log(`done: the moving release is ${report.moving ?? 'none'}`);
    return report;
  });

const noCanary = ({ releases: { moving } }: Site): string =>
  `there is no canary: ${moving ?? 'nothing'} is the moving release`;

/** Throws if the address that browsers use can't be reached from here at all. */
const expectReachable = async ({ origin, get }: ReleaseContext): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await get(origin + STATIC_ROUTES.loader, {});
      return;
    } catch (error) {
      if (attempt === 3)
        throw new ReleaseError(
          `${origin} cannot be reached from here: ${messageOf(error)}. Add --force to roll back without a check over HTTP. Nothing was changed.`,
        );
    }
  }
};

/** Reports the release's damaged files on the disk. Throws if no buyer would have a form, unless forced. */
const tellDamage = async (
  { disk, log, isForced }: ReleaseContext,
  { releases, manifests }: Site,
  release: string,
): Promise<void> => {
  const kept = findRelease(releases, release);
  const manifest = manifests.get(release);
  if (!kept || !manifest) {
    const what = `headers.json and sri.json of ${release} are missing or damaged`;
    if (!isForced)
      throw new ReleaseError(
        `${what}. Restore them: card-form release repair. Or add --force to roll back without a check. Nothing was changed.`,
      );
    log(`goes on although ${what}`);
    return;
  }
  const damaged = await damageOf(disk, kept, manifest);
  const vital = damaged.find(({ path }) => isVital(path));
  if (vital && !isForced)
    throw new ReleaseError(
      `${vital.path}: ${vital.problem}. Without it no buyer has a form. Restore it: card-form release repair. Or add --force. Nothing was changed.`,
    );
  for (const { path, problem } of damaged) log(`goes on although it is damaged: ${path}: ${problem}`);
};

/** Reserves space for the rollback of this transaction. */
const reserveFor = async ({ disk }: ReleaseContext, site: Site, leaves: Releases): Promise<void> => {
  const back = await planRollback({ ...site, releases: leaves }, null).catch(() => null);
  if (back === null) return; // there is nothing to go back to
  await keepReserve(disk, back.steps).catch((error: unknown) => {
    throw new ReleaseError(
      `The space that a rollback needs could not be kept: ${messageOf(error)}\nThe moving addresses are as they were.`,
    );
  });
};

/** Result of `repair`. */
type Found = Pick<ReleaseReport, 'restored' | 'remaining'>;

const repair = async (context: ReleaseContext, from: readonly string[]): Promise<Found> => {
  const { kind, disk, now, log } = context;
  const goods: Good[] = [];
  for (const folder of from) {
    const source = diskAt(folder);
    const manifest = await readManifest(source, '.', folder, '').catch(() => null);
    if (manifest) goods.push({ release: manifest.integrity.release, source });
    else log(`${folder} is no dist/ of a build: it is not used`);
  }
  const known = await readReleases(disk).catch((error: unknown) => {
    if (error instanceof ReleaseError) return null;
    throw error;
  });
  const site = { kind, disk, now: now(), isForced: false };
  const { transaction, manifests, restored, remaining } = await planRepair(site, known, goods);
  for (const line of restored) log(line);
  for (const line of remaining) log(`NOT RESTORED: ${line}`);
  if (restored.length === 0) log('there is nothing to restore');
  else await carryOut(environmentOf(context, manifests), transaction);
  return { restored, remaining };
};

const carryOutAll = async (
  context: ReleaseContext,
  command: Exclude<ReleaseCommand, { command: 'status' }>,
): Promise<Found | null> => {
  if (command.command === 'repair') return repair(context, command.from);
  const site = await readSite(context, command.command === 'publish' ? command : {});
  const run = async (transaction: Transaction | null, built: Built | null = null) => {
    if (transaction === null) return;
    const steps = transaction.steps.filter(({ kind }) => kind !== 'open' || context.open !== null);
    const manifests = new Map(site.manifests);
    if (built) manifests.set(built.release, built.manifest);
    await carryOut(environmentOf(context, manifests), { ...transaction, steps });
  };
  switch (command.command) {
    case 'publish': {
      const built = await readBuilt(command.from);
      const { release } = built;
      const { share = null } = command;
      if (share !== null) refuseShare(site, release);
      const added = planAdd(site, built);
      if (await context.disk.exists(releaseFolder(release)))
        await checkFiles(
          context.disk,
          release,
          built.manifest,
          'the target folder',
          `Restore it: card-form release repair --from ${command.from}.`,
        );
      await run(added, built);
      if (command.isOnlyAdded) return null;
      const then = await readSite(context);
      const move =
        share === null ? await planSwitch(then, release, 'publish') : planCanary(then, release, share);
      await reserveFor(context, then, move.leaves);
      await run(move, built);
      return null;
    }
    case 'promote': {
      const { canary } = site.releases;
      if (canary === null) context.log(noCanary(site));
      else {
        const move = await planSwitch(site, canary.release, 'promote');
        await reserveFor(context, site, move.leaves);
        await run(move);
      }
      return null;
    }
    case 'abort': {
      const transaction = planAbort(site);
      if (transaction === null) context.log(noCanary(site));
      await run(transaction);
      return null;
    }
    case 'rollback': {
      const move = await planRollback(site, command.to);
      await tellDamage(context, site, move.switchesTo ?? '');
      if (context.isForced) {
        context.log('NOT CHECKED, because of --force. Open a page of a shop to see the form.');
        await run({ ...move, steps: move.steps.filter(({ kind }) => kind !== 'verify' && kind !== 'open') });
      } else {
        await expectReachable(context);
        await run(move);
      }
      return null;
    }
    case 'withdraw':
      await run(await planWithdraw(site, command.release));
      return null;
    default:
      return command satisfies never;
  }
};
