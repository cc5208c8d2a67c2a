/**
 * Generates the server routes' objects as TypeScript, for `@partner/card-form/server`. They are written out because the
 * package's types must not depend on a schema library, and generated from `openapi.json` so that the two agree.
 */
import { API_ROUTES, type QueryParameter } from '../core/api-routes.ts';
import {
  alternatives,
  asObject,
  isNull,
  isStringRecord,
  type JsonSchema,
  limitsOf,
  referenceIn,
  schemaFields,
} from './json-schema.ts';
import { openApi } from './openapi.ts';

/** The objects that a merchant's server reads, and the bodies that it sends. */
const OBJECTS: Readonly<Record<string, string>> = {
  PaymentIntent: 'A payment, as the merchant sees it.',
  CreatedPaymentIntent: 'A payment in the answer to its creation, which alone has the client secret.',
  Refund: 'A refund of a payment, or of a part of it.',
  FeeQuote: 'The fees of a payment that was not made.',
  Balance: 'What the account can be paid out, and what is still locked, by currency.',
  WebhookSigningKey: 'A public key that verifies webhooks.',
  PaymentIntentEvent: 'An event about a payment.',
  RefundEvent: 'An event about a refund.',
  CreatePaymentIntent: 'The body that creates a payment.',
  UpdatePaymentIntent: 'The body that changes a payment: fields that are left out stay.',
  CreateRefund: 'The body that creates a refund.',
  CreateFeeQuote: 'The body that asks for fees.',
};

/** Converts a JSON Schema to a type. `indent` is the indentation of the line in which the type begins. */
const typeOf = (schema: JsonSchema, indent: string): string => {
  const types = alternatives(schema).map((one) => (isNull(one) ? 'null' : plainTypeOf(one, indent)));
  return types.join(' | ');
};

const plainTypeOf = (schema: JsonSchema, indent: string): string => {
  const reference = referenceIn(schema);
  if (reference !== null) return reference;
  if (schema.const !== undefined) return literal(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return `readonly ${element(typeOf(asObject(schema.items), indent))}[]`;
    case 'object':
      return isStringRecord(schema)
        ? `Readonly<Record<string, ${typeOf(asObject(schema.additionalProperties), indent)}>>`
        : objectType(schema, indent);
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema).slice(0, 200)}.`);
  }
};

const literal = (value: unknown): string => `'${value}'`;

const element = (type: string): string =>
  type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type;

/** Optional fields may be `undefined`: JSON leaves them out. */
const objectType = (schema: JsonSchema, indent: string): string => {
  const inner = `${indent}  `;
  const fields = schemaFields(schema).map(({ name, schema: field, isRequired }) => {
    const about = [field.description, limitsOf(field)].filter((text) => text !== undefined && text !== '');
    const comment = about.length === 0 ? '' : `${inner}/** ${about.map(sentence).join(' ')} */\n`;
    const type = typeOf(field, inner);
    return `${comment}${inner}${name}${isRequired ? `: ${type}` : `?: ${type} | undefined`};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
};

const sentence = (text: unknown): string => {
  const words = `${text}`;
  const whole = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

/** Objects that share nearly all fields with another one, so that the shared fields are written once. */
const LIKE: Readonly<Record<string, string>> = {
  CreatedPaymentIntent: 'PaymentIntent',
  UpdatePaymentIntent: 'CreatePaymentIntent',
};

/**
 * Writes the type of an object as the fields it adds to its base in `LIKE`, or as all fields of the base, each
 * optional.
 */
const typeBeside = (name: string, schemas: JsonSchema): string => {
  const schema = asObject(schemas[name]);
  const like = LIKE[name];
  if (like === undefined) return typeOf(schema, '');
  const [base, own] = [asObject(asObject(schemas[like]).properties), asObject(schema.properties)];
  const isSame = (field: string) => JSON.stringify(base[field]) === JSON.stringify(own[field]);
  if (!Object.keys(base).every(isSame)) throw new Error(`${name} is no longer like ${like}.`);
  const more = Object.entries(own).filter(([field]) => base[field] === undefined);
  if (more.length === 0) return `{ [Field in keyof ${like}]?: ${like}[Field] | undefined }`;
  return `${like} & ${typeOf({ ...schema, properties: Object.fromEntries(more) }, '')}`;
};

const queryType = (query: Readonly<Record<string, QueryParameter>>): string => {
  const fields = Object.entries(query).map(([name, parameter]) => {
    const isInteger = parameter.kind === 'integer';
    const limits = isInteger
      ? ` ${parameter.least} to ${parameter.most}; ${parameter.standard} if left out.`
      : '';
    return `  /** ${parameter.about}${limits} */\n  ${name}?: ${isInteger ? 'number' : 'string'} | undefined;\n`;
  });
  return `{\n${fields.join('')}}`;
};

/** The names of the list routes' query types, by route id. */
const QUERIES = { listPaymentIntents: 'ListPaymentIntentsQuery', listRefunds: 'ListRefundsQuery' };

/** Generates the source of `src/merchant/server/api-types.ts`. */
export const typeScript = (): string => {
  const schemas = asObject(asObject(openApi('').components).schemas);
  const objects = Object.entries(OBJECTS).map(
    ([name, about]) => `/** ${about} */\nexport type ${name} = ${typeBeside(name, schemas)};\n`,
  );
  const queries = Object.entries(QUERIES).map(([id, name]) => {
    const route = API_ROUTES.find((one) => one.id === id);
    if (route === undefined) throw new Error(`There is no route ${id}.`);
    return `/** The query of a list. */\nexport type ${name} = ${queryType(route.query)};\n`;
  });
  return [
    '// biome-ignore-all format: written by src/sandbox/service/openapi/typescript.ts\n',
    '/** The objects of the server routes, written from `openapi.json` by `npm run api`. Do not edit. */\n',
    ...objects,
    ...queries,
  ].join('\n');
};
