/**
 * The "Server API" page: for `dist/api.md`, which ships with the npm package and every sandbox, and for `llms.txt`. Its
 * examples are the answers of a seeded sandbox with a stopped clock, so every build writes the same page.
 */
import type { Exchange, HttpResponse } from '../api/command/http.ts';
import { type ErrorCode, HTTP_STATUS } from '../api/errors.ts';
import { SERVER_ROUTES } from '../api/routes.ts';
import { createRemote, jsonFields } from '../sandbox/cli/remote.ts';
import { confirmPayment, EXAMPLE_ORDER, trigger } from '../sandbox/cli/trigger.ts';
import { createManualWallClock } from '../sandbox/service/core/manual-clock.ts';
import { type Example, type Examples, reference } from '../sandbox/service/openapi/reference.ts';
import { EVENT_TYPES, type EventType } from '../sandbox/service/store/records.ts';
import type { Page } from './llms.ts';

/** The page as if it were in docs/: its links lead to pages there. */
export const apiPage = async (): Promise<Page> => ({
  path: 'docs/api.md',
  text: reference(await createExamples()),
});

const pretty = (text: string): string => JSON.stringify(JSON.parse(text), null, 2);

const SHOWN_HEADERS: Readonly<Record<string, string>> = {
  authorization: 'Authorization',
  'idempotency-key': 'Idempotency-Key',
};

/** `written` formats the request's body: over several lines, or on one. */
const exampleOf = ({ request, response }: Exchange, written = pretty): Example => ({
  line: `${request.method} ${request.path}`,
  headers: Object.entries(SHOWN_HEADERS).flatMap(([name, shown]) => {
    const value = request.headers[name];
    return value === undefined ? [] : [`${shown}: ${value.replace(/^(Bearer [sp]k_live_).*/, '$1…')}`];
  }),
  body: request.body === null ? null : written(request.body),
  answer: answerOf(response),
});

const answerOf = ({ status, headers, text }: HttpResponse): Example['answer'] => ({
  status,
  headers: headers['retry-after'] === undefined ? [] : [`Retry-After: ${headers['retry-after']}`],
  body: pretty(text),
});

/** Creates all examples, with a separate sandbox for each error and each event. */
const createExamples = async (): Promise<Examples> => {
  const routes = await routeExamples();
  const errors = new Map<string, Example>();
  for (const code of Object.keys(HTTP_STATUS)) errors.set(code, await errorExample(code));
  const events = new Map<string, Example>();
  for (const type of EVENT_TYPES) events.set(type, await eventExample(type));
  const all = <Key extends string>(keys: readonly Key[], from: ReadonlyMap<string, Example>) => {
    const found: Partial<Record<Key, Example>> = {};
    for (const key of keys) {
      const example = from.get(key);
      if (example !== undefined) found[key] = example;
    }
    return found;
  };
  const isWhole = <Key extends string>(
    record: Partial<Record<Key, Example>>,
    keys: readonly Key[],
  ): record is Record<Key, Example> => keys.every((key) => record[key] !== undefined);
  const codes = Object.keys(HTTP_STATUS).filter((code): code is ErrorCode => errors.has(code));
  const [ofErrors, ofEvents] = [all(codes, errors), all<EventType>([...EVENT_TYPES], events)];
  if (!isWhole(ofErrors, codes) || !isWhole(ofEvents, [...EVENT_TYPES]))
    throw new Error('An example is missing.');
  return { routes, errors: ofErrors, events: ofEvents };
};

const start = async () => {
  const { createSandbox } = await import('../sandbox/service/sandbox.ts');
  const clock = createManualWallClock();
  const arrivals: { headers: Readonly<Record<string, string>>; body: string }[] = [];
  const sandbox = createSandbox({
    ...{ seed: 7, clock },
    outgoing: async (request) => {
      arrivals.push(request);
      return { status: 200 };
    },
  });
  const remote = createRemote(async ({ method, path, headers, body }) => {
    const request = new Request(`http://service.test${path}`, { method, headers, body });
    const response = await sandbox.fetch(request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  }, undefined);
  const wait = (ms: number) => clock.advance(ms);
  return { arrivals, remote, context: { remote, keys: sandbox.keys, name: 'order-17', wait } };
};

const errorExample = async (code: string): Promise<Example> => {
  const { remote, context } = await start();
  await trigger(context, code);
  const last = remote.exchanges.at(-1);
  if (last === undefined) throw new Error(`Nothing was sent for ${code}.`);
  return exampleOf(last, (text) => text);
};

const eventExample = async (type: EventType): Promise<Example> => {
  const { arrivals, remote, context } = await start();
  await remote.control('POST', 'webhook_endpoints', { url: 'https://shop.example.com/webhooks' });
  await trigger(context, type);
  await context.wait(1000);
  const arrived = arrivals.find(({ body }) => jsonFields(body).type === type);
  if (arrived === undefined) throw new Error(`No ${type} arrived.`);
  return {
    line: 'POST /webhooks',
    headers: Object.entries(arrived.headers).map(([name, value]) => `${name}: ${value}`),
    body: pretty(arrived.body),
    answer: null,
  };
};

const routeExamples = async (): Promise<Record<string, Example>> => {
  const { remote, context } = await start();
  const key = context.keys.secret;
  const examples: Record<string, Example> = {};
  const show = async (id: string, ...[method, path, options]: Parameters<typeof remote.call>) => {
    const response = await remote.call(method, path, { key, ...options });
    const request = remote.exchanges.at(-1)?.request;
    if (request === undefined || response.status !== 200) throw new Error(`${id} answered ${response.text}`);
    examples[id] = exampleOf({ request, response });
    return jsonFields(response.text);
  };
  const headers = { 'idempotency-key': 'order-17' };
  const made = await show('createPaymentIntent', 'POST', SERVER_ROUTES.paymentIntents, {
    body: EXAMPLE_ORDER,
    headers,
  });
  const path = `${SERVER_ROUTES.paymentIntents}/${made.id}`;
  const updated = await show('updatePaymentIntent', 'POST', path, {
    body: { description: 'Two for one', discount_amount: 0 },
  });
  await confirmPayment(context, { ...updated, client_secret: made.client_secret });
  await show('retrievePaymentIntent', 'GET', path);
  await show('listPaymentIntents', 'GET', `${SERVER_ROUTES.paymentIntents}?order_reference=order-17&limit=1`);
  const refund = await show('createRefund', 'POST', SERVER_ROUTES.refunds, {
    body: { payment_intent: made.id, amount: 1000 },
    headers: { 'idempotency-key': 'refund-of-order-17' },
  });
  await show('retrieveRefund', 'GET', `${SERVER_ROUTES.refunds}/${refund.id}`);
  await show('listRefunds', 'GET', `${SERVER_ROUTES.refunds}?payment_intent=${made.id}`);
  await show('createFeeQuote', 'POST', SERVER_ROUTES.feeQuotes, { body: { amount: 2902, currency: 'usd' } });
  await show('retrieveBalance', 'GET', SERVER_ROUTES.balance);
  await show('listWebhookSigningKeys', 'GET', SERVER_ROUTES.webhookSigningKeys);
  return examples;
};
