/** For the sandbox's tests: a service with a manual clock, and the requests of a merchant's server and of the form. */
import { expect } from 'vitest';
import * as z from 'zod/mini';
import type { Send } from '../../api/command/http.ts';
import { type ErrorCode, HTTP_STATUS } from '../../api/errors.ts';
import { CLIENT_ROUTES, SERVER_ROUTES } from '../../api/routes.ts';
import { Balance, PaymentIntent, Refund } from '../../api/schemas.ts';
import { createManualWallClock } from './core/manual-clock.ts';
import { undocumented } from './openapi/openapi.fixture.ts';
import { type SandboxOptions, settingsOf } from './options.ts';
import { sandboxOver } from './sandbox.ts';
import { createService, SANDBOX_KEYS } from './service.ts';

/** A response whose body has been read. */
export type ReadResponse = { status: number; headers: Headers; text: string; body: unknown };

/** A body for create with every detail that confirm requires. */
export const ORDER = {
  amount: 1000,
  currency: 'usd',
  items: [{ name: 'Mug', quantity: 1, unit_amount: 1000 }],
  buyer: { name: 'Ada Byron' },
  order_reference: 'A-1',
  shipping_details: { name: 'Ada Byron', address: { line1: '12 St James Square', country: 'GB' } },
};

/** The service's answer for ORDER right after create, without the client secret. */
export const exampleServerIntent = (change: Partial<PaymentIntent> = {}): PaymentIntent => ({
  id: 'lg_pi_1',
  object: 'payment_intent',
  status: 'pending',
  currency: 'usd',
  amount: 1000,
  fee_buyer: 0,
  amount_total: 1000,
  processing_fee: 59,
  bank_fee: 5,
  fee_bearer: 'merchant',
  amount_refunded: 0,
  amount_refundable: 0,
  confirmation_attempts: 0,
  description: null,
  metadata: {},
  order_reference: 'A-1',
  goods_type: 'physical',
  buyer: { name: 'Ada Byron' },
  shipping_details: {
    name: 'Ada Byron',
    phone: null,
    address: {
      line1: '12 St James Square',
      line2: null,
      city: null,
      state: null,
      postal_code: null,
      country: 'GB',
    },
  },
  items: [{ name: 'Mug', quantity: 1, unit_amount: 1000, amount: 1000 }],
  shipping_amount: 0,
  tax_amount: 0,
  discount_amount: 0,
  items_difference: 0,
  billing_details: null,
  created: Date.UTC(2026, 0, 1) / 1000,
  succeeded_at: null,
  unlock_schedule: [],
  ...change,
});

export const BILLING = {
  email: 'ada@example.com',
  name: 'Ada Byron',
  address: {
    line1: '12 St James Square',
    line2: null,
    city: 'London',
    state: null,
    postal_code: 'SW1Y 4JH',
    country: 'GB',
  },
};

/** The test number for which confirm answers with HTML. */
const HTML_RESPONSE_NUMBER = '4000000000010084';

export const GOOD_CARD = '4242424242424242';

/** A valid card with this number: not expired, with a security code of the right length. */
export const card = (number: string) => ({
  number,
  exp_month: 12,
  exp_year: 2031,
  cvc: number.startsWith('37') ? '1234' : '123',
});

type Keys = { publishable: string; secret: string };

const OpenedAccount = z.pipe(
  z.object({
    id: z.string(),
    keys: z.object({ id: z.string(), publishable_key: z.string(), secret_key: z.string() }),
  }),
  z.transform(({ id, keys }) => ({
    id,
    pair: keys.id,
    publishable: keys.publishable_key,
    secret: keys.secret_key,
  })),
);

type Call = { key?: string | null; headers?: Record<string, string>; address?: string; signal?: AbortSignal };

/** Creates a sandbox with a manual clock, and functions that call it as merchant, form and test. */
export const createWorld = (options: SandboxOptions = {}) => {
  const clock = createManualWallClock();
  const service = createService(settingsOf({ clock, ...options }));
  const sandbox = sandboxOver(service);

  const send = (method: string, path: string, body: unknown, call: Call) => {
    const headers = new Headers(call.headers);
    if (typeof call.key === 'string') headers.set('authorization', `Bearer ${call.key}`);
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const request = new Request(`http://service.test${path}`, {
      method,
      headers,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    return sandbox.fetch(request, { address: call.address ?? '127.0.0.1' });
  };
  /** Faulty responses may differ from openapi.json. */
  let isFaulty = options.faults !== undefined;
  /** Throws if a response of the service differs from `openapi.json`. */
  const documented = (method: string, path: string, sent: unknown, response: ReadResponse): ReadResponse => {
    if (isFaulty || JSON.stringify(sent ?? null).includes(HTML_RESPONSE_NUMBER)) return response;
    const problem = undocumented(method, new URL(path, 'http://service.test').pathname, response);
    if (problem !== null) throw new Error(problem);
    return response;
  };
  const read = async (response: Response): Promise<ReadResponse> => {
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  const server = async (method: string, path: string, body?: unknown, call: Call = {}) =>
    documented(
      method,
      path,
      body,
      await read(await send(method, path, body, { key: SANDBOX_KEYS.secret, ...call })),
    );

  /** Opens another account and returns its keys. */
  const account = async (settings: Record<string, unknown> = {}) => {
    const opened = await read(await send('POST', '/_sandbox/accounts', settings, {}));
    return OpenedAccount.parse(opened.body);
  };
  const created = async (change: Record<string, unknown>, call: Call = {}) => {
    const response = await server('POST', SERVER_ROUTES.paymentIntents, { ...ORDER, ...change }, call);
    const intent = PaymentIntent.parse(response.body);
    return { ...intent, client_secret: intent.client_secret ?? '' };
  };

  return {
    clock,
    service,
    account,
    sandbox,
    send,
    server,
    create: (body: unknown = ORDER, call: Call = {}) =>
      server('POST', SERVER_ROUTES.paymentIntents, body, call),
    /** Creates an intent and returns it with its client secret. */
    intent: (change: Record<string, unknown> = {}, call: Call = {}) => created(change, call),
    /** Creates an intent and pays it, with the keys of another account if given. */
    paid: async (change: Record<string, unknown> = {}, keys: Keys = SANDBOX_KEYS) => {
      const intent = await created(change, { key: keys.secret });
      const paying = { key: keys.publishable };
      await read(await send('POST', CLIENT_ROUTES.confirm, confirmBody(intent), paying));
      const { body } = await server('GET', `${SERVER_ROUTES.paymentIntents}/${intent.id}`, undefined, {
        key: keys.secret,
      });
      return { ...PaymentIntent.parse(body), client_secret: intent.client_secret };
    },
    /** Retrieves the current state of a payment. */
    now: async (id: string) =>
      PaymentIntent.parse((await server('GET', `${SERVER_ROUTES.paymentIntents}/${id}`)).body),
    refund: (body: unknown, call: Call = {}) => server('POST', SERVER_ROUTES.refunds, body, call),
    /** Creates a refund and returns it. Fails if it is refused. */
    refunded: async (payment_intent: string, amount?: number) =>
      Refund.parse((await server('POST', SERVER_ROUTES.refunds, { payment_intent, amount })).body),
    refundNow: async (id: string) =>
      Refund.parse((await server('GET', `${SERVER_ROUTES.refunds}/${id}`)).body),
    refunds: (query = '', call: Call = {}) =>
      server('GET', `${SERVER_ROUTES.refunds}${query}`, undefined, call),
    /** Retrieves the account's balance in US dollars. */
    balance: async (call: Call = {}) => {
      const balance = Balance.parse((await server('GET', SERVER_ROUTES.balance, undefined, call)).body);
      const usd = (sums: Balance['available']) => sums.find(({ currency }) => currency === 'usd')?.amount;
      return { available: usd(balance.available), locked: usd(balance.locked) };
    },
    retrieve: (id: string, call: Call = {}) =>
      server('GET', `${SERVER_ROUTES.paymentIntents}/${id}`, undefined, call),
    update: (id: string, body: unknown, call: Call = {}) =>
      server('POST', `${SERVER_ROUTES.paymentIntents}/${id}`, body, call),
    list: (query = '', call: Call = {}) =>
      server('GET', `${SERVER_ROUTES.paymentIntents}${query}`, undefined, call),
    client: async (route: keyof typeof CLIENT_ROUTES, body: unknown, call: Call = {}) =>
      documented(
        'POST',
        CLIENT_ROUTES[route],
        body,
        await read(
          await send('POST', CLIENT_ROUTES[route], body, { key: SANDBOX_KEYS.publishable, ...call }),
        ),
      ),
    control: async (path: string, body?: unknown, call: Call = {}) => {
      isFaulty ||= path.startsWith('faults') && body !== undefined;
      return read(await send(body === undefined ? 'GET' : 'POST', `/_sandbox/${path}`, body, call));
    },
  };
};

export type SandboxWorld = ReturnType<typeof createWorld>;

/** Sends requests to a sandbox in the same process. */
export const sendIn =
  ({ sandbox }: Pick<SandboxWorld, 'sandbox'>): Send =>
  async ({ method, path, headers, body }) => {
    const response = await sandbox.fetch(
      new Request(`http://service.test${path}`, { method, headers, body }),
    );
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };

type Payable = { client_secret: string; amount_total: number; currency: string };

/** The body of a confirm as the frame sends it for the intent that it shows. */
export const confirmBody = (intent: Payable, number = GOOD_CARD, change: Record<string, unknown> = {}) => ({
  client_secret: intent.client_secret,
  amount_total: intent.amount_total,
  currency: intent.currency,
  card: card(number),
  billing_details: BILLING,
  ...change,
});

/** The pattern that an error response must match. */
export const refusedWith = (status: number, code: string, param?: string) => ({
  status,
  body: { error: { code, ...(param === undefined ? {} : { param }) } },
});

/** Expects the service to refuse a request with this code and its status. */
export const expectRefusal = async (answer: Promise<ReadResponse>, code: ErrorCode, param?: string) =>
  expect(await answer).toMatchObject(refusedWith(HTTP_STATUS[code], code, param));
