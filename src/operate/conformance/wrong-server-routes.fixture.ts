/** Broken services: the sandbox behind a wrapper that breaks one rule of its server routes, and the checks that notice. */
import { SERVER_ROUTES } from '../../api/routes.ts';
import type { HttpRequest, HttpResponse, Send } from './http.ts';

/** As `WrongService`. */
export type WrongServerRoutes = {
  breaks: string;
  caughtBy: readonly string[];
  follows?: readonly string[];
  wrap: (send: Send) => Send;
};

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

const withSteps = (answer: Fields, change: (step: Fields) => Fields): Fields =>
  Array.isArray(answer.unlock_schedule)
    ? { ...answer, unlock_schedule: answer.unlock_schedule.map((step) => ({ ...step, ...change(step) })) }
    : answer;

/** Answers with another header, or without it. */
const withHeader =
  (name: string, value: string | null) =>
  (send: Send): Send =>
  async (request) => {
    const response = await send(request);
    const { [name]: _, ...headers } = response.headers;
    return { ...response, headers: value === null ? headers : { ...headers, [name]: value } };
  };

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

export const WRONG_SERVER_ROUTES: readonly WrongServerRoutes[] = [
  {
    breaks: 'it accepts every body of create',
    caughtBy: refusals,
    follows: ['error-stores-nothing'], // the error that it begins with does not come
    wrap: accepting(({ status }, request) => status === 400 && isCreate(request)),
  },
  {
    breaks: 'it creates without a client secret',
    caughtBy: ['created'],
    wrap: rewriting((answer) => ({ ...answer, client_secret: undefined })),
  },
  {
    breaks: 'its total leaves out the fees of the buyer, until it is read again',
    caughtBy: ['money', 'retrieve', 'update-rest'],
    wrap: rewriting((answer, request) => (isCreate(request) ? { ...answer, fee_buyer: 5 } : answer)),
  },
  {
    breaks: 'it rounds lines down',
    caughtBy: ['money-items', 'created-whole'],
    wrap: rewriting((answer) => ({
      ...answer,
      ...(Array.isArray(answer.items)
        ? { items: answer.items.map((item) => ({ ...item, amount: 1000 })) }
        : {}),
    })),
  },
  {
    breaks: 'its fees are wrong in a quote and in a payment alike',
    caughtBy: ['money-fees', 'money-paid', 'unlock'],
    wrap: rewriting((answer) =>
      'processing_fee' in answer ? { ...answer, processing_fee: Number(answer.processing_fee) + 1 } : answer,
    ),
  },
  {
    breaks: 'it rounds fees down',
    caughtBy: ['money-fees'],
    wrap: rewriting((answer) =>
      answer.object === 'fee_quote'
        ? { ...answer, bank_fee: Math.floor(Number(answer.amount) / 200) }
        : answer,
    ),
  },
  {
    breaks: 'its unlock steps have other amounts',
    caughtBy: ['unlock'],
    wrap: rewriting((answer) => withSteps(answer, ({ amount }) => ({ amount: Number(amount) + 1 }))),
  },
  {
    breaks: 'its unlock steps are as large as each other, whatever was refunded',
    caughtBy: ['unlock', 'refund-deducts'],
    wrap: rewriting((answer) => withSteps(answer, () => ({ amount: 468, remaining: 468, deducted: 0 }))),
  },
  {
    breaks: 'it does not say what refunds took from a step',
    caughtBy: ['refund-deducts'],
    wrap: rewriting((answer) => withSteps(answer, ({ amount }) => ({ deducted: 0, remaining: amount }))),
  },
  {
    breaks: 'its balance is empty',
    caughtBy: ['balance'],
    wrap: rewriting((answer) =>
      answer.object === 'balance' ? { ...answer, available: [], locked: [] } : answer,
    ),
  },
  {
    breaks: 'its balance leaves out what is locked',
    caughtBy: ['balance'],
    wrap: rewriting((answer) =>
      Array.isArray(answer.locked)
        ? { ...answer, locked: answer.locked.map((entry) => ({ ...entry, amount: 0 })) }
        : answer,
    ),
  },
  {
    breaks: 'it forgets metadata',
    caughtBy: ['created-whole'],
    wrap: rewriting((answer) => ('metadata' in answer ? { ...answer, metadata: {} } : answer)),
  },
  {
    breaks: 'it answers with what was sent and stores something else',
    caughtBy: ['created-whole', 'update-rest'],
    wrap: rewriting((answer, { method }) =>
      method === 'GET' && 'shipping_amount' in answer ? { ...answer, shipping_amount: 0 } : answer,
    ),
  },
  {
    breaks: 'an update of another field clears the description',
    caughtBy: ['update-rest'],
    wrap: asking((request) => {
      const body = fieldsOf(request.body);
      const isUpdate =
        request.method === 'POST' && request.path.startsWith(`${SERVER_ROUTES.paymentIntents}/`);
      return isUpdate ? { ...request, body: JSON.stringify({ description: null, ...body }) } : request;
    }),
  },
  {
    breaks: 'it begins a list again after an id that it does not know',
    caughtBy: ['pages-unknown'],
    wrap: asking((request) => ({ ...request, path: request.path.replace('?starting_after=lg_pi_none', '') })),
  },
  {
    breaks: 'a refund has the number of the card',
    caughtBy: ['no-card'],
    wrap: rewriting((answer) =>
      answer.object === 'refund' ? { ...answer, card: { number: '4242 4242 4242 4242' } } : answer,
    ),
  },
  {
    breaks: 'its refunds cannot be found again',
    caughtBy: ['refund-read'],
    wrap: rewriting((answer, { method }) =>
      method === 'GET' && answer.object === 'refund' ? { ...answer, amount: 2 } : answer,
    ),
  },
  {
    breaks: 'it answers with text/html',
    caughtBy: ['json'],
    wrap: withHeader('content-type', 'text/html; charset=utf-8'),
  },
  {
    breaks: 'its 429 has no Retry-After',
    caughtBy: ['rate-limit'],
    wrap: withHeader('retry-after', null),
  },
  {
    breaks: 'a payment that has succeeded is pending again',
    caughtBy: ['history'],
    wrap: (send) => {
      let reads = 0;
      return rewriting((answer) => {
        if (answer.status !== 'succeeded') return answer;
        reads += 1;
        return reads > 5 ? { ...answer, status: 'pending' } : answer;
      })(send);
    },
  },
  {
    breaks: 'it quotes another fee',
    caughtBy: ['money-quote', 'money-fees'],
    wrap: rewriting((answer) => (answer.object === 'fee_quote' ? { ...answer, bank_fee: 1 } : answer)),
  },
  {
    breaks: 'it answers a read with another payment',
    caughtBy: ['retrieve', 'created-whole', 'update-rest'],
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
    caughtBy: ['refund-unpaid', 'refund-too-much', 'refund-unknown', 'same-key-other-route'],
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
