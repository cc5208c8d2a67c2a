import type { Hono } from 'hono';
import { ClientRequest } from '../../api/requests.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { ConnectionCut, ServiceError } from '../core/errors.ts';
import { refuseQuery } from '../core/list-query.ts';
import { type RequestLogEntry, recordError } from '../core/request-log.ts';
import { errorResponse, json } from '../core/response.ts';
import { parseBody } from '../core/validate.ts';
import {
  acts,
  describeFault,
  type FaultyRoute,
  replaceResponse,
  replacesResponse,
  responseFaultOf,
} from '../faults/fault.ts';
import { applyResponseFault, type ResponseFault } from '../faults/response-fault.ts';
import { confirm } from '../payments/confirm.ts';
import { intentOfSecret } from '../payments/current.ts';
import { release } from '../payments/transitions.ts';
import { clientView } from '../payments/views.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { authenticateBrowser } from './auth.ts';
import { abandoned, responseToError, type SandboxContext, type SandboxEnv } from './context.ts';
import { refuseIdempotencyKey } from './idempotency-key.ts';
import { countOrRefuse } from './limits.ts';
import { readJson } from './read-json.ts';
import type { Service } from './service.ts';

type Handled = { response: Response; responseFault: ResponseFault };
type Handler = (account: Account, body: unknown, entry: RequestLogEntry) => Handled;

/** The routes for browsers, with the publishable key (contract 3). */
export const addClientRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  const viewOf = (intent: IntentRecord): Handled => ({
    response: json(clientView(intent, service.attempts)),
    responseFault: {},
  });
  const route = (name: FaultyRoute, path: string, handler: Handler) =>
    app.post(path, (c) => clientRoute(service, name, handler, c));

  route('client.retrieve', CLIENT_ROUTES.retrieve, (account, body) => {
    const { client_secret } = parseBody(ClientRequest, body);
    return viewOf(intentOfSecret(service, account, client_secret));
  });

  route('client.release', CLIENT_ROUTES.release, (account, body) => {
    const { client_secret } = parseBody(ClientRequest, body);
    const intent = intentOfSecret(service, account, client_secret);
    release(intent);
    return viewOf(intent);
  });

  route('client.confirm', CLIENT_ROUTES.confirm, (account, body, entry) => {
    const { intent, attempt, error, responseFault } = confirm(service, account, body);
    entry.attempt = attempt;
    if (error === null) return { ...viewOf(intent), responseFault };
    recordError(entry, error);
    return { response: errorResponse(error), responseFault };
  });
};

/** Common to all three: origin check, faults, rate limit, authentication and the request log. */
const clientRoute = async (
  service: Service,
  name: FaultyRoute,
  handler: Handler,
  c: SandboxContext,
): Promise<Response> => {
  const { entry } = c.var;
  const request = c.req.raw;
  if (entry === undefined) throw new Error('a client route always has a log entry');
  entry.route = name;
  assertSameOrigin(request.headers);
  const fault = service.faults.take(name) ?? {};
  entry.fault = describeFault(fault);
  if (fault.refuse) throw new ConnectionCut('the connection was refused', { refused: true });

  const body = await readBody(request);
  entry.intent = intentNamedIn(service, body);
  const signal = () => abandoned(service, request);

  /** The service's own response to one delivery of the request. */
  const deliver = (delivery: RequestLogEntry): Handled => {
    try {
      countOrRefuse(
        service.limits.client,
        `${c.env.address} ${name}`,
        'requests to this route from this address',
      );
      const account = authenticateBrowser(service, request.headers.get('authorization'));
      if (name === 'client.confirm') refuseIdempotencyKey(request.headers);
      refuseQuery(new URL(request.url).searchParams);
      if ('error' in body) throw body.error;
      return handler(account, body.value, delivery);
    } catch (error) {
      if (error instanceof Error) return { response: responseToError(error, delivery), responseFault: {} };
      throw error;
    }
  };

  let latest = entry;
  const deliverAgain = () => {
    latest = service.requestLog.openAgain(latest, service.clock.now());
    return latest;
  };
  /** Handles a delivery whose response is discarded. */
  const deliverAndDiscard = (delivery: RequestLogEntry) => {
    delivery.status = deliver(delivery).response.status;
  };
  const waitUnlessClosed = async (seconds: number) => {
    await service.clock.wait(seconds * 1000, service.closing.signal);
    if (service.closing.signal.aborted) throw new ConnectionCut('the sandbox closed');
  };

  // The request still arrives if its sender has given up meanwhile.
  if (fault.arrives_after) await waitUnlessClosed(fault.arrives_after);
  if (fault.again_after !== undefined) {
    void waitUnlessClosed(fault.again_after).then(
      () => {
        deliverAndDiscard(deliverAgain());
        service.changeFeed.notify();
      },
      () => undefined,
    );
  }
  if (!acts(fault)) {
    const response = replaceResponse(fault, json({}));
    entry.code = fault.code ?? null;
    return applyResponseFault(response, responseFaultOf(fault), service.clock, signal);
  }
  let last = entry;
  for (let delivery = 1; delivery < (fault.deliveries ?? 1); delivery += 1) {
    deliverAndDiscard(last);
    last = deliverAgain();
    c.set('entry', last);
  }
  const { response, responseFault } = deliver(last);
  // Saved before the response's fault, which may take long.
  await service.saved();
  if (replacesResponse(fault)) last.code = fault.code ?? null;
  const own = await applyResponseFault(response, responseFault, service.clock, signal);
  return applyResponseFault(replaceResponse(fault, own), responseFaultOf(fault), service.clock, signal);
};

/** Only the frame, which has our origin, may call: for pages of other sites the route does not exist (contract 3.7). */
const assertSameOrigin = (headers: Headers): void => {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') throw noSuchRoute();
};

/** The error for a route that does not exist. */
export const noSuchRoute = (): ServiceError =>
  new ServiceError('not_found', 'There is no such route for this request. Check the method and the path.');

type Body = { value: unknown } | { error: ServiceError };

/** Reads the body before the checks, so that the log has the payment even of a request that fails one of them. */
const readBody = async (request: Request): Promise<Body> => {
  try {
    return { value: await readJson(request) };
  } catch (error) {
    if (error instanceof ServiceError) return { error };
    throw error;
  }
};

const intentNamedIn = (service: Service, body: Body): string | null => {
  if ('error' in body || typeof body.value !== 'object' || body.value === null) return null;
  const secret = 'client_secret' in body.value ? body.value.client_secret : undefined;
  return typeof secret === 'string' ? (service.store.secrets.get(secret) ?? null) : null;
};
