/**
 * Reads the page's options according to the table of options (`options.ts`). It uses no schema and no package, because
 * it is in the frame's first response. Tests compare it with schemas made from the same table.
 */
import { measure } from './bounds.ts';
import { type ClientSecretSource, readClientSecret } from './client-secret.ts';
import { ANYTHING, FLAG, FUNCTION, KEY, type LOCAL, NAMES, OPTIONS, SECRET } from './options.ts';
import { keysOf, ownProperty } from './own-property.ts';
import { CHANNEL, CLIENT_SECRET, KEY_LENGTH, LONGEST_SECRET, PROTOCOL, PUBLISHABLE_KEY } from './protocol.ts';

export type OptionKind = number | readonly string[] | OptionTable;
export type OptionTable = { readonly [name: string]: OptionKind };

/** The type of a value read as a kind. */
type Value<Of> = Of extends typeof ANYTHING
  ? unknown
  : Of extends typeof FLAG
    ? boolean
    : Of extends typeof NAMES
      ? readonly string[]
      : Of extends typeof SECRET
        ? ClientSecretSource
        : Of extends typeof FUNCTION
          ? true
          : Of extends typeof LOCAL
            ? never
            : Of extends number
              ? string
              : Of extends readonly (infer Word)[]
                ? Word
                : Values<Of>;

/** The values of a table. Each is present only if it was given and is valid. */
export type Values<Of> = { -readonly [Name in keyof Of]?: Value<Of[Name]> | undefined };

/** The page's options, plus what the loader adds. */
export const READ = {
  ...OPTIONS,
  /** The description of the form's backdrop that `judgeBackdrop` reads. */
  backdrop: 9999,
  /** The page's custom properties named in the appearance, with their values (`loader/describe-page.ts`). */
  style: ANYTHING,
  /** The look of the elements named in `appearance.from` (`loader/look/take-over.ts`). */
  from: ANYTHING,
} as const;

/** The options of `init`, as the frame uses them. */
export type Init = Values<typeof READ> & { publishableKey: string; clientSecret: ClientSecretSource };

/**
 * `init` as the loader posts it: the answer to `hello`, to exactly the frame's origin, with one port. Client secrets
 * travel only here and over the port.
 */
export type InitInput = Omit<Values<typeof READ>, 'clientSecret'> & {
  channel: typeof CHANNEL;
  protocol: typeof PROTOCOL;
  publishableKey: string;
  clientSecret: string | true;
};

const MOST_NAMES = 300;
const LONGEST_NAME = 100;

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest;

const fits = (value: unknown, longest: number, pattern: string): value is string =>
  isText(value, longest) && new RegExp(pattern).test(value);

const isWords = (kind: readonly string[] | OptionTable): kind is readonly string[] => Array.isArray(kind);

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value, or undefined if it is missing or invalid. */
const read = (value: unknown, kind: OptionKind): unknown => {
  if (value === undefined) return;
  switch (kind) {
    case ANYTHING:
      return value;
    case FLAG:
      return typeof value === 'boolean' ? value : undefined;
    case NAMES: {
      // An invalid list is not ignored: the form would accept more than the page wanted.
      const isList = Array.isArray(value) && value.length <= MOST_NAMES;
      return isList && value.every((name) => isText(name, LONGEST_NAME)) ? value : [];
    }
    case KEY:
      return fits(value, KEY_LENGTH, PUBLISHABLE_KEY) ? value : undefined;
    case SECRET:
      return value === true || fits(value, LONGEST_SECRET, CLIENT_SECRET)
        ? readClientSecret(value)
        : undefined;
    case FUNCTION:
      return value === true ? value : undefined;
    default:
      if (typeof kind === 'number') return isText(value, kind) ? value : undefined;
      if (isWords(kind)) return kind.some((word) => word === value) ? value : undefined;
      return isObject(value) ? readAll(value, kind) : undefined;
  }
};

/** Reads an object's own properties only: a polluted prototype must not answer for the page. */
export const readAll = <Of extends OptionTable>(data: object, table: Of): Values<Of> =>
  Object.fromEntries(
    keysOf(table).flatMap((name): readonly (readonly unknown[])[] => {
      const value = read(ownProperty(data, name), table[name] ?? ANYTHING);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/**
 * Reads `init`. Null if it is not as the loader makes it: an option that decides about the payment is missing or
 * invalid.
 */
export const readInit = (data: unknown): Init | null => {
  if (measure(data) !== 'plain' || !isObject(data)) return null;
  const { publishableKey, clientSecret, ...others } = readAll(data, READ);
  const isOurs =
    ownProperty(data, 'channel') === CHANNEL &&
    ownProperty(data, 'protocol') === PROTOCOL &&
    ownProperty(data, 'fetchClientSecret') === others.fetchClientSecret &&
    ownProperty(data, 'beforePay') === others.beforePay;
  return isOurs && publishableKey && clientSecret ? { ...others, publishableKey, clientSecret } : null;
};
