/**
 * What any service must do so that the form works with it and nobody else does (contract 3; service-api.md,
 * "Authentication", "Errors", "Conventions"). Nothing in here pays: every confirm is either wrong in a way that is
 * refused before the payment network is reached, or names a number that no bank has ever charged.
 */
import { errorType, HTTP_STATUS, isErrorCode } from '../api/errors.ts';
import { LIMITS } from '../api/limits.ts';
import { CLIENT_ROUTES, PREFIX } from '../api/routes.ts';
import { changed, confirmOf, NO_MONEY, OTHER_SECRET } from './requests.ts';
import {
  type ClientRoute,
  errorIn,
  expectRefusal,
  expectSame,
  expectStatus,
  Mismatch,
  objectIn,
  ROUTES,
  type Session,
  Skipped,
  secondsIn,
} from './session.ts';
import { FURTHER, itemsDifference, PRIVATE, REQUIRED, wrongField, wrongItem } from './view.ts';

/** One rule, and how it is looked at. A check returns where the rule is kept; else it throws. */
export type Check = {
  id: string;
  /** The rule, with its source. */
  rule: string;
  run(session: Session): Promise<void>;
};

/** The body of each route, as the form sends it; the confirm names a total that nobody showed. */
const bodyOf = async (session: Session, route: ClientRoute): Promise<Record<string, unknown>> => {
  const { clientSecret } = session.given;
  if (route !== 'confirm') return { client_secret: clientSecret };
  return confirmOf(session, await session.latestView(), { amount_total: 'another' });
};

/** Sends the same kind of request to all three routes. */
const onEach = async (look: (route: ClientRoute) => Promise<void>): Promise<void> => {
  for (const route of ROUTES) {
    try {
      await look(route);
    } catch (error) {
      if (error instanceof Mismatch) throw new Mismatch(`${error.expected} (${route})`, error.came);
      throw error;
    }
  }
};

/** Nothing about the payment is other than before. */
const unchanged = async (session: Session, before: Record<string, unknown>): Promise<void> => {
  const after = await session.view();
  for (const field of ['status', 'confirmation_attempts', 'amount_total'])
    expectSame(`after the refusal "${field}"`, after[field], before[field]);
};

/** A confirm is only looked at where the payment waits for one. */
const pending = async (session: Session): Promise<Record<string, unknown>> => {
  const view = await session.view();
  if (view.status === 'pending') return view;
  throw new Skipped(`the payment is ${view.status}; give the client secret of one that is pending`);
};

/** A confirm that differs from a rightful one as told is refused, and no attempt is counted. */
const refusedConfirm = async (
  session: Session,
  change: Parameters<typeof confirmOf>[2],
  ...codes: string[]
): Promise<void> => {
  const view = await pending(session);
  expectRefusal(await session.post('confirm', confirmOf(session, view, change)), ...codes);
  await unchanged(session, view);
};

/** Every field of a confirm that may be wrong, each once; the total is wrong, too, so that none of them pays. */
const WRONG_CONFIRMS: readonly [what: string, path: string, value: unknown][] = [
  ['a total in quotes', 'amount_total', '1000'],
  ['a total with a fraction', 'amount_total', 1000.5],
  ['no total', 'amount_total', undefined],
  ['a currency that does not exist', 'currency', 'xyz'],
  ['no card', 'card', undefined],
  ['a number with letters', 'card.number', '4000000000000abc'],
  ['a number that is a number', 'card.number', 4000000000000002],
  ['a month 13', 'card.exp_month', 13],
  ['a month in quotes', 'card.exp_month', '12'],
  ['a year of two digits', 'card.exp_year', 31],
  ['a security code with letters', 'card.cvc', 'abc'],
];

const WRONG_BILLING: readonly [what: string, path: string, value: unknown][] = [
  ['no billing details', 'billing_details', undefined],
  ['no e-mail address', 'billing_details.email', 'nobody'],
  ['an empty name', 'billing_details.name', ''],
  ['an empty first line', 'billing_details.address.line1', ''],
  ['a country that does not exist', 'billing_details.address.country', 'QQ'],
  ['a country in words', 'billing_details.address.country', 'Germany'],
];

/** Twice what a minute allows. */
const MORE_THAN_ANY_MINUTE = 120;

const retrieveAs = (session: Session, headers: Record<string, string | null>) =>
  session.post('retrieve', { client_secret: session.given.clientSecret }, { headers });

const corsHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

export const CHECKS: readonly Check[] = [
  {
    id: 'view',
    rule: 'contract 3.1: retrieve answers 200 with the payment, and with what the form cannot do without',
    run: async (session) => {
      const wrong = wrongField(await session.view(), REQUIRED);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-whole',
    rule: 'contract 3.5: the client view has all of its fields',
    run: async (session) => {
      const wrong = wrongField(await session.latestView(), FURTHER);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-private',
    rule: 'contract 3.5: never metadata, client_secret, buyer or billing data',
    run: async (session) => {
      const view = await session.latestView();
      const found = PRIVATE.filter((name) => name in view);
      if (found.length > 0) throw new Mismatch('a view without them', found.join(', '));
    },
  },
  {
    id: 'view-total',
    rule: 'service-api, Payment intent: amount_total is amount + fee_buyer',
    run: async (session) => {
      const { amount, fee_buyer, amount_total } = await session.latestView();
      expectSame('amount_total', amount_total, Number(amount) + Number(fee_buyer));
    },
  },
  {
    id: 'view-limits',
    rule: 'service-api, Limits: a total is from 100 to 99,999,999',
    run: async (session) => {
      const total = Number((await session.latestView()).amount_total);
      if (!(total >= LIMITS.smallestTotal && total <= LIMITS.largestAmount))
        throw new Mismatch('such a total', String(total));
    },
  },
  {
    id: 'view-items',
    rule: 'service-api, PaymentItem: a line is unit_amount x quantity, rounded half up once',
    run: async (session) => {
      const wrong = wrongItem((await session.latestView()).items);
      if (wrong !== null) throw new Mismatch(...wrong);
    },
  },
  {
    id: 'view-difference',
    rule: 'service-api, Payment intent: items_difference is what the lines leave unexplained',
    run: async (session) => {
      const view = await session.latestView();
      expectSame('items_difference', view.items_difference, itemsDifference(view));
    },
  },
  {
    id: 'view-id',
    rule: 'service-api, ID prefixes: lg_pi_ for a payment, lg_cs_ for its client secret',
    run: async (session) => {
      const { id } = await session.latestView();
      if (!`${id}`.startsWith('lg_pi_')) throw new Mismatch('an id with lg_pi_', `${id}`);
      if (!session.given.clientSecret.startsWith('lg_cs_'))
        throw new Mismatch('a client secret with lg_cs_', 'another');
    },
  },
  {
    id: 'retrieve-changes-nothing',
    rule: 'contract 3.1: to retrieve changes nothing',
    run: async (session) => {
      const first = await session.view();
      if (first.status === 'processing')
        throw new Skipped('the payment is processing and may change by itself');
      expectSame('the second time', await session.view(), first);
    },
  },
  {
    id: 'json',
    rule: 'contract 3.8: an answer is application/json',
    run: async (session) => {
      const { headers } = await retrieveAs(session, {});
      const type = headers['content-type'] ?? 'no Content-Type';
      if (type.split(';')[0]?.trim() !== 'application/json') throw new Mismatch('application/json', type);
    },
  },
  {
    id: 'length',
    rule: 'contract 3.8: an answer says its length',
    run: async (session) => {
      const { headers, text } = await retrieveAs(session, {});
      expectSame(
        'Content-Length',
        headers['content-length'] ?? null,
        String(new TextEncoder().encode(text).length),
      );
    },
  },
  {
    id: 'no-store',
    rule: 'contract 3.8: an answer is never stored',
    run: async (session) => {
      const control = (await retrieveAs(session, {})).headers['cache-control'] ?? 'no Cache-Control';
      if (!/(^|,)\s*no-store\s*(,|$)/i.test(control)) throw new Mismatch('Cache-Control: no-store', control);
    },
  },
  {
    id: 'no-cors',
    rule: "contract 3.7: a merchant's page cannot read an answer (no CORS header)",
    run: async (session) => {
      const { headers } = await retrieveAs(session, { origin: 'https://merchant.example' });
      const found = corsHeaders(headers);
      if (found.length > 0) throw new Mismatch('no Access-Control header', found.join(', '));
    },
  },
  {
    id: 'no-preflight',
    rule: "contract 3.7: a merchant's page cannot ask whether it may call (no CORS header)",
    run: (session) =>
      onEach(async (route) => {
        const { headers } = await session.ask({
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
    run: (session: Session) =>
      onEach(async (route) => {
        const headers = { 'sec-fetch-site': site };
        expectRefusal(await session.post(route, await bodyOf(session, route), { headers }), 'not_found');
      }),
  })),
  {
    id: 'sec-fetch-same-origin',
    rule: 'contract 3.7: a request with Sec-Fetch-Site: same-origin is served',
    run: async (session) => expectStatus(await retrieveAs(session, { 'sec-fetch-site': 'same-origin' }), 200),
  },
  {
    id: 'no-cookies',
    rule: 'contract 3.4: no cookies',
    run: async (session) => {
      await retrieveAs(session, {});
      if (session.exchanges.some(({ heard }) => 'set-cookie' in heard.headers))
        throw new Mismatch('no answer with Set-Cookie', 'one with it');
    },
  },
  ...ROUTES.map((route) => ({
    id: `unknown-field-${route}`,
    rule: `contract 3.4: ${route} refuses a field it does not know`,
    run: async (session: Session) => {
      const body = { ...(await bodyOf(session, route)), colour: 'red' };
      expectRefusal(await session.post(route, body), 'validation_error');
    },
  })),
  ...['card', 'billing_details', 'billing_details.address'].map((path) => ({
    id: `unknown-field-${path}`,
    rule: `contract 3.4: confirm refuses a field in ${path} that it does not know`,
    run: async (session: Session) => {
      const body = changed(await bodyOf(session, 'confirm'), `${path}.colour`, 'red');
      expectRefusal(await session.post('confirm', body), 'validation_error');
    },
  })),
  {
    id: 'no-key',
    rule: 'service-api, code invalid_api_key: a request without a key is refused',
    run: (session) =>
      onEach(async (route) => {
        const headers = { authorization: null };
        expectRefusal(
          await session.post(route, await bodyOf(session, route), { headers }),
          'invalid_api_key',
        );
      }),
  },
  {
    id: 'unknown-key',
    rule: 'service-api, code invalid_api_key: a key that does not exist is refused',
    run: (session) =>
      onEach(async (route) => {
        const headers = { authorization: `Bearer pk_live_${'0'.repeat(32)}` };
        expectRefusal(
          await session.post(route, await bodyOf(session, route), { headers }),
          'invalid_api_key',
        );
      }),
  },
  {
    id: 'secret-key',
    rule: 'service-api, Authentication 2: browser routes take no key in the form of a secret key',
    run: (session) =>
      onEach(async (route) => {
        const headers = { authorization: `Bearer sk_live_${session.given.publishableKey.slice(8)}` };
        expectRefusal(
          await session.post(route, await bodyOf(session, route), { headers }),
          'invalid_api_key',
        );
      }),
  },
  {
    id: 'basic',
    rule: 'service-api, Authentication 1: the key comes as "Authorization: Bearer <key>"',
    run: async (session) => {
      const headers = { authorization: `Basic ${btoa(`${session.given.publishableKey}:`)}` };
      expectRefusal(await retrieveAs(session, headers), 'invalid_api_key');
    },
  },
  {
    id: 'wrong-secret',
    rule: 'service-api, code invalid_client_secret: a wrong client secret is refused',
    run: (session) =>
      onEach(async (route) => {
        const body = { ...(await bodyOf(session, route)), client_secret: OTHER_SECRET };
        expectRefusal(await session.post(route, body), 'invalid_client_secret');
      }),
  },
  {
    id: 'almost-secret',
    rule: 'service-api, code invalid_client_secret: a client secret that is right but for its end is refused',
    run: async (session) => {
      const { clientSecret } = session.given;
      for (const client_secret of [clientSecret.slice(0, -1), `${clientSecret}0`])
        expectRefusal(await session.post('retrieve', { client_secret }), 'invalid_client_secret');
    },
  },
  {
    id: 'no-secret',
    rule: 'service-api, code validation_error: a request without a client secret is refused',
    run: (session) =>
      onEach(async (route) => {
        const body = { ...(await bodyOf(session, route)), client_secret: undefined };
        expectRefusal(await session.post(route, body), 'validation_error');
      }),
  },
  {
    id: 'secret-type',
    rule: 'service-api, code validation_error: a client secret of another type is refused',
    run: async (session) => {
      for (const client_secret of [null, 5, [session.given.clientSecret], {}])
        expectRefusal(await session.post('retrieve', { client_secret }), 'validation_error');
    },
  },
  {
    id: 'broken-json',
    rule: 'service-api, code validation_error: broken JSON is refused',
    run: (session) =>
      onEach(async (route) => {
        expectRefusal(await session.post(route, null, { body: '{"client_secret":' }), 'validation_error');
      }),
  },
  {
    id: 'no-object',
    rule: 'service-api, code validation_error: a body that is no object is refused',
    run: async (session) => {
      for (const body of ['[]', 'null', '"text"', ''])
        expectRefusal(await session.post('retrieve', null, { body }), 'validation_error');
    },
  },
  {
    id: 'content-type',
    rule: 'service-api, Conventions: a body comes with Content-Type: application/json (a form of another page cannot send that)',
    run: (session) =>
      onEach(async (route) => {
        const headers = { 'content-type': 'text/plain' };
        expectRefusal(
          await session.post(route, await bodyOf(session, route), { headers }),
          'validation_error',
        );
      }),
  },
  {
    id: 'key-before-body',
    rule: 'contract 4.5: the key is looked at before the body',
    run: async (session) => {
      const headers = { authorization: `Bearer pk_live_${'0'.repeat(32)}` };
      expectRefusal(await session.post('confirm', null, { headers, body: '{' }), 'invalid_api_key');
    },
  },
  {
    id: 'body-before-secret',
    rule: 'contract 4.5: the body is looked at before the client secret',
    run: async (session) => {
      const body = { client_secret: OTHER_SECRET, colour: 'red' };
      expectRefusal(await session.post('retrieve', body), 'validation_error');
    },
  },
  {
    id: 'no-get',
    rule: 'service-api, code not_found: a client route is no address to look at (GET)',
    run: (session) =>
      onEach(async (route) => {
        const heard = await session.ask({
          method: 'GET',
          path: `${CLIENT_ROUTES[route]}?client_secret=${encodeURIComponent(session.given.clientSecret)}`,
          headers: { authorization: `Bearer ${session.given.publishableKey}` },
          body: null,
        });
        if (heard.status !== 405) expectRefusal(heard, 'not_found');
      }),
  },
  {
    id: 'no-route',
    rule: 'service-api, code not_found: a route that does not exist',
    run: async (session) => {
      const heard = await session.ask({
        method: 'POST',
        path: `${PREFIX}/client/payment_intents/no_such_route`,
        headers: {
          authorization: `Bearer ${session.given.publishableKey}`,
          'content-type': 'application/json',
        },
        body: '{}',
      });
      expectRefusal(heard, 'not_found');
    },
  },
  {
    id: 'total-lower',
    rule: 'contract 3.2: a confirm with a lower total than the payment has is refused with 409, and no attempt is counted',
    run: (session) => refusedConfirm(session, { amount_total: 'lower' }, 'payment_intent_updated'),
  },
  {
    id: 'total-higher',
    rule: 'contract 3.2: a confirm with a higher total than the payment has is refused with 409, and no attempt is counted',
    run: (session) => refusedConfirm(session, { amount_total: 'higher' }, 'payment_intent_updated'),
  },
  {
    id: 'other-currency',
    rule: 'contract 3.2: a confirm in another currency than the payment is in is refused with 409, and no attempt is counted',
    run: (session) => refusedConfirm(session, { currency: 'other' }, 'payment_intent_updated'),
  },
  {
    id: 'total-before-billing',
    rule: 'contract 4.5: the total is looked at before the billing details',
    run: (session) =>
      refusedConfirm(
        session,
        { amount_total: 'another', wrong: ['billing_details.email', 'nobody'] },
        'payment_intent_updated',
      ),
  },
  ...WRONG_CONFIRMS.map(([what, path, value]) => ({
    id: `wrong-${path}-${typeof value}`,
    rule: `contract 3.2: a confirm with ${what} is refused`,
    run: async (session: Session) => {
      const body = changed(await bodyOf(session, 'confirm'), path, value);
      const alsoRight = path === 'currency' ? ['unsupported_currency'] : [];
      expectRefusal(await session.post('confirm', body), 'validation_error', ...alsoRight);
    },
  })),
  ...WRONG_BILLING.map(([what, path, value]) => ({
    id: `wrong-${path}-${value ?? 'missing'}`,
    rule: `service-api, code invalid_billing_details: ${what}; no attempt is counted`,
    run: (session: Session) => refusedConfirm(session, { wrong: [path, value] }, 'invalid_billing_details'),
  })),
  {
    id: 'release-idle',
    rule: 'contract 3.3: to release where there is nothing to release answers 200 and changes nothing, as often as it is asked',
    run: async (session) => {
      const before = await pending(session);
      if ((before.last_payment_error ?? null) !== null)
        throw new Skipped('the payment has a failed attempt, which would be released');
      for (let times = 0; times < 2; times += 1) {
        const heard = await session.post('release', { client_secret: session.given.clientSecret });
        expectStatus(heard, 200);
        expectSame('the view', objectIn(heard), before);
      }
    },
  },
  {
    id: 'other-key',
    rule: 'service-api, Authentication 6: the key of another account does not find the payment',
    run: async (session) => {
      const { otherKey } = session.given;
      if (otherKey === null) throw new Skipped('give a key of another account: --other-publishable-key');
      const headers = { authorization: `Bearer ${otherKey}` };
      await onEach(async (route) => {
        const heard = await session.post(route, await bodyOf(session, route), { headers });
        expectRefusal(heard, 'payment_intent_not_found');
      });
    },
  },
  {
    id: 'revoked-key',
    rule: 'service-api, code api_key_revoked: a key that was revoked is refused',
    run: async (session) => {
      const { revokedKey } = session.given;
      if (revokedKey === null) throw new Skipped('give a key that was revoked: --revoked-publishable-key');
      const headers = { authorization: `Bearer ${revokedKey}` };
      expectRefusal(await retrieveAs(session, headers), 'api_key_revoked');
    },
  },
  {
    id: 'rate-limit',
    rule: 'service-api, Limits: over the limit 429 rate_limited with Retry-After, each route for itself, and who waits is served',
    run: async (session) => {
      if (!session.given.exhaustRateLimit)
        throw new Skipped('it keeps everybody at this address waiting: --exhaust-rate-limit');
      const body = JSON.stringify({ client_secret: session.given.clientSecret });
      const headers = {
        authorization: `Bearer ${session.given.publishableKey}`,
        'content-type': 'application/json',
      };
      const askOnce = (route: ClientRoute) =>
        session.askAtOnce({ method: 'POST', path: CLIENT_ROUTES[route], headers, body });
      for (let times = 0; times < MORE_THAN_ANY_MINUTE; times += 1) {
        const heard = await askOnce('retrieve');
        if (heard.status === 200) continue;
        expectRefusal(heard, 'rate_limited');
        const seconds = secondsIn(heard);
        const other = await askOnce('release');
        if (other.status === 429) throw new Mismatch('release to be counted for itself', '429 there, too');
        await session.wait(seconds * 1000);
        expectStatus(await askOnce('retrieve'), 200);
        return;
      }
      throw new Mismatch('a 429', `${MORE_THAN_ANY_MINUTE} answers without one`);
    },
  },
];

/** What all answers of a run must have in common; looked at when everything else is done. */
export const AFTERWARDS: readonly Check[] = [
  {
    id: 'error-form',
    rule: 'service-api, Errors: every error is {"error": {type, code, message, param, decline_code}}',
    run: async (session) => {
      for (const { heard } of session.exchanges) {
        if (heard.status < 400 || heard.status === 405) continue;
        const error = errorIn(heard);
        for (const name of ['type', 'code', 'message']) {
          if (typeof error[name] !== 'string' || error[name] === '')
            throw new Mismatch(`"${name}" in every error`, JSON.stringify(error).slice(0, 200));
        }
        for (const name of ['param', 'decline_code']) {
          if (!['string', 'undefined'].includes(typeof (error[name] ?? undefined)))
            throw new Mismatch(`"${name}" to be a string where there is one`, JSON.stringify(error[name]));
        }
      }
    },
  },
  {
    id: 'error-type',
    rule: 'service-api, Errors: type, code and HTTP status belong together',
    run: async (session) => {
      for (const { heard } of session.exchanges) {
        if (heard.status < 400 || heard.status === 405) continue;
        const { type, code } = errorIn(heard);
        if (typeof code !== 'string' || !isErrorCode(code))
          throw new Mismatch('a code of the description', JSON.stringify(code));
        expectSame(`${code}:`, [heard.status, type], [HTTP_STATUS[code], errorType(code)]);
      }
    },
  },
  {
    id: 'nothing-echoed',
    rule: 'service-api, Errors: no answer repeats a card or a client secret',
    run: async (session) => {
      const secrets = [
        session.given.clientSecret,
        ...NO_MONEY,
        session.given.payWith,
        session.given.declineWith,
      ];
      const echoed = secrets.some(
        (secret) => secret !== null && session.exchanges.some(({ heard }) => heard.text.includes(secret)),
      );
      if (echoed) throw new Mismatch('none of what was sent', 'an answer that repeats it');
    },
  },
];
