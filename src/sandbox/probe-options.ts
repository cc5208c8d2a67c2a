import { isPlainOrigin } from '../hosting/headers.ts';
import type { BrowserName } from '../probe/playwright.ts';
import { OptionError } from './core/option-error.ts';
import { isServiceUrl, requiredIn, SERVICE_URL, switchFlag, textFlag, withoutSlash } from './flags.ts';
import { type Flag, listOf, readFlags } from './options.ts';

const PUBLISHABLE_KEY = textFlag({
  flag: '--publishable-key',
  takes: 'pk_live_…',
  about: 'of the account of the payment',
  expected: 'a publishable key (pk_live_ and 32 characters)',
  accepts: (value) => /^pk_live_[\w-]{32}$/.test(value),
  fallback: null,
});
const SECRET = 'a client secret (lg_cs_…)';
const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && /^lg_cs_[\w-]+$/.test(value);
/** Not made by `textFlag`, because the message of a wrong value must not repeat it. */
const CLIENT_SECRET: Flag<string | null> = {
  flag: '--client-secret',
  takes: 'lg_cs_…',
  env: 'CARD_FORM_PROBE_CLIENT_SECRET',
  about: 'of a pending payment with all its data, which nobody pays',
  rule: { expected: SECRET, accepts: (value) => typeof value === 'string', fromText: (text) => text },
  fallback: null,
};
const CREATE_WITH = textFlag({
  flag: '--create-with',
  takes: 'command',
  about: 'in place of --client-secret: prints the client secret of a new payment; run without a shell',
  expected: 'a command',
  accepts: (value) => value.trim() !== '',
  fallback: null,
});
const BROWSERS: readonly BrowserName[] = ['chromium', 'firefox', 'webkit'];
const BROWSER: Flag<BrowserName> = {
  flag: '--browser',
  takes: BROWSERS.join('|'),
  about: 'which browser',
  rule: {
    expected: BROWSERS.join(' or '),
    accepts: (value): value is BrowserName => BROWSERS.some((name) => name === value),
    fromText: (text) => text,
  },
  fallback: 'chromium',
};
const EXECUTABLE = textFlag({
  flag: '--executable-path',
  takes: 'file',
  about: 'the file of the browser, if Playwright installed none',
  expected: 'the path of a file',
  accepts: (value) => value.trim() !== '',
  fallback: null,
});
const TIMEOUT: Flag<number> = {
  flag: '--timeout',
  takes: 'seconds',
  about: 'how long the form may take',
  rule: {
    expected: 'a whole number of seconds from 1 to 600',
    accepts: (value): value is number =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= 600,
    fromText: (text) => (/^\d{1,4}$/.test(text) ? Number(text) : text),
  },
  fallback: 30,
};
const OUTPUT = textFlag({
  flag: '--output',
  takes: 'dir',
  about: 'gets a screenshot and a HAR of each failure, without secrets',
  expected: 'the path of a folder',
  accepts: (value) => value.trim() !== '',
  fallback: 'card-form-probe',
});
const JSON_FLAG = switchFlag('--json', 'prints the result as JSON');

const FLAGS: readonly Flag<unknown>[] = [
  SERVICE_URL,
  PUBLISHABLE_KEY,
  CLIENT_SECRET,
  CREATE_WITH,
  BROWSER,
  EXECUTABLE,
  TIMEOUT,
  OUTPUT,
  JSON_FLAG,
];

/** The options of `card-form probe`, as its usage lists them. */
export const probeOptions = (): string => listOf(FLAGS);

export type ParsedProbe = {
  origin: string;
  publishableKey: string;
  /** A client secret, or the command that prints one. */
  payment: { kind: 'secret'; secret: string } | { kind: 'command'; command: string };
  browser: BrowserName;
  executablePath: string | null;
  /** In ms. */
  timeout: number;
  output: string;
  isJson: boolean;
};

/**
 * Parses the command line of `card-form probe`. Throws an `OptionError` if something is wrong; its message never has the
 * client secret.
 */
export const parseProbe = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedProbe => {
  const value = readFlags(argv, env, FLAGS);
  const required = requiredIn(value, probeOptions);
  const origin = withoutSlash(required(SERVICE_URL));
  if (!isServiceUrl(origin) || !isPlainOrigin(origin))
    throw new OptionError(`--base-url must be ${SERVICE_URL.rule.expected}; got ${JSON.stringify(origin)}.`);
  const publishableKey = required(PUBLISHABLE_KEY);
  const command = value(CREATE_WITH);
  const secret = command === null ? required(CLIENT_SECRET) : null;
  if (secret !== null && !isSecret(secret))
    throw new OptionError(`--client-secret must be ${SECRET}; got another text.`);
  return {
    origin,
    publishableKey,
    payment: secret === null ? { kind: 'command', command: command ?? '' } : { kind: 'secret', secret },
    browser: value(BROWSER),
    executablePath: value(EXECUTABLE),
    timeout: value(TIMEOUT) * 1000,
    output: value(OUTPUT),
    isJson: value(JSON_FLAG),
  };
};
