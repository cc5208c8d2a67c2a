import type { Hono } from 'hono';
import { ClientRequest } from '../api/requests.ts';
import { CLIENT_ROUTES } from '../api/routes.ts';
import { errorAnswer, json } from './answer.ts';
import { authenticateBrowser, intentOfSecret } from './auth.ts';
import { readJson } from './body.ts';
import { confirm } from './confirm.ts';
import { answerToError, endOfInterest, type SandboxContext, type SandboxEnv } from './context.ts';
import { type Distortion, distort } from './distortion.ts';
import { ServiceError } from './errors.ts';
import { type FaultyRoute, faultyAnswer } from './faults.ts';
import { refuseIdempotencyKey } from './idempotency.ts';
import { type JournalEntry, noteError } from './journal.ts';
import { release } from './life.ts';
import { takeOne } from './limits.ts';
import type { Service } from './service.ts';
import type { Account } from './store.ts';
import { parseBody } from './validate.ts';
import { clientView } from './views.ts';

type Acted = { response: Response; distortion: Distortion };
type Act = (account: Account, body: unknown, entry: JournalEntry) => Acted;

/** The routes of the browser, with the publishable key. Ours: contract 3. */
export const addClientRoutes = (app: Hono<SandboxEnv>, service: Service): void => {
  const route = (name: FaultyRoute, path: string, act: Act) =>
    app.post(path, (c) => clientRoute(service, name, act, c));

  route('client.retrieve', CLIENT_ROUTES.retrieve, (account, body) => {
    const { client_secret } = parseBody(ClientRequest, body);
    return view(clientView(intentOfSecret(service, account, client_secret)));
  });

  route('client.release', CLIENT_ROUTES.release, (account, body) => {
    const { client_secret } = parseBody(ClientRequest, body);
    const intent = intentOfSecret(service, account, client_secret);
    release(intent);
    return view(clientView(intent));
  });

  route('client.confirm', CLIENT_ROUTES.confirm, (account, body, entry) => {
    const { intent, attempt, error, distortion } = confirm(service, account, body);
    entry.attempt = attempt;
    if (error === null) return { ...view(clientView(intent)), distortion };
    noteError(entry, error);
    return { response: errorAnswer(error), distortion };
  });
};

const view = (value: unknown): Acted => ({ response: json(value), distortion: {} });

/** What all three have in common: the door, the limit, the key, and the faults that were asked for. */
const clientRoute = async (
  service: Service,
  name: FaultyRoute,
  act: Act,
  c: SandboxContext,
): Promise<Response> => {
  const { entry } = c.var;
  const request = c.req.raw;
  if (entry === undefined) throw new Error('a client route is always in the journal');
  entry.route = name;
  assertSameOrigin(request.headers);

  const body = await readBody(request);
  entry.intent = intentNamedIn(service, body);
  const signal = () => endOfInterest(service, request);

  const answer = async (): Promise<Response> => {
    try {
      takeOne(service.limits.client, `${c.env.address} ${name}`, 'requests to this route from this address');
      const account = authenticateBrowser(service, request.headers.get('authorization'));
      if (name === 'client.confirm') refuseIdempotencyKey(request.headers);
      if ('error' in body) throw body.error;
      const acted = act(account, body.value, entry);
      return await distort(acted.response, acted.distortion, service.clock, signal);
    } catch (error) {
      if (error instanceof Error) return answerToError(error, entry);
      throw error;
    }
  };

  const fault = service.faults.take(name);
  if (fault === undefined) return answer();
  const { arrivesAfter = 0, deliveries = 1, againAfter } = fault;
  // Under way, a request does not know that its sender has given up.
  if (arrivesAfter > 0) await service.clock.wait(arrivesAfter * 1000, service.closing.signal);
  if (againAfter !== undefined) {
    void service.clock
      .wait(againAfter * 1000, service.closing.signal)
      .then(answer)
      .catch(() => undefined);
  }
  for (let delivery = 1; fault.acts && delivery < deliveries; delivery += 1)
    await answer().catch(() => undefined);
  const own = fault.acts ? await answer() : json({});
  if (fault.instead !== null) entry.code = fault.instead.code;
  return distort(
    fault.instead === null ? own : faultyAnswer(fault.instead),
    fault.distortion,
    service.clock,
    signal,
  );
};

/** Only the frame calls, and it is of our origin; to anybody else's page the route does not exist (contract 3.7). */
const assertSameOrigin = (headers: Headers): void => {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') throw noSuchRoute();
};

/** The answer where nothing is. */
export const noSuchRoute = (): ServiceError =>
  new ServiceError('not_found', 'There is no such route for this request. Check the method and the path.');

type Body = { value: unknown } | { error: ServiceError };

/** Read first, refused later: the journal wants to know the payment even of a request that fails before its body counts. */
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
