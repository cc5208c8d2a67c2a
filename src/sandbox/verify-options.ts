import { basename } from 'node:path';
import { isPlainOrigin } from '../hosting/headers.ts';
import { isReportsTo } from '../hosting/reports.ts';
import { isPublicKey } from '../hosting/signature.ts';
import { RELEASES_FILE } from '../release/releases-file.ts';
import { OptionError } from './core/option-error.ts';
import { requiredIn, SERVICE_URL, switchFlag, textFlag, withoutSlash } from './flags.ts';
import { listOf, readFlags } from './options.ts';

const BASE_URL = {
  ...SERVICE_URL,
  about: 'where browsers reach the service',
  rule: {
    ...SERVICE_URL.rule,
    accepts: (value: unknown): value is string =>
      typeof value === 'string' && isPlainOrigin(withoutSlash(value)),
  },
};
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
const SIGNED_BY = textFlag({
  flag: '--signed-by',
  takes: 'ed25519-…',
  about: 'the key that must have signed every script (the one that its release names, if any)',
  expected: 'a public key as pages pin it (ed25519- and 44 characters)',
  accepts: isPublicKey,
  fallback: null,
});
const JSON_FLAG = switchFlag('--json', 'prints the result as JSON');

const FLAGS = [BASE_URL, RELEASES, REPORTS_TO, SIGNED_BY, JSON_FLAG];

/** The options of `card-form verify`, as its usage lists them. */
export const verifyOptions = (): string => listOf(FLAGS);

export type ParsedVerify = {
  origin: string;
  /** The path of a `releases.json`; null for the build that contains the program. */
  releases: string | null;
  /** Where that build was told to send violation reports. */
  reportsTo: string | null;
  signedBy: string | null;
  isJson: boolean;
};

/** Parses the command line of `card-form verify`. Throws an `OptionError` if something is wrong. */
export const parseVerify = (argv: readonly string[]): ParsedVerify => {
  const value = readFlags(argv, {}, FLAGS);
  if (value(RELEASES) !== null && value(REPORTS_TO) !== null)
    throw new OptionError(`--reports-to is not for --releases: ${RELEASES_FILE} has the address.`);
  return {
    origin: withoutSlash(requiredIn(value, verifyOptions)(BASE_URL)),
    releases: value(RELEASES),
    reportsTo: value(REPORTS_TO),
    signedBy: value(SIGNED_BY),
    isJson: value(JSON_FLAG),
  };
};
