/**
 * Compiles a zod schema into calls of the readers in `src/api/readers.ts`, from zod's own description (`_zod.def`). A
 * schema that is unknown, or can't be read exactly as zod would, fails the build.
 */
import * as z from 'zod/mini';

const { core } = z;

type Schema = z.core.$ZodType;

/** The `z.transform()` functions, with the names by which the code calls them. */
export type Transforms = ReadonlyMap<unknown, string>;

/** Properties allowed in each kind's description, apart from its type, checks and message. */
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

/** Kinds that may have checks. */
const CHECKED: readonly string[] = ['string', 'number', 'array'];

/** A value that no schema accepts. */
const NOTHING = Symbol('nothing');

/** Compiles the schema to an expression. */
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

/** Name under which the generated code imports the module of readers. */
export const READERS = 'read';

const call = (reader: string, args: readonly string[]): string => `${READERS}.${reader}(${args.join(', ')})`;

/** A call of a reader, omitting trailing arguments that have their default values. */
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

/** Maximum length of a list. Without one, a page could send a list of any length. */
const longestOf = (checks: readonly z.core.$ZodCheck<never>[]): string => {
  const [check, ...others] = checks;
  if (check instanceof core.$ZodCheckMaxLength && others.length === 0) return `${check._zod.def.maximum}`;
  throw unknown('a z.array() without z.maxLength(), or with another check');
};

/** A regular expression as a literal. */
const patternOf = (pattern: RegExp): string => {
  // They would start where the last match ended.
  if (pattern.global || pattern.sticky) throw unknown(`${pattern}, which has a state,`);
  return `${pattern}`;
};

const literalOf = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value))
    return JSON.stringify(value);
  throw unknown(`z.literal() of ${String(value)}`);
};

/** The fallback of `z.catch()`, if it isn't `undefined`. */
const fallbackOf = (schema: z.core.$ZodCatch): readonly string[] => {
  if (!Reflect.has(schema._zod.def.catchValue, core.util.CONSTANT_CATCH))
    throw unknown('z.catch() of a function');
  const fallback = core.parse(schema, NOTHING);
  return fallback === undefined ? [] : [JSON.stringify(fallback)];
};

/**
 * Checks that a field doesn't depend on the difference between missing and `undefined`, which zod distinguishes. The
 * object reader reads a missing field as `undefined`, and omits it if the result is `undefined`.
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
