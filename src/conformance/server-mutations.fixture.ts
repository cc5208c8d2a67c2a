/** Broken services: the sandbox behind a wrapper that breaks one rule of its server routes, and the checks that notice. */
import { SERVER_ROUTES } from '../api/routes.ts';
import type { HttpRequest, HttpResponse, Send } from './http.ts';

export type ServerMutation = { breaks: string; caughtBy: readonly string[]; wrap: (send: Send) => Send };

type Fields = Record<string, unknown>;

const fieldsOf = (text: string | null): Fields => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const isCreate = ({ method, path }: HttpRequest) =>
  method === 'POST' && path === SERVER_ROUTES.paymentIntents;

const codeOf = ({ text }: HttpResponse): unknown => fieldsOf(JSON.stringify(fieldsOf(text).error)).code;

const rewriting =
  (change: (answer: Fields, request: HttpRequest) => Fields) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    return response.status === 200
      ? { ...response, text: JSON.stringify(change(fieldsOf(response.text), request)) }
      : response;
  };

/** Answers errors for which `when` holds with the last object that was answered. */
const accepting =
  (when: (response: HttpResponse, request: HttpRequest) => boolean) =>
  (send: Send): Send => {
    let last: HttpResponse = { status: 200, headers: {}, text: '{}' };
    return async (request) => {
      const response = await send(request);
      if (response.status === 200) last = response;
      return response.status >= 400 && when(response, request) ? last : response;
    };
  };

/** Sends another request than it got. */
const asking =
  (change: (request: HttpRequest) => HttpRequest) =>
  (send: Send): Send =>
  (request) =>
    send(change(request));

const withoutKey = (request: HttpRequest): HttpRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'idempotency-key')),
});

const refusals = [
  'unknown-field',
  'broken-json',
  'wrong-type',
  'no-items',
  'amount-zero',
  'amount-fraction',
  'total-small',
  'total-large',
  'currency',
  'items-many',
  'quantity-zero',
  'quantity-decimals',
  'reference-long',
  'description-long',
  'metadata-long',
  'key-length',
];

export const SERVER_MUTATIONS: readonly ServerMutation[] = [
  {
    breaks: 'it accepts every body of create',
    caughtBy: refusals,
    wrap: accepting(({ status }, request) => status === 400 && isCreate(request)),
  },
  {
    breaks: 'it creates without a client secret',
    caughtBy: ['created'],
    wrap: rewriting((answer) => ({ ...answer, client_secret: undefined })),
  },
  {
    breaks: 'its total leaves out the fees of the buyer',
    caughtBy: ['money'],
    wrap: rewriting((answer, request) => (isCreate(request) ? { ...answer, fee_buyer: 5 } : answer)),
  },
  {
    breaks: 'it rounds lines down',
    caughtBy: ['money-items'],
    wrap: rewriting((answer) => ({
      ...answer,
      ...(Array.isArray(answer.items)
        ? { items: answer.items.map((item) => ({ ...item, amount: 1000 })) }
        : {}),
    })),
  },
  {
    breaks: 'it quotes another fee',
    caughtBy: ['money-quote'],
    wrap: rewriting((answer) => (answer.object === 'fee_quote' ? { ...answer, bank_fee: 1 } : answer)),
  },
  {
    breaks: 'it answers a read with another payment',
    caughtBy: ['retrieve'],
    wrap: rewriting((answer, { method }) =>
      method === 'GET' ? { ...answer, description: 'another' } : answer,
    ),
  },
  {
    breaks: 'it finds every payment',
    caughtBy: ['retrieve-unknown'],
    wrap: accepting((response) => codeOf(response) === 'payment_intent_not_found'),
  },
  {
    breaks: 'it forgets an update',
    caughtBy: ['update'],
    wrap: asking((request) =>
      request.body === '{"amount":2002}' ? { ...request, body: '{"amount":1001}' } : request,
    ),
  },
  {
    breaks: 'it needs no valid key',
    caughtBy: ['no-key', 'unknown-key', 'publishable-key', 'revoked-key'],
    wrap: accepting(({ status }) => status === 401),
  },
  {
    breaks: 'it ignores idempotency keys',
    caughtBy: ['same-key', 'same-key-other-body', 'same-key-other-route', 'key-length', 'refund-once'],
    wrap: asking(withoutKey),
  },
  {
    breaks: 'it keeps a key for a request that failed',
    caughtBy: ['error-stores-nothing'],
    wrap: (send) => {
      const failed = new Map<string, HttpResponse>();
      return async (request) => {
        const key = request.headers['idempotency-key'] ?? '';
        const response = failed.get(key) ?? (await send(request));
        if (key !== '' && response.status >= 400) failed.set(key, response);
        return response;
      };
    },
  },
  {
    breaks: 'it lists the oldest first',
    caughtBy: ['pages'],
    wrap: rewriting((answer) => ({
      ...answer,
      ...(Array.isArray(answer.data) ? { data: answer.data.toReversed() } : {}),
    })),
  },
  {
    breaks: 'it takes any page size',
    caughtBy: ['limit-0', 'limit-101', 'limit-x'],
    wrap: accepting((_, { path }) => path.includes('?limit=')),
  },
  {
    breaks: 'it refunds whatever it is asked to',
    caughtBy: ['refund-unpaid', 'refund-too-much', 'refund-unknown'],
    wrap: accepting((_, { path }) => path.startsWith(SERVER_ROUTES.refunds)),
  },
  {
    breaks: 'its signing keys are of another kind',
    caughtBy: ['signing-keys', 'webhook'],
    wrap: rewriting((answer, { path }) =>
      path === SERVER_ROUTES.webhookSigningKeys
        ? { ...answer, data: [{ kid: 'wsk_1', public_key_pem: '-----BEGIN PUBLIC KEY-----' }] }
        : answer,
    ),
  },
  {
    breaks: 'it has no rate limit',
    caughtBy: ['rate-limit'],
    wrap: accepting(({ status }) => status === 429),
  },
  {
    breaks: 'its errors have no message',
    caughtBy: ['errors'],
    wrap: (send) => async (request) => {
      const response = await send(request);
      if (response.status < 400) return response;
      const error = { ...fieldsOf(JSON.stringify(fieldsOf(response.text).error)), message: '' };
      return { ...response, text: JSON.stringify({ error }) };
    },
  },
];
