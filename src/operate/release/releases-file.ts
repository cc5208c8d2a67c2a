/** `releases.json`: which releases a target folder has, which one is moving, and how long each is kept. */
import * as z from 'zod/mini';
import { type AppScheme, areAppSchemes } from '../hosting/app-schemes.ts';
import type { Canary } from '../hosting/canary.ts';
import { PATH_SEGMENT } from '../hosting/headers.ts';
import { NOTHING_CHOSEN, type OwnersChoice } from '../hosting/owners-choice.ts';
import { isReportsTo } from '../hosting/reports.ts';
import { jsonOf, ReleaseError } from './release-error.ts';

export const RELEASES_FILE = 'releases.json';

/** A copy of it, from which `card-form release repair` takes what no other file says. */
export const RELEASES_COPY = 'copies/releases.json';

/** One release. All times in ISO 8601, in UTC. */
export type KeptRelease = {
  release: string;
  published: string;
  /** When browsers were last given its script at the moving address; null if they never were or are now. */
  lastMoving: string | null;
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

const Time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));
const Name = z.string().check(z.refine(isReleaseName));
const Share = z.int().check(z.minimum(1), z.maximum(99));

const ReleasesFile = z.object({
  moving: z.nullable(Name),
  reportsTo: z._default(z.nullable(z.string().check(z.refine(isReportsTo))), null),
  appSchemes: z._default(z.custom<readonly AppScheme[]>(areAppSchemes), []),
  canary: z._default(z.nullable(z.object({ release: Name, share: Share })), null),
  releases: z.array(
    z.object({
      ...{ release: Name, published: Time },
      ...{ lastMoving: z.nullable(Time), withdrawn: z.nullable(Time) },
    }),
  ),
  live: z.array(Name),
});

const malformed = (): ReleaseError =>
  new ReleaseError(
    `${RELEASES_FILE} was expected to be as card-form release wrote it; it is not. Run card-form release repair, or restore it from a backup. Nothing was changed.`,
  );

/** Throws a `ReleaseError` if the text is not what `formatReleases` writes. */
export const parseReleases = (text: string): Releases => {
  const { data } = ReleasesFile.safeParse(jsonOf(text));
  if (data === undefined) throw malformed();
  const { moving, canary } = data;
  for (const name of [moving, canary?.release ?? null])
    if (name !== null && !findRelease(data, name)) throw malformed();
  return data;
};

/** What is off is left out. */
export const formatReleases = ({
  moving,
  reportsTo,
  appSchemes,
  canary,
  releases,
  live,
}: Releases): string => {
  const chosen = {
    ...(reportsTo === null ? {} : { reportsTo }),
    ...(appSchemes.length === 0 ? {} : { appSchemes }),
    ...(canary === null ? {} : { canary }),
  };
  return `${JSON.stringify({ moving, ...chosen, releases, live }, null, 2)}\n`;
};
