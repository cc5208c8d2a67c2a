/**
 * Broken services: the sandbox behind a wrapper that breaks one rule. They prove that each check of the suite can fail.
 */
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { withField } from './confirm-body.ts';
import type { HttpRequest, HttpResponse, Send } from './http.ts';

/**
 * A broken service: what it does wrong, the checks that fail, and no others, and its wrapper around the sandbox. `follows`:
 * checks that fail, too, because what they compare is wrong already. `limit`: its requests a minute.
 */
export type WrongService = {
  breaks: string;
  caughtBy: readonly string[];
  follows?: readonly string[];
  limit?: number;
  wrap: (send: Send) => Send;
};

type Fields = Record<string, unknown>;

const isRoute = (request: HttpRequest, route: keyof typeof CLIENT_ROUTES) =>
  request.path === CLIENT_ROUTES[route];
const isConfirm = (request: HttpRequest) => isRoute(request, 'confirm');
const isRetrieve = (request: HttpRequest) => isRoute(request, 'retrieve');

const parseFields = (text: string | null): Fields | null => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
};

const withoutField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? { ...value, [name]: undefined } : value;

/** Changes requests on their way to the service, so that it behaves as if it did not check something. */
const rewritingRequest =
  (change: (request: HttpRequest) => HttpRequest) =>
  (send: Send): Send =>
  (request) =>
    send(change(request));

const ignoringHeader = (name: string, when = (_: HttpRequest) => true) =>
  rewritingRequest((request) =>
    when(request)
      ? {
          ...request,
          headers: Object.fromEntries(Object.entries(request.headers).filter(([one]) => one !== name)),
        }
      : request,
  );

/** Changes the body, if it is a JSON object. */
const rewritingBody = (change: (body: Fields, request: HttpRequest) => Fields) =>
  rewritingRequest((request) => {
    const body = parseFields(request.body);
    return body === null ? request : { ...request, body: JSON.stringify(change(body, request)) };
  });

/** Overwrites a field of a confirm with a valid value, so that the service seems not to check it. */
const ignoringField = (path: string, valid: unknown, isWrong: (value: unknown) => boolean = () => true) =>
  rewritingBody((body, request) =>
    isConfirm(request) && valuesAt(body, path).some(isWrong) ? withField(body, path, valid) : body,
  );

/** The values at a path: one, or none if the object around it is missing, which another check is about. */
const valuesAt = (body: Fields, path: string): readonly unknown[] => {
  const [name = '', ...rest] = path.split('.');
  const value = body[name];
  if (rest.length === 0) return [value];
  return typeof value === 'object' && value !== null ? valuesAt({ ...value }, rest.join('.')) : [];
};

const rewritingResponse =
  (change: (response: HttpResponse, request: HttpRequest) => HttpResponse) =>
  (send: Send): Send =>
  async (request) =>
    change(await send(request), request);

const rewritingView = (change: (view: Fields) => Fields) =>
  rewritingResponse((response, request) => {
    const view = response.status === 200 && request.method === 'POST' ? parseFields(response.text) : null;
    return view === null ? response : withBody(response, JSON.stringify(change(view)));
  });

/** Changes what is read while a confirm is open. */
const rewritingViewDuringConfirm =
  (change: (view: Fields) => Fields) =>
  (send: Send): Send => {
    let open = 0;
    return async (request) => {
      if (!isConfirm(request)) {
        const isBeside = open > 0;
        const response = await send(request);
        const view = isBeside && response.status === 200 ? parseFields(response.text) : null;
        return view === null ? response : withBody(response, JSON.stringify(change(view)));
      }
      open += 1;
      return send(request).finally(() => {
        open -= 1;
      });
    };
  };

const rewritingError = (change: (error: Fields) => Fields) =>
  rewritingResponse((response) => {
    const body = response.status >= 400 ? parseFields(response.text) : null;
    const error = body === null ? null : parseFields(JSON.stringify(body.error));
    return error === null ? response : withBody(response, JSON.stringify({ error: change(error) }));
  });

const withBody = (response: HttpResponse, text: string): HttpResponse => ({
  ...response,
  text,
  headers: { ...response.headers, 'content-length': String(new TextEncoder().encode(text).length) },
});

const withHeader = (name: string, value: string | null, when = (_: HttpRequest) => true) =>
  rewritingResponse((response, request) => {
    if (!when(request)) return response;
    const headers = Object.fromEntries(Object.entries(response.headers).filter(([one]) => one !== name));
    return { ...response, headers: value === null ? headers : { ...headers, [name]: value } };
  });

const omitting =
  (name: string) =>
  (view: Fields): Fields =>
    Object.fromEntries(Object.entries(view).filter(([one]) => one !== name));

const NO_KEY_YET = 'Bearer NO_KEY_YET';

/** Replaces each key for which `when` holds with the first key seen, which is valid. */
const acceptingKey =
  (when: (authorization: string | undefined) => boolean) =>
  (send: Send): Send => {
    let valid = NO_KEY_YET;
    return (request) => {
      const { authorization } = request.headers;
      if (valid === NO_KEY_YET && authorization !== undefined) valid = authorization;
      return send(
        when(authorization) ? { ...request, headers: { ...request.headers, authorization: valid } } : request,
      );
    };
  };

/** Replaces each client secret for which `when` holds with the first one seen, which is valid. */
const acceptingSecret =
  (when: (secret: unknown, valid: string) => boolean) =>
  (send: Send): Send => {
    let valid = '';
    return (request) => {
      const body = parseFields(request.body);
      if (body === null) return send(request);
      if (valid === '' && typeof body.client_secret === 'string') valid = body.client_secret;
      return send(
        when(body.client_secret, valid)
          ? { ...request, body: JSON.stringify({ ...body, client_secret: valid }) }
          : request,
      );
    };
  };

/** Counts each exchange for which `when` holds as an additional confirmation attempt. */
const countingExtraAttempts =
  (when: (request: HttpRequest, response: HttpResponse) => boolean) =>
  (send: Send): Send => {
    let extra = 0;
    return async (request) => {
      const response = await send(request);
      if (when(request, response)) extra += 1;
      const view = response.status === 200 ? parseFields(response.text) : null;
      if (view === null || extra === 0) return response;
      return withBody(
        response,
        JSON.stringify({ ...view, confirmation_attempts: Number(view.confirmation_attempts) + extra }),
      );
    };
  };

/** Answers with the last successful retrieve wherever `when` holds, instead of with the right error. */
const answeringWithView =
  (when: (request: HttpRequest, response: HttpResponse, body: Fields) => boolean) =>
  (send: Send): Send => {
    let lastView: HttpResponse | null = null;
    return async (request) => {
      const response = await send(request);
      if (isRetrieve(request) && response.status === 200) lastView = response;
      return lastView !== null && when(request, response, parseFields(request.body) ?? {})
        ? lastView
        : response;
    };
  };

const errorCode = (response: HttpResponse): unknown => {
  const error = parseFields(response.text)?.error;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
};

/** Answers with another error wherever `when` holds. */
const replacingError = (
  status: number,
  code: string,
  type: string,
  when: (request: HttpRequest, response: HttpResponse) => boolean,
) =>
  rewritingResponse((response, request) =>
    when(request, response)
      ? withBody({ ...response, status }, JSON.stringify({ error: { type, code, message: 'No.' } }))
      : response,
  );

type WrongField = { path: string; valid: unknown; isWrong: (value: unknown) => boolean; ids: string[] };

/** What a service takes for a valid value that does not check a field. Right values stay. */
const WRONG_FIELDS: readonly WrongField[] = [
  {
    path: 'amount_total',
    valid: 1001,
    isWrong: (value) => !Number.isSafeInteger(value),
    ids: ['wrong-amount_total-string', 'wrong-amount_total-number', 'wrong-amount_total-undefined'],
  },
  {
    path: 'card',
    valid: { number: '4000000000000002', exp_month: 12, exp_year: 2031, cvc: '123' },
    isWrong: (value) => value === undefined,
    ids: ['wrong-card-undefined'],
  },
  {
    path: 'card.number',
    valid: '4000000000000002',
    isWrong: (value) => typeof value !== 'string' || !/^\d+$/.test(value),
    ids: ['wrong-card.number-string', 'wrong-card.number-number'],
  },
  {
    path: 'card.exp_month',
    valid: 12,
    isWrong: (value) => value !== 12,
    ids: ['wrong-card.exp_month-number', 'wrong-card.exp_month-string'],
  },
  {
    path: 'card.exp_year',
    valid: 2031,
    isWrong: (value) => value === 31,
    ids: ['wrong-card.exp_year-number'],
  },
  { path: 'card.cvc', valid: '123', isWrong: (value) => value === 'abc', ids: ['wrong-card.cvc-string'] },
];

const WRONG_BILLING_IDS = [
  'wrong-billing_details-missing',
  'wrong-billing_details.email-nobody',
  'wrong-billing_details.name-',
  'wrong-billing_details.address.line1-',
  'wrong-billing_details.address.country-QQ',
  'wrong-billing_details.address.country-Germany',
];

export const WRONG_SERVICES: readonly WrongService[] = [
  {
    breaks: 'it omits a field that the form needs',
    caughtBy: ['view', 'view-total', 'view-limits'],
    wrap: rewritingView(omitting('amount_total')),
  },
  {
    breaks: 'it sends amounts as strings',
    caughtBy: ['view'],
    wrap: rewritingView((view) => ({ ...view, amount: String(view.amount) })),
  },
  {
    breaks: 'it omits the lines',
    caughtBy: ['view-whole', 'view-items', 'view-difference'],
    wrap: rewritingView(omitting('items')),
  },
  {
    breaks: 'it shows the buyer to the browser',
    caughtBy: ['view-private'],
    wrap: rewritingView((view) => ({ ...view, buyer: null })),
  },
  {
    breaks: 'its total is not the sum of amount and fee',
    caughtBy: ['view-total'],
    wrap: rewritingView((view) => ({ ...view, fee_buyer: 1 })),
  },
  {
    breaks: 'it accepts payments of 99 cents',
    caughtBy: ['view-limits'],
    wrap: (send) =>
      rewritingView((view) => ({
        ...{ ...view, amount: 99, amount_total: 99 },
        items_difference: Number(view.items_difference) + 99 - Number(view.amount),
      }))(
        rewritingBody((body, request) =>
          isConfirm(request) && body.amount_total === 99 ? { ...body, amount_total: 1000 } : body,
        )(send),
      ),
  },
  {
    breaks: 'it rounds lines down instead of half up',
    caughtBy: ['view-items'],
    wrap: rewritingView((view) => ({
      ...view,
      items: [{ name: 'Mug', quantity: 0.5, unit_amount: 1001, amount: 500 }],
      items_difference: Number(view.amount) - 500,
    })),
  },
  {
    breaks: 'its items_difference ignores the lines',
    caughtBy: ['view-difference'],
    wrap: rewritingView((view) => ({ ...view, items: [] })),
  },
  {
    breaks: 'it tells the attempts that are left as a text',
    caughtBy: ['view-attempts', 'attempts-agree'],
    wrap: rewritingView((view) => ({ ...view, attempts_left: '5' })),
  },
  {
    breaks: 'it tells of a running attempt in a word',
    caughtBy: ['view-attempts', 'attempts-agree'],
    wrap: rewritingView((view) => ({ ...view, attempt_in_progress: 'no' })),
  },
  {
    breaks: 'it does not tell the attempts that are left',
    caughtBy: ['view-attempts', 'attempts-agree'],
    wrap: rewritingView(omitting('attempts_left')),
  },
  {
    breaks: 'it does not tell of a running attempt',
    caughtBy: ['view-attempts', 'attempts-agree'],
    wrap: rewritingView(omitting('attempt_in_progress')),
  },
  {
    breaks: 'its attempts that are left never become fewer',
    caughtBy: ['attempts-agree'],
    wrap: rewritingView((view) => ({ ...view, attempts_left: 5 })),
  },
  {
    breaks: 'it calls an attempt running that has failed',
    caughtBy: ['attempts-agree'],
    wrap: rewritingView((view) => ({ ...view, attempt_in_progress: view.status === 'pending' })),
  },
  {
    breaks: 'it calls an attempt running that has succeeded',
    caughtBy: ['attempts-agree'],
    wrap: rewritingView((view) => ({ ...view, attempt_in_progress: view.status === 'succeeded' })),
  },
  {
    breaks: 'a payment that has succeeded is pending again',
    caughtBy: ['history', 'succeeded', 'paid-is-paid', 'status-before-total', 'release-paid'],
    wrap: rewritingResponse((response, request) => {
      const view = isRetrieve(request) && response.status === 200 ? parseFields(response.text) : null;
      return view?.status === 'succeeded'
        ? withBody(response, JSON.stringify({ ...view, status: 'pending', succeeded_at: null }))
        : response;
    }),
  },
  {
    breaks: 'it forgets an attempt after its release',
    caughtBy: ['history', 'attempts-agree'],
    wrap: (send) => {
      let forgotten = 0;
      return async (request) => {
        const response = await send(request);
        const view = response.status === 200 ? parseFields(response.text) : null;
        if (view === null) return response;
        const attempts = Number(view.confirmation_attempts);
        if (isRoute(request, 'release')) forgotten = attempts;
        return withBody(response, JSON.stringify({ ...view, confirmation_attempts: attempts - forgotten }));
      };
    },
  },
  {
    breaks: 'its errors are text/html',
    caughtBy: ['all-json'],
    wrap: rewritingResponse((response) =>
      response.status >= 400
        ? { ...response, headers: { ...response.headers, 'content-type': 'text/html' } }
        : response,
    ),
  },
  {
    breaks: 'it shows a card number that nobody sent',
    caughtBy: ['nothing-echoed'],
    wrap: rewritingView((view) => ({ ...view, card: '5555 5555 5555 4444' })),
  },
  {
    breaks: 'it shows what is missing with its value',
    caughtBy: ['view-optional'],
    wrap: rewritingView((view) => ({ ...view, missing_details: ['buyer: Ada Lovelace'] })),
  },
  {
    breaks: 'its ids have a different prefix',
    caughtBy: ['view-id'],
    wrap: rewritingView((view) => ({ ...view, id: 'pi_1' })),
  },
  {
    breaks: 'it counts a retrieve as an attempt',
    caughtBy: ['retrieve-changes-nothing', 'attempts-agree'],
    follows: [
      ...['total-lower', 'total-higher', 'other-currency', 'total-before-billing'],
      ...WRONG_BILLING_IDS,
      ...['declined', 'paid-once', 'paid-is-paid', 'release-paid'],
    ],
    wrap: countingExtraAttempts((request, { status }) => isRetrieve(request) && status === 200),
  },
  {
    breaks: 'it answers with text/html',
    caughtBy: ['json', 'all-json'],
    wrap: withHeader('content-type', 'text/html; charset=utf-8'),
  },
  {
    breaks: 'it sends no Content-Length',
    caughtBy: ['length'],
    wrap: withHeader('content-length', null),
  },
  {
    breaks: 'it sends a wrong Content-Length',
    caughtBy: ['length'],
    wrap: withHeader('content-length', '3'),
  },
  {
    breaks: 'its responses may be cached',
    caughtBy: ['no-store'],
    wrap: withHeader('cache-control', 'private'),
  },
  {
    breaks: 'it does not tell its time',
    caughtBy: ['date'],
    wrap: withHeader('date', null),
  },
  {
    breaks: 'it tells its time in a way that not every browser reads',
    caughtBy: ['date'],
    wrap: withHeader('date', '2026-11-15 12:00 UTC'),
  },
  {
    breaks: 'any page may read its responses',
    caughtBy: ['no-cors'],
    wrap: withHeader('access-control-allow-origin', '*', ({ method }) => method === 'POST'),
  },
  {
    breaks: 'it accepts preflights from any page',
    caughtBy: ['no-preflight'],
    wrap: withHeader('access-control-allow-headers', 'authorization', ({ method }) => method === 'OPTIONS'),
  },
  {
    breaks: 'it does not check Sec-Fetch-Site',
    caughtBy: ['sec-fetch-cross-site', 'sec-fetch-same-site', 'sec-fetch-none'],
    wrap: ignoringHeader('sec-fetch-site'),
  },
  {
    breaks: 'it checks Sec-Fetch-Site on retrieve alone',
    caughtBy: ['sec-fetch-cross-site', 'sec-fetch-same-site', 'sec-fetch-none'],
    wrap: ignoringHeader('sec-fetch-site', (request) => !isRetrieve(request)),
  },
  {
    breaks: "it refuses the form's own requests",
    caughtBy: ['sec-fetch-same-origin'],
    wrap: rewritingRequest((request) =>
      request.headers['sec-fetch-site'] === 'same-origin'
        ? { ...request, headers: { ...request.headers, 'sec-fetch-site': 'cross-site' } }
        : request,
    ),
  },
  { breaks: 'it sets a cookie', caughtBy: ['no-cookies'], wrap: withHeader('set-cookie', 'a=1') },
  {
    breaks: 'it takes its key from a cookie',
    caughtBy: ['cookie-retrieve', 'cookie-confirm', 'cookie-release'],
    wrap: rewritingRequest((request) =>
      request.headers.cookie === undefined
        ? request
        : { ...request, headers: { ...request.headers, authorization: `Bearer ${request.headers.cookie}` } },
    ),
  },
  {
    breaks: 'it ignores unknown fields',
    caughtBy: [
      'unknown-field-retrieve',
      'unknown-field-confirm',
      'unknown-field-release',
      'body-before-secret',
    ],
    wrap: rewritingBody(omitting('colour')),
  },
  {
    breaks: 'it ignores unknown fields, nested ones too',
    caughtBy: [
      ...['unknown-field-retrieve', 'unknown-field-confirm', 'unknown-field-release', 'body-before-secret'],
      'unknown-field-card',
      'unknown-field-billing_details',
      'unknown-field-billing_details.address',
    ],
    wrap: rewritingBody(
      (body) => parseFields(JSON.stringify(body, (_, value) => withoutField(value, 'colour'))) ?? body,
    ),
  },
  {
    breaks: 'it needs no key',
    caughtBy: ['no-key'],
    wrap: acceptingKey((authorization) => authorization === undefined),
  },
  {
    breaks: 'it accepts any publishable key',
    caughtBy: ['unknown-key', 'key-before-body', 'other-key', 'revoked-key'],
    wrap: acceptingKey((authorization) => /^Bearer pk_/.test(authorization ?? '')),
  },
  {
    breaks: 'it accepts secret keys from browsers',
    caughtBy: ['secret-key'],
    wrap: acceptingKey((authorization) => /sk_live_/.test(authorization ?? '')),
  },
  {
    breaks: 'it accepts keys in any authentication scheme',
    caughtBy: ['basic'],
    wrap: acceptingKey((authorization) => /^Basic/.test(authorization ?? '')),
  },
  {
    breaks: 'it accepts any client secret',
    caughtBy: ['wrong-secret', 'almost-secret'],
    wrap: acceptingSecret((secret, valid) => typeof secret === 'string' && secret !== valid),
  },
  {
    breaks: 'it compares only the beginning of a client secret',
    caughtBy: ['almost-secret'],
    wrap: acceptingSecret((secret, valid) => typeof secret === 'string' && secret.startsWith(valid)),
  },
  {
    breaks: 'it needs no client secret',
    caughtBy: ['no-secret'],
    wrap: acceptingSecret((secret) => secret === undefined),
  },
  {
    breaks: 'it accepts a client secret of any type',
    caughtBy: ['secret-type'],
    wrap: acceptingSecret((secret) => Array.isArray(secret)),
  },
  {
    breaks: 'it answers broken JSON with 500',
    caughtBy: ['broken-json'],
    wrap: replacingError(500, 'internal_error', 'api_error', ({ body }) => body === '{"client_secret":'),
  },
  {
    breaks: 'it answers a body that is not an object with 500',
    caughtBy: ['no-object'],
    wrap: replacingError(500, 'internal_error', 'api_error', ({ body }) => body === 'null'),
  },
  {
    breaks: 'it accepts content types that an HTML form of another site can send',
    caughtBy: ['content-type'],
    wrap: rewritingRequest((request) => ({
      ...request,
      headers: { ...request.headers, 'content-type': 'application/json' },
    })),
  },
  {
    breaks: 'it checks the body before the key',
    caughtBy: ['key-before-body'],
    wrap: replacingError(400, 'validation_error', 'invalid_request_error', ({ body }) => body === '{'),
  },
  {
    breaks: 'it checks the client secret before the rest of the body',
    caughtBy: ['body-before-secret'],
    wrap: replacingError(
      401,
      'invalid_client_secret',
      'authentication_error',
      ({ body }, response) => errorCode(response) === 'validation_error' && /"lg_cs_0{24}"/.test(body ?? ''),
    ),
  },
  {
    breaks: 'it answers to GET',
    caughtBy: ['no-get'],
    wrap: answeringWithView(({ method }) => method === 'GET'),
  },
  {
    breaks: 'it answers on unknown routes',
    caughtBy: ['no-route'],
    wrap: answeringWithView(({ path }) => path.endsWith('no_such_route')),
  },
  {
    breaks: 'it accepts a lower total',
    caughtBy: ['total-lower'],
    wrap: answeringWithView(
      (request, { status }, body) => isConfirm(request) && status === 409 && Number(body.amount_total) < 1000,
    ),
  },
  {
    breaks: 'it accepts any total and currency',
    caughtBy: ['total-lower', 'total-higher', 'other-currency', 'total-before-billing'],
    wrap: answeringWithView((request, response) => isConfirm(request) && response.status === 409),
  },
  {
    breaks: 'it ignores the currency',
    caughtBy: ['other-currency'],
    wrap: rewritingBody((body, request) =>
      isConfirm(request) && (body.currency === 'eur' || body.currency === 'usd')
        ? { ...body, currency: 'usd' }
        : body,
    ),
  },
  {
    breaks: 'it accepts any currency',
    caughtBy: ['wrong-currency-string', 'other-currency'],
    wrap: ignoringField('currency', 'usd'),
  },
  {
    breaks: 'it counts an attempt that it refuses with 409',
    caughtBy: ['total-lower', 'total-higher', 'other-currency', 'total-before-billing', 'attempts-agree'],
    wrap: countingExtraAttempts((_, { status }) => status === 409),
  },
  {
    breaks: 'it checks the billing details before the total',
    caughtBy: ['total-before-billing'],
    wrap: replacingError(
      400,
      'invalid_billing_details',
      'invalid_request_error',
      ({ body }, response) => response.status === 409 && /"nobody"/.test(body ?? ''),
    ),
  },
  ...WRONG_FIELDS.map(({ path, valid, isWrong, ids }) => ({
    breaks: `it does not check ${path}`,
    caughtBy: ids,
    wrap: ignoringField(path, valid, isWrong),
  })),
  {
    breaks: 'it does not check billing details',
    caughtBy: WRONG_BILLING_IDS,
    wrap: answeringWithView((_, response) => errorCode(response) === 'invalid_billing_details'),
  },
  {
    breaks: 'it counts an attempt although the billing details are wrong',
    caughtBy: [...WRONG_BILLING_IDS, 'attempts-agree'],
    wrap: countingExtraAttempts((_, response) => errorCode(response) === 'invalid_billing_details'),
  },
  {
    breaks: 'it refuses a release without a failed attempt',
    caughtBy: ['release-idle'],
    wrap: (send) => {
      let hasFailed = false;
      return replacingError(
        400,
        'payment_intent_not_pending',
        'invalid_request_error',
        (request, { status }) => {
          if (isConfirm(request) && status === 402) hasFailed = true;
          return isRoute(request, 'release') && status === 200 && !hasFailed;
        },
      )(send);
    },
  },
  {
    breaks: 'it reports payments of another account as a wrong client secret',
    caughtBy: ['other-key'],
    wrap: replacingError(
      401,
      'invalid_client_secret',
      'authentication_error',
      (_, response) => errorCode(response) === 'payment_intent_not_found',
    ),
  },
  {
    breaks: 'it reports a revoked key as unknown',
    caughtBy: ['revoked-key'],
    wrap: replacingError(
      401,
      'invalid_api_key',
      'authentication_error',
      (_, response) => errorCode(response) === 'api_key_revoked',
    ),
  },
  {
    breaks: 'its 429 has no Retry-After',
    caughtBy: ['rate-limit'],
    wrap: withHeader('retry-after', null),
  },
  {
    breaks: 'it has no rate limit',
    caughtBy: ['rate-limit'],
    limit: 1_000_000,
    wrap: (send) => send,
  },
  {
    breaks: 'its errors have no message',
    caughtBy: ['error-form'],
    wrap: rewritingError(omitting('message')),
  },
  {
    breaks: 'the param of its errors is a number',
    caughtBy: ['error-form'],
    wrap: rewritingError((error) => ({ ...error, param: 5 })),
  },
  {
    breaks: 'the type of its errors does not match their code',
    caughtBy: ['error-type'],
    wrap: rewritingError((error) => ({ ...error, type: 'api_error' })),
  },
  {
    breaks: 'it repeats the refused body in the error message',
    caughtBy: ['nothing-echoed'],
    wrap: (send) => async (request) => {
      const response = await send(request);
      const body = response.status >= 400 ? parseFields(response.text) : null;
      if (body === null || typeof body.error !== 'object') return response;
      return withBody(
        response,
        JSON.stringify({ error: { ...body.error, message: `Bad: ${request.body}` } }),
      );
    },
  },
  {
    breaks: 'it calls an intent pending while an attempt runs, and does not say so',
    caughtBy: ['running-attempt'],
    wrap: rewritingViewDuringConfirm((view) => ({
      ...view,
      status: 'pending',
      attempt_in_progress: undefined,
      last_payment_error: null,
    })),
  },
  {
    breaks: 'it reports a decline as its own failure',
    caughtBy: ['declined'],
    wrap: replacingError(502, 'provider_error', 'api_error', (_, { status }) => status === 402),
  },
  {
    breaks: 'it counts an attempt twice',
    caughtBy: ['declined', 'paid-once', 'attempts-agree'],
    wrap: countingExtraAttempts(
      (request, { status }) => isConfirm(request) && (status === 402 || status === 200),
    ),
  },
  {
    breaks: 'it forgets why the last attempt failed',
    caughtBy: ['declined', 'running-attempt'],
    wrap: rewritingView((view) => ({ ...view, last_payment_error: null })),
  },
  {
    breaks: 'it keeps the error of a failed attempt forever',
    caughtBy: ['released', 'succeeded'],
    wrap: (send) => {
      let error: unknown = null;
      return async (request) => {
        const response = await send(request);
        const view = response.status === 200 ? parseFields(response.text) : null;
        if (view === null) return response;
        error = view.last_payment_error ?? error;
        return withBody(response, JSON.stringify({ ...view, last_payment_error: error }));
      };
    },
  },
  {
    breaks: 'it accepts a second confirm',
    caughtBy: ['paid-once', 'paid-is-paid', 'status-before-total'],
    wrap: answeringWithView(
      (request, response) => isConfirm(request) && errorCode(response) === 'payment_intent_not_pending',
    ),
  },
  {
    breaks: 'it answers an accepted confirm with a pending payment',
    caughtBy: ['paid-once'],
    wrap: rewritingResponse((response, request) => {
      const view = isConfirm(request) && response.status === 200 ? parseFields(response.text) : null;
      return view === null ? response : withBody(response, JSON.stringify({ ...view, status: 'pending' }));
    }),
  },
  {
    breaks: 'it omits the time of success',
    caughtBy: ['succeeded'],
    wrap: rewritingView((view) => ({ ...view, succeeded_at: null })),
  },
  {
    breaks: 'it checks the total before the status',
    caughtBy: ['status-before-total'],
    wrap: replacingError(
      409,
      'payment_intent_updated',
      'invalid_request_error',
      ({ body }, response) =>
        errorCode(response) === 'payment_intent_not_pending' && parseFields(body)?.amount_total === 1001,
    ),
  },
  {
    breaks: 'it releases a payment that has succeeded',
    caughtBy: ['release-paid'],
    wrap: answeringWithView(
      (request, response) =>
        isRoute(request, 'release') && errorCode(response) === 'payment_intent_not_pending',
    ),
  },
];
