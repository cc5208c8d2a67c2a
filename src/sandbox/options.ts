import type { Clock } from './core/clock.ts';
import { OptionError } from './core/option-error.ts';
import { createFaultQueue, type FaultPlan } from './faults/fault-queue.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from './service.ts';
import type { Outgoing } from './webhooks/outgoing.ts';

/** What a sandbox can be asked to be (contract 6.6); everything may be left out. */
export type SandboxOptions = {
  feeBearer?: 'merchant' | 'buyer';
  attempts?: number;
  holdFailedAttempts?: boolean;
  clientRateLimit?: number;
  serverRateLimit?: number;
  seed?: number;
  /** A file that keeps everything; begun where it does not exist. */
  state?: string;
  clock?: Clock;
  /** What befalls the requests of the browser, in order of arrival, where the control routes ask for nothing. */
  faults?: FaultPlan;
  /** Where webhooks go instead of over sockets: a test sees each of them and decides what it is answered. */
  outgoing?: Outgoing;
  /** Whether a webhook endpoint may be on this machine, such as http://localhost:3000/webhooks. Yes unless false. */
  allowLocalWebhooks?: boolean;
};

/** What a value must be, in words, as a test, and read from the text of a command line. */
type Rule<Value> = {
  expected: string;
  accepts: (value: unknown) => value is Value;
  fromText: (text: string) => unknown;
};

const integer = (least: number, most: number): Rule<number> => ({
  expected: `a whole number from ${least} to ${most}`,
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
  attempts: integer(1, 20),
  holdFailedAttempts: {
    expected: 'true or false',
    accepts: (value): value is boolean => typeof value === 'boolean',
    fromText: (text) => text === 'true',
  } satisfies Rule<boolean>,
  clientRateLimit: integer(1, 1_000_000),
  serverRateLimit: integer(1, 1_000_000),
  seed: integer(0, Number.MAX_SAFE_INTEGER),
  state: {
    expected: 'the path of a file',
    accepts: (value): value is string => typeof value === 'string' && value !== '',
    fromText: (text) => text,
  } satisfies Rule<string>,
  clock: {
    expected: 'an object with now() and wait()',
    accepts: (value): value is Clock =>
      typeof value === 'object' && value !== null && 'now' in value && 'wait' in value,
    fromText: (text) => text,
  } satisfies Rule<Clock>,
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
};

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const accepted = <Value>(name: string, rule: Rule<Value>, value: unknown): Value => {
  if (rule.accepts(value)) return value;
  throw new OptionError(`${name} must be ${rule.expected}; got ${shown(value)}.`);
};

const NO_FAULTS: FaultPlan = () => undefined;

/** The settings for options given in code; a wrong one throws, saying what was expected and what came. */
export const settingsOf = (options: SandboxOptions): ServiceSettings => {
  const known = Object.keys(RULES);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new OptionError(`createSandbox has no option ${unknown}. It has: ${known.join(', ')}.`);
  }
  const or = <Value>(name: keyof typeof RULES, rule: Rule<Value>, fallback: Value): Value =>
    options[name] === undefined ? fallback : accepted(name, rule, options[name]);
  return {
    feeBearer:
      options.feeBearer === undefined ? undefined : accepted('feeBearer', RULES.feeBearer, options.feeBearer),
    attempts: or('attempts', RULES.attempts, DEFAULT_SETTINGS.attempts),
    holdFailedAttempts: or(
      'holdFailedAttempts',
      RULES.holdFailedAttempts,
      DEFAULT_SETTINGS.holdFailedAttempts,
    ),
    clientRateLimit: or('clientRateLimit', RULES.clientRateLimit, DEFAULT_SETTINGS.clientRateLimit),
    serverRateLimit: or('serverRateLimit', RULES.serverRateLimit, DEFAULT_SETTINGS.serverRateLimit),
    seed: options.seed === undefined ? undefined : accepted('seed', RULES.seed, options.seed),
    state: options.state === undefined ? undefined : accepted('state', RULES.state, options.state),
    clock: or('clock', RULES.clock, DEFAULT_SETTINGS.clock),
    faults: createFaultQueue(or('faults', RULES.faults, NO_FAULTS)),
    outgoing: or('outgoing', RULES.outgoing, DEFAULT_SETTINGS.outgoing),
    allowLocalWebhooks: or(
      'allowLocalWebhooks',
      RULES.allowLocalWebhooks,
      DEFAULT_SETTINGS.allowLocalWebhooks,
    ),
  };
};

/** An option of the command line. */
export type Flag<Value> = {
  flag: `--${string}`;
  /** How the list of options names its value; `null` for an option that is only there or not. */
  takes: string | null;
  /** An environment variable that serves where the option is not given. */
  env?: string;
  about: string;
  rule: Rule<Value>;
  fallback: Value;
};

/** An option that names a port; 0 lets the system choose one. */
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
  rule: integer(0, 65_535),
  fallback,
});

// Not PORT: the merchant's own server reads that, and runs beside the sandbox.
const PORT = portFlag('--port', 'CARD_FORM_SANDBOX_PORT', 4010, 'port of the service');
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
  about: 'a failed attempt holds its intent until it is released',
  rule: RULES.holdFailedAttempts,
  fallback: DEFAULT_SETTINGS.holdFailedAttempts,
};
const CLIENT_RATE: Flag<number> = {
  flag: '--client-rate-limit',
  takes: 'n',
  about: 'browser requests a minute, address and route',
  rule: RULES.clientRateLimit,
  fallback: DEFAULT_SETTINGS.clientRateLimit,
};
const SERVER_RATE: Flag<number> = {
  flag: '--server-rate-limit',
  takes: 'n',
  about: 'server requests a minute, account and route',
  rule: RULES.serverRateLimit,
  fallback: DEFAULT_SETTINGS.serverRateLimit,
};
const SEED: Flag<number | undefined> = {
  flag: '--seed',
  takes: 'n',
  about: 'makes chance and ids repeatable',
  rule: RULES.seed,
  fallback: undefined,
};
const STATE: Flag<string | undefined> = {
  flag: '--state',
  takes: 'file.json',
  about: 'keeps everything in this file, and begins with what is in it',
  rule: RULES.state,
  fallback: undefined,
};

const SANDBOX_FLAGS: readonly Flag<unknown>[] = [
  FEE_BEARER,
  ATTEMPTS,
  HOLD,
  CLIENT_RATE,
  SERVER_RATE,
  SEED,
  STATE,
];

/** What the command `sandbox` can be asked, as a list for a person. */
export const sandboxOptions = (): string => listOf([PORT, ...SANDBOX_FLAGS]);

/** Options of the command line, read and checked. */
export type ParsedOptions = {
  port: number;
  sandbox: SandboxOptions;
  /** The value of an option that was passed as an extra one. */
  value<Value>(flag: Flag<Value>): Value;
};

/** The value of each of these flags on a command line, or in the environment; throws where one is wrong or unknown. */
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
 * Reads the command line. `extra` are further options of a program that starts more than the service, such as
 * `portFlag('--shop-port', 'SHOP_PORT', 4011, 'port of the demo shop')`.
 */
export const parseOptions = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  extra: readonly Flag<unknown>[] = [],
): ParsedOptions => {
  const flags = [PORT, ...extra, ...SANDBOX_FLAGS];
  const value = readFlags(argv, env, flags);
  for (const flag of extra) value(flag);

  const seed = value(SEED);
  const state = value(STATE);
  const feeBearer = value(FEE_BEARER);
  return {
    port: value(PORT),
    sandbox: {
      ...(feeBearer === undefined ? {} : { feeBearer }),
      attempts: value(ATTEMPTS),
      holdFailedAttempts: value(HOLD),
      clientRateLimit: value(CLIENT_RATE),
      serverRateLimit: value(SERVER_RATE),
      ...(seed === undefined ? {} : { seed }),
      ...(state === undefined ? {} : { state }),
    },
    value,
  };
};

/** From each flag that was given to its text. Both `--port 4010` and `--port=4010`. */
const readArguments = (argv: readonly string[], flags: readonly Flag<unknown>[]): Map<string, string> => {
  const given = new Map<string, string>();
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [name = '', ...rest] = word.split('=');
    const flag = flags.find((one) => one.flag === name);
    if (flag === undefined) throw new OptionError(`There is no option ${shown(name)}.\n\n${listOf(flags)}`);
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
    given.set(name, text);
  }
  return given;
};

/** The flags as a list for a person. */
export const listOf = (flags: readonly Flag<unknown>[]): string => {
  const names = flags.map(({ flag, takes }) => (takes === null ? flag : `${flag} ${takes}`));
  const width = Math.max(...names.map((name) => name.length));
  const lines = flags.map(({ about, fallback, env }, index) => {
    const standard = fallback === undefined || fallback === false ? '' : ` (${String(fallback)})`;
    return `  ${(names[index] ?? '').padEnd(width)}  ${about}${standard}${env === undefined ? '' : `; environment: ${env}`}`;
  });
  return ['The options are:', ...lines].join('\n');
};
