import type { Hono } from 'hono';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { refuseQuery } from '../core/list-query.ts';
import type { RequestLogEntry, RouteName } from '../core/request-log.ts';
import { json } from '../core/response.ts';
import { currentIntent, noSuchIntent } from '../payments/current.ts';
import { createIntent, listIntents, parseCreate, parseUpdate, updateIntent } from '../payments/intents.ts';
import { createdView, serverView } from '../payments/views.ts';
import { makeOnce } from '../store/idempotency.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { signingKeyList } from '../webhooks/signature.ts';
import { authenticateServer } from './auth.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';
import { idempotencyKey, refuseIdempotencyKey } from './idempotency-key.ts';
import { countOrRefuse } from './limits.ts';
import { readJson } from './read-json.ts';
import type { Service } from './service.ts';

type Handler = (account: Account, c: SandboxContext, entry: RequestLogEntry) => unknown;

/** The routes for the merchant's server, with the secret key (contract S7 and S8). */
export const addServerRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  app.post(
    SERVER_ROUTES.paymentIntents,
    serverRoute(service, 'payment_intents.create', async (account, c, entry) => {
      const key = idempotencyKey(c.req.raw.headers);
      const body = parseCreate(await readJson(c.req.raw));
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
    serverRoute(service, 'payment_intents.update', async (account, c, entry) => {
      refuseIdempotencyKey(c.req.raw.headers);
      const body = parseUpdate(await readJson(c.req.raw));
      const intent = ownIntent(service, account, c.req.param('id') ?? '', entry);
      updateIntent(account, intent, body);
      return serverView(intent);
    }),
  );

  app.get(
    SERVER_ROUTES.webhookSigningKeys,
    serverRoute(service, 'webhook_signing_keys.list', () => signingKeyList(service.store)),
  );
};

/** A server route without query parameters, so that it refuses them all (contract 5.8). */
export const serverRoute = (service: Service, name: RouteName, handler: Handler) =>
  anyServerRoute(service, name, (account, c, entry) => {
    refuseQuery(queryOf(c));
    return handler(account, c, entry);
  });

/** A server route with query parameters, which the handler has to check. */
export const listRoute = (
  service: Service,
  name: RouteName,
  handler: (account: Account, query: URLSearchParams) => unknown,
) => anyServerRoute(service, name, (account, c) => handler(account, queryOf(c)));

const queryOf = (c: SandboxContext): URLSearchParams => new URL(c.req.url).searchParams;

/** Common to all of them: authentication, the rate limit per account and route, and the request log. */
const anyServerRoute =
  (service: Service, name: RouteName, handler: Handler) =>
  async (c: SandboxContext): Promise<Response> => {
    const { entry } = c.var;
    if (entry === undefined) throw new Error('a server route always has a log entry');
    entry.route = name;
    const account = authenticateServer(service, c.req.header('authorization') ?? null, c.env.address);
    countOrRefuse(service.limits.server, `${account.id} ${name}`, 'requests of this account to this route');
    return json(await handler(account, c, entry));
  };

const ownIntent = (service: Service, account: Account, id: string, entry: RequestLogEntry): IntentRecord => {
  const intent = currentIntent(service, id);
  if (intent === undefined || intent.account !== account.id) throw noSuchIntent();
  entry.intent = intent.id;
  return intent;
};
