/** `openapi.json`: the whole API as one document, generated from the schemas and the table of routes. */
import * as z from 'zod/mini';
import { type ErrorCode, HTTP_STATUS } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { EVENT_TYPES } from '../store/records.ts';
import { apiObjects, type JsonSchema } from './api-objects.ts';
import { API_ROUTES, type ApiRoute } from './api-routes.ts';

const OURS = 'Ours: not shown in the API description';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const jsonOf = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

/** A document of OpenAPI 3.1. `version` is that of this project; the interface's own is `v1`. */
export const openApi = (version: string): JsonSchema => ({
  openapi: '3.1.0',
  info: {
    title: 'Payment service API',
    version: 'v1',
    summary: 'Card payments, refunds, balance and webhooks.',
    description: [
      `Written by version ${version} of the card form, from the schemas that its sandbox checks requests and its form reads answers with.`,
      `What the description of the service leaves open and somebody had to choose is marked "${OURS}". Rules such as "contract 3.2" are in docs/contract.md of the card form.`,
      'Amounts are integers in minor units, times are unix seconds. Unknown fields of a request are refused; new fields may be added to answers.',
    ].join('\n\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: '{base_url}',
      variables: {
        base_url: { default: 'http://127.0.0.1:4010', description: 'The origin of the service.' },
      },
    },
  ],
  security: [],
  tags: [
    { name: 'server', description: "For the merchant's server, with the secret key." },
    { name: 'client', description: `For the form alone, with the publishable key. ${OURS} (contract 3).` },
  ],
  paths: pathsOf(API_ROUTES),
  webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type) }])),
  components: {
    securitySchemes: {
      secretKey: {
        type: 'http',
        scheme: 'bearer',
        description: '`sk_live_` and 32 characters. For a server alone.',
      },
      publishableKey: {
        type: 'http',
        scheme: 'bearer',
        description: '`pk_live_` and 32 characters. Client routes alone, with the client secret in the body.',
      },
    },
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'The same key with the same body answers with the first result, and makes nothing new. Keys are shared by all routes that take one, and never expire. A request that ends in an error keeps nothing.',
        schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKey },
      },
    },
    headers: {
      RetryAfter: {
        description: 'Whole seconds to wait.',
        required: true,
        schema: { type: 'integer', minimum: 1 },
      },
      NoStore: { description: 'An answer is never stored.', required: true, schema: { const: 'no-store' } },
    },
    schemas: { ...apiObjects(), ...requestObjects() },
  },
});

const requestObjects = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    API_ROUTES.flatMap(({ body }) => {
      if (body === null) return [];
      const { $schema: _, ...schema } = JSON.parse(
        JSON.stringify(z.toJSONSchema(body.schema, { io: 'input' })),
      );
      return [[body.name, schema]];
    }),
  );

const pathsOf = (routes: readonly ApiRoute[]): JsonSchema => {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const path = documentedPath(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return paths;
};

/** `/a/:id` as the document writes it. */
export const documentedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const operation = (route: ApiRoute): JsonSchema => ({
  operationId: route.id,
  tags: [route.key === 'secret' ? 'server' : 'client'],
  description: route.about + (route.ours === null ? '' : `\n\n${OURS}: ${route.ours}.`),
  security: [{ [route.key === 'secret' ? 'secretKey' : 'publishableKey']: [] }],
  parameters: parametersOf(route),
  ...(route.body === null ? {} : { requestBody: { required: true, content: jsonOf(ref(route.body.name)) } }),
  responses: {
    200: {
      description: 'As it stands now.',
      headers: { 'Cache-Control': { $ref: '#/components/headers/NoStore' } },
      content: jsonOf(ref(route.answers)),
    },
    ...refusals(route.codes),
  },
});

const parametersOf = ({ path, query, idempotent }: ApiRoute): JsonSchema[] => [
  ...Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...Object.entries(query).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: false,
    description: parameter.about,
    schema:
      parameter.kind === 'integer'
        ? {
            type: 'integer',
            minimum: parameter.least,
            maximum: parameter.most,
            default: parameter.standard,
          }
        : {
            type: 'string',
            minLength: 1,
            ...(parameter.longest === null ? {} : { maxLength: parameter.longest }),
          },
  })),
  ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
];

/** One response for each status, with the codes it can have on this route. */
const refusals = (codes: readonly ErrorCode[]): Record<string, JsonSchema> => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes))
    byStatus.set(HTTP_STATUS[code], [...(byStatus.get(HTTP_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, own]) => [
      String(status),
      {
        description: own.map((code) => `\`${code}\``).join(', '),
        ...(status === 429
          ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
          : {}),
        content: jsonOf({ allOf: [ref('Error'), codesSchema(own)] }),
      },
    ]),
  );
};

const codesSchema = (codes: readonly ErrorCode[]): JsonSchema => ({
  type: 'object',
  properties: { error: { type: 'object', properties: { code: { enum: codes } }, required: ['code'] } },
});

const header = (name: string, about: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description: about,
  schema: { type: 'string' },
});

const webhook = (type: string): JsonSchema => ({
  operationId: `on_${type.replace('.', '_')}`,
  description:
    'Delivered up to eight times until it is answered with 2xx within ten seconds; redirects are not followed. It may arrive more than once and in another order.',
  security: [],
  parameters: [
    header(
      'Service-Signature',
      `\`t=<unix seconds>,kid=<key>,v1=<signature>\`. ${OURS} (contract 5.6): Ed25519 over \`<t>.<endpoint id>.\` and the raw body, in base64.`,
    ),
    header('Service-Event-Id', 'Not signed: to be taken from the body.'),
    header('Service-Event-Type', 'Not signed: to be taken from the body.'),
  ],
  requestBody: { required: true, content: jsonOf(ref('Event')) },
  responses: { '2XX': { description: 'It has arrived.' } },
});
