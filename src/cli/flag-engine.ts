/** The flags of the commands that are not tables yet (`flags.ts`). */
import { isPlainOrigin } from '../operate/hosting/headers.ts';
import { OptionError } from '../sandbox/core/option-error.ts';

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

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const accepted = <Value>(name: string, rule: Rule<Value>, value: unknown, got = shown(value)): Value => {
  if (rule.accepts(value)) return value;
  throw new OptionError(`${name} must be ${rule.expected}; got ${got}.`);
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

/** A flag with a text. `accepts` is the test of what `expected` says. */
export const textFlag = <Fallback extends string | null>({
  expected,
  accepts,
  ...flag
}: Pick<Flag<string>, 'flag' | 'takes' | 'about'> & {
  expected: string;
  accepts: (text: string) => boolean;
  fallback: Fallback;
}): Flag<string | Fallback> => ({
  ...flag,
  rule: {
    expected,
    accepts: (value): value is string => typeof value === 'string' && accepts(value),
    fromText: (value) => value,
  },
});

/** A flag without a value, false unless it is given. */
export const switchFlag = (flag: `--${string}`, about: string): Flag<boolean> => ({
  flag,
  takes: null,
  about,
  rule: {
    expected: 'true or false',
    accepts: (value): value is boolean => typeof value === 'boolean',
    fromText: (value) => value === 'true',
  },
  fallback: false,
});

/** Whether a text is scheme and host of a service, with or without a slash at the end. */
export const isServiceUrl = (text: string): boolean => /^https?:\/\/[^/?#@\s]+\/?$/.test(text);

export const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** Where the service under test is. */
export const SERVICE_URL = textFlag({
  flag: '--base-url',
  takes: 'url',
  about: 'where the service is',
  expected: 'scheme and host of the service, as in https://pay.example',
  accepts: isServiceUrl,
  fallback: null,
});

/** Where browsers reach the service. Its address is put into pages and compared with theirs: it must be written as an origin. */
export const ORIGIN_URL = textFlag({
  flag: '--base-url',
  takes: 'url',
  about: 'where browsers reach the service',
  expected: SERVICE_URL.rule.expected,
  accepts: (value) => isPlainOrigin(withoutSlash(value)),
  fallback: null,
});

/** The file that gets the metrics. */
export const METRICS = textFlag({
  flag: '--metrics',
  takes: 'file',
  about: "gets the result in Prometheus's text format, as for its textfile collector",
  expected: 'the path of a file',
  accepts: (value) => value.trim() !== '',
  fallback: null,
});

/** Reads a flag that has to be given. Without it, throws an `OptionError` that ends with the usage. */
export const requiredIn =
  (value: <Value>(flag: Flag<Value>) => Value, usage: () => string) =>
  <Value>(flag: Flag<Value | null | undefined>): Value => {
    const given = value(flag);
    if (given !== null && given !== undefined) return given;
    throw new OptionError(`${flag.flag} must be ${flag.rule.expected}; got nothing.\n\n${usage()}`);
  };
