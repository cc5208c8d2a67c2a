/**
 * The rules any service must keep for the form to work and be safe (contract 3, S1, S11 and S16). No check in this file
 * pays: every confirm is either wrong in a way that the service refuses before it reaches the payment network, or uses
 * a number that belongs to no card.
 */
import type { HttpResponse } from '../../api/command/http.ts';
import * as LIMITS from '../../api/limits.ts';
import { CLIENT_ROUTES, type ClientRoute, PREFIX } from '../../api/routes.ts';
import { type ConformanceCheck, checks, checksOf, type Rows } from './check.ts';
import {
  ATTEMPT_FIELDS,
  expectedDifference,
  findFieldProblem,
  findItemProblem,
  findOptionalProblem,
  OPTIONAL_FIELDS,
  OTHER_FIELDS,
  PRIVATE_FIELDS,
  REQUIRED_FIELDS,
} from './client-view.ts';
import {
  type ConfirmChange,
  confirmToCheck,
  DECLINED_NUMBER,
  UNKNOWN_KEY,
  UNKNOWN_SECRET,
  withField,
} from './confirm-body.ts';
import {
  type CheckContext,
  type ConformanceOptions,
  expectRefused,
  expectRetryAfter,
  expectSame,
  expectStatus,
  Mismatch,
  parseObject,
  ROUTES,
  retryAfterSeconds,
  Skipped,
  summarize,
} from './context.ts';
import { expectAttemptsAgree, expectNoCardNumber, FINAL_CHECKS } from './history.ts';
import { answerOverLimit } from './rate-limit.ts';

/** Each route's body as the form sends it, except that the confirm has a wrong total, so it never pays. */
const bodyFor = async (context: CheckContext, route: ClientRoute): Promise<Record<string, unknown>> => {
  const { clientSecret } = context.options;
  if (route !== 'confirm') return { client_secret: clientSecret };
  return confirmToCheck(context, await context.latestView(), { amount_total: 'higher' });
};

/** A request that differs from a valid one in its headers, in fields given by path, or in the whole body. */
type Asked = {
  headers?: Readonly<Record<string, string | null>>;
  fields?: Readonly<Record<string, unknown>>;
  raw?: string;
  /** The only route to request; every route if absent. */
  route?: ClientRoute;
};

const ask = async (context: CheckContext, route: ClientRoute, { headers = {}, fields = {}, raw }: Asked) => {
  if (raw !== undefined) return context.post(route, null, { headers, body: raw });
  const body = Object.entries(fields).reduce<Record<string, unknown>>(
    (whole, [path, value]) => withField(whole, path, value),
    await bodyFor(context, route),
  );
  return context.post(route, body, { headers });
};

/** Requests that a service must refuse. */
type Refusal = Asked | readonly Asked[] | ((options: ConformanceOptions) => Asked | readonly Asked[]);

const refusalChecks = (code: string, refusals: Rows<Refusal>) =>
  checksOf(refusals, async (refusal, context: CheckContext) => {
    const requests = typeof refusal === 'function' ? refusal(context.options) : refusal;
    for (const one of [requests].flat())
      for (const route of one.route === undefined ? ROUTES : [one.route]) {
        try {
          expectRefused(await ask(context, route, one), ...code.split(' '));
        } catch (error) {
          if (!(error instanceof Mismatch) || one.route !== undefined) throw error;
          throw new Mismatch(`${error.expected} (${route})`, error.actual);
        }
      }
  });

const bearer = (key: string | null): Asked => ({
  headers: { authorization: key === null ? null : `Bearer ${key}` },
});
const secret = (client_secret: unknown): Asked => ({ fields: { client_secret } });
const toRetrieve = (asked: Asked): Asked => ({ ...asked, route: 'retrieve' });
const toConfirm = (asked: Asked): Asked => ({ ...asked, route: 'confirm' });
const given = (key: string | null, flag: string): Asked => {
  if (key === null) throw new Skipped(`needs ${flag}`);
  return bearer(key);
};
const each = <Value, Row>(
  values: readonly Value[],
  row: (value: Value) => readonly [string, Row],
): Rows<Row> => Object.fromEntries(values.map(row));

/** A field with a wrong value. */
type WrongField = readonly [what: string, path: string, value: unknown];

/** Wrong values for fields of a confirm. Sent with a wrong total as well, so that none of them pays. */
const WRONG_CONFIRMS: readonly WrongField[] = [
  ['a total that is a string', 'amount_total', '1000'],
  ['a total with a fraction', 'amount_total', 1000.5],
  ['no total', 'amount_total', undefined],
  ['no card', 'card', undefined],
  ['a card number with letters', 'card.number', '4000000000000abc'],
  ['a card number that is not a string', 'card.number', 4000000000000002],
  ['a month 13', 'card.exp_month', 13],
  ['a month that is a string', 'card.exp_month', '12'],
  ['a two-digit year', 'card.exp_year', 31],
  ['a security code with letters', 'card.cvc', 'abc'],
];

const WRONG_BILLING: readonly WrongField[] = [
  ['no billing details', 'billing_details', undefined],
  ['no e-mail address', 'billing_details.email', 'nobody'],
  ['an empty name', 'billing_details.name', ''],
  ['an empty first line', 'billing_details.address.line1', ''],
  ['a country that does not exist', 'billing_details.address.country', 'QQ'],
  ['the name of a country instead of its code', 'billing_details.address.country', 'Germany'],
];

const wrongConfirm = ([what, path, value]: WrongField) =>
  [
    `wrong-${path}-${typeof value}: 3.2: a confirm with ${what} is refused`,
    toConfirm({ fields: { [path]: value } }),
  ] as const;

/** Requests refused before the service does anything, by code. */
const REFUSALS: Rows<Rows<Refusal>> = {
  not_found: each(['cross-site', 'same-site', 'none'], (site) => [
    `sec-fetch-${site}: 3.7: a request with Sec-Fetch-Site: ${site} is refused`,
    { headers: { 'sec-fetch-site': site } },
  ]),
  invalid_api_key: {
    'no-key: S16.3: invalid_api_key, a request without a key is refused': bearer(null),
    'unknown-key: S16.3: invalid_api_key, an unknown key is refused': bearer(UNKNOWN_KEY),
    'secret-key: S11.2: browser routes refuse a key that starts with sk_live_': ({ publishableKey }) =>
      bearer(publishableKey.replace('pk', 'sk')),
    'basic: S11.1: the key comes as "Authorization: Bearer <key>"': ({ publishableKey }) =>
      toRetrieve({ headers: { authorization: `Basic ${btoa(`${publishableKey}:`)}` } }),
    'key-before-body: 4.5: the key is checked before the body': toConfirm({
      ...bearer(UNKNOWN_KEY),
      raw: '{',
    }),
  },
  invalid_client_secret: {
    'wrong-secret: S16.3: invalid_client_secret, a wrong client secret is refused': secret(UNKNOWN_SECRET),
    'almost-secret: S16.3: invalid_client_secret, a client secret that is cut short or has an extra character is refused':
      ({ clientSecret }) => [clientSecret.slice(0, -1), `${clientSecret}0`].map(secret).map(toRetrieve),
  },
  validation_error: {
    ...each(ROUTES, (route) => [
      `unknown-field-${route}: 3.4: ${route} refuses an unknown field`,
      { fields: { colour: 'red' }, route },
    ]),
    ...each(['card', 'billing_details', 'billing_details.address'], (path) => [
      `unknown-field-${path}: 3.4: confirm refuses an unknown field in ${path}`,
      toConfirm({ fields: { [`${path}.colour`]: 'red' } }),
    ]),
    'no-secret: S16.3: validation_error, a request without a client secret is refused': secret(undefined),
    'secret-type: S16.3: validation_error, a client secret of another type is refused': ({ clientSecret }) =>
      [null, 5, [clientSecret], {}].map(secret).map(toRetrieve),
    'broken-json: S16.3: validation_error, broken JSON is refused': { raw: '{"client_secret":' },
    'no-object: S16.3: validation_error, a body that is not an object is refused': [
      ...['[]', 'null', '"text"', ''].map((raw) => toRetrieve({ raw })),
    ],
    'content-type: S1: a body needs Content-Type: application/json, which an HTML form of another site cannot send':
      {
        headers: { 'content-type': 'text/plain' },
      },
    'body-before-secret: 4.5: the body is checked before the client secret': toRetrieve({
      fields: { client_secret: UNKNOWN_SECRET, colour: 'red' },
    }),
    ...each(WRONG_CONFIRMS, wrongConfirm),
  },
  'validation_error unsupported_currency': each(
    [['a currency that does not exist', 'currency', 'xyz']],
    wrongConfirm,
  ),
  payment_intent_not_found: {
    'other-key: S11.6: the key of another account does not find the payment': ({ otherPublishableKey }) =>
      given(otherPublishableKey, '--other-publishable-key'),
  },
  api_key_revoked: {
    'revoked-key: S16.3: api_key_revoked, a revoked key is refused': ({ revokedPublishableKey }) =>
      toRetrieve(given(revokedPublishableKey, '--revoked-publishable-key')),
  },
};

/** The client view of a pending payment: only pending payments accept a confirm. */
const pendingView = async (context: CheckContext): Promise<Record<string, unknown>> => {
  const view = await context.view();
  if (view.status === 'pending') return view;
  throw new Skipped(`the payment is ${view.status}; give the client secret of one that is pending`);
};

/** Confirms refused with a code after the payment was found, without counting an attempt. */
const CONFIRMS: Rows<Rows<ConfirmChange>> = {
  payment_intent_updated: {
    ...each<readonly [string, string, ConfirmChange], ConfirmChange>(
      [
        ['total-lower', 'with a total lower than the payment has', { amount_total: 'lower' }],
        ['total-higher', 'with a total higher than the payment has', { amount_total: 'higher' }],
        ['other-currency', 'in a currency other than that of the payment', { currency: 'other' }],
      ],
      ([id, what, change]) => [
        `${id}: 3.2: a confirm ${what} is refused with 409, and no attempt is counted`,
        change,
      ],
    ),
    'total-before-billing: 4.5: the total is checked before the billing details': {
      ...{ amount_total: 'higher', wrong: ['billing_details.email', 'nobody'] },
    },
  },
  invalid_billing_details: each(WRONG_BILLING, ([what, path, value]) => [
    `wrong-${path}-${value ?? 'missing'}: S16.3: invalid_billing_details, ${what}; no attempt is counted`,
    { wrong: [path, value] },
  ]),
};

const confirmChecks = (code: string, changes: Rows<ConfirmChange>) =>
  checksOf(changes, async (change, context: CheckContext) => {
    const before = await pendingView(context);
    expectRefused(await context.post('confirm', confirmToCheck(context, before, change)), code);
    const after = await context.view();
    for (const field of ['status', 'confirmation_attempts', 'amount_total'])
      expectSame(`after the refusal "${field}"`, after[field], before[field]);
  });

/** A problem as `[expected, actual]`, or null. */
type Problem = readonly [expected: string, actual: string] | null;

const same = (what: string, actual: unknown, expected: unknown): Problem =>
  actual === expected ? null : [`${what} ${expected}`, `${actual}`];

type View = Readonly<Record<string, unknown>>;

/** Rules for the client view of a payment. */
const VIEW: Rows<(view: View, options: ConformanceOptions) => Problem> = {
  'view: 3.1: retrieve answers 200 with the payment and the fields that the form needs': (view) =>
    findFieldProblem(view, REQUIRED_FIELDS),
  'view-whole: 3.5: the client view has all its fields': (view) => findFieldProblem(view, OTHER_FIELDS),
  'view-attempts: 3.5: the client view has attempts_left, a number, and attempt_in_progress, a boolean': (
    view,
  ) => findFieldProblem(view, ATTEMPT_FIELDS),
  'view-optional: 3.5: missing_details, if it is there, has names of fields': (view) =>
    findOptionalProblem(view, OPTIONAL_FIELDS),
  'view-private: 3.5: the client view never has metadata, client_secret, buyer or billing data': (view) => {
    const found = PRIVATE_FIELDS.filter((name) => name in view);
    return found.length === 0 ? null : ['a view without these fields', found.join(', ')];
  },
  'view-total: S3.1: amount_total is amount + fee_buyer': ({ amount, fee_buyer, amount_total }) =>
    same('amount_total', amount_total, Number(amount) + Number(fee_buyer)),
  'view-limits: S17.6 and S17.7: a total is between 100 and 99,999,999': ({ amount_total }) =>
    Number(amount_total) >= LIMITS.smallestTotal && Number(amount_total) <= LIMITS.largestAmount
      ? null
      : ['a total in that range', `${amount_total}`],
  'view-items: S3.5: a line is unit_amount x quantity, rounded half up once': ({ items }) =>
    findItemProblem(items),
  'view-difference: S3.1: items_difference is the part of the amount that the lines do not explain': (view) =>
    same('items_difference', view.items_difference, expectedDifference(view)),
  'view-id: S2.1: lg_pi_ for a payment, lg_cs_ for its client secret': ({ id }, { clientSecret }) =>
    !`${id}`.startsWith('lg_pi_')
      ? ['an id that starts with lg_pi_', `${id}`]
      : clientSecret.startsWith('lg_cs_')
        ? null
        : ['a client secret that starts with lg_cs_', 'another prefix'],
};

const corsProblem = (headers: HttpResponse['headers']): Problem => {
  const found = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  return found.length === 0 ? null : ['no Access-Control header', found.join(', ')];
};

const MERCHANT = { origin: 'https://merchant.example' };

/** Rules for the answer to a retrieve. */
const ANSWERS: Rows<(answer: HttpResponse) => Problem> = {
  'json: 3.8: a response is application/json': ({ headers }) => {
    const type = headers['content-type'] ?? 'no Content-Type';
    return type.split(';')[0]?.trim() === 'application/json' ? null : ['application/json', type];
  },
  'length: 3.8: a response has a correct Content-Length': ({ headers, text }) =>
    same('Content-Length', headers['content-length'], `${Buffer.byteLength(text)}`),
  'no-store: 3.8: a response is never cached (no-store)': ({ headers }) => {
    const control = headers['cache-control'] ?? 'no Cache-Control';
    return /(^|,)\s*no-store\s*(,|$)/i.test(control) ? null : ['Cache-Control: no-store', control];
  },
  'date: 3.8: a response has the time of the service (Date)': ({ headers }) => {
    const date = headers.date ?? 'no Date';
    return new Date(date).toUTCString() === date ? null : ['a Date as RFC 9110 writes it', date];
  },
};

const expectNone = (problem: Problem): void => {
  if (problem !== null) throw new Mismatch(...problem);
};

/** Requests a minute, per route (contract S17.3). */
const LIMIT = 60;

export const CHECKS: readonly ConformanceCheck<CheckContext>[] = [
  ...checksOf(VIEW, async (find, context: CheckContext) =>
    expectNone(find(await context.latestView(), context.options)),
  ),
  ...checks<CheckContext>({
    'retrieve-changes-nothing: 3.1: retrieve changes nothing': async (context) => {
      const first = await context.view();
      if (first.status === 'processing')
        throw new Skipped('the payment is processing and may change on its own');
      expectSame('the second view', await context.view(), first);
    },
  }),
  ...checksOf(ANSWERS, async (find, context: CheckContext) =>
    expectNone(find(await ask(context, 'retrieve', {}))),
  ),
  ...checks<CheckContext>({
    "no-cors: 3.7: a merchant's page cannot read a response (no CORS header)": async (context) =>
      expectNone(corsProblem((await ask(context, 'retrieve', { headers: MERCHANT })).headers)),
    'sec-fetch-same-origin: 3.7: a request with Sec-Fetch-Site: same-origin is served': async (context) =>
      expectStatus(await ask(context, 'retrieve', { headers: { 'sec-fetch-site': 'same-origin' } }), 200),
    "no-preflight: 3.7: a preflight from a merchant's page fails (no CORS header)": async (context) => {
      for (const route of ROUTES) {
        const { headers } = await context.send({
          method: 'OPTIONS',
          path: CLIENT_ROUTES[route],
          headers: {
            ...MERCHANT,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,content-type',
          },
          body: null,
        });
        expectNone(corsProblem(headers));
      }
    },
    'no-cookies: 3.4: no response sets a cookie': async (context) => {
      await ask(context, 'retrieve', {});
      if (context.exchanges.some(({ response }) => 'set-cookie' in response.headers))
        throw new Mismatch('no response with Set-Cookie', 'one with Set-Cookie');
    },
  }),
  ...checksOf(
    each(ROUTES, (route) => [
      `cookie-${route}: 3.4: a cookie changes nothing in the answer of ${route}`,
      route,
    ]),
    async (route, context: CheckContext) => {
      const without = await ask(context, route, {});
      const withCookie = await ask(context, route, { headers: { cookie: 'session=1; lang=de' } });
      expectSame('with a cookie', summarize(withCookie), summarize(without));
    },
  ),
  ...Object.entries(REFUSALS).flatMap(([code, rows]) => refusalChecks(code, rows)),
  ...checks<CheckContext>({
    'no-get: S16.3: not_found, a client route does not answer to GET': async (context) => {
      const { publishableKey, clientSecret } = context.options;
      const headers = { authorization: `Bearer ${publishableKey}` };
      for (const route of ROUTES) {
        const path = `${CLIENT_ROUTES[route]}?client_secret=${encodeURIComponent(clientSecret)}`;
        const response = await context.send({ method: 'GET', path, headers, body: null });
        if (response.status !== 405) expectRefused(response, 'not_found');
      }
    },
    'no-route: S16.3: not_found, an unknown route answers 404': async (context) => {
      const headers = {
        authorization: `Bearer ${context.options.publishableKey}`,
        'content-type': 'application/json',
      };
      const path = `${PREFIX}/client/payment_intents/no_such_route`;
      expectRefused(await context.send({ method: 'POST', path, headers, body: '{}' }), 'not_found');
    },
  }),
  ...Object.entries(CONFIRMS).flatMap(([code, rows]) => confirmChecks(code, rows)),
  ...checks<CheckContext>({
    'release-idle: 3.3: a release without a failed attempt answers 200 and changes nothing, however often it is sent':
      async (context) => {
        const before = await pendingView(context);
        if ((before.last_payment_error ?? null) !== null)
          throw new Skipped('the payment has a failed attempt, which the check would release');
        for (let times = 0; times < 2; times += 1) {
          const response = await context.post('release', { client_secret: context.options.clientSecret });
          expectStatus(response, 200);
          expectSame('the view', parseObject(response), before);
        }
      },
    'rate-limit: S17.4: over the limit of one route, requests get 429 rate_limited with Retry-After, and are served after that time':
      async (context) => {
        expectRetryAfter(context.exchanges);
        if (!context.options.exhaustRateLimit)
          throw new Skipped(
            'needs --exhaust-rate-limit, which blocks all clients at this IP address for a while',
          );
        const body = JSON.stringify({ client_secret: context.options.clientSecret });
        const headers = {
          authorization: `Bearer ${context.options.publishableKey}`,
          'content-type': 'application/json',
        };
        const postOnce = (route: ClientRoute) =>
          context.sendOnce({ method: 'POST', path: CLIENT_ROUTES[route], headers, body });
        const response = await answerOverLimit(LIMIT, () => postOnce('retrieve'), context.now);
        expectRefused(response, 'rate_limited');
        const seconds = retryAfterSeconds(response);
        const other = await postOnce('release');
        if (other.status === 429)
          throw new Mismatch('release to have a limit of its own', '429 from release too');
        await context.wait(seconds * 1000);
        expectStatus(await postOnce('retrieve'), 200);
      },
  }),
];

/** Rules for all responses of a run of client routes; checked at the end. */
export const CLIENT_FINAL_CHECKS: readonly ConformanceCheck<CheckContext>[] = [
  ...FINAL_CHECKS,
  ...checks<CheckContext>({
    'attempts-agree: 3.5: in every view attempts_left is what confirmation_attempts leaves of the limit, and attempt_in_progress follows from the status':
      async ({ exchanges }) => expectAttemptsAgree(exchanges),
    'nothing-echoed: S16: no response repeats a card number or a client secret': async (context) => {
      const secrets = [
        context.options.clientSecret,
        DECLINED_NUMBER,
        context.options.payWith,
        context.options.declineWith,
      ];
      const echoed = secrets.some(
        (secret) =>
          secret !== null && context.exchanges.some(({ response }) => response.text.includes(secret)),
      );
      if (echoed) throw new Mismatch('no card number or client secret', 'a response that repeats one');
      expectNoCardNumber(context.exchanges.map(({ response }) => response.text));
    },
  }),
];
