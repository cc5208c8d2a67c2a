import * as z from 'zod/mini';
import {
  anything,
  browserUrl,
  flag,
  integerFrom,
  listFlags,
  missing,
  orNull,
  parseFlags,
  turned,
  URL_EXPECTED,
} from '../../api/command/flags.ts';
import { OptionError } from '../../api/command/option-error.ts';
import { APP_SCHEMES } from '../../api/served/app-schemes.ts';
import { isReportsTo } from '../../api/served/reports.ts';
import { isReleaseName } from '../release/releases-file.ts';
import type { ReleaseCommand } from '../release/run.ts';
import { STANDARD_COMMANDS } from '../release/server-commands.ts';
import { SERVER_KINDS } from '../release/site.ts';
import { BROWSER_FLAGS } from './probe-options.ts';
import { node } from './verify-options.ts';

const release = orNull(z.string().check(z.refine(isReleaseName)));
const RELEASE = { takes: 'release', expected: 'the name of a release' };
const appSchemes = z
  .array(z.enum([...APP_SCHEMES, 'off']))
  .check(z.refine((schemes) => schemes.length === 1 || !schemes.includes('off')));
const COMMAND = { takes: 'command', expected: 'a command' };
const standard = (command: 'check' | 'reload') =>
  Object.values(STANDARD_COMMANDS)
    .map((one) => one[command])
    .join('; ');

/** Flags of `card-form release`, whose first word is a command. */
export const RELEASE_FLAGS = z.object({
  target: flag(anything, {
    ...{ takes: 'dir', expected: 'the path of a folder' },
    description: 'the folder that the server serves, one file system',
  }),
  server: flag(orNull(z.enum(SERVER_KINDS)), {
    description: 'what serves it',
  }),
  url: flag(orNull(browserUrl), {
    ...{ takes: 'url', expected: URL_EXPECTED },
    description: 'where browsers reach it; every release is verified there',
  }),
  origin: flag(orNull(node), {
    ...{ takes: 'host', expected: 'a server as host or host:port' },
    description: 'the server behind the caches of --url, which is asked under its name',
  }),
  from: flag(orNull(anything), {
    ...{ takes: 'dist', expected: 'the path of a folder' },
    description: 'publish, repair: the dist/ of the release (that of this program)',
  }),
  share: flag(orNull(integerFrom(1, 99)), {
    takes: 'percent',
    description: 'publish: gives the release to this share of visitors, behind nginx (all)',
  }),
  addOnly: turned('publish: adds the release beside the others, and moves no address to it'),
  reportsTo: flag(z.optional(z.string().check(z.refine((text) => text === 'off' || isReportsTo(text)))), {
    ...{ takes: 'address', expected: 'a path such as /reports, an https URL without a query, or off' },
    description:
      'publish: where browsers send violation reports, or off; for all releases, until it is given again',
  }),
  appSchemes: flag(z.optional(appSchemes), {
    ...{ takes: 'a,b' },
    expected: `a list of ${APP_SCHEMES.join(', ')}, with commas between them, or off`,
    description: `publish: apps whose pages may embed the form, of ${APP_SCHEMES.join(', ')}, or off; until it is given again`,
  }),
  to: flag(release, {
    ...RELEASE,
    description: 'rollback: the release to go back to, one that was live before (the last one)',
  }),
  release: flag(release, { ...RELEASE, description: 'withdraw: the release to withdraw' }),
  check: flag(orNull(anything), {
    ...COMMAND,
    description: `checks the configuration of the server, run without a shell (${standard('check')})`,
  }),
  reload: flag(orNull(anything), {
    ...COMMAND,
    description: `has the server load it, run without a shell (${standard('reload')})`,
  }),
  force: turned('rollback: moves back without a check over HTTP or in a browser, also to what is damaged'),
  noProbe: turned('publish, promote, rollback: opens no form in a browser before and after, and says so'),
  ...BROWSER_FLAGS,
  json: turned('prints the result as JSON, and the steps to the standard error'),
});

/** Commands of `card-form release`. */
export const RELEASE_COMMANDS = [
  'publish',
  'promote',
  'abort',
  'rollback',
  'withdraw',
  'status',
  'repair',
] as const;

type Flags = z.output<typeof RELEASE_FLAGS>;

/** Parses the command line of `card-form release`. `ownDist` is the build that contains this program. */
export const parseRelease = ([name, ...argv]: readonly string[], ownDist: string) => {
  const command = RELEASE_COMMANDS.find((one) => one === name);
  if (command === undefined)
    throw new OptionError(
      `card-form release needs one of ${RELEASE_COMMANDS.join(', ')}; got ${name ? JSON.stringify(name.slice(0, 60)) : 'nothing'}.\n\n${listFlags(RELEASE_FLAGS)}`,
    );
  const flags = parseFlags(RELEASE_FLAGS, argv);
  const kind = flags.server ?? (command === 'status' ? 'nginx' : null);
  if (kind === null) throw missing(RELEASE_FLAGS, 'server');
  if (command !== 'status' && flags.url === null) throw missing(RELEASE_FLAGS, 'url');
  return {
    ...flags,
    kind,
    url: flags.url ?? '', // empty only for status, which makes no requests
    command: commandOf(command, flags, ownDist),
    check: flags.check ?? STANDARD_COMMANDS[kind].check,
    reload: flags.reload ?? STANDARD_COMMANDS[kind].reload,
  };
};

export type ParsedRelease = ReturnType<typeof parseRelease>;

const commandOf = (
  command: (typeof RELEASE_COMMANDS)[number],
  { from, share, addOnly, reportsTo, appSchemes, to, release }: Flags,
  ownDist: string,
): ReleaseCommand => {
  switch (command) {
    case 'publish':
      return {
        ...{ command, from: from ?? ownDist, share, isOnlyAdded: addOnly },
        appSchemes: appSchemes && [...new Set(appSchemes)].filter((scheme) => scheme !== 'off').sort(),
        reportsTo: reportsTo === 'off' ? null : reportsTo,
      };
    case 'rollback':
      return { command, to };
    case 'repair':
      return { command, from: [...new Set([from ?? ownDist, ownDist])] };
    case 'withdraw':
      if (release === null) throw missing(RELEASE_FLAGS, 'release');
      return { command, release };
    default:
      return { command };
  }
};
