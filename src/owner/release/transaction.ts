/**
 * Executes steps so that a failure, or a kill at any moment, leaves a site that can be restored to its earlier state.
 *
 * All new content is first written beside the site, with a copy of what it replaces. The journal records every step
 * before it is taken. A step changes the site by one rename. Undoing walks the journal backwards; each undo is
 * repeatable, so it may be killed as well. After the last step the journal is removed.
 */
import * as z from 'zod/mini';
import { MOVING_FOLDER } from '../hosting/moving.ts';
import { type Difference, describeDifference } from '../hosting/served.ts';
import { isVital } from './damage.ts';
import type { Disk } from './disk.ts';
import { jsonOf, messageOf, ReleaseError } from './release-error.ts';
import { formatReleases, parseReleases, RELEASES_FILE, type Releases, withRelease } from './releases-file.ts';

/** Verified over HTTP: a release, the moving addresses, or these with a canary's loader. */
export type Verified = 'release' | 'moving' | 'canary';

export type TransactionStep =
  /** Copies a folder from outside to a free path. Keeps a folder that already exists. */
  | { kind: 'folder'; from: string; path: string }
  /** Creates or replaces a file. Keeps a file that is already equal. */
  | { kind: 'file'; path: string; content: string | Buffer }
  /** Removes a file or folder, if it exists. */
  | { kind: 'remove'; path: string }
  /** Renames the marker. `from` is null if there is none yet. */
  | { kind: 'marker'; from: string | null; to: string }
  /** Makes the server check its configuration. */
  | { kind: 'check' }
  /** Makes the server load its configuration. */
  | { kind: 'reload' }
  /**
   * `isLenient`: continues and lists what is damaged, as long as the form's script and document are intact. Nothing was
   * reloaded before, so the first answer counts.
   */
  | { kind: 'verify'; what: Verified; release: string; isLenient?: boolean }
  /** Opens the form in a browser: the release, the moving addresses, or what the visitors of a share get. */
  | { kind: 'open'; what: Verified; release: string };

export type Transaction = {
  /** For messages, such as `publish 0.1.0-abc`. */
  name: string;
  /** The release whose script the moving address starts serving, if any. */
  switchesTo: string | null;
  /** The site's state afterwards, which is what is verified. */
  leaves: Releases;
  steps: readonly TransactionStep[];
};

/** Dependencies of a transaction. */
export type ReleaseEnvironment = {
  disk: Disk;
  server: {
    /** Rejects with the server's message if its configuration is invalid. */
    check(): Promise<void>;
    /** Rejects if the server couldn't be told to reload. */
    reload(): Promise<void>;
  };
  /** Returns the differences from the build. Waits for a server that is still loading, unless it is settled. */
  verify(
    what: Verified,
    release: string,
    leaves: Releases,
    isSettled: boolean,
  ): Promise<readonly Difference[]>;
  /** Opens the form in a browser. Resolves to why a buyer couldn't pay, or null. */
  open(what: Verified, release: string, leaves: Releases): Promise<string | null>;
  /** In ms since 1970. */
  now(): number;
  log(line: string): void;
};

const Name = z.nullable(z.string());

/** A journal entry of a step. */
const Entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('change'), path: z.string(), hasFormer: z.boolean() }),
  z.object({ kind: z.literal('marker'), from: Name, to: z.string() }),
  z.object({ kind: z.literal(['reload', 'none']) }),
]);
type Entry = z.output<typeof Entry>;

const Journal = z.object({ name: z.string(), switchesTo: Name, reached: z.int(), entries: z.array(Entry) });
type Journal = z.output<typeof Journal>;

const FOLDER = '.card-form';
const JOURNAL = `${FOLDER}/journal.json`;
const NEW = `${FOLDER}/new`;
const FORMER = `${FOLDER}/former`;
const marker = (release: string) => `${MOVING_FOLDER}/${release}`;

const VERIFIED: Readonly<Record<Verified, string>> = {
  release: 'the release',
  moving: 'the moving addresses',
  canary: 'both sides of the split',
};

const OPENED: Readonly<Record<Verified, string>> = {
  release: 'the form of the release',
  moving: 'the form at the moving addresses',
  canary: 'the form of the share',
};

/** Describes a step in one line. */
const describeStep = (step: TransactionStep): string => {
  switch (step.kind) {
    case 'folder':
      return `copy ${step.from} to ${step.path}`;
    case 'file':
      return `write ${step.path}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'marker':
      return `rename ${step.from === null ? 'nothing' : marker(step.from)} to ${marker(step.to)}`;
    case 'check':
      return 'check the configuration of the server';
    case 'reload':
      return 'reload the server';
    case 'verify':
      return `verify ${VERIFIED[step.what]} over HTTP: ${step.release}`;
    case 'open':
      return `open ${OPENED[step.what]} in a browser: ${step.release}`;
    default:
      return step satisfies never;
  }
};

/** The steps that change anything. */
const pendingSteps = async (
  disk: Disk,
  steps: readonly TransactionStep[],
): Promise<readonly TransactionStep[]> => {
  const pending: TransactionStep[] = [];
  for (const step of steps) if (!(await isDone(disk, step))) pending.push(step);
  return pending;
};

const isDone = async (disk: Disk, step: TransactionStep): Promise<boolean> => {
  switch (step.kind) {
    case 'folder':
      return disk.exists(step.path);
    case 'file':
      return (await disk.read(step.path))?.equals(Buffer.from(step.content)) ?? false;
    case 'remove':
      return !(await disk.exists(step.path));
    case 'marker':
      return disk.exists(marker(step.to));
    default:
      return false;
  }
};

/** Executes all steps or none. Throws a `ReleaseError` that names the failed step and says what the site serves now. */
export const carryOut = async (environment: ReleaseEnvironment, transaction: Transaction): Promise<void> => {
  const { disk, log } = environment;
  const { name, switchesTo } = transaction;
  const steps = await pendingSteps(disk, transaction.steps);
  let isJournaled = false;
  let now = 'prepare the files beside the site';
  try {
    const entries: Entry[] = [];
    for (const [index, step] of steps.entries()) entries.push(await prepare(disk, step, index));
    const journal: Journal = { name, switchesTo, reached: -1, entries };
    await writeJournal(disk, journal);
    isJournaled = true;
    for (const [index, step] of steps.entries()) {
      now = describeStep(step);
      log(now);
      await writeJournal(disk, { ...journal, reached: index });
      await take(environment, step, index, transaction.leaves);
    }
    now = 'close the journal';
    await disk.remove(JOURNAL);
  } catch (error) {
    const reason = `${name} failed at the step "${now}": ${messageOf(error)}`;
    await (isJournaled ? recover(environment) : sweep(disk)).catch((undoing: unknown) => {
      throw new ReleaseError(
        `${reason}\nIt could not be undone: ${messageOf(undoing)}\nMove nothing by hand. Correct the cause and run any card-form release command: it first undoes the rest.`,
      );
    });
    throw new ReleaseError(
      `${reason}\n${
        switchesTo === null
          ? 'All was undone: the site is as it was.'
          : `The moving addresses are as they were. The files of ${switchesTo} stay, because browsers may have its script by now.`
      }`,
    );
  }
  await sweep(disk);
};

/** The interrupted transaction, if there is one. */
export const unfinished = async (disk: Disk): Promise<string | null> =>
  (await readJournal(disk))?.name ?? null;

/** Undoes an interrupted transaction. Returns its name, or null if there is none. */
export const recover = async ({ disk, server, now }: ReleaseEnvironment): Promise<string | null> => {
  const journal = await readJournal(disk);
  if (journal === null) {
    await sweep(disk);
    return null;
  }
  const { reached, entries, switchesTo } = journal;
  for (let index = reached; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry) await undo(disk, entry, index);
  }
  if (entries.slice(0, reached + 1).some(({ kind }) => kind === 'reload')) await server.reload();
  // Undoing doesn't need what was written beside the site. On a full disk, the next write needs its space.
  await disk.remove(NEW);
  const text = switchesTo === null ? null : await disk.read(RELEASES_FILE);
  if (text !== null && switchesTo !== null) {
    // Browsers may keep its script for as long as that of a release that was the moving one until now.
    const releases = parseReleases(text.toString());
    const lastMoving = new Date(now()).toISOString();
    if (releases.moving !== switchesTo)
      await replace(disk, RELEASES_FILE, formatReleases(withRelease(releases, switchesTo, { lastMoving })));
  }
  await disk.remove(JOURNAL);
  await sweep(disk);
  return journal.name;
};

/** Writes what the step needs beside the site. */
const prepare = async (disk: Disk, step: TransactionStep, index: number): Promise<Entry> => {
  switch (step.kind) {
    case 'folder':
      await disk.copyIn(step.from, `${NEW}/${index}`);
      return { kind: 'change', path: step.path, hasFormer: false };
    case 'file': {
      await disk.create(`${NEW}/${index}`, step.content);
      const hasFormer = await disk.exists(step.path);
      if (hasFormer) await disk.copy(step.path, `${FORMER}/${index}`);
      return { kind: 'change', path: step.path, hasFormer };
    }
    case 'remove':
      return { kind: 'change', path: step.path, hasFormer: true };
    case 'marker':
      if (step.from === null) await disk.create(`${NEW}/${index}`, '');
      return { kind: 'marker', from: step.from, to: step.to };
    case 'reload':
      return { kind: 'reload' };
    default:
      return { kind: 'none' };
  }
};

const take = async (
  environment: ReleaseEnvironment,
  step: TransactionStep,
  index: number,
  leaves: Releases,
): Promise<void> => {
  const { disk, server, verify, open, log } = environment;
  switch (step.kind) {
    case 'folder':
    case 'file':
      return disk.rename(`${NEW}/${index}`, step.path);
    case 'remove':
      return disk.rename(step.path, `${FORMER}/${index}`);
    case 'marker':
      return disk.rename(step.from === null ? `${NEW}/${index}` : marker(step.from), marker(step.to));
    case 'check':
      return server.check();
    case 'reload':
      return server.reload();
    case 'verify': {
      const found = await verify(step.what, step.release, leaves, step.isLenient ?? false);
      const differences = found.map(describeDifference);
      if (differences.length === 0) return;
      if (step.isLenient && !found.some(({ address }) => isVital(address))) {
        for (const one of differences) log(`goes on although it is damaged: ${one}`);
        return;
      }
      const [first = ''] = found
        .filter(({ address }) => isVital(address))
        .map(describeDifference)
        .concat(differences);
      throw new ReleaseError(
        `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'} from what was built: ${first}`,
      );
    }
    case 'open': {
      const problem = await open(step.what, step.release, leaves);
      if (problem !== null) throw new ReleaseError(problem);
      return;
    }
    default:
      return step satisfies never;
  }
};

const undo = async (disk: Disk, entry: Entry, index: number): Promise<void> => {
  if (entry.kind === 'change') {
    const former = `${FORMER}/${index}`;
    if (!entry.hasFormer) await disk.remove(entry.path);
    else if (await disk.exists(former)) await disk.rename(former, entry.path);
  } else if (entry.kind === 'marker') {
    if (entry.from === null) await disk.remove(marker(entry.to));
    else if (await disk.exists(marker(entry.to))) await disk.rename(marker(entry.to), marker(entry.from));
  }
};

const sweep = async (disk: Disk): Promise<void> => {
  for (const folder of [NEW, FORMER]) await disk.remove(folder);
};

const replace = async (disk: Disk, path: string, content: string): Promise<void> => {
  const beside = `${FOLDER}/beside`;
  await disk.remove(beside);
  await disk.create(beside, content);
  await disk.rename(beside, path);
};

const writeJournal = (disk: Disk, journal: Journal) => replace(disk, JOURNAL, JSON.stringify(journal));

/**
 * Nobody else writes this file, and it is only replaced as a whole: only a broken disk or manual editing damages it.
 */
const readJournal = async (disk: Disk): Promise<Journal | null> => {
  const text = await disk.read(JOURNAL);
  if (text === null) return null;
  const { data } = Journal.safeParse(jsonOf(text.toString()));
  if (data !== undefined) return data;
  throw new ReleaseError(
    `${JOURNAL} was expected to be as card-form release wrote it; it is not. Keep a copy of the target folder, remove this file, and run card-form release repair. Nothing was changed.`,
  );
};
