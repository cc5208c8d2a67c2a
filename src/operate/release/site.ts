/** The files of a target folder that are made for its server, from the manifests of all releases that it keeps. */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { caddyMoving, caddyRelease } from '../hosting/caddy.ts';
import { type Canary, NGINX_SPLIT_FILE, nginxSplit, withSplitLoader } from '../hosting/canary.ts';
import type { Rule } from '../hosting/headers.ts';
import { type HeadersFile, type IntegrityFile, movingTags } from '../hosting/manifest.ts';
import { nginxMoving, nginxRelease } from '../hosting/nginx.ts';
import { type OwnersChoice, withChoice } from '../hosting/owners-choice.ts';
import type { KeptRelease } from './releases-file.ts';
import { withdrawnRules } from './withdrawn.ts';

/** The servers that look for the marker at each request, and have a file of rules for each release. */
export const SERVER_KINDS = ['nginx', 'caddy'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

/** What the build says of a release. */
export type Manifest = { headers: HeadersFile; integrity: IntegrityFile };

/** A release with its manifest, and what the site says of all releases. */
export type Hosted = KeptRelease &
  Manifest &
  OwnersChoice & {
    /** Whether a share of visitors gets the loader of another release than the others. */
    isSplit: boolean;
  };

/** Where the manifests of a release are kept, below the target folder. */
export const manifestFolder = (release: string): string => `releases/${release}`;

/** Where copies of the manifests are kept, from which `card-form release repair` restores them. */
export const copyFolder = (release: string): string => `copies/${release}`;

/** The folder of a release's files, below the target folder. */
export const releaseFolder = (release: string): string => STATIC_ROUTES.release(release).slice(1, -1);

const allRules = (hosted: Hosted): readonly Rule[] => {
  const { rules } = hosted.headers;
  return withChoice(hosted.isSplit ? withSplitLoader(rules) : rules, hosted);
};

/** The rules of a release at its own addresses. */
export const ownRules = (hosted: Hosted): readonly Rule[] => {
  const { release, withdrawn, headers } = hosted;
  return withdrawn === null
    ? allRules(hosted).filter(({ address }) => address.startsWith(STATIC_ROUTES.release(release)))
    : withChoice(withdrawnRules(release, headers.rules), hosted);
};

/** The rules of the addresses that are no release's own. */
export const movingRules = (hosted: Hosted): readonly Rule[] =>
  allRules(hosted).filter(({ address }) => !address.startsWith(STATIC_ROUTES.release(hosted.release)));

/**
 * The files for the server, by path, in the order in which a server may meet them. `fallback` is the release at the moving
 * addresses without a marker. Only nginx can split by `canary`. `names` can be the moving one.
 */
export const serverFiles = (
  kind: ServerKind,
  hosted: readonly Hosted[],
  fallback: Hosted,
  canary: Canary | null,
  names: readonly string[] = selectable(hosted),
): ReadonlyMap<string, string> => {
  switch (kind) {
    case 'nginx':
      return new Map([
        ...(canary === null ? [] : [[NGINX_SPLIT_FILE, nginxSplit(canary)] as const]),
        ...hosted.map((one) => [ruleFile(kind, one.release), rulesOf(nginxRelease, one)] as const),
        ['nginx/card-form.conf', nginxMoving(fallback.headers.rules, names, fallback.release, canary)],
      ]);
    case 'caddy':
      return new Map([
        ...hosted.map((one) => [ruleFile(kind, one.release), rulesOf(caddyRelease, one)] as const),
        ['caddy/card-form.caddy', caddyMoving(fallback.headers.rules, names, fallback.release)],
      ]);
    default:
      return kind satisfies never;
  }
};

/** The path of a server's rules for one release. */
const ruleFile = (kind: ServerKind, release: string): string =>
  kind === 'nginx' ? `nginx/card-form-${release}.conf` : `caddy/card-form-${release}.caddy`;

const rulesOf = (write: typeof nginxRelease, hosted: Hosted): string =>
  write(
    hosted.withdrawn === null ? allRules(hosted) : ownRules(hosted),
    hosted.headers,
    movingTags(hosted.integrity),
    hosted.withdrawn === null ? 'served' : 'withdrawn',
  );

/** The releases that can be the moving one, the newest first. */
export const selectable = (kept: readonly KeptRelease[]): readonly string[] =>
  kept
    .filter(({ withdrawn }) => withdrawn === null)
    .map(({ release }) => release)
    .reverse();
