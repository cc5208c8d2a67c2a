import type { BrowserName } from '../operate/probe/playwright.ts';
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

export const PUBLISHABLE_KEY_FLAG = textFlag({
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
export const CLIENT_SECRET_FLAG: Flag<string | null> = {
  flag: '--client-secret',
  takes: 'lg_cs_…',
  env: 'CARD_FORM_PROBE_CLIENT_SECRET',
  about:
    'of a pending payment with all its data, which nobody pays, so it can be the same each time; better in the environment, as others can read command lines',
  rule: { expected: SECRET, accepts: (value) => typeof value === 'string', fromText: (text) => text },
  fallback: null,
};
export const CREATE_WITH = textFlag({
  flag: '--create-with',
  takes: 'command',
  about: 'in place of --client-secret: prints the client secret of a new payment; run without a shell',
  expected: 'a command',
  accepts: (value) => value.trim() !== '',
  fallback: null,
});
const BROWSERS: readonly BrowserName[] = ['chromium', 'firefox', 'webkit'];
export const BROWSER: Flag<BrowserName> = {
  flag: '--browser',
  takes: BROWSERS.join('|'),
  about: 'which browser; only chromium is tested, the others are those that Playwright installs',
  rule: {
    expected: BROWSERS.join(' or '),
    accepts: (value): value is BrowserName => BROWSERS.some((name) => name === value),
    fromText: (text) => text,
  },
  fallback: 'chromium',
};
export const EXECUTABLE = textFlag({
  flag: '--executable-path',
  takes: 'file',
  about: 'the file of the browser, if Playwright installed none',
  expected: 'the path of a file',
  accepts: (value) => value.trim() !== '',
  fallback: null,
});
export const TIMEOUT_FLAG: Flag<number> = {
  flag: '--timeout',
  takes: 'seconds',
  about: 'how long the form may take',
  rule: wholeNumber(1, 600, 'seconds'),
  fallback: 30,
};
export const OUTPUT = textFlag({
  flag: '--output',
  takes: 'dir',
  about: 'gets a screenshot and a HAR of each failure, without client secret, bodies and cookies',
  expected: 'the path of a folder',
  accepts: (value) => value.trim() !== '',
  fallback: 'card-form-probe',
});
const JSON_FLAG = switchFlag('--json', 'prints the result as JSON');

const FLAGS: readonly Flag<unknown>[] = [
  ORIGIN_URL,
  PUBLISHABLE_KEY_FLAG,
  CLIENT_SECRET_FLAG,
  CREATE_WITH,
  BROWSER,
  EXECUTABLE,
  TIMEOUT_FLAG,
  OUTPUT,
  METRICS,
  JSON_FLAG,
];

/** The options of `card-form probe`, as its usage lists them. */
export const probeOptions = (): string => flagList(FLAGS);

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
  /** The file that gets the metrics, if any. */
  metrics: string | null;
  isJson: boolean;
};

/** Where the client secret comes from. */
export const paymentOf = (
  value: <Value>(flag: Flag<Value>) => Value,
  required: <Value>(flag: Flag<Value | null | undefined>) => Value,
): ParsedProbe['payment'] => {
  const command = value(CREATE_WITH);
  if (command !== null) return { kind: 'command', command };
  const secret = required(CLIENT_SECRET_FLAG);
  if (!isSecret(secret)) throw new OptionError(`--client-secret must be ${SECRET}; got another text.`);
  return { kind: 'secret', secret };
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
  const origin = withoutSlash(required(ORIGIN_URL));
  const publishableKey = required(PUBLISHABLE_KEY_FLAG);
  return {
    origin,
    publishableKey,
    payment: paymentOf(value, required),
    browser: value(BROWSER),
    executablePath: value(EXECUTABLE),
    timeout: value(TIMEOUT_FLAG) * 1000,
    output: value(OUTPUT),
    metrics: value(METRICS),
    isJson: value(JSON_FLAG),
  };
};
