import type { Hono } from 'hono';
import { ClientRequest } from '../../../api/requests.ts';
import { CLIENT_ROUTES, PREFIX, SERVER_ROUTES, STATIC_ROUTES } from '../../../api/routes.ts';
import type { BrowserRoute } from '../core/api-routes.ts';
import { RefusedRequest } from '../core/errors.ts';
import { refuseQuery } from '../core/list-query.ts';
import { type RequestLogEntry, recordError } from '../core/request-log.ts';
import { errorResponse, json } from '../core/response.ts';
import { parseBody } from '../core/validate.ts';
import { confirm } from '../payments/confirm.ts';
import { currentIntent, intentOfSecret } from '../payments/current.ts';
import { isCanceledUndecided, notPending, release } from '../payments/transitions.ts';
import { clientView } from '../payments/views.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { authenticateBrowser } from './auth.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';
import { refuseIdempotencyKey } from './idempotency-key.ts';
import { countOrRefuse } from './limits.ts';
import { type Body, readBody, valueIn } from './read-json.ts';
import { type Handled, respondWithFault, takeFault } from './respond-with-fault.ts';
import type { Service } from './service.ts';

type Handler = (account: Account, body: unknown, entry: RequestLogEntry) => Handled;

/** The browser's routes, with the publishable key (contract 3). */
export const addClientRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  const viewOf = (intent: IntentRecord): Handled => ({
    response: json(clientView(intent, service.attempts)),
    responseFault: {},
  });
  const route = (name: BrowserRoute, path: string, handler: Handler) =>
    app.post(path, (c) => clientRoute(service, name, handler, c));

  route('client.retrieve', CLIENT_ROUTES.retrieve, (account, body) => {
    const { client_secret } = parseBody(ClientRequest, body);
    return viewOf(intentOfSecret(service, account, client_secret));
  });

  route('client.release', CLIENT_ROUTES.release, (account, body) => {
    const { client_secret } = parseBody(ClientRequest, body);
    const intent = intentOfSecret(service, account, client_secret);
    release(service, intent);
    return viewOf(intent);
  });

  route('client.confirm', CLIENT_ROUTES.confirm, (account, body, entry) => {
    const { intent, attempt, error, responseFault, endsAt } = confirm(service, account, body);
    entry.attempt = attempt;
    const respond = () => {
      const now = currentIntent(service, intent.id) ?? intent;
      const refusal = isCanceledUndecided(now) ? notPending('canceled') : error;
      if (refusal === null) return viewOf(now).response;
      recordError(entry, refusal);
      return errorResponse(refusal);
    };
    return { response: respond(), responseFault, later: endsAt === null ? null : { at: endsAt, respond } };
  });
};

/** Shared by all three routes: origin check, faults, rate limit, authentication and the request log. */
const clientRoute = async (
  service: Service,
  name: BrowserRoute,
  handler: Handler,
  c: SandboxContext,
): Promise<Response> => {
  const { entry } = c.var;
  const request = c.req.raw;
  if (entry === undefined) throw new Error('a client route always has a log entry');
  entry.route = name;
  assertSameOrigin(request.headers);
  const fault = takeFault(service, name, entry);

  const body = await readBody(request);
  entry.intent = intentNamedIn(service, body);
  return respondWithFault(service, c, { entry, fault }, (delivery) => {
    countOrRefuse(
      service.limits.client,
      `${c.env.address} ${name}`,
      'requests to this route from this address',
    );
    const account = authenticateBrowser(service, request.headers.get('authorization'));
    if (name === 'client.confirm') refuseIdempotencyKey(request.headers);
    refuseQuery(new URL(request.url).searchParams);
    return handler(account, valueIn(body), delivery);
  });
};

/** Only the frame, which has our origin, may call. For pages of other sites the route does not exist (contract 3.7). */
const assertSameOrigin = (headers: Headers): void => {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') throw noSuchRoute();
};

/** The error for a route that does not exist. */
export const noSuchRoute = (): RefusedRequest =>
  new RefusedRequest(
    'not_found',
    `There is no such route for this request. Check the method and the path: routes begin with ${PREFIX}/, as in POST ${SERVER_ROUTES.paymentIntents}, and the script is ${STATIC_ROUTES.loader}.`,
  );

const intentNamedIn = (service: Service, body: Body): string | null => {
  if ('error' in body || typeof body.value !== 'object' || body.value === null) return null;
  const secret = 'client_secret' in body.value ? body.value.client_secret : undefined;
  return typeof secret === 'string' ? (service.ledger.idOf(secret) ?? null) : null;
};
