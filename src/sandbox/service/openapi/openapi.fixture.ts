/** Compares responses with `openapi.json`, so that tests find errors in the document. */
import { fromJSONSchema, type ZodType } from 'zod';
import { API_ROUTES } from '../core/api-routes.ts';
import { asObject } from './json-schema.ts';
import { documentedPath, openApi } from './openapi.ts';

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([own]) => own === key)?.[1]
        : undefined,
    value,
  );

/** Closes every object schema: an undocumented field must not be sent. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
};

const DOCUMENT = JSON.stringify(openApi('0.0.0')).replaceAll('#/components/schemas/', '#/$defs/');
const parsed: unknown = JSON.parse(DOCUMENT);
const DEFS = closed(at(parsed, 'components', 'schemas'));
const schemas = new Map<string, ZodType>();

const schemaOf = (key: string, schema: unknown): ZodType => {
  const known =
    schemas.get(key) ?? fromJSONSchema(JSON.parse(JSON.stringify({ ...asObject(schema), $defs: DEFS })));
  schemas.set(key, known);
  return known;
};

const ROUTES = API_ROUTES.map((route) => ({
  ...route,
  form: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
}));

/** Returns the documented response of this route and status, or `null` if the route is not documented. */
const documentedResponse = (method: string, path: string, status: number) => {
  const route = ROUTES.find((one) => one.method === method.toLowerCase() && one.form.test(path));
  if (route === undefined) return null;
  const operation = at(parsed, 'paths', documentedPath(route.path), route.method);
  return { id: route.id, response: at(operation, 'responses', String(status)) };
};

/** Returns the difference between a response and the document, or `null`. */
export const undocumented = (
  method: string,
  path: string,
  response: { status: number; headers: Headers; body: unknown },
): string | null => {
  const documented = documentedResponse(method, path, response.status);
  if (documented === null) return null;
  const { id, response: expected } = documented;
  if (expected === undefined) return `${id} answers ${response.status}, which openapi.json does not have`;
  for (const name of Object.keys(asObject(at(expected, 'headers')))) {
    if (!response.headers.has(name)) return `${id} answers ${response.status} without ${name}`;
  }
  const schema = schemaOf(`${id} ${response.status}`, at(expected, 'content', 'application/json', 'schema'));
  const result = schema.safeParse(response.body);
  return result.success
    ? null
    : `${id} answers ${response.status} not as documented in openapi.json: ${JSON.stringify(result.error.issues).slice(0, 2000)}`;
};
