/** Reads JSON Schemas as far as `openapi.json` uses them, for what is written from it: types and the reference. */

/** A JSON Schema, as JSON. */
export type JsonSchema = { [key: string]: unknown };

/** A copy of an object; an empty object for anything else. */
export const asObject = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** The strings of a list. */
export const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The alternatives of `anyOf`, or of a list of types; a schema without them is its own only alternative. */
export const alternatives = (schema: JsonSchema): readonly JsonSchema[] => {
  const { anyOf, type } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(asObject);
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema];
};

export const isNull = ({ type }: JsonSchema): boolean => type === 'null';

/** The name of the schema that a `$ref` names, or `null`. */
export const referenceIn = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;

/** The fields of an object schema, in order. */
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

/** Whether a schema is an object with any keys. */
export const isStringRecord = (schema: JsonSchema): boolean =>
  schema.type === 'object' && typeof schema.additionalProperties === 'object';

const number = (value: number): string => value.toLocaleString('en-US');

const range = (least: unknown, most: unknown, unit: string): string[] => {
  const [from, to] = [typeof least === 'number' ? least : null, typeof most === 'number' ? most : null];
  if (from !== null && to !== null) return [`${number(from)} to ${number(to)}${unit}`];
  if (from !== null) return [`from ${number(from)}${unit}`];
  return to === null ? [] : [`at most ${number(to)}${unit}`];
};

/** The bounds that JSON Schema adds to each integer: no rule of the service. */
const within = (bound: unknown): unknown =>
  Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER ? null : bound;

/** The limits of a value in words, such as `1 to 100 characters`. Empty if it has none. */
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
