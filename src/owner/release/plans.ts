/** Computes each command's steps from the state of the target folder. Changes nothing itself. */
import { CODINGS, compressedIn, suffixesIn } from '../../api/served/codings.ts';
import { documentFile, FRAME_FILE } from '../../api/served/language-documents.ts';
import { LLMS_TXT } from '../../api/served/llms-address.ts';
import { NGINX_SPLIT_FILE } from '../hosting/canary.ts';
import { WITHDRAWN_FILE } from '../hosting/moving.ts';
import type { Disk } from './disk.ts';
import { ReleaseError } from './release-error.ts';
import {
  findRelease,
  formatReleases,
  type KeptRelease,
  liveAfter,
  RELEASES_COPY,
  RELEASES_FILE,
  type Releases,
  withRelease,
} from './releases-file.ts';
import {
  copyFolder,
  type Hosted,
  type Manifest,
  manifestFolder,
  releaseFolder,
  type ServerKind,
  selectable,
  serverFiles,
} from './site.ts';
import type { Transaction, TransactionStep } from './transaction.ts';
import { withdrawnDocument } from './withdrawn.ts';

/** Time for which browsers cache the moving script, in ms (contract 2.1). */
const MOVING_LIFETIME = 300_000;

/** Input of a plan. */
export type Site = {
  kind: ServerKind;
  disk: Disk;
  releases: Releases;
  manifests: ReadonlyMap<string, Manifest>;
  /** In ms since 1970. */
  now: number;
  /** Continues despite damaged files. */
  isForced: boolean;
};

const at = (time: number): string => new Date(time).toISOString();

/** These releases with their manifests. Throws a `ReleaseError` if a manifest is missing. */
export const hostedIn = (
  { manifests }: Pick<Site, 'manifests'>,
  { releases, reportsTo, appSchemes, canary }: Releases,
): readonly Hosted[] =>
  releases.map((one) => {
    const manifest = manifests.get(one.release);
    if (manifest) return { ...one, ...manifest, reportsTo, appSchemes, isSplit: canary !== null };
    throw new ReleaseError(
      `${manifestFolder(one.release)} was expected to have headers.json and sri.json as the build wrote them, because ${RELEASES_FILE} names this release; it has not. Run card-form release repair. Nothing was changed.`,
    );
  });

/** A release as described by `releases`. Throws a `ReleaseError` if it isn't among them. */
export const hostedOf = (site: Pick<Site, 'manifests'>, releases: Releases, release: string): Hosted => {
  const one = findRelease(releases, release);
  // Only this one, because damage to another release must not prevent finding it.
  return hostedRelease(hostedIn(site, one ? { ...releases, releases: [one] } : releases), release);
};

const hostedRelease = (hosted: readonly Hosted[], release: string): Hosted => {
  const found = hosted.find((one) => one.release === release);
  if (found) return found;
  const names = hosted.map((one) => one.release).join(', ');
  throw new ReleaseError(
    `There is no release ${release} here; ${names ? `there is ${names}. Name one of these` : 'nothing was published yet. Publish first'}. Nothing was changed.`,
  );
};

const file = (path: string, content: string | Buffer): TransactionStep => ({ kind: 'file', path, content });

const remove = (path: string): TransactionStep => ({ kind: 'remove', path });

/** Verifies the answers of the moving addresses. */
const verifyMoving = ({ moving, canary }: Releases): readonly TransactionStep[] =>
  canary !== null
    ? [{ kind: 'verify', what: 'canary', release: canary.release }]
    : moving === null
      ? []
      : [{ kind: 'verify', what: 'moving', release: moving }];

/** The same releases without a canary. Browsers keep its script for a while. */
const withoutCanary = (releases: Releases, now: number): Releases =>
  releases.canary === null
    ? releases
    : { ...withRelease(releases, releases.canary.release, { lastMoving: at(now) }), canary: null };

const writeReleases = (releases: Releases): readonly TransactionStep[] => [
  file(RELEASES_COPY, formatReleases(releases)),
  file(RELEASES_FILE, formatReleases(releases)),
];

/**
 * The release served at the moving addresses without a marker, once `release` has been added. Never the new release
 * before it was verified.
 */
export const fallbackOf = (
  { releases: { moving } }: Pick<Site, 'releases'>,
  { releases }: Releases,
  release: string,
): string => {
  if (moving === null) return release;
  if (moving !== release) return moving;
  const others = releases.filter(
    (one) => one.release !== release && one.withdrawn === null && one.lastMoving !== null,
  );
  const [last] = others.sort(
    (one, other) => Date.parse(other.lastMoving ?? '') - Date.parse(one.lastMoving ?? ''),
  );
  return last?.release ?? release;
};

/** A withdrawn release's document, where its server looks for it. */
const withdrawnFiles = (release: string): readonly TransactionStep[] => {
  const path = `${releaseFolder(release)}/${WITHDRAWN_FILE}`;
  const text = withdrawnDocument(release);
  return [
    file(path, text),
    ...compressedIn(CODINGS, text).map(([suffix, packed]) => file(path + suffix, packed)),
  ];
};

/** Steps that write the server's files for these releases and make it load them. */
export const configure = (site: Site, next: Releases, fallback: string): readonly TransactionStep[] => {
  const { kind, manifests, isForced } = site;
  // The rules of a release with a damaged manifest stay unchanged.
  const known = isForced
    ? { ...next, releases: next.releases.filter(({ release }) => manifests.has(release)) }
    : next;
  const hosted = hostedIn(site, known);
  return [
    // Written each time, because the rules contain hashes of the documents that this version of the program writes.
    ...known.releases
      .filter(({ withdrawn }) => withdrawn !== null)
      .flatMap(({ release }) => withdrawnFiles(release)),
    ...Array.from(
      serverFiles(kind, hosted, hostedRelease(hosted, fallback), next.canary, selectable(next.releases)),
      ([path, text]) => file(path, text),
    ),
    // Removed after the file that uses it. A server that restarts in between must be able to read everything.
    ...(kind === 'nginx' && next.canary === null ? [remove(NGINX_SPLIT_FILE)] : []),
    { kind: 'check' },
    { kind: 'reload' },
  ];
};

/** Steps that make a release, which the server has already loaded, the moving one. */
const switchTo = async (site: Site, release: string, isBack: boolean): Promise<Transaction> => {
  const { releases, disk, now } = site;
  const former = releases.moving;
  const whole = withoutCanary(releases, now);
  const left =
    former === null || former === release ? whole : withRelease(whole, former, { lastMoving: at(now) });
  const next: Releases = {
    ...withRelease(left, release, { lastMoving: null }),
    moving: release,
    live: liveAfter(releases.live, release, isBack),
  };
  const documentation: TransactionStep[] = [];
  for (const suffix of suffixesIn(CODINGS)) {
    const text = await disk.read(`${manifestFolder(release)}${LLMS_TXT}${suffix}`);
    if (text) documentation.push(file(LLMS_TXT.slice(1) + suffix, text));
  }
  const isMarked = former !== null && former !== release && (await disk.exists(`moving/${former}`));
  const moves: TransactionStep[] = [{ kind: 'marker', from: isMarked ? former : null, to: release }];
  // From here on all visitors have the release, or still the canary; then the split ends.
  if (releases.canary !== null) moves.push(...configure(site, next, fallbackOf(site, next, release)));
  return {
    name: `switch to ${release}`,
    switchesTo: release,
    leaves: next,
    steps: [
      ...moves,
      ...documentation,
      ...verifyMoving(next),
      { kind: 'open', what: 'moving', release },
      ...writeReleases(next),
    ],
  };
};

/** Files without which a release can't be configured or verified. */
export const MANIFESTS = ['headers.json', 'sri.json'] as const;

/** A built release to publish. */
export type Built = {
  release: string;
  folder: string;
  manifest: Manifest;
  manifestFiles: ReadonlyMap<string, Buffer>;
};

/** Adds a release beside the others, without moving to it. */
export const planAdd = (site: Site, built: Built): Transaction => {
  const { release, folder, manifest, manifestFiles } = built;
  const { releases, now } = site;
  const known = findRelease(releases, release);
  if (known && known.withdrawn !== null)
    throw new ReleaseError(
      `Release ${release} was withdrawn at ${known.withdrawn} and is not published again. Build a new one. Nothing was changed.`,
    );
  const added: KeptRelease = { release, published: at(now), lastMoving: null, withdrawn: null };
  const next: Releases = known ? releases : { ...releases, releases: [...releases.releases, added] };
  const withBuilt = { ...site, manifests: new Map([...site.manifests, [release, manifest]]) };
  return {
    name: `add ${release}`,
    switchesTo: null,
    leaves: next,
    steps: [
      { kind: 'folder', from: folder, path: releaseFolder(release) },
      ...Array.from(manifestFiles, ([name, content]) => file(`${manifestFolder(release)}/${name}`, content)),
      ...MANIFESTS.flatMap((name) => {
        const content = manifestFiles.get(name);
        return content ? [file(`${copyFolder(release)}/${name}`, content)] : [];
      }),
      ...configure(withBuilt, next, fallbackOf(site, next, release)),
      { kind: 'verify', what: 'release', release },
      { kind: 'open', what: 'release', release },
      ...writeReleases(next),
    ],
  };
};

/** Makes an added release the moving one. */
export const planSwitch = async (
  site: Site,
  release: string,
  command: 'publish' | 'promote',
): Promise<Transaction> => {
  hostedRelease(hostedIn(site, site.releases), release);
  const { steps, ...transaction } = await switchTo(site, release, false);
  const isKnown = command === 'publish'; // it was opened when it was added
  return {
    ...transaction,
    steps: [...(isKnown ? [] : [{ kind: 'open', what: 'release', release } as const]), ...steps],
  };
};

/** Throws a `ReleaseError` unless this release can be given to a share of visitors. */
export const refuseShare = ({ releases: { moving, canary }, kind }: Site, release: string): void => {
  if (kind !== 'nginx')
    throw new ReleaseError(
      `Only nginx can give a release to a share of visitors; got ${kind}. At a CDN, split the address of the script there. Nothing was changed.`,
    );
  if (moving === null || moving === release)
    throw new ReleaseError(
      moving === null
        ? 'A share was expected to be that of a second release; nothing was published here yet. Publish without a share first. Nothing was changed.'
        : `${release} is the moving release: all visitors get it. Nothing was changed.`,
    );
  if (canary !== null && canary.release !== release)
    throw new ReleaseError(
      `${canary.release} is given to ${canary.share} % of visitors already. Promote or abort it first. Nothing was changed.`,
    );
};

/** Gives the loader of an added release to a share of visitors, in percent. */
export const planCanary = (site: Site, release: string, share: number): Transaction => {
  refuseShare(site, release);
  const { releases } = site;
  const next: Releases = {
    ...withRelease(releases, release, { lastMoving: null }),
    canary: { release, share },
  };
  return {
    name: `give ${release} to ${share} % of visitors`,
    switchesTo: release,
    leaves: next,
    steps: [
      ...configure(site, next, fallbackOf(site, next, release)),
      ...verifyMoving(next),
      { kind: 'open', what: 'canary', release },
      ...writeReleases(next),
    ],
  };
};

/** Ends the canary; null if there is none. */
export const planAbort = (site: Site): Transaction | null => {
  const { releases, now } = site;
  const { moving, canary } = releases;
  if (canary === null || moving === null) return null;
  const next = withoutCanary(releases, now);
  return {
    name: `abort ${canary.release}`,
    switchesTo: null,
    leaves: next,
    steps: [
      ...configure(site, next, fallbackOf(site, next, moving)),
      ...verifyMoving(next),
      ...writeReleases(next),
    ],
  };
};

/** Releases that were live before the current one and can be live again, latest last. */
export const liveBefore = ({ live, releases }: Releases): readonly string[] =>
  live
    .slice(0, -1)
    .filter((one) => releases.some(({ release, withdrawn }) => release === one && withdrawn === null));

/** Makes a previously live release the moving one again: the given one, or the last one. */
export const planRollback = async (site: Site, given: string | null): Promise<Transaction> => {
  const { moving } = site.releases;
  if (moving === null)
    throw new ReleaseError(
      'Nothing was published here yet, so nothing can be rolled back. Publish first. Nothing was changed.',
    );
  const earlier = liveBefore(site.releases);
  const release = given ?? earlier.at(-1);
  if (release === undefined)
    throw new ReleaseError(
      `There is no release before ${moving}. Publish one that works. Nothing was changed.`,
    );
  if (release !== moving && !earlier.includes(release)) {
    const names = [...new Set(earlier)].join(', ') || 'none';
    throw new ReleaseError(
      `Rolling back was expected to lead to a release that was live before ${moving} and that was not withdrawn (${names}); got ${release}. To go forward, publish. Nothing was changed.`,
    );
  }
  const { steps, ...transaction } = await switchTo(site, release, true);
  return {
    ...transaction,
    name: `roll back to ${release}`,
    steps: [
      { kind: 'verify', what: 'release', release, isLenient: true },
      { kind: 'open', what: 'release', release },
      ...steps,
    ],
  };
};

/** Replaces a release's form with a document that says it was withdrawn. */
export const planWithdraw = async (site: Site, release: string): Promise<Transaction> => {
  const { releases, now } = site;
  const { moving, canary } = releases;
  const { lastMoving, withdrawn } = hostedRelease(hostedIn(site, releases), release);
  if (moving === null || release === moving)
    throw new ReleaseError(
      `${release} is the moving release. Roll back or publish first. Nothing was changed.`,
    );
  if (release === canary?.release)
    throw new ReleaseError(
      `${release} is given to ${canary.share} % of visitors. End that first: card-form release abort. Nothing was changed.`,
    );
  const wait = lastMoving === null ? 0 : Math.ceil((Date.parse(lastMoving) + MOVING_LIFETIME - now) / 1000);
  if (wait > 0)
    throw new ReleaseError(
      `${release} was the moving release until ${lastMoving}, and browsers keep its script for ${MOVING_LIFETIME / 1000} seconds. Withdraw it in ${wait} seconds. Nothing was changed.`,
    );
  const next = withRelease(releases, release, { withdrawn: withdrawn ?? at(now) });
  const folder = releaseFolder(release);
  const languages = site.manifests.get(release)?.headers.languages ?? [];
  const frame = `${folder}/${FRAME_FILE}`;
  return {
    name: `withdraw ${release}`,
    switchesTo: null,
    leaves: next,
    steps: [
      ...configure(site, next, moving),
      { kind: 'verify', what: 'release', release },
      ...suffixesIn(CODINGS).map((suffix) => remove(frame + suffix)),
      ...languages.flatMap((language) =>
        suffixesIn(CODINGS).map((suffix) => remove(`${folder}/${documentFile(language)}${suffix}`)),
      ),
      remove(`${folder}/assets`),
      ...writeReleases(next),
    ],
  };
};
