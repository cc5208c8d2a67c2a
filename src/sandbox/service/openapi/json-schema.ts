/** Reads the JSON Schemas of `openapi.json`, for the types and the reference that are generated from it. */

/** A JSON Schema, as JSON. */
export type JsonSchema = { [key: string]: unknown };

/** Copies an object. Returns an empty object for anything else. */
export const asObject = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Returns the strings of a list. */
export const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Returns the alternatives of `anyOf` or of a list of types. A schema without them is its only alternative. */
export const alternatives = (schema: JsonSchema): readonly JsonSchema[] => {
  const { anyOf, type } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(asObject);
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema];
};

export const isNull = ({ type }: JsonSchema): boolean => type === 'null';

/** Returns the name of the schema that a `$ref` refers to, or `null`. */
export const referenceIn = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;

/** Returns the fields of an object schema, in order. */
export const schemaFields = (
  schema: JsonSchema,
): readonly { name: string; schema: JsonSchema; isRequired: boolean }[] => {
  const required = strings(schema.required);
  return Object.entries(asObject(schema.properties)).map(([name, value]) => ({
    name,
    schema: asObject(value),
    isRequired: required.includes(name),
  }));
};

/** Returns true if the schema is an object with arbitrary keys. */
export const isStringRecord = (schema: JsonSchema): boolean =>
  schema.type === 'object' && typeof schema.additionalProperties === 'object';

const number = (value: number): string => value.toLocaleString('en-US');

const range = (least: unknown, most: unknown, unit: string): string[] => {
  const [from, to] = [typeof least === 'number' ? least : null, typeof most === 'number' ? most : null];
  if (from !== null && to !== null) return [`${number(from)} to ${number(to)}${unit}`];
  if (from !== null) return [`from ${number(from)}${unit}`];
  return to === null ? [] : [`at most ${number(to)}${unit}`];
};

/** Removes the bounds that JSON Schema adds to every integer, which are not rules of the service. */
const within = (bound: unknown): unknown =>
  Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER ? null : bound;

/** Returns the limits of a value as text, such as `1 to 100 characters`. Empty if it has none. */
export const limitsOf = (schema: JsonSchema): string => {
  const [own = {}] = alternatives(schema).filter((one) => !isNull(one));
  const { exclusiveMinimum, minimum, maximum } = own;
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : null;
  const isInteger = own.type === 'integer';
  const least = above === null ? within(minimum) : isInteger ? above + 1 : null;
  return [
    ...(above !== null && !isInteger ? [`above ${number(above)}`] : []),
    ...range(least, within(maximum), ''),
    ...range(own.minLength, own.maxLength, ' characters'),
    ...range(own.minItems, own.maxItems, ' entries'),
    ...(isStringRecord(own) ? recordLimits(own) : []),
  ].join(', ');
};

const recordLimits = ({ propertyNames, additionalProperties }: JsonSchema): string[] => {
  const [key, value] = [limitsOf(asObject(propertyNames)), limitsOf(asObject(additionalProperties))];
  return [...(key === '' ? [] : [`keys of ${key}`]), ...(value === '' ? [] : [`values of ${value}`])];
};
