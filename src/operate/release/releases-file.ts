/** `releases.json`: which releases a target folder has, which one is moving, and how long each is kept. */
import { areAppSchemes } from '../hosting/app-schemes.ts';
import type { Canary } from '../hosting/canary.ts';
import { PATH_SEGMENT } from '../hosting/headers.ts';
import { NOTHING_CHOSEN, type OwnersChoice } from '../hosting/owners-choice.ts';
import { isReportsTo } from '../hosting/reports.ts';
import { ReleaseError } from './release-error.ts';

export const RELEASES_FILE = 'releases.json';

/** A copy of it, from which `card-form release repair` takes what no other file says. */
export const RELEASES_COPY = 'copies/releases.json';

/** One release. All times in ISO 8601, in UTC. */
export type KeptRelease = {
  release: string;
  published: string;
  /** When browsers were last given its script at the moving address; null if they never were or are now. */
  lastMoving: string | null;
  /** Until when it may not be pruned; null for ever. */
  keepUntil: string | null;
  /** When it was withdrawn; null if it was not. */
  withdrawn: string | null;
};

export type Releases = OwnersChoice & {
  moving: string | null;
  /** The release that a share of visitors gets in place of the moving one; null if there is none. */
  canary: Canary | null;
  /** In the order in which they were published, the newest last. */
  releases: readonly KeptRelease[];
  /** The releases that were live one after the other, the present one last. A rollback goes back to one of them. */
  live: readonly string[];
};

export const NO_RELEASES: Releases = {
  ...NOTHING_CHOSEN,
  moving: null,
  canary: null,
  releases: [],
  live: [],
};

/** The releases that were live once this one is: back to where it was live, or one more. */
export const liveAfter = (live: readonly string[], release: string, isBack: boolean): readonly string[] => {
  const before = isBack && live.includes(release) ? live.slice(0, live.lastIndexOf(release) + 1) : live;
  return before.at(-1) === release ? before : [...before, release];
};

export const findRelease = ({ releases }: Releases, release: string): KeptRelease | undefined =>
  releases.find((one) => one.release === release);

/** The same with one release changed. */
export const withRelease = (releases: Releases, release: string, change: Partial<KeptRelease>): Releases => ({
  ...releases,
  releases: releases.releases.map((one) => (one.release === release ? { ...one, ...change } : one)),
});

/** Whether a text can be the name of a release. It becomes a part of paths and of configurations. */
export const isReleaseName = (text: unknown): text is string =>
  typeof text === 'string' && new RegExp(`^${PATH_SEGMENT}$`).test(text);

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isTimeOrNull = (value: unknown): value is string | null => value === null || isTime(value);

const readOne = (value: unknown): KeptRelease => {
  const { release, published, lastMoving, keepUntil, withdrawn } = recordOf(value);
  if (!isReleaseName(release) || !isTime(published)) throw malformed();
  if (!isTimeOrNull(lastMoving) || !isTimeOrNull(keepUntil) || !isTimeOrNull(withdrawn)) throw malformed();
  return { release, published, lastMoving, keepUntil, withdrawn };
};

/** Whether a share of visitors can be given another release: a whole number, in percent. */
export const isShare = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= 99;

const readCanary = (value: unknown): Canary | null => {
  if (value === null) return null;
  const { release, share } = recordOf(value);
  if (!isReleaseName(release) || !isShare(share)) throw malformed();
  return { release, share };
};

const recordOf = (value: unknown): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) throw malformed();
  return Object.fromEntries(Object.entries(value));
};

const malformed = (): ReleaseError =>
  new ReleaseError(
    `${RELEASES_FILE} was expected to be as card-form release wrote it; it is not. Run card-form release repair, or restore it from a backup. Nothing was changed.`,
  );

/** In a folder that says nothing of what was live, the order of publication counts. */
export const liveByPublication = (
  moving: string | null,
  releases: readonly KeptRelease[],
): readonly string[] => {
  const names = releases.map(({ release }) => release);
  return moving === null ? [] : names.slice(0, names.indexOf(moving) + 1);
};

/** Throws a `ReleaseError` if the text is not what `formatReleases` writes. */
export const parseReleases = (text: string): Releases => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  const { moving, reportsTo = null, appSchemes = [], canary = null, releases, live = null } = recordOf(value);
  if (!(moving === null || isReleaseName(moving)) || !Array.isArray(releases)) throw malformed();
  if (!(reportsTo === null || (typeof reportsTo === 'string' && isReportsTo(reportsTo)))) throw malformed();
  if (!areAppSchemes(appSchemes)) throw malformed();
  if (live !== null && !(Array.isArray(live) && live.every(isReleaseName))) throw malformed();
  const read = {
    moving,
    reportsTo,
    appSchemes,
    canary: readCanary(canary),
    releases: releases.map(readOne),
    live: live ?? liveByPublication(moving, releases.map(readOne)),
  };
  if (moving !== null && !findRelease(read, moving)) throw malformed();
  if (read.canary !== null && !findRelease(read, read.canary.release)) throw malformed();
  return read;
};

/** What is off is left out, so that the file stays as releases read it that do not know of it. */
export const formatReleases = ({ moving, reportsTo, appSchemes, canary, releases, live }: Releases): string =>
  `${JSON.stringify(
    {
      moving,
      ...(reportsTo === null ? {} : { reportsTo }),
      ...(appSchemes.length === 0 ? {} : { appSchemes }),
      ...(canary === null ? {} : { canary }),
      releases,
      live,
    },
    null,
    2,
  )}\n`;
