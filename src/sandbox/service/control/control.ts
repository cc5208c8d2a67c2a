/**
 * The control routes. A test, the demo or the inspector uses them to read and change what a merchant cannot. They are
 * outside `/partner/v1` and need no key. They answer on loopback only, or with the control token if other machines can
 * reach the sandbox, and never through a proxy (contract 6.3).
 *
 * All bodies are JSON and all fields optional unless stated otherwise. A missing body counts as `{}`. Unknown fields
 * and query parameters are refused with 400. docs/sandbox.md lists the routes and the fields of a fault.
 */
import type { Hono, MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import { CONTROL } from '../../../api/routes.ts';
import { accountOf } from '../accounts/accounts.ts';
import type { RouteName } from '../core/api-routes.ts';
import { carriesToken } from '../core/control-token.ts';
import { RefusedRequest } from '../core/errors.ts';
import { readQuery, refuseQuery } from '../core/list-query.ts';
import { controlRefusal } from '../core/loopback.ts';
import { json } from '../core/response.ts';
import { advance } from '../core/scheduler.ts';
import { parseBody } from '../core/validate.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { readJsonOrNothing } from '../http/read-json.ts';
import type { Service } from '../http/service.ts';
import { openApi } from '../openapi/openapi.ts';
import { allIntents, currentIntent, noSuchIntent, refundsOf } from '../payments/current.ts';
import { parseAmountChange, updateIntent } from '../payments/intents.ts';
import { cancel } from '../payments/transitions.ts';
import { refundView, serverView } from '../payments/views.ts';
import type { IntentRecord } from '../store/records.ts';
import { AccountSettings, changeAccount, settingsView } from './account-settings.ts';

const ClockChange = z.strictObject({ advance_seconds: z.number().check(z.gt(0), z.maximum(3_200_000_000)) });
const KeyChange = z.strictObject({ key: z.string() });
const RequestsQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))),
  find: z.optional(z.string()),
  failed: z.optional(z.enum(['true', 'false'])),
});

/** Middleware that refuses callers who may not use the control routes (contract 6.3). */
export const allowControl: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  const { address, guard } = c.env;
  const refused = controlRefusal(c.req.raw.headers, address, guard);
  if (refused !== null)
    return json(
      {
        error: {
          code: 'control_refused',
          message: `The control routes are closed to this request: ${refused}.`,
        },
      },
      403,
    );
  if (guard !== null && !carriesToken(c.req.raw.headers, guard.token)) return json(TOKEN_REQUIRED, 401);
  return next();
};

const TOKEN_REQUIRED = {
  error: {
    code: 'control_token_required',
    message:
      'Other machines can reach this sandbox, so its control routes need "Authorization: Bearer <control token>". It printed the token at its start; CARD_FORM_SANDBOX_TOKEN sets it.',
  },
};

/** The control routes that have query parameters and check them. */
const WITH_QUERY: readonly string[] = [
  'requests',
  'overview/payment_intents',
  'webhook_endpoints',
  'events',
  'webhook_deliveries',
].map((path) => `${CONTROL}/${path}`);

/** Adds the control routes. */
export const addControl = (app: Hono<SandboxEnv>, service: Service): void => {
  app.use(`${CONTROL}/*`, allowControl);

  app.use(`${CONTROL}/*`, (c, next) => {
    if (c.req.method !== 'GET' || !WITH_QUERY.includes(c.req.path))
      refuseQuery(new URL(c.req.url).searchParams);
    return next();
  });

  app.get(`${CONTROL}/openapi.json`, () => json(openApi('sandbox')));

  app.get(`${CONTROL}/payment_intents`, () => json({ data: allIntents(service).map(({ id }) => id) }));

  app.get(`${CONTROL}/payment_intents/:id`, (c) => json(insight(service, intentIn(service, c))));

  app.post(`${CONTROL}/payment_intents/:id/update`, async (c) => {
    const change = parseAmountChange(await readJsonOrNothing(c.req.raw));
    const intent = intentIn(service, c);
    updateIntent(service, accountOf(service.store, intent), intent, change);
    return json(serverView(intent));
  });

  app.post(`${CONTROL}/payment_intents/:id/cancel`, async (c) => {
    await refuseBody(c.req.raw);
    const intent = intentIn(service, c);
    cancel(service, intent);
    return json(serverView(intent));
  });

  app.post(`${CONTROL}/clock`, async (c) => {
    const { advance_seconds } = parseBody(ClockChange, await readJsonOrNothing(c.req.raw));
    await advance(service.clock, service.scheduler, advance_seconds * 1000);
    return json({ now: service.clock.now() });
  });

  app.post(`${CONTROL}/keys/revoke`, async (c) => {
    const { key } = parseBody(KeyChange, await readJsonOrNothing(c.req.raw));
    if (!service.store.keys.has(key)) {
      throw new RefusedRequest(
        'not_found',
        '"key" must be a key of the sandbox; got a string that is none.',
        {
          param: 'key',
        },
      );
    }
    service.store.keys.change(key, { revoked: true });
    return json({ revoked: true });
  });

  app.post(`${CONTROL}/account`, async (c) => {
    const change = parseBody(AccountSettings, await readJsonOrNothing(c.req.raw));
    const [account] = service.store.accounts.values();
    if (account === undefined) throw new Error('the store has no account');
    changeAccount(service, account, change);
    return json(settingsView(account));
  });

  app.get(`${CONTROL}/requests`, (c) => {
    const { limit, find, failed } = parseBody(RequestsQuery, readQuery(new URL(c.req.url).searchParams));
    const filter = { find, failed: failed === 'true' };
    return json({ data: service.requestLog.recent(Number(limit ?? 100), filter) });
  });

  app.get(`${CONTROL}/faults`, () => json(service.faults.view()));

  app.post(`${CONTROL}/faults`, async (c) => {
    service.faults.add(await readJsonOrNothing(c.req.raw));
    return json(service.faults.view());
  });

  app.delete(`${CONTROL}/faults`, () => {
    service.faults.clear();
    return json(service.faults.view());
  });
};

/** Refuses a body with fields, on a route that takes none. */
export const refuseBody = async (request: Request): Promise<void> => {
  parseBody(z.strictObject({}), await readJsonOrNothing(request));
};

/** Returns the intent in the path of a control route, of any account, or throws 404. */
export const intentIn = (service: Service, c: SandboxContext): IntentRecord => {
  const intent = currentIntent(service, c.req.param('id') ?? '');
  if (intent === undefined) throw noSuchIntent();
  return intent;
};

const insight = (service: Service, intent: IntentRecord) => {
  const requests = service.requestLog.of(intent.id);
  const deliveries = (route: RouteName) => requests.filter((request) => request.route === route);
  const count = (route: RouteName) => deliveries(route).filter(({ delivery }) => delivery === 1).length;
  return {
    payment_intent: serverView(intent),
    client_secret: intent.client_secret,
    refunds: refundsOf(service, intent.account, intent.id).map(refundView),
    charges: service.store.charges.filter((charge) => charge.intent === intent.id).length,
    confirms: count('client.confirm'),
    deliveries: deliveries('client.confirm').length,
    releases: count('client.release'),
    retrieves: count('client.retrieve'),
    requests,
  };
};
