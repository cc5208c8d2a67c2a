import { APP_SCHEMES, APP_SCHEMES_RULE, type AppScheme } from '../operate/hosting/app-schemes.ts';
import { isReportsTo } from '../operate/hosting/reports.ts';
import { isReleaseName, isShare } from '../operate/release/releases-file.ts';
import type { ReleaseCommand } from '../operate/release/run.ts';
import { STANDARD_COMMANDS } from '../operate/release/server-commands.ts';
import { hasMarker, SERVER_KINDS, type ServerKind } from '../operate/release/site.ts';
import { type AbortLimits, parseLimits } from '../operate/release/watch.ts';
import { OptionError } from '../sandbox/core/option-error.ts';
import {
  type Flag,
  flagList,
  ORIGIN_URL,
  readFlags,
  requiredIn,
  switchFlag,
  textFlag,
  wholeNumber,
  withoutSlash,
} from './flag-engine.ts';
import {
  BROWSER,
  CLIENT_SECRET_FLAG,
  CREATE_WITH,
  EXECUTABLE,
  OUTPUT,
  type ParsedProbe,
  PUBLISHABLE_KEY_FLAG,
  paymentOf,
  TIMEOUT_FLAG,
} from './probe-options.ts';
import { isNode } from './verify-options.ts';

const isThere = (value: string) => value.trim() !== '';

const TARGET = textFlag({
  flag: '--target',
  takes: 'dir',
  about: 'the folder that the server serves, one file system; of several origins a,b,c',
  expected: 'the path of a folder',
  accepts: isThere,
  fallback: null,
});
const SERVER: Flag<ServerKind | undefined> = {
  flag: '--server',
  takes: SERVER_KINDS.join('|'),
  about:
    'what serves it; cloudflare: one _headers for all kept releases; files: any host that sends the headers of headers.json',
  rule: {
    expected: SERVER_KINDS.join(' or '),
    accepts: (value): value is ServerKind => SERVER_KINDS.some((kind) => kind === value),
    fromText: (value) => value,
  },
  fallback: undefined,
};
const URL_FLAG: typeof ORIGIN_URL = {
  ...ORIGIN_URL,
  flag: '--url',
  about: 'where browsers reach it; every release is verified there; files: may be left out',
};
const ORIGINS = textFlag({
  flag: '--origin',
  takes: 'a,b,c',
  about: 'the servers behind the caches of --url, one for each --target, in the order in which they move',
  expected: 'servers as host or host:port, with commas between them',
  accepts: (value) => value.split(',').every(isNode),
  fallback: null,
});
const PURGE = textFlag({
  flag: '--purge',
  takes: 'command|url',
  about: 'has caches forget the moving addresses after a move; {url} and {path} name each',
  expected: 'a command, or an address that takes a POST',
  accepts: isThere,
  fallback: null,
});
const FROM = textFlag({
  flag: '--from',
  takes: 'dist',
  about: 'publish, repair: the dist/ of the release, or the package with it (that of this program)',
  expected: 'the path of a folder, or of a package as npm packs it (.tgz)',
  accepts: isThere,
  fallback: null,
});
const KEEP: Flag<number | undefined> = {
  flag: '--keep-days',
  takes: 'n',
  about: 'publish: how long the release is promised to be kept (for ever)',
  rule: wholeNumber(7, 36_500, 'days'),
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
const APP_SCHEMES_FLAG: Flag<readonly AppScheme[] | undefined> = {
  flag: '--app-schemes',
  takes: 'a,b',
  about: `publish: apps whose pages may embed the form, of ${APP_SCHEMES.join(', ')}, or off; until it is given again`,
  rule: { ...APP_SCHEMES_RULE, expected: `${APP_SCHEMES_RULE.expected}, or off` },
  fallback: undefined,
};
const SHARE: Flag<number | undefined> = {
  flag: '--share',
  takes: 'percent',
  about: 'publish: gives the release to this share of visitors, behind nginx (all)',
  rule: { ...wholeNumber(1, 99), accepts: isShare },
  fallback: undefined,
};
const ABORT_IF: Flag<AbortLimits | undefined> = {
  flag: '--abort-if',
  takes: 'limits',
  about:
    'publish --share: watches the share and aborts it: probe=2,reports=20 is two failed probes in a row, or twenty reports',
  rule: {
    expected: 'limits such as probe=2, or probe=2,reports=20',
    accepts: (value): value is AbortLimits => typeof value === 'object' && value !== null,
    fromText: (text) => parseLimits(text) ?? text,
  },
  fallback: undefined,
};
const minutes = (flag: `--${string}`, about: string, fallback: number): Flag<number> => ({
  flag,
  takes: 'minutes',
  about,
  rule: wholeNumber(1, 1440, 'minutes'),
  fallback,
});
const WATCH_FOR = minutes('--watch-for', 'with --abort-if: how long to watch', 60);
const WATCH_EVERY = minutes('--watch-every', 'with --abort-if: how long between two looks', 1);
const REPORTS_LOG = textFlag({
  flag: '--reports-log',
  takes: 'file',
  about:
    'with --abort-if reports=n: the log of violation reports, a line each; if it cannot be read, the share is taken back',
  expected: 'the path of a file',
  accepts: isThere,
  fallback: null,
});
const TO = textFlag({
  flag: '--to',
  takes: 'release',
  about: 'rollback: the release to go back to, one that was live before (the last one)',
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
  about:
    'checks the configuration of the server, run without a shell (nginx -t; caddy validate --config /etc/caddy/Caddyfile)',
  expected: 'a command',
  accepts: isThere,
  fallback: null,
});
const RELOAD = textFlag({
  flag: '--reload',
  takes: 'command',
  about:
    'has the server load it, run without a shell (nginx -s reload; caddy reload --config /etc/caddy/Caddyfile); cloudflare: the command that deploys, without which nothing is verified',
  expected: 'a command',
  accepts: isThere,
  fallback: null,
});
const NO_PROBE = switchFlag(
  '--no-probe',
  'publish, promote, rollback: opens no form in a browser before and after, and says so',
);
const FORCE = switchFlag(
  '--force',
  'rollback: goes on without what cannot be checked and with what is damaged, and says what that is; prune: in spite of a clock that contradicts the files',
);
const OPERATOR = textFlag({
  flag: '--operator',
  takes: 'name',
  about: 'who does it, for the history (user@host)',
  expected: 'a text of at most 100 characters',
  accepts: (value) => isThere(value) && value.length <= 100,
  fallback: null,
});
const REASON = textFlag({
  flag: '--reason',
  takes: 'text',
  about: 'why, for the history',
  expected: 'a text of at most 500 characters',
  accepts: (value) => isThere(value) && value.length <= 500,
  fallback: null,
});
/** A payment of the service is not needed to open a form: without one, only the browser has it. */
const PROBE_FLAGS: readonly Flag<unknown>[] = [
  {
    ...PUBLISHABLE_KEY_FLAG,
    about: 'reads a real payment in the browser; with --client-secret or --create-with',
  },
  CLIENT_SECRET_FLAG,
  CREATE_WITH,
  BROWSER,
  EXECUTABLE,
  TIMEOUT_FLAG,
  OUTPUT,
];
const DRY_RUN = switchFlag('--dry-run', 'lists the steps and changes nothing');
const JSON_FLAG = switchFlag('--json', 'prints the result as JSON, and the steps to the standard error');

const FLAGS: readonly Flag<unknown>[] = [
  TARGET,
  SERVER,
  URL_FLAG,
  ORIGINS,
  PURGE,
  FROM,
  KEEP,
  SHARE,
  ABORT_IF,
  WATCH_FOR,
  WATCH_EVERY,
  REPORTS_LOG,
  REPORTS_TO,
  APP_SCHEMES_FLAG,
  TO,
  RELEASE,
  CHECK,
  RELOAD,
  FORCE,
  OPERATOR,
  REASON,
  NO_PROBE,
  ...PROBE_FLAGS,
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
  'history',
  'repair',
  'prune',
] as const;

/** The options of `card-form release`, as its usage lists them. */
export const releaseOptions = (): string => flagList(FLAGS);

export type ParsedRelease = {
  command: ReleaseCommand;
  /** The folders, one for each origin. */
  targets: readonly string[];
  /** The servers behind the caches; empty: `origin` itself is asked. */
  origins: readonly string[];
  purge: string | null;
  kind: ServerKind;
  origin: string | null;
  check: string | null;
  reload: string | null;
  isVerified: boolean;
  isForced: boolean;
  /** Who does it, if that was named, and why. */
  operator: { name: string | null; reason: string | null };
  /** How the form is opened in a browser; null: it is not. */
  probe:
    | (Pick<ParsedProbe, 'browser' | 'executablePath' | 'timeout' | 'output'> & {
        payment: { publishableKey: string; from: ParsedProbe['payment'] } | null;
      })
    | null;
  /** How the share of a publish is watched; null: it is not. Times in ms. */
  watch: { limits: AbortLimits; duration: number; pause: number; reportsLog: string | null } | null;
  isDryRun: boolean;
  isJson: boolean;
};

/** Parses the command line of `card-form release`. `ownDist` is the build that contains this program. */
export const parseRelease = (
  [name, ...argv]: readonly string[],
  ownDist: string,
  env: Readonly<Record<string, string | undefined>> = {},
): ParsedRelease => {
  const command = RELEASE_COMMANDS.find((one) => one === name);
  if (command === undefined)
    throw new OptionError(
      `card-form release needs one of ${RELEASE_COMMANDS.join(', ')}; got ${name ? JSON.stringify(name.slice(0, 60)) : 'nothing'}.\n\n${releaseOptions()}`,
    );
  const value = readFlags(argv, env, FLAGS);
  const required = requiredIn(value, releaseOptions);
  const isReading = command === 'status' || command === 'history';
  const kind = isReading ? (value(SERVER) ?? 'files') : required(SERVER);
  const isOptional = kind === 'files' || isReading || (hasMarker(kind) && value(DRY_RUN));
  const origin = isOptional ? value(URL_FLAG) : required(URL_FLAG);
  const targets = required(TARGET).split(',');
  const origins = value(ORIGINS)?.split(',') ?? [];
  if (targets.length > 1 && targets.length !== origins.length)
    throw new OptionError(
      `--target names ${targets.length} folders, so --origin was expected to name as many servers; it names ${origins.length}.`,
    );
  if (origins.length > targets.length)
    throw new OptionError(`--origin names ${origins.length} servers, so --target must name as many folders.`);
  if (origins.length > 0 && value(BROWSER) !== 'chromium' && !value(NO_PROBE))
    throw new OptionError(
      `--origin needs --browser chromium, which alone opens a form at one of several servers, or --no-probe; got ${value(BROWSER)}.`,
    );
  const reload = value(RELOAD) ?? STANDARD_COMMANDS[kind].reload;
  return {
    command: commandOf(command, value, required, ownDist),
    targets,
    origins,
    purge: value(PURGE),
    kind,
    origin: origin === null ? null : withoutSlash(origin),
    check: value(CHECK) ?? STANDARD_COMMANDS[kind].check,
    reload,
    // Without a command that deploys, Cloudflare still serves what was there before.
    isVerified: kind !== 'cloudflare' || reload !== null,
    isForced: value(FORCE),
    operator: { name: value(OPERATOR), reason: value(REASON) },
    probe: value(NO_PROBE) ? null : probeOf(value, required),
    watch: watchOf(value),
    isDryRun: value(DRY_RUN),
    isJson: value(JSON_FLAG),
  };
};

const watchOf = (value: <Value>(flag: Flag<Value>) => Value): ParsedRelease['watch'] => {
  const limits = value(ABORT_IF);
  if (limits === undefined) return null;
  const reportsLog = value(REPORTS_LOG);
  if (value(SHARE) === undefined) throw new OptionError('--abort-if is for a release with --share alone.');
  if (limits.probe !== null && value(NO_PROBE))
    throw new OptionError('--abort-if probe=n needs a browser: leave --no-probe out.');
  if (limits.reports !== null && reportsLog === null)
    throw new OptionError('--abort-if reports=n needs --reports-log, the log of violation reports.');
  return { limits, duration: value(WATCH_FOR) * 60_000, pause: value(WATCH_EVERY) * 60_000, reportsLog };
};

const probeOf = (
  value: <Value>(flag: Flag<Value>) => Value,
  required: <Value>(flag: Flag<Value | null | undefined>) => Value,
): ParsedRelease['probe'] => {
  const publishableKey = value(PUBLISHABLE_KEY_FLAG);
  return {
    browser: value(BROWSER),
    executablePath: value(EXECUTABLE),
    timeout: value(TIMEOUT_FLAG) * 1000,
    output: value(OUTPUT),
    payment: publishableKey === null ? null : { publishableKey, from: paymentOf(value, required) },
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
        appSchemes: value(APP_SCHEMES_FLAG),
      };
    }
    case 'rollback':
      return { command, to: value(TO) };
    case 'repair':
      return { command, from: [...new Set([value(FROM) ?? ownDist, ownDist])] };
    case 'withdraw':
      return { command, release: required(RELEASE) };
    default:
      return { command };
  }
};
