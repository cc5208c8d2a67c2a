/**
 * Writes a zod schema as calls of the readers in `src/api/readers.ts`, from zod's own description of it (`_zod.def`).
 * What it does not know, or could not read exactly as zod does, is an error of the build.
 */
import * as z from 'zod/mini';

const { core } = z;

type Schema = z.core.$ZodType;

/** The functions of `z.transform()`, with the names by which the code calls them. */
export type Transforms = ReadonlyMap<unknown, string>;

/** What the description of each kind may say, beside its type, its checks and a message. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  string: [],
  number: ['check', 'format', 'abort'],
  boolean: [],
  literal: ['values'],
  object: ['shape'],
  array: ['element'],
  union: ['options', 'inclusive'],
  optional: ['innerType'],
  nullable: ['innerType'],
  catch: ['innerType', 'catchValue'],
  pipe: ['in', 'out'],
};

/** The kinds that may have checks. */
const CHECKED: readonly string[] = ['string', 'number', 'array'];

/** A value that is valid for no schema. */
const NOTHING = Symbol('nothing');

/** The schema as an expression. */
export const compileSchema = (schema: Schema, transforms: Transforms): string => {
  const compile = (inner: Schema): string => compileSchema(inner, transforms);
  const { type, checks = [], error: _, ...rest } = schema._zod.def;
  const more = Object.keys(rest).find((key) => !KNOWN[type]?.includes(key));
  if (!KNOWN[type]) throw unknown(`z.${type}()`);
  if (more !== undefined) throw unknown(`z.${type}() with ${more}`);
  if (checks.length > 0 && !CHECKED.includes(type)) throw unknown(`z.${type}() with a check`);

  if (schema instanceof core.$ZodString) return callText(checks);
  if (schema instanceof core.$ZodNumberFormat) return callInteger(schema._zod.def.format, checks);
  if (schema instanceof core.$ZodNumber && checks.length === 0) return `${READERS}.number`;
  if (schema instanceof core.$ZodBoolean) return `${READERS}.boolean`;
  if (schema instanceof core.$ZodLiteral) return call('literal', schema._zod.def.values.map(literalOf));
  if (schema instanceof core.$ZodObject) {
    const shape = Object.entries(schema._zod.def.shape).map(([key, field]) => {
      checkField(key, field);
      return `${JSON.stringify(key)}: ${compile(field)}`;
    });
    return call('object', [`{ ${shape.join(', ')} }`]);
  }
  if (schema instanceof core.$ZodArray)
    return call('array', [compile(schema._zod.def.element), longestOf(checks)]);
  if (schema instanceof core.$ZodUnion && schema._zod.def.inclusive !== false)
    return call('union', schema._zod.def.options.map(compile));
  if (schema instanceof core.$ZodOptional && !(schema instanceof core.$ZodExactOptional))
    return call('optional', [compile(schema._zod.def.innerType)]);
  if (schema instanceof core.$ZodNullable) return call('nullable', [compile(schema._zod.def.innerType)]);
  if (schema instanceof core.$ZodCatch)
    return call('caught', [compile(schema._zod.def.innerType), ...fallbackOf(schema)]);
  if (schema instanceof core.$ZodPipe) {
    const { in: from, out: to } = schema._zod.def;
    const transform = to instanceof core.$ZodTransform && transforms.get(to._zod.def.transform);
    if (!transform) throw unknown('z.pipe() into anything but a transform with a name');
    return call('transformed', [compile(from), transform]);
  }
  throw unknown(`this z.${type}()`);
};

const unknown = (what: string): Error =>
  new Error(`${what} cannot be compiled for the frame: src/build/schema-compiler.ts has no reader for it.`);

/** The module of readers, as the written code imports it. */
export const READERS = 'read';

const call = (reader: string, args: readonly string[]): string => `${READERS}.${reader}(${args.join(', ')})`;

/** A call of a reader whose last arguments are left out if they have their usual values. */
const callUsually = (reader: string, args: readonly (readonly [value: string, usual: string])[]): string => {
  const last = args.findLastIndex(([value, usual]) => value !== usual);
  return call(
    reader,
    args.slice(0, last + 1).map(([value]) => value),
  );
};

const callText = (checks: readonly z.core.$ZodCheck<never>[]): string => {
  let longest = 'undefined';
  let pattern = 'undefined';
  let isEmptyValid = true;
  for (const check of checks) {
    if (check instanceof core.$ZodCheckMaxLength && longest === 'undefined')
      longest = `${check._zod.def.maximum}`;
    else if (check instanceof core.$ZodCheckRegex && pattern === 'undefined')
      pattern = patternOf(check._zod.def.pattern);
    else if (check instanceof core.$ZodCheckMinLength && check._zod.def.minimum === 1) isEmptyValid = false;
    else throw unknown(`the check ${check._zod.def.check} of a z.string()`);
  }
  return callUsually('text', [
    [longest, 'undefined'],
    [pattern, 'undefined'],
    [`${isEmptyValid}`, 'true'],
  ]);
};

const callInteger = (format: string, checks: readonly z.core.$ZodCheck<never>[]): string => {
  if (format !== 'safeint') throw unknown(`a number of the format ${format}`);
  let least = 'undefined';
  let most = 'undefined';
  for (const check of checks) {
    if (check instanceof core.$ZodCheckGreaterThan && check._zod.def.inclusive && least === 'undefined')
      least = `${check._zod.def.value}`;
    else if (check instanceof core.$ZodCheckLessThan && check._zod.def.inclusive && most === 'undefined')
      most = `${check._zod.def.value}`;
    else throw unknown(`the check ${check._zod.def.check} of a z.int()`);
  }
  return callUsually('integer', [
    [least, 'undefined'],
    [most, 'undefined'],
  ]);
};

/** The most items that a list may have. Without it, a page could send a list of any length. */
const longestOf = (checks: readonly z.core.$ZodCheck<never>[]): string => {
  const [check, ...others] = checks;
  if (check instanceof core.$ZodCheckMaxLength && others.length === 0) return `${check._zod.def.maximum}`;
  throw unknown('a z.array() without z.maxLength(), or with another check');
};

/** A regular expression as a literal. */
const patternOf = (pattern: RegExp): string => {
  // They would start where they ended the last time.
  if (pattern.global || pattern.sticky) throw unknown(`${pattern}, which has a state,`);
  return `${pattern}`;
};

const literalOf = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value))
    return JSON.stringify(value);
  throw unknown(`z.literal() of ${String(value)}`);
};

/** What `z.catch()` falls back to, if it is not `undefined`. */
const fallbackOf = (schema: z.core.$ZodCatch): readonly string[] => {
  if (!Reflect.has(schema._zod.def.catchValue, core.util.CONSTANT_CATCH))
    throw unknown('z.catch() of a function');
  const fallback = core.parse(schema, NOTHING);
  return fallback === undefined ? [] : [JSON.stringify(fallback)];
};

/**
 * The reader of an object reads a missing field as `undefined`, and leaves it out if that is what comes of it. zod also
 * tells what is missing from what is `undefined`; checks that no field depends on it.
 */
const checkField = (key: string, field: Schema): void => {
  if (key in {}) throw unknown(`a field ${key}, which every object inherits,`);
  const { optin, optout } = field._zod;
  const missing = core.safeParse(field, undefined);
  const isRead =
    optin === undefined
      ? !missing.success
      : optin === 'optional' && (optout !== 'optional' || (missing.success && missing.data === undefined));
  if (!isRead) throw unknown(`the field ${key}, which is read differently if it is missing,`);
};
