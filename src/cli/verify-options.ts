import { basename } from 'node:path';
import { APP_SCHEMES_RULE, type AppScheme } from '../operate/hosting/app-schemes.ts';
import { isReportsTo } from '../operate/hosting/reports.ts';
import { isPublicKey } from '../operate/hosting/signature.ts';
import { RELEASES_FILE } from '../operate/release/releases-file.ts';
import { OptionError } from '../sandbox/core/option-error.ts';
import {
  type Flag,
  flagList,
  METRICS,
  ORIGIN_URL,
  readFlags,
  requiredIn,
  switchFlag,
  textFlag,
  wholeNumber,
  withoutSlash,
} from './flag-engine.ts';

const RELEASES = textFlag({
  flag: '--releases',
  takes: RELEASES_FILE,
  about:
    'of the target folder of card-form release, or of a copy, with releases/ beside it (only the own build)',
  expected: `the path of a file named ${RELEASES_FILE}`,
  accepts: (value) => basename(value) === RELEASES_FILE,
  fallback: null,
});
const REPORTS_TO = textFlag({
  flag: '--reports-to',
  takes: 'address',
  about: 'without --releases: what the release was published with',
  expected: 'a path such as /reports, or an https URL without a query',
  accepts: isReportsTo,
  fallback: null,
});
const APP_SCHEMES_FLAG: Flag<readonly AppScheme[]> = {
  flag: '--app-schemes',
  takes: 'a,b',
  about: 'without --releases: what the release was published with',
  rule: APP_SCHEMES_RULE,
  fallback: [],
};
const SIGNED_BY = textFlag({
  flag: '--signed-by',
  takes: 'ed25519-…',
  about: 'the key that must have signed every script (the one that its release names, if any)',
  expected: 'a public key as pages pin it (ed25519- and 44 characters)',
  accepts: isPublicKey,
  fallback: null,
});
/** Whether this is the address of a node, with a port or without. */
export const isNode = (text: string): boolean => /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(text);

const TIME_LIMIT: Flag<number> = {
  flag: '--time-limit',
  takes: 'seconds',
  about: 'how long all of it may take',
  rule: wholeNumber(1, 86_400, 'seconds'),
  fallback: 600,
};
const EDGES = textFlag({
  flag: '--edges',
  takes: 'a,b,c',
  about: 'asks each of these nodes under the name of --base-url, and says which differ',
  expected: 'nodes as host or host:port, with commas between them',
  accepts: (value) => value.split(',').every(isNode),
  fallback: null,
});
const ANY_CODING = switchFlag(
  '--any-coding',
  'accepts files that are not compressed as the build has them; without it, a lost brotli is a difference',
);
const JSON_FLAG = switchFlag(
  '--json',
  'prints a line of JSON for each fault, however many addresses have it, and the result in the last line',
);

const FLAGS: readonly Flag<unknown>[] = [
  ORIGIN_URL,
  RELEASES,
  REPORTS_TO,
  APP_SCHEMES_FLAG,
  SIGNED_BY,
  EDGES,
  TIME_LIMIT,
  ANY_CODING,
  METRICS,
  JSON_FLAG,
];

/** The options of `card-form verify`, as its usage lists them. */
export const verifyOptions = (): string => flagList(FLAGS);

export type ParsedVerify = {
  origin: string;
  /** The path of a `releases.json`; null for the build that contains the program. */
  releases: string | null;
  /** Where that build was told to send violation reports. */
  reportsTo: string | null;
  /** The apps that may embed the form of that build. */
  appSchemes: readonly AppScheme[];
  signedBy: string | null;
  /** The nodes to ask; empty for the service as browsers reach it. */
  edges: readonly string[];
  /** In ms. */
  timeLimit: number;
  isAnyCoding: boolean;
  /** The file that gets the metrics, if any. */
  metrics: string | null;
  isJson: boolean;
};

/** Parses the command line of `card-form verify`. Throws an `OptionError` if something is wrong. */
export const parseVerify = (argv: readonly string[]): ParsedVerify => {
  const value = readFlags(argv, {}, FLAGS);
  for (const { flag, isGiven } of [
    { flag: REPORTS_TO.flag, isGiven: value(REPORTS_TO) !== null },
    { flag: APP_SCHEMES_FLAG.flag, isGiven: value(APP_SCHEMES_FLAG).length > 0 },
  ])
    if (isGiven && value(RELEASES) !== null)
      throw new OptionError(`${flag} is not for --releases: ${RELEASES_FILE} has it.`);
  return {
    origin: withoutSlash(requiredIn(value, verifyOptions)(ORIGIN_URL)),
    releases: value(RELEASES),
    reportsTo: value(REPORTS_TO),
    appSchemes: value(APP_SCHEMES_FLAG),
    signedBy: value(SIGNED_BY),
    edges: value(EDGES)?.split(',') ?? [],
    timeLimit: value(TIME_LIMIT) * 1000,
    isAnyCoding: value(ANY_CODING),
    metrics: value(METRICS),
    isJson: value(JSON_FLAG),
  };
};
