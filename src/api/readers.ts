/**
 * The frame's replacement for zod. The build compiles each schema that the frame parses to calls of these functions
 * (`src/build/schema-compiler.ts`), which is why no source imports them. A reader returns the schema's output for a
 * value, or `INVALID`. It reads own properties only and copies only those of the schema, so that no value can name a
 * prototype.
 */

export const INVALID = Symbol();

export type Reader = (value: unknown) => unknown;

/** `z.boolean()` */
export const boolean: Reader = (value) => (typeof value === 'boolean' ? value : INVALID);

/** `z.number()` */
export const number: Reader = (value) => (Number.isFinite(value) ? value : INVALID);

/** `z.int()`, with its bounds. */
export const integer =
  (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Reader =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? value
      : INVALID;

/** `z.string()`, with its checks. Lengths are counted in code points, which are one or two UTF-16 units long. */
export const text =
  (longest = Number.POSITIVE_INFINITY, pattern = /^/, isEmptyValid = true): Reader =>
  (value) =>
    typeof value === 'string' &&
    (isEmptyValid || value !== '') &&
    (value.length <= longest || (value.length <= 2 * longest && [...value].length <= longest)) &&
    pattern.test(value)
      ? value
      : INVALID;

/** `z.literal()` */
export const literal =
  (...values: readonly unknown[]): Reader =>
  (value) =>
    values.includes(value) ? value : INVALID;

/** `z.array()` of a bounded length. Holes are read as `undefined`. */
export const array =
  (read: Reader, longest: number): Reader =>
  (value) => {
    if (!Array.isArray(value) || value.length > longest) return INVALID;
    const items = Array.from({ length: value.length }, (_, index) => read(value[index]));
    return items.includes(INVALID) ? INVALID : items;
  };

/** `z.object()`: drops unknown keys. */
export const object =
  (shape: Readonly<Record<string, Reader>>): Reader =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return INVALID;
    const output: Record<string, unknown> = {};
    for (const [key, read] of Object.entries(shape)) {
      const isOwn = Object.hasOwn(value, key);
      const field = read(isOwn ? Reflect.get(value, key) : undefined);
      if (field === INVALID) return INVALID;
      if (isOwn || field !== undefined) output[key] = field;
    }
    return output;
  };

/** `z.union()`: the output of the first reader that accepts the value. */
export const union =
  (...readers: readonly Reader[]): Reader =>
  (value) => {
    for (const read of readers) {
      const output = read(value);
      if (output !== INVALID) return output;
    }
    return INVALID;
  };

/** `z.optional()` */
export const optional =
  (read: Reader): Reader =>
  (value) =>
    value === undefined ? value : read(value);

/** `z.nullable()` */
export const nullable =
  (read: Reader): Reader =>
  (value) =>
    value === null ? value : read(value);

/** `z.catch()` */
export const caught =
  (read: Reader, fallback?: unknown): Reader =>
  (value) => {
    const output = read(value);
    return output === INVALID ? fallback : output;
  };

/** `z.pipe()` into `z.transform()` */
export const transformed =
  (read: Reader, transform: (value: never) => unknown): Reader =>
  (value) => {
    const output = read(value);
    return output === INVALID ? INVALID : Reflect.apply(transform, undefined, [output]);
  };

/** The part of a schema's interface that the frame uses. It gives no reason why a value is invalid. */
export const schema = (read: Reader) => ({
  safeParse: (value: unknown) => {
    const data = read(value);
    return data === INVALID ? { success: false } : { success: true, data };
  },
});
