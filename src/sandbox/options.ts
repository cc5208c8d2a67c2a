import { APP_SCHEMES, APP_SCHEMES_RULE, type AppScheme } from '../operate/hosting/app-schemes.ts';
import type { WallClock } from './core/clock.ts';
import { isControlToken } from './core/control-token.ts';
import { OptionError } from './core/option-error.ts';
import { SERVICE_PORT } from './core/ports.ts';
import { createFaultQueue, type FaultPlan } from './faults/fault-queue.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from './service.ts';
import { type Outgoing, postOverHttp } from './webhooks/outgoing.ts';

/** The options of a sandbox, all optional (contract 6.6). */
export type SandboxOptions = {
  feeBearer?: 'merchant' | 'buyer';
  attempts?: number;
  holdFailedAttempts?: boolean;
  /** How long an attempt runs, in seconds. */
  attemptSeconds?: number;
  /** The status of an intent while an attempt runs (contract 4.6). */
  runningAttempts?: 'processing' | 'pending';
  clientRateLimit?: number;
  serverRateLimit?: number;
  seed?: number;
  /** The number at the end of the keys of the first account. Default: 1. */
  keyNumber?: number;
  /** The file that stores the state. Created if it does not exist. */
  state?: string;
  clock?: WallClock;
  /** Decides the faults of browser requests, in order of arrival. Faults from control routes come first. */
  faults?: FaultPlan;
  /** Receives webhooks instead of the network, so that a test sees them and decides the response. */
  outgoing?: Outgoing;
  /** Whether a webhook endpoint may be on this machine, such as http://localhost:3000/webhooks. Default: true. */
  allowLocalWebhooks?: boolean;
  /** Host names at which webhook endpoints may be, wherever they lead, on any port and without TLS. Default: none. */
  webhookHosts?: readonly string[];
  /** Whether browsers send violation reports of the frame's document to the sandbox, which the inspector shows. */
  reports?: boolean;
  /** Schemes from which apps load pages that may embed the form: `capacitor`, `ionic`, `tauri`, `app`. Default: none. */
  appSchemes?: readonly AppScheme[];
};

const isHostName = (name: unknown): boolean =>
  typeof name === 'string' && /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(name);

/** A check of an option's value: its description, the test, and the conversion from command-line text. */
type Rule<Value> = {
  expected: string;
  accepts: (value: unknown) => value is Value;
  fromText: (text: string) => unknown;
};

/** A whole number `of` a unit, such as seconds. */
export const wholeNumber = (least: number, most: number, of?: string): Rule<number> => ({
  expected: `a whole number${of ? ` of ${of}` : ''} from ${least} to ${most}`,
  accepts: (value): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most,
  fromText: (text) => (/^\d{1,16}$/.test(text) ? Number(text) : text),
});

const RULES = {
  feeBearer: {
    expected: 'merchant or buyer',
    accepts: (value): value is 'merchant' | 'buyer' => value === 'merchant' || value === 'buyer',
    fromText: (text) => text,
  } satisfies Rule<'merchant' | 'buyer'>,
  attempts: wholeNumber(1, 20),
  holdFailedAttempts: {
    expected: 'true or false',
    accepts: (value): value is boolean => typeof value === 'boolean',
    fromText: (text) => text === 'true',
  } satisfies Rule<boolean>,
  attemptSeconds: wholeNumber(0, 3600),
  runningAttempts: {
    expected: 'processing or pending',
    accepts: (value): value is 'processing' | 'pending' => value === 'processing' || value === 'pending',
    fromText: (text) => text,
  } satisfies Rule<'processing' | 'pending'>,
  clientRateLimit: wholeNumber(1, 1_000_000),
  serverRateLimit: wholeNumber(1, 1_000_000),
  seed: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  keyNumber: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  state: {
    expected: 'the path of a file',
    accepts: (value): value is string => typeof value === 'string' && value !== '',
    fromText: (text) => text,
  } satisfies Rule<string>,
  clock: {
    expected: 'an object with now() and wait()',
    accepts: (value): value is WallClock =>
      typeof value === 'object' && value !== null && 'now' in value && 'wait' in value,
    fromText: (text) => text,
  } satisfies Rule<WallClock>,
  faults: {
    expected: 'a function from a route to a fault or undefined',
    accepts: (value): value is FaultPlan => typeof value === 'function',
    fromText: (text) => text,
  } satisfies Rule<FaultPlan>,
  outgoing: {
    expected: 'a function from a request to a promise of its status',
    accepts: (value): value is Outgoing => typeof value === 'function',
    fromText: (text) => text,
  } satisfies Rule<Outgoing>,
  allowLocalWebhooks: {
    expected: 'true or false',
    accepts: (value): value is boolean => typeof value === 'boolean',
    fromText: (text) => text === 'true',
  } satisfies Rule<boolean>,
  webhookHosts: {
    expected: 'host names without a port, such as shop or staging.example.test',
    accepts: (value): value is string[] => Array.isArray(value) && value.every(isHostName),
    fromText: (text) => text.split(','),
  } satisfies Rule<readonly string[]>,
  reports: {
    expected: 'true or false',
    accepts: (value): value is boolean => typeof value === 'boolean',
    fromText: (text) => text === 'true',
  } satisfies Rule<boolean>,
  appSchemes: {
    ...APP_SCHEMES_RULE,
    expected: `a list of ${APP_SCHEMES.join(', ')}`,
  } satisfies Rule<readonly AppScheme[]>,
};

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const accepted = <Value>(name: string, rule: Rule<Value>, value: unknown, got = shown(value)): Value => {
  if (rule.accepts(value)) return value;
  throw new OptionError(`${name} must be ${rule.expected}; got ${got}.`);
};

const NO_FAULTS: FaultPlan = () => undefined;

/** Checks options given in code. A wrong one throws an error with the expected and the actual value. */
export const settingsOf = (options: SandboxOptions): ServiceSettings => {
  const known = Object.keys(RULES);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new OptionError(`createSandbox has no option ${unknown}. It has: ${known.join(', ')}.`);
  }
  const or = <Value>(name: keyof typeof RULES, rule: Rule<Value>, fallback: Value): Value =>
    options[name] === undefined ? fallback : accepted(name, rule, options[name]);
  const webhookHosts = or('webhookHosts', RULES.webhookHosts, DEFAULT_SETTINGS.webhookHosts).map((name) =>
    name.toLowerCase(),
  );
  return {
    feeBearer:
      options.feeBearer === undefined ? undefined : accepted('feeBearer', RULES.feeBearer, options.feeBearer),
    attempts: or('attempts', RULES.attempts, DEFAULT_SETTINGS.attempts),
    holdFailedAttempts: or(
      'holdFailedAttempts',
      RULES.holdFailedAttempts,
      DEFAULT_SETTINGS.holdFailedAttempts,
    ),
    attemptSeconds: or('attemptSeconds', RULES.attemptSeconds, DEFAULT_SETTINGS.attemptSeconds),
    runningAttempts: or('runningAttempts', RULES.runningAttempts, DEFAULT_SETTINGS.runningAttempts),
    clientRateLimit: or('clientRateLimit', RULES.clientRateLimit, DEFAULT_SETTINGS.clientRateLimit),
    serverRateLimit: or('serverRateLimit', RULES.serverRateLimit, DEFAULT_SETTINGS.serverRateLimit),
    seed: options.seed === undefined ? undefined : accepted('seed', RULES.seed, options.seed),
    keyNumber: or('keyNumber', RULES.keyNumber, DEFAULT_SETTINGS.keyNumber),
    state: options.state === undefined ? undefined : accepted('state', RULES.state, options.state),
    clock: or('clock', RULES.clock, DEFAULT_SETTINGS.clock),
    faults: createFaultQueue(or('faults', RULES.faults, NO_FAULTS)),
    outgoing: or('outgoing', RULES.outgoing, postOverHttp(webhookHosts)),
    allowLocalWebhooks: or(
      'allowLocalWebhooks',
      RULES.allowLocalWebhooks,
      DEFAULT_SETTINGS.allowLocalWebhooks,
    ),
    webhookHosts,
    reports: or('reports', RULES.reports, DEFAULT_SETTINGS.reports),
    appSchemes: or('appSchemes', RULES.appSchemes, DEFAULT_SETTINGS.appSchemes),
  };
};

/** An option of the command line. */
export type Flag<Value> = {
  flag: `--${string}`;
  /** The placeholder of its value in the usage; `null` for a flag without a value. */
  takes: string | null;
  /** The environment variable that is used if the option is not given. */
  env?: string;
  about: string;
  rule: Rule<Value>;
  fallback: Value;
  /** Whether it may be given more than once. Its rule gets the values separated by commas. */
  repeats?: true;
};

/** An option for a port; 0 lets the system choose one. */
export const portFlag = (
  flag: `--${string}`,
  env: string,
  fallback: number,
  about: string,
): Flag<number> => ({
  flag,
  takes: 'n',
  env,
  about,
  rule: wholeNumber(0, 65_535),
  fallback,
});

// Not PORT, which the merchant's own server beside the sandbox reads.
const PORT = portFlag('--port', 'CARD_FORM_SANDBOX_PORT', SERVICE_PORT, 'port of the service');
const HOST: Flag<string> = {
  flag: '--host',
  takes: 'address',
  about: 'listens there; 0.0.0.0 lets other machines in, and control routes then need the control token',
  rule: {
    expected: 'an address or name of this machine, such as 0.0.0.0',
    accepts: (value): value is string => typeof value === 'string' && /^[\w.:-]{1,253}$/.test(value),
    fromText: (text) => text,
  },
  fallback: '127.0.0.1',
};
const ALLOW_HOST: Flag<readonly string[]> = {
  flag: '--allow-host',
  takes: 'name',
  about: 'answers to this host name, too; control routes then need the control token; repeatable',
  rule: {
    expected: 'a host name without a port, such as sandbox or pay.example.test',
    accepts: (value): value is string[] => Array.isArray(value) && value.every(isHostName),
    fromText: (text) => text.split(','),
  },
  fallback: [],
  repeats: true,
};
/** In the environment alone: other users of the machine can read the command lines of its programs. */
const TOKEN_VARIABLE = 'CARD_FORM_SANDBOX_TOKEN';
const TOKEN: Rule<string> = {
  expected: 'a control token: 16 or more letters, digits and characters of - . _ ~ + /',
  accepts: (value): value is string => typeof value === 'string' && isControlToken(value),
  fromText: (text) => text,
};
const FEE_BEARER: Flag<'merchant' | 'buyer' | undefined> = {
  flag: '--fee-bearer',
  takes: 'merchant|buyer',
  about: 'who pays the fees (merchant)',
  rule: RULES.feeBearer,
  fallback: undefined,
};
const ATTEMPTS: Flag<number> = {
  flag: '--attempts',
  takes: 'n',
  about: 'payment attempts per intent, 1 to 20',
  rule: RULES.attempts,
  fallback: DEFAULT_SETTINGS.attempts,
};
const HOLD: Flag<boolean> = {
  flag: '--hold-failed-attempts',
  takes: null,
  about: 'a failed attempt keeps its intent in processing until it is released',
  rule: RULES.holdFailedAttempts,
  fallback: DEFAULT_SETTINGS.holdFailedAttempts,
};
const ATTEMPT_SECONDS: Flag<number> = {
  flag: '--attempt-seconds',
  takes: 'n',
  about: 'how long a payment attempt runs before its outcome is known',
  rule: RULES.attemptSeconds,
  fallback: DEFAULT_SETTINGS.attemptSeconds,
};
const RUNNING_ATTEMPTS: Flag<'processing' | 'pending'> = {
  flag: '--running-attempts',
  takes: 'processing|pending',
  about: 'the status of an intent while an attempt runs',
  rule: RULES.runningAttempts,
  fallback: DEFAULT_SETTINGS.runningAttempts,
};
const CLIENT_RATE: Flag<number> = {
  flag: '--client-rate-limit',
  takes: 'n',
  about: 'browser requests per minute, IP address and route',
  rule: RULES.clientRateLimit,
  fallback: DEFAULT_SETTINGS.clientRateLimit,
};
const SERVER_RATE: Flag<number> = {
  flag: '--server-rate-limit',
  takes: 'n',
  about: 'server requests per minute, account and route',
  rule: RULES.serverRateLimit,
  fallback: DEFAULT_SETTINGS.serverRateLimit,
};
const SEED: Flag<number | undefined> = {
  flag: '--seed',
  takes: 'n',
  about: 'makes ids and random values repeatable',
  rule: RULES.seed,
  fallback: undefined,
};
const STATE: Flag<string | undefined> = {
  flag: '--state',
  takes: 'file.json',
  about: 'stores the state in this file, and loads it at the start',
  rule: RULES.state,
  fallback: undefined,
};

const SHARED_KEYS: Flag<boolean> = {
  flag: '--shared-keys',
  takes: null,
  about: `has the keys of a sandbox on port ${PORT.fallback}; without it, a sandbox on another port has keys of its own`,
  rule: RULES.reports,
  fallback: false,
};

const STRICT_WEBHOOKS: Flag<boolean> = {
  flag: '--strict-webhooks',
  takes: null,
  about: "endpoints keep the service's rules: https, port 443, a public host name",
  rule: RULES.allowLocalWebhooks,
  fallback: false,
};

const WEBHOOK_HOST: Flag<readonly string[]> = {
  flag: '--webhook-host',
  takes: 'name',
  about: 'endpoints may be at this host, wherever it leads, on any port and without TLS; repeatable',
  rule: RULES.webhookHosts,
  fallback: [],
  repeats: true,
};

const REPORTS: Flag<boolean> = {
  flag: '--reports',
  takes: null,
  about: 'has browsers report what the policies of the form refuse; the inspector shows the reports',
  rule: RULES.reports,
  fallback: false,
};

const APP_SCHEMES_FLAG: Flag<readonly AppScheme[]> = {
  flag: '--app-schemes',
  takes: 'a,b',
  about: `apps whose pages may embed the form, of ${APP_SCHEMES.join(', ')}`,
  rule: RULES.appSchemes,
  fallback: [],
};

const SANDBOX_FLAGS: readonly Flag<unknown>[] = [
  FEE_BEARER,
  ATTEMPTS,
  HOLD,
  ATTEMPT_SECONDS,
  RUNNING_ATTEMPTS,
  CLIENT_RATE,
  SERVER_RATE,
  SEED,
  STATE,
  SHARED_KEYS,
  STRICT_WEBHOOKS,
  WEBHOOK_HOST,
  REPORTS,
  APP_SCHEMES_FLAG,
];

/** The options of `card-form sandbox`, as its usage lists them. */
export const sandboxOptions = (): string => flagList([PORT, HOST, ALLOW_HOST, ...SANDBOX_FLAGS]);

/** A parsed and checked command line. */
export type ParsedOptions = {
  port: number;
  host: string;
  /** Host names to answer to besides those of this machine. */
  names: readonly string[];
  /** The control token of the environment. */
  token?: string;
  sandbox: SandboxOptions;
  /** The value of an extra option. */
  value<Value>(flag: Flag<Value>): Value;
};

/**
 * The number in the keys of a sandbox on this port: another on each, so that a shop never uses the wrong sandbox unnoticed.
 * The keys of the standard port, and of a port that the system chooses, are those that the documentation has.
 */
export const keyNumberOn = (port: number): number =>
  port === 0 || port === PORT.fallback ? DEFAULT_SETTINGS.keyNumber : port;

/** Reads flags from the command line or the environment. Throws if one is wrong or unknown. */
export const readFlags = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly Flag<unknown>[],
): (<Value>(flag: Flag<Value>) => Value) => {
  const given = readArguments(argv, flags);

  const value = <Value>(flag: Flag<Value>): Value => {
    const text = given.get(flag.flag);
    if (text !== undefined) return accepted(flag.flag, flag.rule, flag.rule.fromText(text));
    const fromEnv = flag.env === undefined ? undefined : env[flag.env];
    if (fromEnv === undefined || fromEnv === '') return flag.fallback;
    return accepted(
      `${flag.env} (the environment variable for ${flag.flag})`,
      flag.rule,
      flag.rule.fromText(fromEnv),
    );
  };
  return value;
};

/**
 * Parses the command line. `extra` has the options of a program that starts more than the service, such as
 * `portFlag('--shop-port', 'SHOP_PORT', SHOP_PORT, 'port of the demo shop')`.
 */
export const parseOptions = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  extra: readonly Flag<unknown>[] = [],
): ParsedOptions => {
  const flags = [PORT, HOST, ALLOW_HOST, ...extra, ...SANDBOX_FLAGS];
  const value = readFlags(argv, env, flags);
  for (const flag of extra) value(flag);

  const seed = value(SEED);
  const state = value(STATE);
  const feeBearer = value(FEE_BEARER);
  const token = env[TOKEN_VARIABLE];
  return {
    port: value(PORT),
    host: value(HOST),
    names: value(ALLOW_HOST),
    // Not repeated in the message, as other values are.
    ...(token ? { token: accepted(TOKEN_VARIABLE, TOKEN, token, 'another text') } : {}),
    sandbox: {
      ...(feeBearer === undefined ? {} : { feeBearer }),
      attempts: value(ATTEMPTS),
      holdFailedAttempts: value(HOLD),
      attemptSeconds: value(ATTEMPT_SECONDS),
      runningAttempts: value(RUNNING_ATTEMPTS),
      clientRateLimit: value(CLIENT_RATE),
      serverRateLimit: value(SERVER_RATE),
      ...(seed === undefined ? {} : { seed }),
      ...(state === undefined ? {} : { state }),
      keyNumber: value(SHARED_KEYS) ? DEFAULT_SETTINGS.keyNumber : keyNumberOn(value(PORT)),
      allowLocalWebhooks: !value(STRICT_WEBHOOKS),
      webhookHosts: value(WEBHOOK_HOST),
      reports: value(REPORTS),
      appSchemes: value(APP_SCHEMES_FLAG),
    },
    value,
  };
};

/** The text of each flag that was given, as `--port 4010` or `--port=4010`. */
const readArguments = (argv: readonly string[], flags: readonly Flag<unknown>[]): Map<string, string> => {
  const given = new Map<string, string>();
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [name = '', ...rest] = word.split('=');
    const flag = flags.find((one) => one.flag === name);
    if (flag === undefined) throw new OptionError(`There is no option ${shown(name)}.\n\n${flagList(flags)}`);
    const inline = rest.length > 0 ? rest.join('=') : undefined;
    if (flag.takes === null) {
      if (inline !== undefined) throw new OptionError(`${name} takes no value; got ${shown(inline)}.`);
      given.set(name, 'true');
      continue;
    }
    const text = inline ?? words.shift();
    if (text === undefined || (inline === undefined && text.startsWith('--'))) {
      throw new OptionError(`${name} must be ${flag.rule.expected}; got nothing.`);
    }
    const before = flag.repeats ? given.get(name) : undefined;
    given.set(name, before === undefined ? text : `${before},${text}`);
  }
  return given;
};

/** The flags as the usage lists them. */
export const flagList = (flags: readonly Flag<unknown>[]): string => {
  const names = flags.map(({ flag, takes }) => (takes === null ? flag : `${flag} ${takes}`));
  const width = Math.max(...names.map((name) => name.length));
  const lines = flags.map(({ about, fallback, env }, index) => {
    const standard = typeof fallback === 'string' || typeof fallback === 'number' ? ` (${fallback})` : '';
    return `  ${(names[index] ?? '').padEnd(width)}  ${about}${standard}${env === undefined ? '' : `; environment: ${env}`}`;
  });
  return ['The options are:', ...lines].join('\n');
};
