/** Broken services: the sandbox in a wrapper that breaks one rule. They prove that each check of the suite can fail. */
import type { HttpRequest, HttpResponse, Send } from '../../api/command/http.ts';
import { type ErrorCode, errorType, HTTP_STATUS } from '../../api/errors.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { withField } from './confirm-body.ts';

type Wrap = (send: Send) => Send;

/**
 * A broken service: the checks that fail (no others may), and its wrapper around the sandbox. `follows`: checks that
 * also fail, because what they compare is already wrong. `limit`: its requests per minute.
 */
export type WrongServices = Readonly<
  Record<
    string,
    readonly [caughtBy: readonly string[], wrap: Wrap, more?: { follows?: readonly string[]; limit?: number }]
  >
>;

export type Fields = Record<string, unknown>;

const isRoute = (request: HttpRequest, route: keyof typeof CLIENT_ROUTES) =>
  request.path === CLIENT_ROUTES[route];
const isConfirm = (request: HttpRequest) => isRoute(request, 'confirm');
const isRetrieve = (request: HttpRequest) => isRoute(request, 'retrieve');

export const parseFields = (text: string | null): Fields | null => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
};

const withoutField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? { ...value, [name]: undefined } : value;

/** Changes requests on their way to the service, so that it behaves as if it skipped a check. */
export const rewritingRequest =
  (change: (request: HttpRequest) => HttpRequest): Wrap =>
  (send) =>
  (request) =>
    send(change(request));

export const ignoringHeader = (name: string, when = (_: HttpRequest) => true) =>
  rewritingRequest((request) => {
    const { [name]: _, ...headers } = request.headers;
    return when(request) ? { ...request, headers } : request;
  });

/** Changes the body, if it is a JSON object. */
export const rewritingBody = (change: (body: Fields, request: HttpRequest) => Fields) =>
  rewritingRequest((request) => {
    const body = parseFields(request.body);
    return body === null ? request : { ...request, body: JSON.stringify(change(body, request)) };
  });

/** Overwrites a field of a confirm with a valid value, so that the service seems not to check it. */
const ignoringField = (path: string, valid: unknown, isWrong: (value: unknown) => boolean = () => true) =>
  rewritingBody((body, request) =>
    isConfirm(request) && valuesAt(body, path).some(isWrong) ? withField(body, path, valid) : body,
  );

/** The values at a path: one, or none if the enclosing object is missing, which another check covers. */
const valuesAt = (body: Fields, path: string): readonly unknown[] => {
  const [name = '', ...rest] = path.split('.');
  const value = body[name];
  if (rest.length === 0) return [value];
  return typeof value === 'object' && value !== null ? valuesAt({ ...value }, rest.join('.')) : [];
};

const rewritingResponse =
  (change: (response: HttpResponse, request: HttpRequest) => HttpResponse): Wrap =>
  (send) =>
  async (request) =>
    change(await send(request), request);

const withBody = (response: HttpResponse, body: Fields): HttpResponse => {
  const text = JSON.stringify(body);
  return {
    ...response,
    text,
    headers: { ...response.headers, 'content-length': `${Buffer.byteLength(text)}` },
  };
};

/** Changes fields in 200 answers; `undefined` removes one. */
export const answering = (change: Fields | ((answer: Fields, request: HttpRequest) => Fields)) =>
  rewritingResponse((response, request) => {
    const answer = response.status === 200 ? parseFields(response.text) : null;
    if (answer === null) return response;
    return withBody(response, {
      ...answer,
      ...(typeof change === 'function' ? change(answer, request) : change),
    });
  });

/** Changes fields in answers to POST requests. */
const showing = (change: Fields | ((view: Fields) => Fields)) =>
  answering((view, { method }) => {
    if (method !== 'POST') return {};
    return typeof change === 'function' ? change(view) : change;
  });

/** Changes what reads return while a confirm is open. */
const showingDuringConfirm =
  (change: Fields): Wrap =>
  (send) => {
    let open = 0;
    const changed = answering(change)(send);
    return async (request) => {
      if (!isConfirm(request)) return open > 0 ? changed(request) : send(request);
      open += 1;
      return send(request).finally(() => {
        open -= 1;
      });
    };
  };

export const rewritingError = (change: (error: Fields, request: HttpRequest) => Fields) =>
  rewritingResponse((response, request) => {
    const error = response.status >= 400 ? errorOf(response) : null;
    return error === null ? response : withBody(response, { error: { ...error, ...change(error, request) } });
  });

export const withHeader = (name: string, value: string | null, when = (_: HttpRequest) => true) =>
  rewritingResponse((response, request) => {
    const { [name]: _, ...headers } = response.headers;
    if (!when(request)) return response;
    return { ...response, headers: value === null ? headers : { ...headers, [name]: value } };
  });

/** Replaces each key for which `when` holds with the first key seen, which is valid. */
const acceptingKey =
  (when: (authorization: string) => boolean): Wrap =>
  (send) => {
    let valid = '';
    return (request) => {
      const { authorization = '' } = request.headers;
      valid ||= authorization;
      const headers = { ...request.headers, authorization: valid };
      return send(valid !== '' && when(authorization) ? { ...request, headers } : request);
    };
  };

/** Replaces each client secret for which `when` holds with the first one seen, which is valid. */
const acceptingSecret =
  (when: (secret: unknown, valid: string) => boolean): Wrap =>
  (send) => {
    let valid = '';
    return rewritingBody((body) => {
      if (valid === '' && typeof body.client_secret === 'string') valid = body.client_secret;
      return when(body.client_secret, valid) ? { ...body, client_secret: valid } : body;
    })(send);
  };

/** Counts each exchange for which `when` holds as an additional confirmation attempt. */
const countingExtraAttempts =
  (when: (request: HttpRequest, response: HttpResponse) => boolean): Wrap =>
  (send) => {
    let extra = 0;
    return answering((view) => ({ confirmation_attempts: Number(view.confirmation_attempts) + extra }))(
      async (request) => {
        const response = await send(request);
        if (when(request, response)) extra += 1;
        return response;
      },
    );
  };

/** Where `when` holds, answers with the last successful retrieve instead of the correct error. */
const answeringWithView =
  (when: (request: HttpRequest, response: HttpResponse, body: Fields) => boolean): Wrap =>
  (send) => {
    let lastView: HttpResponse | null = null;
    return async (request) => {
      const response = await send(request);
      if (isRetrieve(request) && response.status === 200) lastView = response;
      return lastView !== null && when(request, response, parseFields(request.body) ?? {})
        ? lastView
        : response;
    };
  };

const errorOf = ({ text }: HttpResponse): Fields | null =>
  parseFields(JSON.stringify(parseFields(text)?.error) ?? null);
export const errorCode = (response: HttpResponse): unknown => errorOf(response)?.code;

/** Answers with another error where `when` holds. */
const replacingError = (code: ErrorCode, when: (request: HttpRequest, response: HttpResponse) => boolean) =>
  rewritingResponse((response, request) =>
    when(request, response)
      ? withBody(
          { ...response, status: HTTP_STATUS[code] },
          { error: { type: errorType(code), code, message: 'No.' } },
        )
      : response,
  );

const wrong = (path: string, ...values: readonly string[]) => values.map((value) => `wrong-${path}-${value}`);

const isNoNumber = (value: unknown) => typeof value !== 'string' || !/^\d+$/.test(value);
const DECLINED = '4000000000000002';
const DECLINED_CARD = { number: DECLINED, exp_month: 12, exp_year: 2031, cvc: '123' };

/** The valid value that a service without the check would assume, and the checks that notice. Correct values stay. */
const WRONG_FIELDS: readonly [
  path: string,
  valid: unknown,
  isWrong: (value: unknown) => boolean,
  string[],
][] = [
  ['amount_total', 1001, (value) => !Number.isSafeInteger(value), ['string', 'number', 'undefined']],
  ['card', DECLINED_CARD, (value) => value === undefined, ['undefined']],
  ['card.number', DECLINED, isNoNumber, ['string', 'number']],
  ['card.exp_month', 12, (value) => value !== 12, ['number', 'string']],
  ['card.exp_year', 2031, (value) => value === 31, ['number']],
  ['card.cvc', '123', (value) => value === 'abc', ['string']],
];

const WRONG_BILLING = [
  ...wrong('billing_details', 'missing'),
  ...wrong('billing_details.email', 'nobody'),
  ...wrong('billing_details.name', ''),
  ...wrong('billing_details.address.line1', ''),
  ...wrong('billing_details.address.country', 'QQ', 'Germany'),
];
const TOTALS = ['total-lower', 'total-higher', 'other-currency', 'total-before-billing'];
const ATTEMPTS = ['view-attempts', 'attempts-agree'];
const SEC_FETCH = ['sec-fetch-cross-site', 'sec-fetch-same-site', 'sec-fetch-none'];
const UNKNOWN_FIELDS = [
  ...['unknown-field-retrieve', 'unknown-field-confirm', 'unknown-field-release', 'body-before-secret'],
];
const UNKNOWN_INNER_FIELDS = ['card', 'billing_details', 'billing_details.address'].map(
  (path) => `unknown-field-${path}`,
);

export const WRONG_SERVICES: WrongServices = {
  'it omits a field that the form needs': [
    ['view', 'view-total', 'view-limits'],
    showing({ amount_total: undefined }),
  ],
  'it sends amounts as strings': [['view'], showing((view) => ({ amount: String(view.amount) }))],
  'it omits the lines': [['view-whole', 'view-items', 'view-difference'], showing({ items: undefined })],
  'it shows the buyer to the browser': [['view-private'], showing({ buyer: null })],
  'its total is not the sum of amount and fee': [['view-total'], showing({ fee_buyer: 1 })],
  'it accepts payments of 99 cents': [
    ['view-limits'],
    (send) =>
      showing((view) => ({
        ...{ amount: 99, amount_total: 99 },
        items_difference: Number(view.items_difference) + 99 - Number(view.amount),
      }))(ignoringField('amount_total', 1000, (value) => value === 99)(send)),
  ],
  'it rounds lines down instead of half up': [
    ['view-items'],
    showing((view) => ({
      items: [{ name: 'Mug', quantity: 0.5, unit_amount: 1001, amount: 500 }],
      items_difference: Number(view.amount) - 500,
    })),
  ],
  'its items_difference ignores the lines': [['view-difference'], showing({ items: [] })],
  'it tells the attempts that are left as a text': [ATTEMPTS, showing({ attempts_left: '5' })],
  'it tells of a running attempt in a word': [ATTEMPTS, showing({ attempt_in_progress: 'no' })],
  'it does not tell the attempts that are left': [ATTEMPTS, showing({ attempts_left: undefined })],
  'it does not tell of a running attempt': [ATTEMPTS, showing({ attempt_in_progress: undefined })],
  'its attempts that are left never become fewer': [['attempts-agree'], showing({ attempts_left: 5 })],
  'it calls an attempt running that has failed': [
    ['attempts-agree'],
    showing((view) => ({ attempt_in_progress: view.status === 'pending' })),
  ],
  'it calls an attempt running that has succeeded': [
    ['attempts-agree'],
    showing((view) => ({ attempt_in_progress: view.status === 'succeeded' })),
  ],
  'a payment that has succeeded is pending again': [
    ['history', 'succeeded', 'paid-is-paid', 'status-before-total', 'release-paid'],
    answering(({ status }, request) =>
      isRetrieve(request) && status === 'succeeded' ? { status: 'pending', succeeded_at: null } : {},
    ),
  ],
  'it forgets an attempt after its release': [
    ['history', 'attempts-agree'],
    (send) => {
      let forgotten = 0;
      return answering(({ confirmation_attempts }, request) => {
        const attempts = Number(confirmation_attempts);
        if (isRoute(request, 'release')) forgotten = attempts;
        return { confirmation_attempts: attempts - forgotten };
      })(send);
    },
  ],
  'its errors are text/html': [
    ['all-json'],
    rewritingResponse((response) =>
      response.status >= 400
        ? { ...response, headers: { ...response.headers, 'content-type': 'text/html' } }
        : response,
    ),
  ],
  'it shows a card number that nobody sent': [['nothing-echoed'], showing({ card: '5555 5555 5555 4444' })],
  'it shows what is missing with its value': [
    ['view-optional'],
    showing({ missing_details: ['buyer: Ada Lovelace'] }),
  ],
  'its ids have a different prefix': [['view-id'], showing({ id: 'pi_1' })],
  'it counts a retrieve as an attempt': [
    ['retrieve-changes-nothing', 'attempts-agree'],
    countingExtraAttempts((request, { status }) => isRetrieve(request) && status === 200),
    { follows: [...TOTALS, ...WRONG_BILLING, 'declined', 'paid-once', 'paid-is-paid', 'release-paid'] },
  ],
  'it answers with text/html': [['json', 'all-json'], withHeader('content-type', 'text/html; charset=utf-8')],
  'it sends no Content-Length': [['length'], withHeader('content-length', null)],
  'it sends a wrong Content-Length': [['length'], withHeader('content-length', '3')],
  'its responses may be cached': [['no-store'], withHeader('cache-control', 'private')],
  'it does not tell its time': [['date'], withHeader('date', null)],
  'it tells its time in a way that not every browser reads': [
    ['date'],
    withHeader('date', '2026-11-15 12:00 UTC'),
  ],
  'any page may read its responses': [
    ['no-cors'],
    withHeader('access-control-allow-origin', '*', ({ method }) => method === 'POST'),
  ],
  'it accepts preflights from any page': [
    ['no-preflight'],
    withHeader('access-control-allow-headers', 'authorization', ({ method }) => method === 'OPTIONS'),
  ],
  'it does not check Sec-Fetch-Site': [SEC_FETCH, ignoringHeader('sec-fetch-site')],
  'it checks Sec-Fetch-Site on retrieve alone': [
    SEC_FETCH,
    ignoringHeader('sec-fetch-site', (request) => !isRetrieve(request)),
  ],
  "it refuses the form's own requests": [
    ['sec-fetch-same-origin'],
    rewritingRequest((request) =>
      request.headers['sec-fetch-site'] === 'same-origin'
        ? { ...request, headers: { ...request.headers, 'sec-fetch-site': 'cross-site' } }
        : request,
    ),
  ],
  'it sets a cookie': [['no-cookies'], withHeader('set-cookie', 'a=1')],
  'it takes its key from a cookie': [
    ['cookie-retrieve', 'cookie-confirm', 'cookie-release'],
    rewritingRequest((request) =>
      request.headers.cookie === undefined
        ? request
        : { ...request, headers: { ...request.headers, authorization: `Bearer ${request.headers.cookie}` } },
    ),
  ],
  'it ignores unknown fields': [UNKNOWN_FIELDS, rewritingBody((body) => ({ ...body, colour: undefined }))],
  'it ignores unknown fields, nested ones too': [
    [...UNKNOWN_FIELDS, ...UNKNOWN_INNER_FIELDS],
    rewritingBody(
      (body) => parseFields(JSON.stringify(body, (_, value) => withoutField(value, 'colour'))) ?? body,
    ),
  ],
  'it needs no key': [['no-key'], acceptingKey((authorization) => authorization === '')],
  'it accepts any publishable key': [
    ['unknown-key', 'key-before-body', 'other-key', 'revoked-key'],
    acceptingKey((authorization) => /^Bearer pk_/.test(authorization)),
  ],
  'it accepts secret keys from browsers': [
    ['secret-key'],
    acceptingKey((authorization) => /sk_live_/.test(authorization)),
  ],
  'it accepts keys in any authentication scheme': [
    ['basic'],
    acceptingKey((authorization) => /^Basic/.test(authorization)),
  ],
  'it accepts any client secret': [
    ['wrong-secret', 'almost-secret'],
    acceptingSecret((secret, valid) => typeof secret === 'string' && secret !== valid),
  ],
  'it compares only the beginning of a client secret': [
    ['almost-secret'],
    acceptingSecret((secret, valid) => typeof secret === 'string' && secret.startsWith(valid)),
  ],
  'it needs no client secret': [['no-secret'], acceptingSecret((secret) => secret === undefined)],
  'it accepts a client secret of any type': [['secret-type'], acceptingSecret(Array.isArray)],
  'it answers broken JSON with 500': [
    ['broken-json'],
    replacingError('internal_error', ({ body }) => body === '{"client_secret":'),
  ],
  'it answers a body that is not an object with 500': [
    ['no-object'],
    replacingError('internal_error', ({ body }) => body === 'null'),
  ],
  'it accepts content types that an HTML form of another site can send': [
    ['content-type'],
    rewritingRequest((request) => ({
      ...request,
      headers: { ...request.headers, 'content-type': 'application/json' },
    })),
  ],
  'it checks the body before the key': [
    ['key-before-body'],
    replacingError('validation_error', ({ body }) => body === '{'),
  ],
  'it checks the client secret before the rest of the body': [
    ['body-before-secret'],
    replacingError(
      'invalid_client_secret',
      ({ body }, response) => errorCode(response) === 'validation_error' && /"lg_cs_0{24}"/.test(body ?? ''),
    ),
  ],
  'it answers to GET': [['no-get'], answeringWithView(({ method }) => method === 'GET')],
  'it answers on unknown routes': [
    ['no-route'],
    answeringWithView(({ path }) => path.endsWith('no_such_route')),
  ],
  'it accepts a lower total': [
    ['total-lower'],
    answeringWithView(
      (request, { status }, body) => isConfirm(request) && status === 409 && Number(body.amount_total) < 1000,
    ),
  ],
  'it accepts any total and currency': [
    TOTALS,
    answeringWithView((request, { status }) => isConfirm(request) && status === 409),
  ],
  'it ignores the currency': [
    ['other-currency'],
    ignoringField('currency', 'usd', (value) => value === 'eur'),
  ],
  'it accepts any currency': [['wrong-currency-string', 'other-currency'], ignoringField('currency', 'usd')],
  'it counts an attempt that it refuses with 409': [
    [...TOTALS, 'attempts-agree'],
    countingExtraAttempts((_, { status }) => status === 409),
  ],
  'it checks the billing details before the total': [
    ['total-before-billing'],
    replacingError(
      'invalid_billing_details',
      ({ body }, { status }) => status === 409 && /"nobody"/.test(body ?? ''),
    ),
  ],
  ...Object.fromEntries(
    WRONG_FIELDS.map(([path, valid, isWrong, values]) => [
      `it does not check ${path}`,
      [wrong(path, ...values), ignoringField(path, valid, isWrong)] as const,
    ]),
  ),
  'it does not check billing details': [
    WRONG_BILLING,
    answeringWithView((_, response) => errorCode(response) === 'invalid_billing_details'),
  ],
  'it counts an attempt although the billing details are wrong': [
    [...WRONG_BILLING, 'attempts-agree'],
    countingExtraAttempts((_, response) => errorCode(response) === 'invalid_billing_details'),
  ],
  'it refuses a release without a failed attempt': [
    ['release-idle'],
    (send) => {
      let hasFailed = false;
      return replacingError('payment_intent_not_pending', (request, { status }) => {
        if (isConfirm(request) && status === 402) hasFailed = true;
        return isRoute(request, 'release') && status === 200 && !hasFailed;
      })(send);
    },
  ],
  'it reports payments of another account as a wrong client secret': [
    ['other-key'],
    replacingError(
      'invalid_client_secret',
      (_, response) => errorCode(response) === 'payment_intent_not_found',
    ),
  ],
  'it reports a revoked key as unknown': [
    ['revoked-key'],
    replacingError('invalid_api_key', (_, response) => errorCode(response) === 'api_key_revoked'),
  ],
  'its 429 has no Retry-After': [['rate-limit'], withHeader('retry-after', null)],
  'it has no rate limit': [['rate-limit'], (send) => send, { limit: 1_000_000 }],
  'its errors have no message': [['error-form'], rewritingError(() => ({ message: undefined }))],
  'the param of its errors is a number': [['error-form'], rewritingError(() => ({ param: 5 }))],
  'the type of its errors does not match their code': [
    ['error-type'],
    rewritingError(() => ({ type: 'api_error' })),
  ],
  'it repeats the refused body in the error message': [
    ['nothing-echoed'],
    rewritingError((_, { body }) => ({ message: `Bad: ${body}` })),
  ],
  'it calls an intent pending while an attempt runs, and does not say so': [
    ['running-attempt'],
    showingDuringConfirm({ status: 'pending', attempt_in_progress: undefined, last_payment_error: null }),
  ],
  'it reports a decline as its own failure': [
    ['declined'],
    replacingError('provider_error', (_, { status }) => status === 402),
  ],
  'it counts an attempt twice': [
    ['declined', 'paid-once', 'attempts-agree'],
    countingExtraAttempts((request, { status }) => isConfirm(request) && [402, 200].includes(status)),
  ],
  'it forgets why the last attempt failed': [
    ['declined', 'running-attempt'],
    showing({ last_payment_error: null }),
  ],
  'it keeps the error of a failed attempt forever': [
    ['released', 'succeeded'],
    (send) => {
      let error: unknown = null;
      return answering((view) => {
        error = view.last_payment_error ?? error;
        return { last_payment_error: error };
      })(send);
    },
  ],
  'it accepts a second confirm': [
    ['paid-once', 'paid-is-paid', 'status-before-total'],
    answeringWithView(
      (request, response) => isConfirm(request) && errorCode(response) === 'payment_intent_not_pending',
    ),
  ],
  'it answers an accepted confirm with a pending payment': [
    ['paid-once'],
    answering((_, request) => (isConfirm(request) ? { status: 'pending' } : {})),
  ],
  'it omits the time of success': [['succeeded'], showing({ succeeded_at: null })],
  'it checks the total before the status': [
    ['status-before-total'],
    replacingError(
      'payment_intent_updated',
      ({ body }, response) =>
        errorCode(response) === 'payment_intent_not_pending' && parseFields(body)?.amount_total === 1001,
    ),
  ],
  'it releases a payment that has succeeded': [
    ['release-paid'],
    answeringWithView(
      (request, response) =>
        isRoute(request, 'release') && errorCode(response) === 'payment_intent_not_pending',
    ),
  ],
};
