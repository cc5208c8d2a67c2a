/** Broken services: the sandbox in a wrapper that breaks one rule of its server routes, and the checks that notice. */
import type { HttpRequest, HttpResponse, Send } from '../../api/command/http.ts';
import { SERVER_ROUTES } from '../../api/routes.ts';
import {
  answering,
  errorCode,
  type Fields,
  ignoringHeader,
  rewritingBody,
  rewritingError,
  rewritingRequest,
  type WrongServices,
  withHeader,
} from './wrong-services.fixture.ts';

const isCreate = ({ method, path }: HttpRequest) =>
  method === 'POST' && path === SERVER_ROUTES.paymentIntents;
const isUpdate = ({ method, path }: HttpRequest) =>
  method === 'POST' && path.startsWith(`${SERVER_ROUTES.paymentIntents}/`);

/** Changes fields in objects of one type. */
const inEach = (object: string, change: (answer: Fields) => Fields) =>
  answering((answer) => (answer.object === object ? change(answer) : {}));

/** Replaces errors for which `when` holds with the last object answered. */
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

/** Changes fields in each entry of a list in the answer. */
const inList = (name: string, change: (entry: Fields) => Fields) =>
  answering(({ [name]: list }) =>
    Array.isArray(list) ? { [name]: list.map((entry) => ({ ...entry, ...change(entry) })) } : {},
  );

const REFUSALS = [
  ...[
    'unknown-field',
    'broken-json',
    'wrong-type',
    'no-items',
    'amount-zero',
    'amount-fraction',
    'total-small',
  ],
  ...['total-large', 'currency', 'items-many', 'quantity-zero', 'quantity-decimals', 'reference-long'],
  ...['description-long', 'metadata-long', 'key-length'],
];

export const WRONG_SERVER_ROUTES: WrongServices = {
  'it accepts every body of create': [
    REFUSALS,
    accepting(({ status }, request) => status === 400 && isCreate(request)),
    { follows: ['error-stores-nothing'] }, // the error it begins with doesn't occur
  ],
  'it creates without a client secret': [['created'], answering({ client_secret: undefined })],
  'its total leaves out the fees of the buyer, until it is read again': [
    ['money', 'retrieve', 'update-rest'],
    answering((_, request) => (isCreate(request) ? { fee_buyer: 5 } : {})),
  ],
  'it rounds lines down': [['money-items', 'created-whole'], inList('items', () => ({ amount: 1000 }))],
  'its fees are wrong in a quote and in a payment alike': [
    ['money-fees', 'money-paid', 'unlock'],
    answering(({ processing_fee }) =>
      processing_fee === undefined ? {} : { processing_fee: Number(processing_fee) + 1 },
    ),
  ],
  'it rounds fees down': [
    ['money-fees'],
    inEach('fee_quote', ({ amount }) => ({ bank_fee: Math.floor(Number(amount) / 200) })),
  ],
  'its unlock steps have other amounts': [
    ['unlock'],
    inList('unlock_schedule', ({ amount }) => ({ amount: Number(amount) + 1 })),
  ],
  'its unlock steps are as large as each other, whatever was refunded': [
    ['unlock', 'refund-deducts'],
    inList('unlock_schedule', () => ({ amount: 468, remaining: 468, deducted: 0 })),
  ],
  'it does not say what refunds took from a step': [
    ['refund-deducts'],
    inList('unlock_schedule', ({ amount }) => ({ deducted: 0, remaining: amount })),
  ],
  'its balance is empty': [['balance'], inEach('balance', () => ({ available: [], locked: [] }))],
  'its balance leaves out what is locked': [['balance'], inList('locked', () => ({ amount: 0 }))],
  'it forgets metadata': [
    ['created-whole'],
    answering(({ metadata }) => (metadata === undefined ? {} : { metadata: {} })),
  ],
  'it answers with what was sent and stores something else': [
    ['created-whole', 'update-rest'],
    answering((answer, { method }) =>
      method === 'GET' && 'shipping_amount' in answer ? { shipping_amount: 0 } : {},
    ),
  ],
  'an update of another field clears the description': [
    ['update-rest'],
    rewritingBody((body, request) => (isUpdate(request) ? { description: null, ...body } : body)),
  ],
  'it begins a list again after an id that it does not know': [
    ['pages-unknown'],
    rewritingRequest((request) => ({
      ...request,
      path: request.path.replace('?starting_after=lg_pi_none', ''),
    })),
  ],
  'a refund has the number of the card': [
    ['no-card'],
    inEach('refund', () => ({ card: { number: '4242 4242 4242 4242' } })),
  ],
  'its refunds cannot be found again': [
    ['refund-read'],
    answering(({ object }, { method }) => (method === 'GET' && object === 'refund' ? { amount: 2 } : {})),
  ],
  'it answers with text/html': [['all-json'], withHeader('content-type', 'text/html; charset=utf-8')],
  'its 429 has no Retry-After': [['rate-limit'], withHeader('retry-after', null)],
  'a payment that has succeeded is pending again': [
    ['history'],
    (send) => {
      let reads = 0;
      return answering(({ status }) => {
        if (status === 'succeeded') reads += 1;
        return status === 'succeeded' && reads > 5 ? { status: 'pending' } : {};
      })(send);
    },
  ],
  'it quotes another fee': [['money-quote', 'money-fees'], inEach('fee_quote', () => ({ bank_fee: 1 }))],
  'it answers a read with another payment': [
    ['retrieve', 'created-whole', 'update-rest'],
    answering((_, { method }) => (method === 'GET' ? { description: 'another' } : {})),
  ],
  'it finds every payment': [
    ['retrieve-unknown'],
    accepting((response) => errorCode(response) === 'payment_intent_not_found'),
  ],
  'it forgets an update': [
    ['update'],
    rewritingBody((body) => (JSON.stringify(body) === '{"amount":2002}' ? { amount: 1001 } : body)),
  ],
  'it needs no valid key': [
    ['no-key', 'unknown-key', 'publishable-key', 'revoked-key'],
    accepting(({ status }) => status === 401),
  ],
  'it ignores idempotency keys': [
    ['same-key', 'same-key-other-body', 'same-key-other-route', 'key-length', 'refund-once'],
    ignoringHeader('idempotency-key'),
  ],
  'it keeps a key for a request that failed': [
    ['error-stores-nothing'],
    (send) => {
      const failed = new Map<string, HttpResponse>();
      return async (request) => {
        const key = request.headers['idempotency-key'] ?? '';
        const response = failed.get(key) ?? (await send(request));
        if (key !== '' && response.status >= 400) failed.set(key, response);
        return response;
      };
    },
  ],
  'it lists the oldest first': [
    ['pages'],
    answering(({ data }) => (Array.isArray(data) ? { data: data.toReversed() } : {})),
  ],
  'it takes any page size': [
    ['limit-0', 'limit-101', 'limit-x'],
    accepting((_, { path }) => path.includes('?limit=')),
  ],
  'it refunds whatever it is asked to': [
    ['refund-unpaid', 'refund-too-much', 'refund-unknown', 'same-key-other-route'],
    accepting((_, { path }) => path.startsWith(SERVER_ROUTES.refunds)),
  ],
  'its signing keys are of another kind': [
    ['signing-keys', 'webhook'],
    answering((_, { path }) =>
      path === SERVER_ROUTES.webhookSigningKeys
        ? { data: [{ kid: 'wsk_1', public_key_pem: '-----BEGIN PUBLIC KEY-----' }] }
        : {},
    ),
  ],
  'it has no rate limit': [['rate-limit'], accepting(({ status }) => status === 429)],
  'the type of its errors does not match their code': [['error-type'], rewritingError(() => ({ type: 'x' }))],
  'its errors have no message': [['error-form'], rewritingError(() => ({ message: '' }))],
};
