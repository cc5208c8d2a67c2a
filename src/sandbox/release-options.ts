import { isPlainOrigin } from '../hosting/headers.ts';
import { isReportsTo } from '../hosting/reports.ts';
import { isReleaseName, isShare } from '../release/releases-file.ts';
import type { ReleaseCommand } from '../release/run.ts';
import { STANDARD_COMMANDS } from '../release/server-commands.ts';
import { hasMarker, SERVER_KINDS, type ServerKind } from '../release/site.ts';
import { OptionError } from './core/option-error.ts';
import { requiredIn, switchFlag, textFlag, withoutSlash } from './flags.ts';
import { type Flag, listOf, readFlags } from './options.ts';

const isThere = (value: string) => value.trim() !== '';

const TARGET = textFlag({
  flag: '--target',
  takes: 'dir',
  about: 'the folder that the server serves',
  expected: 'the path of a folder',
  accepts: isThere,
  fallback: null,
});
const SERVER: Flag<ServerKind | undefined> = {
  flag: '--server',
  takes: SERVER_KINDS.join('|'),
  about: 'what serves it',
  rule: {
    expected: SERVER_KINDS.join(' or '),
    accepts: (value): value is ServerKind => SERVER_KINDS.some((kind) => kind === value),
    fromText: (value) => value,
  },
  fallback: undefined,
};
const URL_FLAG = textFlag({
  flag: '--url',
  takes: 'url',
  about: 'where browsers reach it; every release is verified there',
  expected: 'scheme and host of the service, as in https://pay.example',
  accepts: (value) => isPlainOrigin(withoutSlash(value)),
  fallback: null,
});
const FROM = textFlag({
  flag: '--from',
  takes: 'dist',
  about: 'publish: the dist/ of the release (that of this program)',
  expected: 'the path of a folder',
  accepts: isThere,
  fallback: null,
});
const KEEP: Flag<number | undefined> = {
  flag: '--keep-days',
  takes: 'n',
  about: 'publish: how long the release is promised to be kept (for ever)',
  rule: {
    expected: 'a whole number of days from 7 to 36500',
    accepts: (value): value is number =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 7 && value <= 36_500,
    fromText: (value) => (/^\d{1,6}$/.test(value) ? Number(value) : value),
  },
  fallback: undefined,
};
const REPORTS_TO = textFlag({
  flag: '--reports-to',
  takes: 'address',
  about: 'publish: where browsers send violation reports, or off; for all releases, until it is given again',
  expected: 'a path such as /reports, an https URL without a query, or off',
  accepts: (value) => value === 'off' || isReportsTo(value),
  fallback: null,
});
const SHARE: Flag<number | undefined> = {
  flag: '--share',
  takes: 'percent',
  about: 'publish: gives the release to this share of visitors, behind nginx (all)',
  rule: {
    expected: 'a whole number from 1 to 99',
    accepts: isShare,
    fromText: (value) => (/^\d{1,3}$/.test(value) ? Number(value) : value),
  },
  fallback: undefined,
};
const TO = textFlag({
  flag: '--to',
  takes: 'release',
  about: 'rollback: the release to go back to (the one before)',
  expected: 'the name of a release',
  accepts: isReleaseName,
  fallback: null,
});
const RELEASE = textFlag({
  flag: '--release',
  takes: 'release',
  about: 'withdraw: the release to withdraw',
  expected: 'the name of a release',
  accepts: isReleaseName,
  fallback: null,
});
const CHECK = textFlag({
  flag: '--check',
  takes: 'command',
  about: 'checks the configuration of the server (nginx -t, caddy validate)',
  expected: 'a command',
  accepts: isThere,
  fallback: null,
});
const RELOAD = textFlag({
  flag: '--reload',
  takes: 'command',
  about: 'has the server load it (nginx -s reload, caddy reload)',
  expected: 'a command',
  accepts: isThere,
  fallback: null,
});
const DRY_RUN = switchFlag('--dry-run', 'lists the steps and changes nothing');
const JSON_FLAG = switchFlag('--json', 'prints the result as JSON, and the steps to the standard error');

const FLAGS: readonly Flag<unknown>[] = [
  TARGET,
  SERVER,
  URL_FLAG,
  FROM,
  KEEP,
  SHARE,
  REPORTS_TO,
  TO,
  RELEASE,
  CHECK,
  RELOAD,
  DRY_RUN,
  JSON_FLAG,
];

/** The commands of `card-form release`. */
export const RELEASE_COMMANDS = [
  'publish',
  'promote',
  'abort',
  'rollback',
  'withdraw',
  'status',
  'prune',
] as const;

/** The options of `card-form release`, as its usage lists them. */
export const releaseOptions = (): string => listOf(FLAGS);

export type ParsedRelease = {
  command: ReleaseCommand;
  target: string;
  kind: ServerKind;
  origin: string | null;
  check: string | null;
  reload: string | null;
  isVerified: boolean;
  isDryRun: boolean;
  isJson: boolean;
};

/** Parses the command line of `card-form release`. `ownDist` is the build that contains this program. */
export const parseRelease = ([name, ...argv]: readonly string[], ownDist: string): ParsedRelease => {
  const command = RELEASE_COMMANDS.find((one) => one === name);
  if (command === undefined)
    throw new OptionError(
      `card-form release needs one of ${RELEASE_COMMANDS.join(', ')}; got ${name ? JSON.stringify(name.slice(0, 60)) : 'nothing'}.\n\n${releaseOptions()}`,
    );
  const value = readFlags(argv, {}, FLAGS);
  const required = requiredIn(value, releaseOptions);
  const kind = command === 'status' ? (value(SERVER) ?? 'files') : required(SERVER);
  const isOptional = kind === 'files' || command === 'status' || (hasMarker(kind) && value(DRY_RUN));
  const origin = isOptional ? value(URL_FLAG) : required(URL_FLAG);
  const reload = value(RELOAD) ?? STANDARD_COMMANDS[kind].reload;
  return {
    command: commandOf(command, value, required, ownDist),
    target: required(TARGET),
    kind,
    origin: origin === null ? null : withoutSlash(origin),
    check: value(CHECK) ?? STANDARD_COMMANDS[kind].check,
    reload,
    // Without a command that deploys, Cloudflare still serves what was there before.
    isVerified: kind !== 'cloudflare' || reload !== null,
    isDryRun: value(DRY_RUN),
    isJson: value(JSON_FLAG),
  };
};

const commandOf = (
  command: (typeof RELEASE_COMMANDS)[number],
  value: <Value>(flag: Flag<Value>) => Value,
  required: <Value>(flag: Flag<Value | null | undefined>) => Value,
  ownDist: string,
): ReleaseCommand => {
  switch (command) {
    case 'publish': {
      const reportsTo = value(REPORTS_TO);
      return {
        command,
        from: value(FROM) ?? ownDist,
        keepDays: value(KEEP),
        share: value(SHARE) ?? null,
        reportsTo: reportsTo === null ? undefined : reportsTo === 'off' ? null : reportsTo,
      };
    }
    case 'rollback':
      return { command, to: value(TO) };
    case 'withdraw':
      return { command, release: required(RELEASE) };
    default:
      return { command };
  }
};
