/**
 * The page "Server API": the API reference for a merchant's server, generated from `openapi.json`, the table of routes
 * and the sandbox's answers to examples. `src/build/api-page.ts` has the examples.
 */

import { type ErrorCode, errorType, HTTP_STATUS } from '../../../api/errors.ts';
import { API_ROUTES, type ApiRoute } from '../core/api-routes.ts';
import { SANDBOX_URL } from '../core/ports.ts';
import { EVENT_TYPES, type EventType } from '../store/records.ts';
import { eventObject } from './api-objects.ts';
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
import { documentedPath, openApi } from './openapi.ts';

/** A request and its answer, or a webhook and its body. `body` is JSON. */
export type Example = {
  line: string;
  headers: readonly string[];
  body: string | null;
  answer: { status: number; headers: readonly string[]; body: string } | null;
};

/** One example for each server route (by its id), error and event. */
export type Examples = {
  routes: Readonly<Record<string, Example>>;
  errors: Readonly<Record<ErrorCode, Example>>;
  events: Readonly<Record<EventType, Example>>;
};

/** The condition of each error (contract S16.3). */
const CONDITION: Readonly<Record<ErrorCode, string>> = {
  validation_error: 'A field is missing, unknown or of the wrong type, or the JSON is broken.',
  invalid_amount: '`amount` is not a positive integer.',
  amount_too_small: 'The buyer would pay less than 100, or fees that the merchant bears would take all.',
  amount_too_large: 'The total is above 99,999,999.',
  unsupported_currency: 'The currency is neither `usd` nor `eur`.',
  invalid_billing_details: "The buyer's billing details are missing or invalid. To the form only.",
  invalid_payment_details: 'Items, buyer, order reference or address break a rule.',
  payment_details_missing:
    'The buyer pays while buyer, order reference or shipping address is missing. To the form only.',
  non_physical_goods_not_allowed: 'The account may not sell what is not shipped.',
  payment_intent_not_pending: 'The payment is complete, canceled, or out of attempts.',
  payment_not_refundable: 'The payment has not succeeded, or the payment network refused the refund.',
  refund_exceeds_remaining: 'The refund is larger than `amount_refundable`.',
  merchant_suspended: 'The account is suspended.',
  merchant_not_approved: 'The account is not approved yet.',
  invalid_api_key: 'There is no key, or it does not exist.',
  api_key_revoked: 'The key was revoked.',
  invalid_client_secret: 'The client secret is wrong. To the form only.',
  payment_method_declined: 'The card was declined. To the form only.',
  payment_failed: 'The payment failed, for example because 3-D Secure did not pass. To the form only.',
  not_found: 'There is no such route.',
  payment_intent_not_found: 'The account has no such payment.',
  refund_not_found: 'The account has no such refund.',
  idempotency_key_reused: 'The key was used with another body, or on another route.',
  payment_intent_updated: 'The amount changed since the form loaded; nothing was charged. To the form only.',
  rate_limited: 'Too many requests or attempts. `Retry-After` says how many seconds to wait, exactly.',
  internal_error: 'The service failed.',
  fee_plan_not_configured: 'The account has no fee schedule.',
  provider_error: 'The payment network could not process the request.',
};

const EVENT_MEANS: Readonly<Record<EventType, string>> = {
  'payment_intent.succeeded': 'A payment succeeded. `data.object` is the payment.',
  'refund.succeeded': 'A refund is done. `data.object` is the refund.',
  'refund.failed': 'A refund could not be made. `data.object` is the refund; its amount is refundable again.',
};

/** The objects, in the order of the page. */
const OBJECTS = [
  'PaymentIntent',
  'Refund',
  'FeeQuote',
  'Balance',
  'WebhookSigningKey',
  'ErrorRecord',
] as const;

const CREDENTIALS: Readonly<Record<string, string>> = {
  CreatedPaymentIntent: '[PaymentIntent](#paymentintent), with `client_secret`',
};

const linkTo = (name: string): string => CREDENTIALS[name] ?? `[${name}](#${name.toLowerCase()})`;

const answerOf = ({ response }: ApiRoute): string => {
  const [, item] = /^(\w+)List$/.exec(response) ?? [];
  return item === undefined ? linkTo(response) : `a [list](#lists) of ${linkTo(item)}`;
};

/** Converts `createPaymentIntent` to `Create payment intent`. */
const titleOf = (id: string): string => {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

const typeOf = (schema: JsonSchema): string =>
  alternatives(schema)
    .map((one) => {
      const reference = referenceIn(one);
      if (reference !== null) return linkTo(reference);
      if (one.const !== undefined) return `\`${one.const}\``;
      if (Array.isArray(one.enum)) return one.enum.map((value) => `\`${value}\``).join(', ');
      if (isStringRecord(one)) return 'object of strings';
      return isNull(one) ? 'null' : `${one.type === 'array' ? 'list' : one.type}`;
    })
    .join(' or ');

/** Rules of requests that JSON Schema cannot express, by field name. */
const BEYOND_SCHEMA: Readonly<Record<string, string>> = {
  quantity: 'At most 3 decimals.',
  country: 'ISO 3166-1 alpha-2.',
  metadata: 'At most 50 keys.',
};

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

type Row = readonly [name: string, type: string, about: string];

/** Returns one row per field, including the fields of nested objects and lists. */
const rowsOf = (schema: JsonSchema, path: string, isSent: boolean): Row[] =>
  schemaFields(schema).flatMap(({ name, schema: field, isRequired }) => {
    const [inner = {}] = alternatives(field).filter((one) => !isNull(one));
    const isList = inner.type === 'array';
    const own = `${path}${name}`;
    const about = [
      ...(isSent && isRequired ? ['Required.'] : []),
      ...(typeof field.description === 'string' ? [field.description] : []),
      ...(limitsOf(field) === '' ? [] : [sentence(limitsOf(field))]),
      ...(BEYOND_SCHEMA[name] === undefined || !isSent ? [] : [BEYOND_SCHEMA[name]]),
    ].join(' ');
    const within = isList ? asObject(inner.items) : inner;
    const below = isStringRecord(within) ? [] : rowsOf(within, `${own}${isList ? '[]' : ''}.`, isSent);
    return [[`\`${own}\``, typeOf(field), about], ...below];
  });

const fieldTable = (schema: JsonSchema, isSent: boolean): string =>
  table(['Field', 'Type', 'Meaning'], rowsOf(schema, '', isSent));

const blockOf = ({ line, headers, body, answer }: Example): string => {
  const request = [line, ...headers, ...(body === null ? [] : ['', body])];
  const response = answer === null ? [] : ['', `${answer.status}`, ...answer.headers, '', answer.body];
  return `\`\`\`text\n${[...request, ...response].join('\n')}\n\`\`\``;
};

const exampleIn = <Key extends string>(examples: Readonly<Record<Key, Example>>, key: Key): string => {
  const example = examples[key];
  if (example === undefined) throw new Error(`There is no example of ${key}.`);
  return blockOf(example);
};

const routeSection = (route: ApiRoute, schemas: JsonSchema, examples: Examples): string[] => {
  const { id, method, path, about, ours, query, body, idempotent, codes } = route;
  const parameters = Object.entries(query).map(([name, parameter]) => [
    `\`${name}\``,
    parameter.about +
      (parameter.kind === 'integer'
        ? ` ${parameter.least} to ${parameter.most}; ${parameter.standard} if left out.`
        : ''),
  ]);
  return [
    `### ${titleOf(id)}`,
    `\`${method.toUpperCase()} ${documentedPath(path)}\`: ${about.replace(/\.$/, '')}. It answers with ${answerOf(route)}.${
      idempotent ? ' It takes an [`Idempotency-Key`](#idempotency).' : ''
    }${ours === null ? '' : ` Ours: not shown in the API description: ${ours}.`}`,
    ...(parameters.length === 0 ? [] : [table(['Query parameter', 'Meaning'], parameters)]),
    ...(body === null ? [] : [fieldTable(asObject(schemas[body.name]), true)]),
    exampleIn(examples.routes, id),
    `Errors: ${[...new Set(codes)].map((code) => `[\`${code}\`](#${code})`).join(', ')}.`,
  ];
};

/** Generates the page. */
export const reference = (examples: Examples): string => {
  const schemas = asObject(asObject(openApi('').components).schemas);
  const routes = API_ROUTES.filter(({ key }) => key === 'secret');
  const codes = Object.keys(HTTP_STATUS).filter((code): code is ErrorCode =>
    Object.hasOwn(HTTP_STATUS, code),
  );
  const sections = [
    '# Server API',
    "This page is the reference of the routes for a merchant's server: every route, object, event and error, each with a\nrequest and its answer. It is written from the schemas with which the sandbox checks requests (`npm run build`), and its\nexamples are answers of the sandbox. [`openapi.json`](sandbox.md#control-routes) says the same to programs; the npm\npackage exports it as `@partner/card-form/openapi.json`. In JavaScript, use [the client](server.md).",
    `Addresses begin with the origin of the service; in the sandbox that is \`${SANDBOX_URL}\`. Every request has\n\`Authorization: Bearer sk_live_…\`, and \`Content-Type: application/json\` if it has a body. Amounts are integers in minor\nunits, times are unix seconds. An unknown field in a request is refused; a response may get new ones.`,
    '## Idempotency',
    'Creating a payment and creating a refund take a header `Idempotency-Key` of 1 to 255 characters. The same key with the\nsame body returns the first result, and nothing new is created. With another body, or on the other route, it answers\n[`idempotency_key_reused`](#idempotency_key_reused). Keys belong to the account and never expire. A request that ends in\nan error stores nothing: the same key runs it again.',
    '## Lists',
    table(
      ['Field', 'Type', 'Meaning'],
      schemaFields(asObject(schemas.PaymentIntentList)).map(({ name, schema }) => [
        `\`${name}\``,
        name === 'data' ? 'list' : typeOf(schema),
        name === 'data' ? 'The objects, newest first.' : `${schema.description ?? ''}`,
      ]),
    ),
    'For the next page, repeat the request with `starting_after` set to the last `id`, until `has_more` is false.',
    '## Routes',
    ...routes.flatMap((route) => routeSection(route, schemas, examples)),
    '## Objects',
    ...OBJECTS.flatMap((name) => [
      `### ${name}`,
      fieldTable(asObject(schemas[name === 'PaymentIntent' ? 'CreatedPaymentIntent' : name]), false),
    ]),
    '## Events',
    'The service posts events to the endpoints of the account: [Webhooks](going-live.md#webhooks) has a server for them. Take\nthe information from the body after its signature was verified, not from the headers. An event can arrive twice, late, or\nout of order: retrieve its object for the current state. In the sandbox, `npx card-form trigger <event>` makes one.',
    ...EVENT_TYPES.flatMap((type) => [
      `### ${type}`,
      `${EVENT_MEANS[type]}`,
      table(
        ['Field', 'Type', 'Meaning'],
        rowsOf(asObject(schemas[eventObject(type)]), '', false).map(([name, of, about]) => [
          name,
          name === '`type`' ? `\`${type}\`` : of,
          about,
        ]),
      ),
      exampleIn(examples.events, type),
    ]),
    '## Errors',
    'Every error is `{"error": {…}}` with an [ErrorRecord](#errorrecord). Do not compare messages. In the sandbox,\n`npx card-form trigger <code>` makes any of them happen. What to do about each: [Errors](errors.md); which are sent again:\n[Retries](server.md#retries).',
    table(
      ['`code`', 'HTTP', '`type`', 'When'],
      codes.map((code) => [
        `[\`${code}\`](#${code})`,
        `${HTTP_STATUS[code]}`,
        `\`${errorType(code)}\``,
        CONDITION[code],
      ]),
    ),
    ...codes.flatMap((code) => [`### ${code}`, CONDITION[code], exampleIn(examples.errors, code)]),
    '## Next',
    '- Call these routes from JavaScript: [Your server](server.md).\n- The rules behind them: [The contract](contract.md).\n- Play every failure: [The sandbox](sandbox.md).',
  ];
  return `${sections.join('\n\n')}\n`;
};
