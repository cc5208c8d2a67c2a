/**
 * The rules that any service must keep for the form to work and to be safe (contract 3, S1,
 * S11 and S16). No check in this file pays: every confirm is either wrong in a way that
 * the service refuses before it reaches the payment network, or has a number that belongs to no card.
 */
import { errorType, HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import * as LIMITS from '../../api/limits.ts';
import { CLIENT_ROUTES, type ClientRoute, PREFIX } from '../../api/routes.ts';
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
import { confirmToCheck, DECLINED_NUMBER, UNKNOWN_SECRET, withField } from './confirm-body.ts';
import {
  type CheckContext,
  expectRefused,
  expectRetryAfter,
  expectSame,
  expectStatus,
  Mismatch,
  parseError,
  parseObject,
  ROUTES,
  retryAfterSeconds,
  Skipped,
  summarize,
} from './context.ts';
import { expectAttemptsAgree, expectJson, expectNoCardNumber, expectNoneWentBack } from './history.ts';
import { answerOverLimit } from './rate-limit.ts';

/** A rule and its check, which throws a `Mismatch` if the service breaks the rule and `Skipped` if it cannot tell. */
export type ConformanceCheck = {
  id: string;
  /** The rule, with its source. */
  rule: string;
  run(context: CheckContext): Promise<void>;
};

/** The body of each route as the form sends it, but the confirm has a wrong total, so that it never pays. */
const bodyFor = async (context: CheckContext, route: ClientRoute): Promise<Record<string, unknown>> => {
  const { clientSecret } = context.options;
  if (route !== 'confirm') return { client_secret: clientSecret };
  return confirmToCheck(context, await context.latestView(), { amount_total: 'higher' });
};

/** Runs a check on all three routes. */
const onEachRoute = async (check: (route: ClientRoute) => Promise<void>): Promise<void> => {
  for (const route of ROUTES) {
    try {
      await check(route);
    } catch (error) {
      if (error instanceof Mismatch) throw new Mismatch(`${error.expected} (${route})`, error.actual);
      throw error;
    }
  }
};

/** Expects that a refusal left the payment as it was. */
const expectUnchanged = async (context: CheckContext, before: Record<string, unknown>): Promise<void> => {
  const after = await context.view();
  for (const field of ['status', 'confirmation_attempts', 'amount_total'])
    expectSame(`after the refusal "${field}"`, after[field], before[field]);
};

/** The client view of a pending payment: no other accepts a confirm. */
const pendingView = async (context: CheckContext): Promise<Record<string, unknown>> => {
  const view = await context.view();
  if (view.status === 'pending') return view;
  throw new Skipped(`the payment is ${view.status}; give the client secret of one that is pending`);
};

/** Expects that a confirm with this change is refused with one of these codes, and that no attempt is counted. */
const expectConfirmRefused = async (
  context: CheckContext,
  change: Parameters<typeof confirmToCheck>[2],
  ...codes: string[]
): Promise<void> => {
  const view = await pendingView(context);
  expectRefused(await context.post('confirm', confirmToCheck(context, view, change)), ...codes);
  await expectUnchanged(context, view);
};

/** Wrong values for the fields of a confirm. Sent with a wrong total as well, so that none of them pays. */
const WRONG_CONFIRMS: readonly [what: string, path: string, value: unknown][] = [
  ['a total that is a string', 'amount_total', '1000'],
  ['a total with a fraction', 'amount_total', 1000.5],
  ['no total', 'amount_total', undefined],
  ['a currency that does not exist', 'currency', 'xyz'],
  ['no card', 'card', undefined],
  ['a card number with letters', 'card.number', '4000000000000abc'],
  ['a card number that is not a string', 'card.number', 4000000000000002],
  ['a month 13', 'card.exp_month', 13],
  ['a month that is a string', 'card.exp_month', '12'],
  ['a two-digit year', 'card.exp_year', 31],
  ['a security code with letters', 'card.cvc', 'abc'],
];

const WRONG_BILLING: readonly [what: string, path: string, value: unknown][] = [
  ['no billing details', 'billing_details', undefined],
  ['no e-mail address', 'billing_details.email', 'nobody'],
  ['an empty name', 'billing_details.name', ''],
  ['an empty first line', 'billing_details.address.line1', ''],
  ['a country that does not exist', 'billing_details.address.country', 'QQ'],
  ['the name of a country instead of its code', 'billing_details.address.country', 'Germany'],
];

/** Requests a minute, of each route (contract S17.3). */
const LIMIT = 60;

const retrieveWith = (context: CheckContext, headers: Record<string, string | null>) =>
  context.post('retrieve', { client_secret: context.options.clientSecret }, { headers });

const corsHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

export const CHECKS: readonly ConformanceCheck[] = [
  {
    id: 'view',
    rule: 'contract 3.1: retrieve answers 200 with the payment and the fields that the form needs',
    run: async (context) => {
      const wrong = findFieldProblem(await context.view(), REQUIRED_FIELDS);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-whole',
    rule: 'contract 3.5: the client view has all its fields',
    run: async (context) => {
      const wrong = findFieldProblem(await context.latestView(), OTHER_FIELDS);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-attempts',
    rule: 'contract 3.5: the client view has attempts_left, a number, and attempt_in_progress, a boolean',
    run: async (context) => {
      const wrong = findFieldProblem(await context.latestView(), ATTEMPT_FIELDS);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-optional',
    rule: 'contract 3.5: missing_details, if it is there, has names of fields',
    run: async (context) => {
      const wrong = findOptionalProblem(await context.latestView(), OPTIONAL_FIELDS);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-private',
    rule: 'contract 3.5: the client view never has metadata, client_secret, buyer or billing data',
    run: async (context) => {
      const view = await context.latestView();
      const found = PRIVATE_FIELDS.filter((name) => name in view);
      if (found.length > 0) throw new Mismatch('a view without these fields', found.join(', '));
    },
  },
  {
    id: 'view-total',
    rule: 'contract S3.1: amount_total is amount + fee_buyer',
    run: async (context) => {
      const { amount, fee_buyer, amount_total } = await context.latestView();
      expectSame('amount_total', amount_total, Number(amount) + Number(fee_buyer));
    },
  },
  {
    id: 'view-limits',
    rule: 'contract S17.6 and S17.7: a total is between 100 and 99,999,999',
    run: async (context) => {
      const total = Number((await context.latestView()).amount_total);
      if (!(total >= LIMITS.smallestTotal && total <= LIMITS.largestAmount))
        throw new Mismatch('a total in that range', String(total));
    },
  },
  {
    id: 'view-items',
    rule: 'contract S3.5: a line is unit_amount x quantity, rounded half up once',
    run: async (context) => {
      const wrong = findItemProblem((await context.latestView()).items);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-difference',
    rule: 'contract S3.1: items_difference is the part of the amount that the lines do not explain',
    run: async (context) => {
      const view = await context.latestView();
      expectSame('items_difference', view.items_difference, expectedDifference(view));
    },
  },
  {
    id: 'view-id',
    rule: 'contract S2.1: lg_pi_ for a payment, lg_cs_ for its client secret',
    run: async (context) => {
      const { id } = await context.latestView();
      if (!`${id}`.startsWith('lg_pi_')) throw new Mismatch('an id that starts with lg_pi_', `${id}`);
      if (!context.options.clientSecret.startsWith('lg_cs_'))
        throw new Mismatch('a client secret that starts with lg_cs_', 'another prefix');
    },
  },
  {
    id: 'retrieve-changes-nothing',
    rule: 'contract 3.1: retrieve changes nothing',
    run: async (context) => {
      const first = await context.view();
      if (first.status === 'processing')
        throw new Skipped('the payment is processing and may change by itself');
      expectSame('the second view', await context.view(), first);
    },
  },
  {
    id: 'json',
    rule: 'contract 3.8: a response is application/json',
    run: async (context) => {
      const { headers } = await retrieveWith(context, {});
      const type = headers['content-type'] ?? 'no Content-Type';
      if (type.split(';')[0]?.trim() !== 'application/json') throw new Mismatch('application/json', type);
    },
  },
  {
    id: 'length',
    rule: 'contract 3.8: a response has a correct Content-Length',
    run: async (context) => {
      const { headers, text } = await retrieveWith(context, {});
      expectSame(
        'Content-Length',
        headers['content-length'] ?? null,
        String(new TextEncoder().encode(text).length),
      );
    },
  },
  {
    id: 'no-store',
    rule: 'contract 3.8: a response is never cached (no-store)',
    run: async (context) => {
      const control = (await retrieveWith(context, {})).headers['cache-control'] ?? 'no Cache-Control';
      if (!/(^|,)\s*no-store\s*(,|$)/i.test(control)) throw new Mismatch('Cache-Control: no-store', control);
    },
  },
  {
    id: 'no-cors',
    rule: "contract 3.7: a merchant's page cannot read a response (no CORS header)",
    run: async (context) => {
      const { headers } = await retrieveWith(context, { origin: 'https://merchant.example' });
      const found = corsHeaders(headers);
      if (found.length > 0) throw new Mismatch('no Access-Control header', found.join(', '));
    },
  },
  {
    id: 'no-preflight',
    rule: "contract 3.7: a preflight from a merchant's page fails (no CORS header)",
    run: (context) =>
      onEachRoute(async (route) => {
        const { headers } = await context.send({
          method: 'OPTIONS',
          path: CLIENT_ROUTES[route],
          headers: {
            origin: 'https://merchant.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,content-type',
          },
          body: null,
        });
        const found = corsHeaders(headers);
        if (found.length > 0) throw new Mismatch('no Access-Control header', found.join(', '));
      }),
  },
  ...['cross-site', 'same-site', 'none'].map((site) => ({
    id: `sec-fetch-${site}`,
    rule: `contract 3.7: a request with Sec-Fetch-Site: ${site} is refused`,
    run: (context: CheckContext) =>
      onEachRoute(async (route) => {
        const headers = { 'sec-fetch-site': site };
        expectRefused(await context.post(route, await bodyFor(context, route), { headers }), 'not_found');
      }),
  })),
  {
    id: 'sec-fetch-same-origin',
    rule: 'contract 3.7: a request with Sec-Fetch-Site: same-origin is served',
    run: async (context) =>
      expectStatus(await retrieveWith(context, { 'sec-fetch-site': 'same-origin' }), 200),
  },
  {
    id: 'no-cookies',
    rule: 'contract 3.4: no response sets a cookie',
    run: async (context) => {
      await retrieveWith(context, {});
      if (context.exchanges.some(({ response }) => 'set-cookie' in response.headers))
        throw new Mismatch('no response with Set-Cookie', 'one with Set-Cookie');
    },
  },
  ...ROUTES.map((route) => ({
    id: `cookie-${route}`,
    rule: `contract 3.4: a cookie changes nothing in the answer of ${route}`,
    run: async (context: CheckContext) => {
      const body = await bodyFor(context, route);
      const without = await context.post(route, body);
      const withCookie = await context.post(route, body, { headers: { cookie: 'session=1; lang=de' } });
      expectSame('with a cookie', summarize(withCookie), summarize(without));
    },
  })),
  ...ROUTES.map((route) => ({
    id: `unknown-field-${route}`,
    rule: `contract 3.4: ${route} refuses an unknown field`,
    run: async (context: CheckContext) => {
      const body = { ...(await bodyFor(context, route)), colour: 'red' };
      expectRefused(await context.post(route, body), 'validation_error');
    },
  })),
  ...['card', 'billing_details', 'billing_details.address'].map((path) => ({
    id: `unknown-field-${path}`,
    rule: `contract 3.4: confirm refuses an unknown field in ${path}`,
    run: async (context: CheckContext) => {
      const body = withField(await bodyFor(context, 'confirm'), `${path}.colour`, 'red');
      expectRefused(await context.post('confirm', body), 'validation_error');
    },
  })),
  {
    id: 'no-key',
    rule: 'contract S16.3: invalid_api_key, a request without a key is refused',
    run: (context) =>
      onEachRoute(async (route) => {
        const headers = { authorization: null };
        expectRefused(
          await context.post(route, await bodyFor(context, route), { headers }),
          'invalid_api_key',
        );
      }),
  },
  {
    id: 'unknown-key',
    rule: 'contract S16.3: invalid_api_key, an unknown key is refused',
    run: (context) =>
      onEachRoute(async (route) => {
        const headers = { authorization: `Bearer pk_live_${'0'.repeat(32)}` };
        expectRefused(
          await context.post(route, await bodyFor(context, route), { headers }),
          'invalid_api_key',
        );
      }),
  },
  {
    id: 'secret-key',
    rule: 'contract S11.2: browser routes refuse a key that starts with sk_live_',
    run: (context) =>
      onEachRoute(async (route) => {
        const headers = { authorization: `Bearer sk_live_${context.options.publishableKey.slice(8)}` };
        expectRefused(
          await context.post(route, await bodyFor(context, route), { headers }),
          'invalid_api_key',
        );
      }),
  },
  {
    id: 'basic',
    rule: 'contract S11.1: the key comes as "Authorization: Bearer <key>"',
    run: async (context) => {
      const headers = { authorization: `Basic ${btoa(`${context.options.publishableKey}:`)}` };
      expectRefused(await retrieveWith(context, headers), 'invalid_api_key');
    },
  },
  {
    id: 'wrong-secret',
    rule: 'contract S16.3: invalid_client_secret, a wrong client secret is refused',
    run: (context) =>
      onEachRoute(async (route) => {
        const body = { ...(await bodyFor(context, route)), client_secret: UNKNOWN_SECRET };
        expectRefused(await context.post(route, body), 'invalid_client_secret');
      }),
  },
  {
    id: 'almost-secret',
    rule: 'contract S16.3: invalid_client_secret, a client secret that is cut short or has an extra character is refused',
    run: async (context) => {
      const { clientSecret } = context.options;
      for (const client_secret of [clientSecret.slice(0, -1), `${clientSecret}0`])
        expectRefused(await context.post('retrieve', { client_secret }), 'invalid_client_secret');
    },
  },
  {
    id: 'no-secret',
    rule: 'contract S16.3: validation_error, a request without a client secret is refused',
    run: (context) =>
      onEachRoute(async (route) => {
        const body = { ...(await bodyFor(context, route)), client_secret: undefined };
        expectRefused(await context.post(route, body), 'validation_error');
      }),
  },
  {
    id: 'secret-type',
    rule: 'contract S16.3: validation_error, a client secret of another type is refused',
    run: async (context) => {
      for (const client_secret of [null, 5, [context.options.clientSecret], {}])
        expectRefused(await context.post('retrieve', { client_secret }), 'validation_error');
    },
  },
  {
    id: 'broken-json',
    rule: 'contract S16.3: validation_error, broken JSON is refused',
    run: (context) =>
      onEachRoute(async (route) => {
        expectRefused(await context.post(route, null, { body: '{"client_secret":' }), 'validation_error');
      }),
  },
  {
    id: 'no-object',
    rule: 'contract S16.3: validation_error, a body that is not an object is refused',
    run: async (context) => {
      for (const body of ['[]', 'null', '"text"', ''])
        expectRefused(await context.post('retrieve', null, { body }), 'validation_error');
    },
  },
  {
    id: 'content-type',
    rule: 'contract S1: a body needs Content-Type: application/json, which an HTML form of another site cannot send',
    run: (context) =>
      onEachRoute(async (route) => {
        const headers = { 'content-type': 'text/plain' };
        expectRefused(
          await context.post(route, await bodyFor(context, route), { headers }),
          'validation_error',
        );
      }),
  },
  {
    id: 'key-before-body',
    rule: 'contract 4.5: the key is checked before the body',
    run: async (context) => {
      const headers = { authorization: `Bearer pk_live_${'0'.repeat(32)}` };
      expectRefused(await context.post('confirm', null, { headers, body: '{' }), 'invalid_api_key');
    },
  },
  {
    id: 'body-before-secret',
    rule: 'contract 4.5: the body is checked before the client secret',
    run: async (context) => {
      const body = { client_secret: UNKNOWN_SECRET, colour: 'red' };
      expectRefused(await context.post('retrieve', body), 'validation_error');
    },
  },
  {
    id: 'no-get',
    rule: 'contract S16.3: not_found, a client route does not answer to GET',
    run: (context) =>
      onEachRoute(async (route) => {
        const response = await context.send({
          method: 'GET',
          path: `${CLIENT_ROUTES[route]}?client_secret=${encodeURIComponent(context.options.clientSecret)}`,
          headers: { authorization: `Bearer ${context.options.publishableKey}` },
          body: null,
        });
        if (response.status !== 405) expectRefused(response, 'not_found');
      }),
  },
  {
    id: 'no-route',
    rule: 'contract S16.3: not_found, an unknown route answers 404',
    run: async (context) => {
      const response = await context.send({
        method: 'POST',
        path: `${PREFIX}/client/payment_intents/no_such_route`,
        headers: {
          authorization: `Bearer ${context.options.publishableKey}`,
          'content-type': 'application/json',
        },
        body: '{}',
      });
      expectRefused(response, 'not_found');
    },
  },
  {
    id: 'total-lower',
    rule: 'contract 3.2: a confirm with a total lower than the payment has is refused with 409, and no attempt is counted',
    run: (context) => expectConfirmRefused(context, { amount_total: 'lower' }, 'payment_intent_updated'),
  },
  {
    id: 'total-higher',
    rule: 'contract 3.2: a confirm with a total higher than the payment has is refused with 409, and no attempt is counted',
    run: (context) => expectConfirmRefused(context, { amount_total: 'higher' }, 'payment_intent_updated'),
  },
  {
    id: 'other-currency',
    rule: 'contract 3.2: a confirm in a currency other than that of the payment is refused with 409, and no attempt is counted',
    run: (context) => expectConfirmRefused(context, { currency: 'other' }, 'payment_intent_updated'),
  },
  {
    id: 'total-before-billing',
    rule: 'contract 4.5: the total is checked before the billing details',
    run: (context) =>
      expectConfirmRefused(
        context,
        { amount_total: 'higher', wrong: ['billing_details.email', 'nobody'] },
        'payment_intent_updated',
      ),
  },
  ...WRONG_CONFIRMS.map(([what, path, value]) => ({
    id: `wrong-${path}-${typeof value}`,
    rule: `contract 3.2: a confirm with ${what} is refused`,
    run: async (context: CheckContext) => {
      const body = withField(await bodyFor(context, 'confirm'), path, value);
      const otherCodes = path === 'currency' ? ['unsupported_currency'] : [];
      expectRefused(await context.post('confirm', body), 'validation_error', ...otherCodes);
    },
  })),
  ...WRONG_BILLING.map(([what, path, value]) => ({
    id: `wrong-${path}-${value ?? 'missing'}`,
    rule: `contract S16.3: invalid_billing_details, ${what}; no attempt is counted`,
    run: (context: CheckContext) =>
      expectConfirmRefused(context, { wrong: [path, value] }, 'invalid_billing_details'),
  })),
  {
    id: 'release-idle',
    rule: 'contract 3.3: a release without a failed attempt answers 200 and changes nothing, however often it is sent',
    run: async (context) => {
      const before = await pendingView(context);
      if ((before.last_payment_error ?? null) !== null)
        throw new Skipped('the payment has a failed attempt, which the check would release');
      for (let times = 0; times < 2; times += 1) {
        const response = await context.post('release', { client_secret: context.options.clientSecret });
        expectStatus(response, 200);
        expectSame('the view', parseObject(response), before);
      }
    },
  },
  {
    id: 'other-key',
    rule: 'contract S11.6: the key of another account does not find the payment',
    run: async (context) => {
      const { otherPublishableKey } = context.options;
      if (otherPublishableKey === null) throw new Skipped('needs --other-publishable-key');
      const headers = { authorization: `Bearer ${otherPublishableKey}` };
      await onEachRoute(async (route) => {
        const response = await context.post(route, await bodyFor(context, route), { headers });
        expectRefused(response, 'payment_intent_not_found');
      });
    },
  },
  {
    id: 'revoked-key',
    rule: 'contract S16.3: api_key_revoked, a revoked key is refused',
    run: async (context) => {
      const { revokedPublishableKey } = context.options;
      if (revokedPublishableKey === null) throw new Skipped('needs --revoked-publishable-key');
      const headers = { authorization: `Bearer ${revokedPublishableKey}` };
      expectRefused(await retrieveWith(context, headers), 'api_key_revoked');
    },
  },
  {
    id: 'rate-limit',
    rule: 'contract S17.4: over the limit of one route, requests get 429 rate_limited with Retry-After, and are served after that time',
    run: async (context) => {
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
  },
];

/** Rules for all responses of a run; checked at its end. */
export const FINAL_CHECKS: readonly ConformanceCheck[] = [
  {
    id: 'history',
    rule: 'contract 4.1: a status is final, and attempts never become fewer',
    run: async ({ exchanges }) => expectNoneWentBack(exchanges),
  },
  {
    id: 'attempts-agree',
    rule: 'contract 3.5: in every view attempts_left is what confirmation_attempts leaves of the limit, and attempt_in_progress follows from the status',
    run: async ({ exchanges }) => expectAttemptsAgree(exchanges),
  },
  {
    id: 'all-json',
    rule: 'contract S1.1: every answer is application/json',
    run: async ({ exchanges }) => expectJson(exchanges),
  },
  {
    id: 'error-form',
    rule: 'contract S16.1: every error is {"error": {type, code, message, param, decline_code}}',
    run: async (context) => {
      for (const { response } of context.exchanges) {
        if (response.status < 400 || response.status === 405) continue;
        const error = parseError(response);
        for (const name of ['type', 'code', 'message']) {
          if (typeof error[name] !== 'string' || error[name] === '')
            throw new Mismatch(`"${name}" in every error`, JSON.stringify(error).slice(0, 200));
        }
        for (const name of ['param', 'decline_code']) {
          if (!['string', 'undefined'].includes(typeof (error[name] ?? undefined)))
            throw new Mismatch(`"${name}" to be a string or null`, JSON.stringify(error[name]));
        }
      }
    },
  },
  {
    id: 'error-type',
    rule: 'contract S16: each code has its own type and HTTP status',
    run: async (context) => {
      for (const { response } of context.exchanges) {
        if (response.status < 400 || response.status === 405) continue;
        const { type, code } = parseError(response);
        if (typeof code !== 'string' || !isErrorCode(code))
          throw new Mismatch('a documented error code', JSON.stringify(code));
        expectSame(`${code}:`, [response.status, type], [HTTP_STATUS[code], errorType(code)]);
      }
    },
  },
  {
    id: 'nothing-echoed',
    rule: 'contract S16: no response repeats a card number or a client secret',
    run: async (context) => {
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
  },
];
