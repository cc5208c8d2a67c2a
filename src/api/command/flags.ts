/**
 * A command's flags are one zod object: `keepDays` is `--keep-days`. Types, parsing, messages and `--help` all derive
 * from it. Each entry's `z.meta` describes the flag; what the schema already says isn't repeated.
 */
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { isPlainOrigin } from '../served/headers.ts';
import { OptionError } from './option-error.ts';

/** A flag's texts for `--help` and messages. */
type FlagMeta = {
  description: string;
  /** Placeholder for its value. */
  takes?: string;
  /** Requirement for a value. */
  expected?: string;
  /** Environment variable used if the flag is absent. */
  env?: string;
  /** Keeps the value out of all messages. */
  isSecret?: boolean;
};

/** An entry in a flag table. */
export const flag = <Schema extends z.ZodMiniType>(schema: Schema, meta: FlagMeta): Schema =>
  schema.check(z.meta(meta));

/** Null if absent. */
export const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z._default(z.nullable(schema), null);

export const matching = (form: RegExp) => z.string().check(z.regex(form));
export const anything = matching(/\S/);
export const integerFrom = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
/** A flag without a value. */
export const turned = (description: string) => flag(z._default(z.boolean(), false), { description });

export const URL_EXPECTED = 'scheme and host of the service, as in https://pay.example';
const withoutSlash = z.transform((url: string) => url.replace(/\/$/, ''));
/** Scheme and host of a service, with or without a trailing slash. */
export const serviceUrl = z.pipe(matching(/^https?:\/\/[^/?#@\s]+\/?$/), withoutSlash);
/** Address where browsers reach a service: it is put into pages and compared with their addresses. */
export const browserUrl = z.pipe(z.pipe(z.string(), withoutSlash), z.string().check(z.refine(isPlainOrigin)));

export const SERVICE_URL = flag(serviceUrl, {
  ...{ takes: 'url', expected: URL_EXPECTED },
  description: 'where the service is',
});
export const ORIGIN_URL = flag(browserUrl, {
  ...{ takes: 'url', expected: URL_EXPECTED },
  description: 'where browsers reach the service',
});
export const JSON_RESULT = turned('prints the result as JSON');

export type FlagTable = z.ZodMiniObject;
type Inner = z.core.$ZodType;

const isSchema = (value: unknown): value is Inner =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** Unwraps `optional`, `nullable` and a default. */
const bare = (schema: Inner): Inner => {
  const { def } = schema._zod;
  return 'innerType' in def && isSchema(def.innerType) ? bare(def.innerType) : schema;
};

/** Everything a table says about a flag. */
const describe = (key: string, schema: Inner) => {
  const inner = bare(schema);
  const { description = '', ...meta } = z.globalRegistry.get(schema) ?? {};
  const { type } = inner._zod.def;
  const { minimum, maximum } = type === 'number' ? z.toJSONSchema(inner) : {};
  const values = type === 'enum' ? [...(inner._zod.values ?? [])] : [];
  const or = (text: unknown, other: string): string => (typeof text === 'string' ? text : other);
  const isPlain = type === 'number' || type === 'enum';
  return {
    name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    type,
    description,
    takes: type === 'boolean' ? null : or(meta.takes, type === 'number' ? 'n' : values.join('|') || 'text'),
    expected: or(
      meta.expected,
      isPlain ? values.join(' or ') || `a whole number from ${minimum} to ${maximum}` : 'a text',
    ),
    env: or(meta.env, '') || null,
    isSecret: meta.isSecret === true,
    fallback: 'defaultValue' in schema._zod.def ? schema._zod.def.defaultValue : null,
  };
};

type Described = ReturnType<typeof describe>;

const describedIn = (table: FlagTable): ReadonlyMap<string, Described> =>
  new Map(Object.entries(table.def.shape).map(([key, schema]) => [key, describe(key, schema)]));

/** Formats the flags for the usage text. */
export const listFlags = (...tables: readonly FlagTable[]): string => {
  const flags = tables.flatMap((table) => [...describedIn(table).values()]);
  const names = flags.map(({ name, takes }) => (takes === null ? `--${name}` : `--${name} ${takes}`));
  const width = Math.max(...names.map((name) => name.length));
  const lines = flags.map(({ description, fallback, env }, index) => {
    const standard = typeof fallback === 'string' || typeof fallback === 'number' ? ` (${fallback})` : '';
    return `  ${(names[index] ?? '').padEnd(width)}  ${description}${standard}${env === null ? '' : `; environment: ${env}`}`;
  });
  return ['The options are:', ...lines].join('\n');
};

const shown = (text: string): string => {
  const quoted = /^\d+$/.test(text) ? text : JSON.stringify(text);
  return quoted.length > 60 ? `${quoted.slice(0, 60)}…` : quoted;
};

/** The text of each given flag, by name. */
const readArguments = (argv: readonly string[], table: FlagTable): ReadonlyMap<string, string> => {
  const flags = [...describedIn(table).values()];
  const { tokens } = parseArgs({
    ...{ args: [...argv], strict: false, tokens: true },
    options: Object.fromEntries(
      flags.map(({ name, takes }) => [name, { type: takes === null ? 'boolean' : 'string' }] as const),
    ),
  });
  const given = new Map<string, string>();
  for (const token of tokens) {
    const flag = token.kind === 'option' ? flags.find(({ name }) => name === token.name) : undefined;
    if (token.kind !== 'option' || flag === undefined || !token.rawName.startsWith('--'))
      throw new OptionError(
        `There is no option ${shown(`${argv[token.index]}`.replace(/=.*/s, ''))}.\n\n${listFlags(table)}`,
      );
    const { value, inlineValue, rawName } = token;
    if (flag.takes === null && value !== undefined)
      throw new OptionError(`${rawName} takes no value; got ${shown(value)}.`);
    if (flag.takes !== null && (value === undefined || (!inlineValue && value.startsWith('--'))))
      throw new OptionError(`${rawName} must be ${flag.expected}; got nothing.`);
    const before = flag.type === 'array' ? given.get(flag.name) : undefined;
    given.set(flag.name, before === undefined ? (value ?? 'true') : `${before},${value}`);
  }
  return given;
};

const typedOf = (type: string, text: string): unknown => {
  if (type === 'boolean') return text === 'true';
  if (type === 'array') return text.split(',');
  return type === 'number' && /^\d{1,16}$/.test(text) ? Number(text) : text;
};

/**
 * Parses flags from a command line or the environment. Throws an `OptionError` if one is invalid, missing or unknown.
 */
export const parseFlags = <Flags extends FlagTable>(
  table: Flags,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): z.output<Flags> => {
  const flags = describedIn(table);
  const given = readArguments(argv, table);
  const texts = new Map(
    Array.from(flags, ([key, { name, env: variable }]) => [
      key,
      given.get(name) ?? ((variable === null ? '' : env[variable]) || undefined),
    ]),
  );
  const read = table.safeParse(
    Object.fromEntries(
      Array.from(texts, ([key, text]) => [
        key,
        text === undefined ? undefined : typedOf(flags.get(key)?.type ?? '', text),
      ]),
    ),
  );
  if (read.success) return read.data;
  const key = String(read.error.issues[0]?.path[0]);
  const [text, wrong] = [texts.get(key), flags.get(key)];
  if (text === undefined || wrong === undefined) throw missing(table, key);
  const { name, env: variable, expected, isSecret } = wrong;
  const from = given.has(name) ? `--${name}` : `${variable} (the environment variable for --${name})`;
  throw new OptionError(`${from} must be ${expected}; got ${isSecret ? 'another text' : shown(text)}.`);
};

/** The error for a required flag that is absent. */
export const missing = (table: FlagTable, key: string): OptionError => {
  const { name, expected } = describedIn(table).get(key) ?? {};
  return new OptionError(`--${name} must be ${expected}; got nothing.\n\n${listFlags(table)}`);
};
