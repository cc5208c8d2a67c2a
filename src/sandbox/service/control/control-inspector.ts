/**
 * The control routes for the inspector (`inspector/`), which also uses all other control routes.
 *
 * - `GET  /_sandbox/changes?since=` -> `{version}`, as soon as it differs from `since`; immediately without `since`.
 *   A new version means that something may have changed; the page then reloads what it shows.
 * - `GET  /_sandbox/overview` -> `Overview`.
 * - `GET  /_sandbox/overview/payment_intents?find=&status=&untouched=false&offset=0&limit=50` -> `PaymentPage`;
 *   `untouched` includes the playground's payments that nobody has tried to pay.
 * - `GET  /_sandbox/overview/payment_intents/:id` -> `PaymentDetails`: all of one payment except its client secret.
 * - `POST /_sandbox/payment_intents` `{amount, currency, metadata}` -> `{payment_intent, client_secret}`: a test
 *   payment of the first account, with all details that a confirm requires. All fields are optional; the defaults are
 *   2400, `usd` and none.
 * - `POST /_sandbox/secret_key` (no body) -> `{secret_key}`, for requests as a merchant's server; null if all secret
 *   keys of the first account are revoked.
 * - `POST /_sandbox/payment_intents/:id/client_secret` (no body) -> `{client_secret}`.
 * - `GET  /_sandbox/money` -> `{data: [BalanceOverTime, …]}` of every account.
 * - `GET  /_sandbox/reports` -> `{data: [BrowserReport, …]}`, the violation reports of browsers, oldest first; `data`
 *   is null if the sandbox collects none.
 * - `POST /_sandbox/settings` `{attempts, hold_failed_attempts}`, both optional -> both settings.
 *
 * The types are in `overview.ts`.
 */
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { CONTROL } from '../../../api/routes.ts';
import type { ControlAction } from '../core/control-log.ts';
import { readQuery } from '../core/list-query.ts';
import { json } from '../core/response.ts';
import { parseBody } from '../core/validate.ts';
import { abandoned, type SandboxEnv } from '../http/context.ts';
import { readJsonOrNothing } from '../http/read-json.ts';
import type { Service } from '../http/service.ts';
import { settleAll } from '../payments/current.ts';
import { createIntent, parseCreate } from '../payments/intents.ts';
import { serverView } from '../payments/views.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { usableSecretKey } from './account-settings.ts';
import { allowControl, intentIn, refuseBody } from './control.ts';
import { balanceOverTime, overviewOf, paymentDetails, paymentPage } from './overview.ts';

const ChangesQuery = z.strictObject({ since: z.optional(z.string().check(z.regex(/^\d{1,16}$/))) });
const PaymentsQuery = z.strictObject({
  find: z.optional(z.string().check(z.maxLength(200))),
  status: z.optional(z.enum(['pending', 'processing', 'succeeded', 'canceled'])),
  untouched: z.optional(z.enum(['true', 'false'])),
  offset: z.optional(z.string().check(z.regex(/^\d{1,7}$/))),
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/))),
});
const TestPayment = z.strictObject({
  amount: z.optional(z.unknown()),
  currency: z.optional(z.unknown()),
  metadata: z.optional(z.unknown()),
});
const Settings = z.strictObject({
  attempts: z.optional(z.int().check(z.minimum(1), z.maximum(20))),
  hold_failed_attempts: z.optional(z.boolean()),
});

/**
 * Adds the route that waits for a change. Call it before the middleware that saves, which would treat the wait as work.
 */
export const addChanges = (app: Hono<SandboxEnv>, service: Service): void => {
  app.get(`${CONTROL}/changes`, allowControl, async (c) => {
    const { since } = parseBody(ChangesQuery, readQuery(new URL(c.req.url).searchParams));
    if (since === undefined) return json({ version: service.changeFeed.version() });
    const version = await service.changeFeed.changedSince(Number(since), abandoned(service, c.req.raw));
    return json({ version });
  });
};

/** Adds the inspector's other routes. Call `addControl` first: its middleware guards them. */
export const addInspectorControl = (app: Hono<SandboxEnv>, service: Service): void => {
  app.get(`${CONTROL}/overview`, () => json(overviewOf(service, firstAccount(service))));

  app.get(`${CONTROL}/overview/payment_intents`, (c) => {
    const { find, status, untouched, offset, limit } = parseBody(
      PaymentsQuery,
      readQuery(new URL(c.req.url).searchParams),
    );
    return json(
      paymentPage(service, {
        find: find ?? '',
        status,
        untouched: untouched === 'true',
        offset: Number(offset ?? 0),
        limit: Number(limit ?? 50),
      }),
    );
  });

  app.get(`${CONTROL}/overview/payment_intents/:id`, (c) =>
    json(paymentDetails(service, intentIn(service, c))),
  );

  app.post(`${CONTROL}/payment_intents`, async (c) => {
    const {
      amount = 2400,
      currency = 'usd',
      metadata,
    } = parseBody(TestPayment, await readJsonOrNothing(c.req.raw));
    const items = [{ ...ITEM, unit_amount: amount }];
    const order = parseCreate({
      ...ORDER,
      amount,
      currency,
      items,
      ...(metadata === undefined ? {} : { metadata }),
    });
    const intent = createIntent(service, firstAccount(service), order);
    return json({ payment_intent: serverView(intent), client_secret: intent.client_secret });
  });

  app.post(`${CONTROL}/payment_intents/:id/client_secret`, async (c) => {
    await refuseBody(c.req.raw);
    return json({ client_secret: intentIn(service, c).client_secret });
  });

  app.post(`${CONTROL}/secret_key`, async (c) => {
    await refuseBody(c.req.raw);
    return json({ secret_key: usableSecretKey(service, firstAccount(service)) });
  });

  app.get(`${CONTROL}/money`, () =>
    json({ data: [...service.store.accounts.values()].flatMap((one) => balanceOverTime(service, one)) }),
  );

  app.get(`${CONTROL}/reports`, () => json({ data: service.reportLog?.all() ?? null }));

  app.post(`${CONTROL}/settings`, async (c) => {
    const change = parseBody(Settings, await readJsonOrNothing(c.req.raw));
    // Apply outcomes that are already due under the former settings.
    settleAll(service);
    service.attempts = change.attempts ?? service.attempts;
    service.holdFailedAttempts = change.hold_failed_attempts ?? service.holdFailedAttempts;
    return json({ attempts: service.attempts, hold_failed_attempts: service.holdFailedAttempts });
  });
};

/**
 * Adds middleware that logs the changes made by control routes, for the timelines of payments. Call it before those
 * routes are added.
 */
export const addControlLog = (app: Hono<SandboxEnv>, service: Service): void => {
  app.post(`${CONTROL}/*`, async (c, next) => {
    const [, id, act] = /\/payment_intents\/([^/]+)\/([a-z_/]+)$/.exec(c.req.path) ?? [];
    const intent = id === undefined ? undefined : service.store.intents.get(id);
    const before = { total: intent?.amount_total ?? 0, time: service.clock.offset(), status: intent?.status };
    const steps = new Map(intent?.unlock_schedule.map((step) => [step.step, step.available_at]));
    await next();
    if (c.res.status !== 200) return;
    const note = (action: ActionAlone) =>
      service.controlLog.add({ at: service.clock.now(), intent: intent?.id ?? null, ...action });
    if (intent === undefined) {
      const ms = service.clock.offset() - before.time;
      if (c.req.path === `${CONTROL}/clock` && ms > 0) note({ action: 'clock_moved', ms });
      if (c.req.path === `${CONTROL}/account`) note({ action: 'account_changed' });
      return;
    }
    if (act === 'update' && intent.amount_total !== before.total)
      note({ action: 'amount_changed', from: before.total, to: intent.amount_total });
    if (act === 'cancel' && intent.status !== before.status) note({ action: 'canceled' });
    if (act === 'refuse_refunds')
      note({ action: intent.refundsRefused ? 'refunds_refused' : 'refunds_allowed' });
    for (const step of movedSteps(intent, steps))
      note({ action: act === 'unlock_steps/release' ? 'step_released' : 'step_rescheduled', step });
  });
};

type ActionAlone = ControlAction extends infer One
  ? One extends ControlAction
    ? Omit<One, 'at' | 'intent'>
    : never
  : never;

const movedSteps = (intent: IntentRecord, before: ReadonlyMap<number, number>): number[] =>
  intent.unlock_schedule
    .filter(({ step, available_at }) => before.has(step) && before.get(step) !== available_at)
    .map(({ step }) => step);

const firstAccount = ({ store }: Service): Account => {
  const [account] = store.accounts.values();
  if (account === undefined) throw new Error('the store has no account');
  return account;
};

const ITEM = { name: 'Kenya Nyeri AA, 250 g', quantity: 1 };

/** All details that confirm requires, so that the payment can be paid at once. */
const ORDER = {
  description: 'A test payment',
  order_reference: 'TEST-1',
  buyer: { name: 'Ada Lovelace' },
  shipping_details: {
    name: 'Ada Lovelace',
    address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
  },
};
