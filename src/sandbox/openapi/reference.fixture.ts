/** The examples of docs/api.md, answered by a sandbox with a seed on a clock that stands still. */
import { type ErrorCode, HTTP_STATUS } from '../../api/errors.ts';
import { CLIENT_ROUTES, SERVER_ROUTES } from '../../api/routes.ts';
import type { HttpResponse } from '../../conformance/http.ts';
import { createRemote, type Exchange, fieldsOf } from '../remote/remote.ts';
import { ORDER, trigger } from '../remote/trigger.ts';
import { confirmBody, sendIn } from '../sandbox.fixture.ts';
import { EVENT_TYPES, type EventType } from '../store/records.ts';
import { createMerchantWorld } from '../webhooks/webhooks.fixture.ts';
import type { Example, Examples } from './reference.ts';

const pretty = (text: string): string => JSON.stringify(JSON.parse(text), null, 2);

const SHOWN_HEADERS: Readonly<Record<string, string>> = {
  authorization: 'Authorization',
  'idempotency-key': 'Idempotency-Key',
};

/** `written` is how the body of the request is written: over many lines, or in one. */
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

/** Every example anew, each error and each event in a sandbox of its own. */
export const createExamples = async (): Promise<Examples> => {
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

const start = () => {
  const world = createMerchantWorld({ seed: 7 });
  const remote = createRemote(sendIn(world), undefined);
  const { keys } = world.sandbox;
  const context = { remote, keys, name: 'order-17', wait: (ms: number) => world.clock.advance(ms) };
  return { world, remote, context };
};

const errorExample = async (code: string): Promise<Example> => {
  const { remote, context } = start();
  await trigger(context, code);
  const last = remote.exchanges.at(-1);
  if (last === undefined) throw new Error(`Nothing was sent for ${code}.`);
  return exampleOf(last, (text) => text);
};

const eventExample = async (type: EventType): Promise<Example> => {
  const { world, context } = start();
  await world.endpoint();
  await trigger(context, type);
  await world.clock.advance(1000);
  const arrived = world.arrivals.find(({ event }) => event.type === type);
  if (arrived === undefined) throw new Error(`No ${type} arrived.`);
  return {
    line: 'POST /webhooks',
    headers: Object.entries(arrived.headers).map(([name, value]) => `${name}: ${value}`),
    body: pretty(arrived.body),
    answer: null,
  };
};

const routeExamples = async (): Promise<Record<string, Example>> => {
  const { remote, context } = start();
  const key = context.keys.secret;
  const examples: Record<string, Example> = {};
  const show = async (id: string, ...[method, path, options]: Parameters<typeof remote.call>) => {
    const response = await remote.call(method, path, { key, ...options });
    const request = remote.exchanges.at(-1)?.request;
    if (request === undefined || response.status !== 200) throw new Error(`${id} answered ${response.text}`);
    examples[id] = exampleOf({ request, response });
    return fieldsOf(response.text);
  };
  const headers = { 'idempotency-key': 'order-17' };
  const made = await show('createPaymentIntent', 'POST', SERVER_ROUTES.paymentIntents, {
    body: ORDER,
    headers,
  });
  const path = `${SERVER_ROUTES.paymentIntents}/${made.id}`;
  const updated = await show('updatePaymentIntent', 'POST', path, {
    body: { description: 'Two for one', discount_amount: 0 },
  });
  const { amount_total, currency } = updated;
  await remote.call('POST', CLIENT_ROUTES.confirm, {
    key: context.keys.publishable,
    body: confirmBody({
      client_secret: `${made.client_secret}`,
      amount_total: Number(amount_total),
      currency: `${currency}`,
    }),
  });
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
