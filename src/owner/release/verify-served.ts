/**
 * Compares what a service sends with every release it keeps, for monitoring (PCI DSS 11.6.1). Expectations come from
 * the build's manifests, never from the service: a service that sends something else would also lie about it.
 */
import type { HttpGet } from '../../api/command/http-get.ts';
import type { Canary } from '../hosting/canary.ts';
import { AS_EVERYBODY } from '../hosting/requesters.ts';
import { compareServed, type Difference, describeDifference, hasQuery } from '../hosting/served.ts';
import type { Hosted } from './site.ts';
import { expectedAt, expectedFiles, signersOf, splitDifferences } from './verify.ts';

/** The releases to compare with. `moving` is the one at the moving addresses. */
export type KeptReleases = {
  moving: string | null;
  /** The release that a share of visitors gets, if there is one. */
  canary?: Canary | null;
  hosted: readonly Hosted[];
};

export type VerifyOptions = {
  /** Scheme and host of the service. */
  origin: string;
  /** Reads the releases. Read again at the end: a release published meanwhile is not a difference. */
  read: () => Promise<KeptReleases>;
  /** The key (`ed25519-…`) that must have signed every loader. Null: the key each release names, if any. */
  signedBy: string | null;
  get: HttpGet;
  /** Accepts files in any content coding. Otherwise each must arrive in the best coding the build has. */
  isAnyCoding?: boolean;
};

/** Findings for one release. */
export type VerifiedRelease = {
  release: string;
  isMoving: boolean;
  isWithdrawn: boolean;
  /** Number of requested addresses. */
  addresses: number;
  differences: readonly Difference[];
};

/** The output of `--json`. */
export type VerifyReport = {
  /** True if nothing differs. */
  ok: boolean;
  baseUrl: string;
  releases: readonly VerifiedRelease[];
};

/** Maximum number of starts, since a release published meanwhile causes a restart. */
const ROUNDS = 3;

/** Requests every file of every release as several browsers, a crawler and curl, with each coding. */
export const verifyServed = async (options: VerifyOptions): Promise<VerifyReport> => {
  const { origin, read } = options;
  const about = ({ moving, canary = null, hosted }: KeptReleases) =>
    JSON.stringify([moving, canary, hosted.map(({ release, withdrawn }) => [release, withdrawn])]);
  let kept = await read();
  for (let round = 1; ; round += 1) {
    const releases = await verifyReleases(options, kept);
    const ok = releases.every(({ differences }) => differences.length === 0);
    const after = await read();
    if (ok || round === ROUNDS || about(after) === about(kept)) return { ok, baseUrl: origin, releases };
    kept = after;
  }
};

const verifyReleases = async (
  options: VerifyOptions,
  { moving, canary, hosted }: KeptReleases,
): Promise<readonly VerifiedRelease[]> => {
  const known = new Map(
    hosted.flatMap(({ release, integrity }) =>
      Object.entries(integrity.files).map(
        ([address, hash]) => [hash, `${address.split('/').at(-1)} of release ${release}`] as const,
      ),
    ),
  );
  const releases: VerifiedRelease[] = [];
  const sides = hosted.filter(({ release }) => release === moving || release === canary?.release);
  for (const one of hosted) {
    const isMoving = one.release === moving;
    const verified = await verifyRelease(options, one, isMoving, known);
    const split =
      isMoving && canary
        ? await splitDifferences(options.origin, sides, canary.share, options.get, options.signedBy)
        : [];
    releases.push({ ...verified, differences: [...split, ...verified.differences] });
  }
  return releases;
};

const verifyRelease = async (
  { origin, signedBy: demanded, get, isAnyCoding = false }: VerifyOptions,
  hosted: Hosted,
  isMoving: boolean,
  known: ReadonlyMap<string, string>,
): Promise<VerifiedRelease> => {
  const { release, withdrawn } = hosted;
  const compare = (part: 'release' | 'moving' | 'split') =>
    compareServed({
      ...expectedAt(origin, hosted, part),
      keys: signersOf(hosted, demanded),
      get,
      known,
      requesters: AS_EVERYBODY,
      codings: isAnyCoding || withdrawn !== null ? [] : hosted.headers.codings,
    });
  const addressesOf = (what: 'release' | 'moving') =>
    expectedFiles(hosted, what).flatMap(([address]) => (hasQuery(address) ? [] : [address]));
  const own = addressesOf('release');
  const moving = isMoving ? addressesOf('moving') : [];
  return {
    release,
    isMoving,
    isWithdrawn: withdrawn !== null,
    addresses: own.length + moving.length,
    differences: [
      ...(isMoving ? await compare(hosted.isSplit ? 'split' : 'moving') : []),
      ...(await compare('release')),
    ],
  };
};

/** One problem, at one or more addresses. */
export type ServedFault = {
  release: string;
  problem: string;
  /** The first affected address, and how many are affected. */
  address: string;
  addresses: number;
  askedAs: readonly string[] | null;
};

/** One fault per problem, however many addresses have it: a lost header is one fault, not three hundred. */
export const faultsIn = ({ releases }: VerifyReport): readonly ServedFault[] => {
  const faults = new Map<
    string,
    Pick<ServedFault, 'release' | 'problem' | 'askedAs'> & { at: Set<string> }
  >();
  for (const { release, differences } of releases)
    for (const { address, problem, askedAs } of differences) {
      const key = JSON.stringify([release, problem, askedAs]);
      const fault = faults.get(key) ?? { release, problem, askedAs, at: new Set() };
      fault.at.add(address);
      faults.set(key, fault);
    }
  return Array.from(faults.values(), ({ at, ...fault }) => {
    const [address = ''] = at;
    return { ...fault, address, addresses: at.size };
  });
};

/** Lines for a terminal: the differences, and a summary of the comparison. */
export const formatVerified = (
  report: VerifyReport,
): { differences: readonly string[]; summary: readonly string[] } => {
  const { baseUrl, releases } = report;
  return {
    differences: faultsIn(report).map(({ address, addresses, ...fault }) =>
      describeDifference({
        ...fault,
        address: addresses === 1 ? address : `${address} and ${addresses - 1} more`,
      }),
    ),
    summary: [
      ...releases.map(({ release, addresses, differences, isMoving, isWithdrawn }) => {
        const what = isWithdrawn ? ', withdrawn' : isMoving ? ', the moving one' : '';
        const found =
          differences.length === 0 ? 'headers and content as built' : `${differences.length} differences`;
        return `${baseUrl}: ${addresses} addresses of release ${release}${what}: ${found}.`;
      }),
      ...(releases.length === 0 ? [`${baseUrl}: no release is kept, so nothing was compared.`] : []),
    ],
  };
};
