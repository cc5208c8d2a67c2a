import type { Hono } from 'hono';
import { feeQuote } from '../accounts/fee-quotes.ts';
import { MERCHANT_ROUTES, type MerchantRoute, SERVER_API } from '../core/api-routes.ts';
import { refuseQuery } from '../core/list-query.ts';
import type { RequestLogEntry } from '../core/request-log.ts';
import { json } from '../core/response.ts';
import { balanceOf } from '../payments/balance.ts';
import { currentIntent, noSuchIntent } from '../payments/current.ts';
import { createIntent, listIntents, parseCreate, parseUpdate, updateIntent } from '../payments/intents.ts';
import { listRefunds, ownRefund, parseRefund, refundOnce } from '../payments/refunds.ts';
import { createdView, refundView, serverView } from '../payments/views.ts';
import { makeOnce } from '../store/idempotency.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { signingKeyList } from '../webhooks/signature.ts';
import { authenticateServer } from './auth.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';
import { idempotencyKeyOf, refuseIdempotencyKey } from './idempotency-key.ts';
import { countOrRefuse } from './limits.ts';
import { type Body, readBody, valueIn } from './read-json.ts';
import { respondWithFault, takeFault } from './respond-with-fault.ts';
import type { Service } from './service.ts';

/** `sent` returns the JSON of a POST, or throws 400. Handlers call it after the checks that precede the body. */
type Handler = (service: Service, account: Account, request: ServerRequest) => unknown;
type ServerRequest = {
  c: SandboxContext;
  id: string;
  query: URLSearchParams;
  entry: RequestLogEntry;
  sent: () => unknown;
};

/** The handler of each route, called after the checks that all routes share. `SERVER_API` has the methods and paths. */
const HANDLERS: Readonly<Record<MerchantRoute, Handler>> = {
  'payment_intents.create': (service, account, { c, entry, sent }) => {
    const key = idempotencyKeyOf(c);
    const body = parseCreate(sent());
    const made = { account, key, route: 'payment_intents.create', body };
    const id = makeOnce(service.store, made, () => createIntent(service, account, body).id);
    entry.intent = id;
    return createdView(ownIntent(service, account, id, entry));
  },
  'payment_intents.list': (service, account, { query }) => listIntents(service, account, query),
  'payment_intents.retrieve': (service, account, { id, entry }) =>
    serverView(ownIntent(service, account, id, entry)),
  'payment_intents.update': (service, account, { c, id, entry, sent }) => {
    refuseIdempotencyKey(c.req.raw.headers);
    const body = parseUpdate(sent());
    const intent = ownIntent(service, account, id, entry);
    updateIntent(service, account, intent, body);
    return serverView(intent);
  },
  'refunds.create': (service, account, { c, entry, sent }) => {
    const key = idempotencyKeyOf(c);
    const refund = refundOnce(service, account, key, parseRefund(sent()));
    entry.intent = refund.payment_intent;
    return refundView(refund);
  },
  'refunds.list': (service, account, { query }) => listRefunds(service, account, query),
  'refunds.retrieve': (service, account, { id, entry }) => {
    const refund = ownRefund(service, account, id);
    entry.intent = refund.payment_intent;
    return refundView(refund);
  },
  'fee_quotes.create': (_service, account, { sent }) => feeQuote(account, sent()),
  'balance.retrieve': (service, account) => balanceOf(service, account),
  'webhook_signing_keys.list': ({ store }) => signingKeyList(store),
};

/** The merchant server's routes, with the secret key (contract S7 and S8). */
export const addServerRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  for (const name of MERCHANT_ROUTES)
    app.on(SERVER_API[name].method, SERVER_API[name].path, serverRoute(service, name));
};

/** Shared by all of them: faults, authentication, the rate limit per account and route, and the request log. */
const serverRoute =
  (service: Service, name: MerchantRoute) =>
  async (c: SandboxContext): Promise<Response> => {
    const { entry } = c.var;
    if (entry === undefined) throw new Error('a server route always has a log entry');
    entry.route = name;
    const fault = takeFault(service, name, entry);
    const request = c.req.raw;
    const body = request.method === 'POST' ? await readBody(request) : NO_BODY;
    if (entry.fault !== null) entry.intent = intentNamedIn(service, c, body);

    return respondWithFault(service, c, { entry, fault }, (delivery) => {
      const account = authenticateServer(service, c.req.header('authorization') ?? null, c.env.address);
      countOrRefuse(service.limits.server, `${account.id} ${name}`, 'requests of this account to this route');
      const query = new URL(c.req.url).searchParams;
      // A route without query parameters refuses them all (contract 5.8).
      if (Object.keys(SERVER_API[name].query).length === 0) refuseQuery(query);
      const id = c.req.param('id') ?? '';
      const sent = () => valueIn(body);
      const result = HANDLERS[name](service, account, { c, id, query, entry: delivery, sent });
      return { response: json(result), responseFault: {} };
    });
  };

const NO_BODY: Body = { value: undefined };

/**
 * Returns the payment that a request names. A lost request names it, too, so that the payment's timeline shows the
 * fault.
 */
const intentNamedIn = (service: Service, c: SandboxContext, body: Body): string | null => {
  const value = 'value' in body ? body.value : undefined;
  const isObject = typeof value === 'object' && value !== null;
  const named = c.req.param('id') ?? (isObject && 'payment_intent' in value ? value.payment_intent : null);
  return typeof named === 'string' && service.store.intents.has(named) ? named : null;
};

const ownIntent = (service: Service, account: Account, id: string, entry: RequestLogEntry): IntentRecord => {
  const intent = currentIntent(service, id);
  if (intent === undefined || intent.account !== account.id) throw noSuchIntent();
  entry.intent = intent.id;
  return intent;
};
