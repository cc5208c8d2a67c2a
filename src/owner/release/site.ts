/** The target folder's files for its server, generated from the manifests of all kept releases. */
import { STATIC_ROUTES } from '../../api/routes.ts';
import type { Rule } from '../../api/served/headers.ts';
import { type OwnersChoice, withChoice } from '../../api/served/owners-choice.ts';
import { caddyMoving, caddyRelease } from '../hosting/caddy.ts';
import { type Canary, NGINX_SPLIT_FILE, nginxSplit, withSplitLoader } from '../hosting/canary.ts';
import { type HeadersFile, type IntegrityFile, movingTags } from '../hosting/manifest.ts';
import { nginxMoving, nginxRelease } from '../hosting/nginx.ts';
import type { KeptRelease } from './releases-file.ts';
import { withdrawnRules } from './withdrawn.ts';

/** Servers that look up the marker on each request, and have one rule file per release. */
export const SERVER_KINDS = ['nginx', 'caddy'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

/** The build's description of a release. */
export type Manifest = { headers: HeadersFile; integrity: IntegrityFile };

/** A release with its manifest and the site-wide settings. */
export type Hosted = KeptRelease &
  Manifest &
  OwnersChoice & {
    /** True if a share of visitors gets the loader of a different release. */
    isSplit: boolean;
  };

/** Folder of a release's manifests, below the target folder. */
export const manifestFolder = (release: string): string => `releases/${release}`;

/** Folder of the manifest copies, from which `card-form release repair` restores them. */
export const copyFolder = (release: string): string => `copies/${release}`;

/** Folder of a release's files, below the target folder. */
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

/** The rules of addresses that don't belong to a single release. */
export const movingRules = (hosted: Hosted): readonly Rule[] =>
  allRules(hosted).filter(({ address }) => !address.startsWith(STATIC_ROUTES.release(hosted.release)));

/**
 * The server's files by path, in an order the server can safely meet them in. `fallback` is the release at the moving
 * addresses without a marker. Only nginx can split by `canary`. `names` lists the releases that can be the moving one.
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

/** Path of a server's rules for one release. */
const ruleFile = (kind: ServerKind, release: string): string =>
  kind === 'nginx' ? `nginx/card-form-${release}.conf` : `caddy/card-form-${release}.caddy`;

const rulesOf = (write: typeof nginxRelease, hosted: Hosted): string =>
  write(
    hosted.withdrawn === null ? allRules(hosted) : ownRules(hosted),
    hosted.headers,
    movingTags(hosted.integrity),
    hosted.withdrawn === null ? 'served' : 'withdrawn',
  );

/** Releases that can be the moving one, newest first. */
export const selectable = (kept: readonly KeptRelease[]): readonly string[] =>
  kept
    .filter(({ withdrawn }) => withdrawn === null)
    .map(({ release }) => release)
    .reverse();
