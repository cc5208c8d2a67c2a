/** `releases.json`: the releases in a target folder, the moving one, and how long each is kept. */
import * as z from 'zod/mini';
import { APP_SCHEMES } from '../../api/served/app-schemes.ts';
import { PATH_SEGMENT } from '../../api/served/headers.ts';
import { NOTHING_CHOSEN } from '../../api/served/owners-choice.ts';
import { isReportsTo } from '../../api/served/reports.ts';
import { jsonOf, ReleaseError } from './release-error.ts';

export const RELEASES_FILE = 'releases.json';

/** A copy, from which `card-form release repair` restores what no other file records. */
export const RELEASES_COPY = 'copies/releases.json';

/** Returns true if a text is a valid release name. It becomes part of paths and configurations. */
export const isReleaseName = (text: unknown): text is string =>
  typeof text === 'string' && new RegExp(`^${PATH_SEGMENT}$`).test(text);

const Time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));
const Name = z.string().check(z.refine(isReleaseName));
const Share = z.int().check(z.minimum(1), z.maximum(99));

/** One release. All times are ISO 8601 in UTC. */
const KeptRelease = z.object({
  release: Name,
  published: Time,
  /** When the moving address last served its script to browsers; null if it never did, or does now. */
  lastMoving: z.nullable(Time),
  /** When it was withdrawn; null if it wasn't. */
  withdrawn: z.nullable(Time),
});
export type KeptRelease = z.output<typeof KeptRelease>;

const Releases = z.object({
  moving: z.nullable(Name),
  reportsTo: z._default(z.nullable(z.string().check(z.refine(isReportsTo))), null),
  appSchemes: z._default(z.readonly(z.array(z.enum(APP_SCHEMES))), []),
  /** The release that a share of visitors gets instead of the moving one; null if there is none. */
  canary: z._default(z.nullable(z.object({ release: Name, share: Share })), null),
  /** In order of publication, newest last. */
  releases: z.readonly(z.array(KeptRelease)),
  /** Releases in the order they were live, current one last. A rollback goes back to one of them. */
  live: z.readonly(z.array(Name)),
});
export type Releases = z.output<typeof Releases>;

export const NO_RELEASES: Releases = {
  moving: null,
  ...NOTHING_CHOSEN,
  canary: null,
  releases: [],
  live: [],
};

/** The new `live` list once this release is live: cut back to where it was live, or one longer. */
export const liveAfter = (live: readonly string[], release: string, isBack: boolean): readonly string[] => {
  const before = isBack && live.includes(release) ? live.slice(0, live.lastIndexOf(release) + 1) : live;
  return before.at(-1) === release ? before : [...before, release];
};

export const findRelease = ({ releases }: Releases, release: string): KeptRelease | undefined =>
  releases.find((one) => one.release === release);

/** The same releases with one changed. */
export const withRelease = (releases: Releases, release: string, change: Partial<KeptRelease>): Releases => ({
  ...releases,
  releases: releases.releases.map((one) => (one.release === release ? { ...one, ...change } : one)),
});

const malformed = (): ReleaseError =>
  new ReleaseError(
    `${RELEASES_FILE} was expected to be as card-form release wrote it; it is not. Run card-form release repair, or restore it from a backup. Nothing was changed.`,
  );

/** Throws a `ReleaseError` if the text isn't what `formatReleases` writes. */
export const parseReleases = (text: string): Releases => {
  const { data } = Releases.safeParse(jsonOf(text));
  if (data === undefined) throw malformed();
  const { moving, canary } = data;
  for (const name of [moving, canary?.release ?? null])
    if (name !== null && !findRelease(data, name)) throw malformed();
  return data;
};

export const formatReleases = (releases: Releases): string => `${JSON.stringify(releases, null, 2)}\n`;
