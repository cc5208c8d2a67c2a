/**
 * Triggers each event and error of the service's description in a running sandbox, the way it happens to a merchant,
 * with a real payment behind it. Anything that changes an account uses a new one.
 */
import { OptionError } from '../../api/command/option-error.ts';
import type { ErrorCode } from '../../api/errors.ts';
import { CLIENT_ROUTES, SERVER_ROUTES } from '../../api/routes.ts';
import type { EventType } from '../service/store/records.ts';
import { jsonFields, listOf, type Remote } from './remote.ts';

type Keys = { publishable: string; secret: string };

/** Inputs of a trigger. `name` is new for each run, because an idempotency key may be used only once. */
export type TriggerContext = {
  remote: Remote;
  keys: Keys;
  name: string;
  wait(ms: number): Promise<void>;
};

type Trigger = (context: TriggerContext) => Promise<unknown>;

const ADDRESS = {
  line1: '12 Orchard Lane',
  line2: null,
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
  country: 'US',
};

/** A create body with every detail that confirm requires. */
export const EXAMPLE_ORDER = {
  amount: 2902,
  currency: 'usd',
  items: [{ name: 'Kenya Nyeri AA, 250 g', quantity: 1, unit_amount: 2902 }],
  order_reference: 'order-17',
  buyer: { name: 'Ada Lovelace' },
  shipping_details: { name: 'Ada Lovelace', address: ADDRESS },
};

/** Numbers from contract 6.7. */
const SUCCEEDS = '4242424242424242';
const DECLINED = '4000000000000002';
const NOT_AUTHENTICATED = '4000008400001629';
const NETWORK_FAILS = '4000000000000119';
const LIMITED_ONCE = '4000000000010068';
const SERVICE_FAILS = '4000000000010126';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const createWith = ({ remote, keys }: TriggerContext, body: object = {}, headers = {}, key = keys.secret) =>
  remote.call('POST', SERVER_ROUTES.paymentIntents, { key, body: { ...EXAMPLE_ORDER, ...body }, headers });

/** Creates a payment. Throws if the sandbox refuses. */
const created = async (context: TriggerContext, body: object = {}) => {
  const response = await createWith(context, body);
  if (response.status === 200) return jsonFields(response.text);
  throw new OptionError(
    `The sandbox's first account cannot make a payment: it answered ${response.status} ${response.text.slice(0, 300)}`,
  );
};

/** Pays an intent as the form does. */
export const confirmPayment = (
  { remote, keys }: TriggerContext,
  intent: Readonly<Record<string, unknown>>,
  number = SUCCEEDS,
  change: object = {},
) => {
  const { client_secret, amount_total, currency } = intent;
  const body = {
    ...{ client_secret, amount_total, currency },
    // Later than any sandbox clock, even one that a test has moved by years.
    card: { number, exp_month: 12, exp_year: 2049, cvc: '123' },
    billing_details: { email: 'ada@example.com', name: 'Ada Lovelace', address: ADDRESS },
    ...change,
  };
  return remote.call('POST', CLIENT_ROUTES.confirm, { key: keys.publishable, body });
};

const paid = async (context: TriggerContext) => {
  const intent = await created(context);
  await confirmPayment(context, intent);
  return intent;
};

const refund = ({ remote, keys }: TriggerContext, payment_intent: unknown, amount?: number) =>
  remote.call('POST', SERVER_ROUTES.refunds, {
    key: keys.secret,
    body: { payment_intent, ...(amount === undefined ? {} : { amount }) },
  });

const read = ({ remote, keys }: TriggerContext, path: string, key = keys.secret) =>
  remote.call('GET', path, { key });

/** Opens an account with these settings. */
const openAccount = async ({ remote }: TriggerContext, settings: object) => {
  const { id, keys } = await remote.control('POST', 'accounts', settings);
  const pair: Readonly<Record<string, unknown>> =
    typeof keys === 'object' && keys !== null ? { ...keys } : {};
  return { id: text(id), pair: text(pair.id), secret: text(pair.secret_key) };
};

const createIn =
  (settings: object, body: object = {}): Trigger =>
  async (context) =>
    createWith(context, body, {}, (await openAccount(context, settings)).secret);

const confirmWith =
  (number: string): Trigger =>
  async (context) =>
    confirmPayment(context, await created(context), number);

const ERRORS: Readonly<Record<ErrorCode, Trigger>> = {
  validation_error: (context) => createWith(context, { colour: 'red' }),
  invalid_amount: (context) => createWith(context, { amount: 0 }),
  amount_too_small: (context) => createWith(context, { amount: 99 }),
  amount_too_large: (context) => createWith(context, { amount: 100_000_000 }),
  unsupported_currency: (context) => createWith(context, { currency: 'gbp' }),
  invalid_billing_details: async (context) => {
    const billing_details = { email: 'nobody', name: 'Ada Lovelace', address: ADDRESS };
    return confirmPayment(context, await created(context), SUCCEEDS, { billing_details });
  },
  invalid_payment_details: (context) =>
    createWith(context, { items: [{ ...EXAMPLE_ORDER.items[0], quantity: 0 }] }),
  payment_details_missing: async (context) =>
    confirmPayment(context, await created(context, { buyer: null })),
  non_physical_goods_not_allowed: createIn({ non_physical_goods: false }, { goods_type: 'non_physical' }),
  payment_intent_not_pending: async (context) => confirmPayment(context, await paid(context)),
  payment_not_refundable: async (context) => refund(context, (await created(context)).id),
  refund_exceeds_remaining: async (context) =>
    refund(context, (await paid(context)).id, EXAMPLE_ORDER.amount + 1),
  merchant_suspended: createIn({ suspended: true }),
  merchant_not_approved: createIn({ approved: false }),
  invalid_api_key: (context) => read(context, SERVER_ROUTES.balance, `sk_live_${'0'.repeat(32)}`),
  api_key_revoked: async (context) => {
    const { id, pair, secret } = await openAccount(context, {});
    await context.remote.control('POST', `accounts/${id}/keys/${pair}/revoke`);
    return read(context, SERVER_ROUTES.balance, secret);
  },
  invalid_client_secret: ({ remote, keys }) => {
    const body = { client_secret: `lg_cs_${'0'.repeat(24)}` };
    return remote.call('POST', CLIENT_ROUTES.retrieve, { key: keys.publishable, body });
  },
  payment_method_declined: confirmWith(DECLINED),
  payment_failed: confirmWith(NOT_AUTHENTICATED),
  not_found: (context) => read(context, '/partner/v1/nothing'),
  payment_intent_not_found: (context) => read(context, `${SERVER_ROUTES.paymentIntents}/lg_pi_none`),
  refund_not_found: (context) => read(context, `${SERVER_ROUTES.refunds}/lg_re_none`),
  idempotency_key_reused: async (context) => {
    const headers = { 'idempotency-key': context.name };
    await createWith(context, {}, headers);
    return createWith(context, { amount: EXAMPLE_ORDER.amount + 1 }, headers);
  },
  payment_intent_updated: async (context) =>
    confirmPayment(context, await created(context), SUCCEEDS, { amount_total: EXAMPLE_ORDER.amount - 1 }),
  rate_limited: confirmWith(LIMITED_ONCE),
  internal_error: confirmWith(SERVICE_FAILS),
  fee_plan_not_configured: createIn({ fee_schedule: null }),
  provider_error: confirmWith(NETWORK_FAILS),
};

const EVENTS: Readonly<Record<EventType, Trigger>> = {
  'payment_intent.succeeded': paid,
  'refund.succeeded': async (context) => refund(context, (await paid(context)).id, 1000),
  // A refund of an amount that ends in 13 fails (contract 5.7).
  'refund.failed': async (context) => refund(context, (await paid(context)).id, 1013),
};

const isEvent = (name: string): name is EventType => Object.hasOwn(EVENTS, name);
const isError = (name: string): name is ErrorCode => Object.hasOwn(ERRORS, name);

/** The names of everything that can be triggered. */
export const TRIGGERS: readonly string[] = [...Object.keys(EVENTS), ...Object.keys(ERRORS)];

/** Result of a trigger: the error's response, or the event as sent. */
export type Triggered =
  | { kind: 'error'; status: number; text: string }
  | { kind: 'event'; event: Readonly<Record<string, unknown>> };

/** Refunds take three seconds on the sandbox's clock; a payment takes none. */
const POLL_MS = 250;
const POLLS = 60;

/** Triggers an event or error. Throws an `OptionError` if the name is unknown or nothing happens. */
export const trigger = async (context: TriggerContext, name: string): Promise<Triggered> => {
  const { remote } = context;
  if (isError(name)) {
    await ERRORS[name](context);
    const { status = 0, text = '' } = remote.exchanges.at(-1)?.response ?? {};
    if (errorCodeIn(text) === name) return { kind: 'error', status, text };
    throw new OptionError(`The sandbox answered ${status} ${text.slice(0, 300)} instead of ${name}.`);
  }
  if (!isEvent(name))
    throw new OptionError(
      `${JSON.stringify(name.slice(0, 60))} is neither an event nor an error. Choose one of these:\n${listed()}`,
    );
  await EVENTS[name](context);
  const made = jsonFields(remote.exchanges.at(-1)?.response.text ?? '');
  for (let polls = 0; polls < POLLS; polls += 1) {
    const { data } = await remote.control('GET', 'events?limit=100');
    const event = listOf(data).find((one) => one.type === name && isAbout(one, made.id));
    if (event !== undefined) return { kind: 'event', event };
    await context.wait(POLL_MS);
  }
  throw new OptionError(`No ${name} came for ${text(made.id) || 'the payment'}.`);
};

const isAbout = ({ data }: Readonly<Record<string, unknown>>, id: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'object' in data &&
  typeof data.object === 'object' &&
  data.object !== null &&
  'id' in data.object &&
  data.object.id === id;

const errorCodeIn = (body: string): unknown => {
  const { error } = jsonFields(body);
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
};

const listed = (): string => TRIGGERS.map((name) => `  ${name}`).join('\n');
