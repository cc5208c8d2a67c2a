import type { Hono } from 'hono';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { refuseQuery } from '../core/list-query.ts';
import type { RequestLogEntry } from '../core/request-log.ts';
import { json } from '../core/response.ts';
import type { MerchantRoute } from '../core/route-names.ts';
import { currentIntent, noSuchIntent } from '../payments/current.ts';
import { createIntent, listIntents, parseCreate, parseUpdate, updateIntent } from '../payments/intents.ts';
import { createdView, serverView } from '../payments/views.ts';
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

/** `sent` returns the JSON of a POST, or throws 400. Handlers call it after the checks that come before the body. */
type Handler = (account: Account, c: SandboxContext, entry: RequestLogEntry, sent: () => unknown) => unknown;

/** The routes for the merchant's server, with the secret key (contract S7 and S8). */
export const addServerRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  app.post(
    SERVER_ROUTES.paymentIntents,
    serverRoute(service, 'payment_intents.create', (account, c, entry, sent) => {
      const key = idempotencyKeyOf(c);
      const body = parseCreate(sent());
      const made = { account, key, route: 'payment_intents.create', body };
      const id = makeOnce(service.store, made, () => createIntent(service, account, body).id);
      entry.intent = id;
      return createdView(ownIntent(service, account, id, entry));
    }),
  );

  app.get(
    SERVER_ROUTES.paymentIntents,
    listRoute(service, 'payment_intents.list', (account, query) => listIntents(service, account, query)),
  );

  app.get(
    SERVER_ROUTES.paymentIntent,
    serverRoute(service, 'payment_intents.retrieve', (account, c, entry) =>
      serverView(ownIntent(service, account, c.req.param('id') ?? '', entry)),
    ),
  );

  app.post(
    SERVER_ROUTES.paymentIntent,
    serverRoute(service, 'payment_intents.update', (account, c, entry, sent) => {
      refuseIdempotencyKey(c.req.raw.headers);
      const body = parseUpdate(sent());
      const intent = ownIntent(service, account, c.req.param('id') ?? '', entry);
      updateIntent(service, account, intent, body);
      return serverView(intent);
    }),
  );

  app.get(
    SERVER_ROUTES.webhookSigningKeys,
    serverRoute(service, 'webhook_signing_keys.list', () => signingKeyList(service.store)),
  );
};

/** A server route without query parameters, so that it refuses them all (contract 5.8). */
export const serverRoute = (service: Service, name: MerchantRoute, handler: Handler) =>
  anyServerRoute(service, name, (account, c, entry, sent) => {
    refuseQuery(queryOf(c));
    return handler(account, c, entry, sent);
  });

/** A server route with query parameters, which the handler has to check. */
export const listRoute = (
  service: Service,
  name: MerchantRoute,
  handler: (account: Account, query: URLSearchParams) => unknown,
) => anyServerRoute(service, name, (account, c) => handler(account, queryOf(c)));

const queryOf = (c: SandboxContext): URLSearchParams => new URL(c.req.url).searchParams;

/** Common to all of them: faults, authentication, the rate limit per account and route, and the request log. */
const anyServerRoute =
  (service: Service, name: MerchantRoute, handler: Handler) =>
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
      const response = json(handler(account, c, delivery, () => valueIn(body)));
      return { response, responseFault: {} };
    });
  };

const NO_BODY: Body = { value: undefined };

/** The payment that a request names. A request that is lost names it, too, so that its timeline has the fault. */
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
