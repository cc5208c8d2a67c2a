/**
 * The control routes: what a test, the demo or a person at the inspector may know and do that no merchant can.
 * They stand outside `/partner/v1`, need no key, and answer on loopback only (contract 6.3).
 *
 * All bodies are JSON, all fields optional unless said otherwise; an unknown field is refused with 400.
 *
 * - `GET  /_sandbox/payment_intents` -> `{data: [id, …]}`, newest first.
 * - `GET  /_sandbox/payment_intents/:id` -> `{payment_intent, client_secret, charges, confirms, releases,
 *   retrieves, requests}`. `charges` counts entries of the ledger, written when money was taken; `requests` are
 *   the journal's entries that named this intent, in order of arrival; `at` in milliseconds.
 * - `POST /_sandbox/payment_intents/:id/update` `{amount}` -> the intent, as after the merchant's own update.
 * - `POST /_sandbox/payment_intents/:id/cancel` (no body) -> the intent, canceled.
 * - `POST /_sandbox/clock` `{advance_seconds}` -> `{now}` in milliseconds; ends the waits that become due.
 * - `POST /_sandbox/keys/revoke` `{key}` -> `{revoked: true}`.
 * - `POST /_sandbox/account` `{suspended, approved, non_physical_goods, fee_schedule, fee_bearer}` -> all of them.
 *   `fee_schedule` is null or `{processing: {bps, fixed}, bank: {bps, fixed}}`.
 * - `GET  /_sandbox/requests?limit=100` -> `{data: [entry, …]}`, the latest of all routes, oldest first.
 * - `POST /_sandbox/next_answer` -> `{queued: true}`: what befalls the next request of one route.
 *   `route` (required) is `client.retrieve`, `client.confirm` or `client.release`; `times` (1) how many requests.
 *   The service acts on the request unless the fault has `status`, `code` or `cut: "before"`; `act` says otherwise.
 *   `status`, `code`, `retry_after` (any text) make the answer; a code alone brings its status, a status alone a
 *   likely code. `delay_seconds`, `never`, `cut` (`"before"` or `"after"` acting), `html`, `truncate_at` (bytes)
 *   are what happens to it on the way, in this order.
 */
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { json } from './answer.ts';
import { noSuchIntent } from './auth.ts';
import { readJson } from './body.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';
import { ServiceError } from './errors.ts';
import { FAULTY_ROUTES, type Fault, statusOfCode } from './faults.ts';
import { parseUpdate, updateIntent } from './intents.ts';
import type { RouteName } from './journal.ts';
import { cancel } from './life.ts';
import { readQuery } from './list.ts';
import { whyNoControl } from './loopback.ts';
import { allIntents, currentIntent, type Service } from './service.ts';
import { type Account, accountOf, type IntentRecord } from './store.ts';
import { parseBody } from './validate.ts';
import { serverView } from './views.ts';

const CONTROL = '/_sandbox';

const share = z.int().check(z.minimum(0), z.maximum(10_000));
const FeeRule = z.strictObject({ bps: share, fixed: z.int().check(z.minimum(0), z.maximum(1_000_000)) });

const ClockChange = z.strictObject({ advance_seconds: z.number().check(z.gt(0), z.maximum(3_200_000_000)) });
const KeyChange = z.strictObject({ key: z.string() });
const AmountChange = z.strictObject({ amount: z.unknown() });
const Nothing = z.strictObject({});
const AccountChange = z.strictObject({
  suspended: z.optional(z.boolean()),
  approved: z.optional(z.boolean()),
  non_physical_goods: z.optional(z.boolean()),
  fee_schedule: z.optional(z.nullable(z.strictObject({ processing: FeeRule, bank: FeeRule }))),
  fee_bearer: z.optional(z.enum(['merchant', 'buyer'])),
});
const NextAnswer = z.strictObject({
  route: z.enum(FAULTY_ROUTES),
  times: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  act: z.optional(z.boolean()),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  code: z.optional(z.string().check(z.regex(/^[a-z0-9_]{1,100}$/))),
  retry_after: z.optional(z.union([z.int(), z.string().check(z.regex(/^[\x20-\x7e]*$/))])),
  delay_seconds: z.optional(z.number().check(z.minimum(0), z.maximum(86_400))),
  never: z.optional(z.boolean()),
  cut: z.optional(z.enum(['before', 'after'])),
  html: z.optional(z.boolean()),
  truncate_at: z.optional(z.int().check(z.minimum(0))),
});
const RequestsQuery = z.strictObject({ limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))) });

/** Adds the control routes. */
export const addControl = (app: Hono<SandboxEnv>, service: Service): void => {
  app.use(`${CONTROL}/*`, async (c, next) => {
    const refused = whyNoControl(c.req.raw.headers, c.env.address);
    if (refused === null) return next();
    return json(
      { error: { code: 'control_refused', message: `The sandbox's control is closed: ${refused}.` } },
      403,
    );
  });

  app.get(`${CONTROL}/payment_intents`, () => json({ data: allIntents(service).map(({ id }) => id) }));

  app.get(`${CONTROL}/payment_intents/:id`, (c) => json(insight(service, intentIn(service, c))));

  app.post(`${CONTROL}/payment_intents/:id/update`, async (c) => {
    const intent = intentIn(service, c);
    const body = parseBody(AmountChange, await readJson(c.req.raw));
    updateIntent(accountOf(service.store, intent), intent, parseUpdate(body));
    return json(serverView(intent));
  });

  app.post(`${CONTROL}/payment_intents/:id/cancel`, async (c) => {
    if (c.req.raw.body !== null) parseBody(Nothing, await readJson(c.req.raw));
    const intent = intentIn(service, c);
    cancel(intent);
    return json(serverView(intent));
  });

  app.post(`${CONTROL}/clock`, async (c) => {
    const { advance_seconds } = parseBody(ClockChange, await readJson(c.req.raw));
    service.clock.shift(advance_seconds * 1000);
    return json({ now: service.clock.now() });
  });

  app.post(`${CONTROL}/keys/revoke`, async (c) => {
    const { key } = parseBody(KeyChange, await readJson(c.req.raw));
    const found = service.store.keys.get(key);
    if (found === undefined) {
      throw new ServiceError('not_found', '"key" must be an existing key of the sandbox; got another text.', {
        param: 'key',
      });
    }
    found.revoked = true;
    return json({ revoked: true });
  });

  app.post(`${CONTROL}/account`, async (c) => {
    const change = parseBody(AccountChange, await readJson(c.req.raw));
    // The sandbox's own account is the first; more of them, and a field that names one, only add to this.
    const [account] = service.store.accounts.values();
    if (account === undefined) throw new Error('the sandbox has lost its account');
    account.suspended = change.suspended ?? account.suspended;
    account.approved = change.approved ?? account.approved;
    account.nonPhysicalGoods = change.non_physical_goods ?? account.nonPhysicalGoods;
    account.feeBearer = change.fee_bearer ?? account.feeBearer;
    if (change.fee_schedule !== undefined) account.feeSchedule = change.fee_schedule;
    return json(accountView(account));
  });

  app.get(`${CONTROL}/requests`, (c) => {
    const { limit } = parseBody(RequestsQuery, readQuery(new URL(c.req.url).searchParams));
    return json({ data: service.journal.recent(Number(limit ?? 100)) });
  });

  app.post(`${CONTROL}/next_answer`, async (c) => {
    const asked = parseBody(NextAnswer, await readJson(c.req.raw));
    service.faults.add(asked.route, faultOf(asked), asked.times ?? 1);
    return json({ queued: true });
  });
};

const intentIn = (service: Service, c: SandboxContext): IntentRecord => {
  const intent = currentIntent(service, c.req.param('id') ?? '');
  if (intent === undefined) throw noSuchIntent();
  return intent;
};

const insight = (service: Service, intent: IntentRecord) => {
  const requests = service.journal.of(intent.id);
  const count = (route: RouteName) => requests.filter((request) => request.route === route).length;
  return {
    payment_intent: serverView(intent),
    client_secret: intent.client_secret,
    charges: service.store.charges.filter((charge) => charge.intent === intent.id).length,
    confirms: count('client.confirm'),
    releases: count('client.release'),
    retrieves: count('client.retrieve'),
    requests,
  };
};

const accountView = (account: Account) => ({
  suspended: account.suspended,
  approved: account.approved,
  non_physical_goods: account.nonPhysicalGoods,
  fee_schedule: account.feeSchedule,
  fee_bearer: account.feeBearer,
});

const faultOf = (asked: z.infer<typeof NextAnswer>): Fault => {
  const answers = asked.status !== undefined || asked.code !== undefined || asked.retry_after !== undefined;
  const status = asked.status ?? (asked.code === undefined ? 429 : statusOfCode(asked.code));
  return {
    acts: asked.act ?? (!answers && asked.cut !== 'before'),
    instead: answers
      ? {
          status,
          code: asked.code ?? null,
          retryAfter: asked.retry_after === undefined ? null : String(asked.retry_after),
        }
      : null,
    distortion: {
      delaySeconds: asked.delay_seconds ?? 0,
      never: asked.never ?? false,
      cut: asked.cut !== undefined,
      html: asked.html ?? false,
      ...(asked.truncate_at === undefined ? {} : { truncateAt: asked.truncate_at }),
    },
  };
};
