/** Flags that several commands of the program have in common, and what is said when a required one is missing. */
import { isPlainOrigin } from '../operate/hosting/headers.ts';
import { OptionError } from '../sandbox/core/option-error.ts';
import type { Flag } from '../sandbox/options.ts';

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
