/**
 * The control routes of webhooks: actions of a merchant on the dashboard, and faults of deliveries for tests. Like all
 * control routes they answer on loopback only (`control.ts`). Bodies are JSON; unknown fields are refused with 400.
 *
 * An endpoint is `{id, account, url, event_types, enabled, created}`; an empty `event_types` means all types.
 *
 * - `GET    /_sandbox/webhook_endpoints?account=` -> `{data: [endpoint, …]}`, newest first.
 * - `POST   /_sandbox/webhook_endpoints` `{url, event_types, enabled, account}`, all but `url` optional -> endpoint.
 * - `POST   /_sandbox/webhook_endpoints/:id` `{url, event_types, enabled}`, all optional -> endpoint. A disabled one
 *   gets no new events; earlier deliveries to it are still retried.
 * - `DELETE /_sandbox/webhook_endpoints/:id` -> `{deleted: true}`. Its unfinished deliveries become `canceled`.
 * - `GET    /_sandbox/events?limit=100` -> `{data: [event, …]}`, the envelopes as sent, newest first.
 * - `GET    /_sandbox/webhook_deliveries?event=&endpoint=&find=&failed=true&limit=100` -> `{data: [delivery, …]}`,
 *   newest first: `{id, event, type, payment_intent, body, endpoint, status, attempts: [{reason, at, duration_ms,
 *   http_status, error, response}], failures, next_attempt_at}`; times in milliseconds, `body` as sent. `find` searches
 *   event, type, payment and problems; `failed` selects deliveries whose latest attempt failed.
 * - `POST   /_sandbox/webhook_deliveries/:id/retry` (no body) -> the delivery, after one more attempt. Works in every
 *   status, does not count as one of the eight attempts, and ends the retries if it succeeds.
 * - `GET    /_sandbox/webhook_plan` -> `{duplicate, delay, reverse, time_out}`: the faults set for the next attempts.
 * - `POST   /_sandbox/webhook_plan` -> the same. One or more of `{duplicate: {copies, times}}` (each arrives 2 to 10
 *   times), `{delay: {seconds, times}}`, `{reverse: {size}}` (2 to 100 are held back, then sent newest first),
 *   `{time_out: {arrives, times}}` (no response within ten seconds for the next `times` attempts, retries included;
 *   with `arrives`, the default, the endpoint receives the event, and only its response is lost).
 * - `DELETE /_sandbox/webhook_plan` -> the same, empty. Deliveries held back are sent now, oldest first.
 * - `POST   /_sandbox/webhook_signing_keys/rotate` (no body) -> the key list of `/partner/v1/webhook_signing_keys`. The
 *   new key signs from now on; the previous one stays listed.
 * - `POST   /_sandbox/webhook_signing_keys/retire` `{kid}` -> the key list without it. The last key cannot be retired.
 */
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { CONTROL } from '../../../api/routes.ts';
import { unixNow } from '../core/clock.ts';
import { RefusedRequest } from '../core/errors.ts';
import { readQuery } from '../core/list-query.ts';
import { isLoopbackAddress } from '../core/loopback.ts';
import { json } from '../core/response.ts';
import { parseBody } from '../core/validate.ts';
import type { SandboxContext, SandboxEnv } from '../http/context.ts';
import { readJsonOrNothing } from '../http/read-json.ts';
import type { Service } from '../http/service.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../store/records.ts';
import { EVENT_TYPES, NO_PLAN } from '../store/records.ts';
import { createEndpoint, editEndpoint, endpointsOf } from '../webhooks/endpoints.ts';
import { envelopeOf, paymentOf } from '../webhooks/events.ts';
import { rotateSigningKey, signingKeyList } from '../webhooks/signature.ts';
import { refuseBody } from './control.ts';

const eventTypes = z.array(z.enum(EVENT_TYPES)).check(z.maxLength(EVENT_TYPES.length));
const EndpointCreate = z.strictObject({
  url: z.string(),
  event_types: z.optional(eventTypes),
  enabled: z.optional(z.boolean()),
  account: z.optional(z.string()),
});
const EndpointEdit = z.strictObject({
  url: z.optional(z.string()),
  event_types: z.optional(eventTypes),
  enabled: z.optional(z.boolean()),
});
const limit = z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/)));
const EndpointsQuery = z.strictObject({ account: z.optional(z.string()) });
const EventsQuery = z.strictObject({ limit });
const DeliveriesQuery = z.strictObject({
  event: z.optional(z.string()),
  endpoint: z.optional(z.string()),
  find: z.optional(z.string().check(z.maxLength(200))),
  failed: z.optional(z.enum(['true', 'false'])),
  limit,
});
const count = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const times = z.optional(count(1, 10_000));
const PlanChange = z.strictObject({
  duplicate: z.optional(z.strictObject({ copies: count(2, 10), times })),
  delay: z.optional(z.strictObject({ seconds: z.number().check(z.gt(0), z.maximum(604_800)), times })),
  reverse: z.optional(z.strictObject({ size: count(2, 100) })),
  time_out: z.optional(z.strictObject({ arrives: z.optional(z.boolean()), times })),
});
const KeyNamed = z.strictObject({ kid: z.string() });

/** Adds the control routes of webhooks. Call `addControl` first: its middleware guards them. */
export const addWebhookControl = (app: Hono<SandboxEnv>, service: Service): void => {
  const { store } = service;
  const endpointsFor = (c: SandboxContext) => ({
    store,
    allowLocalWebhooks: service.allowLocalWebhooks,
    webhookHosts: service.webhookHosts,
    isCallerLocal: isLoopbackAddress(c.env.address),
  });

  app.get(`${CONTROL}/webhook_endpoints`, (c) => {
    const { account } = parseBody(EndpointsQuery, readQuery(new URL(c.req.url).searchParams));
    return json({ data: endpointsOf(service, account) });
  });

  app.post(`${CONTROL}/webhook_endpoints`, async (c) => {
    const body = parseBody(EndpointCreate, await readJsonOrNothing(c.req.raw));
    return json(
      createEndpoint(endpointsFor(c), {
        id: service.newId('we_'),
        account: accountNamed(service, body.account),
        created: unixNow(service),
        url: body.url,
        event_types: body.event_types ?? [],
        enabled: body.enabled ?? true,
      }),
    );
  });

  app.post(`${CONTROL}/webhook_endpoints/:id`, async (c) => {
    const { url, event_types, enabled } = parseBody(EndpointEdit, await readJsonOrNothing(c.req.raw));
    const endpoint = endpointIn(service, c);
    editEndpoint(endpointsFor(c), endpoint, {
      ...(url === undefined ? {} : { url }),
      ...(event_types === undefined ? {} : { event_types }),
      ...(enabled === undefined ? {} : { enabled }),
    });
    return json(endpoint);
  });

  app.delete(`${CONTROL}/webhook_endpoints/:id`, (c) => {
    const { id } = endpointIn(service, c);
    store.webhookEndpoints.delete(id);
    service.deliveries.cancelFor(id);
    return json({ deleted: true });
  });

  app.get(`${CONTROL}/events`, (c) => {
    const query = parseBody(EventsQuery, readQuery(new URL(c.req.url).searchParams));
    const latest = [...store.events.values()].reverse().slice(0, Number(query.limit ?? 100));
    return json({ data: latest.map(envelopeOf) });
  });

  app.get(`${CONTROL}/webhook_deliveries`, (c) => {
    const query = parseBody(DeliveriesQuery, readQuery(new URL(c.req.url).searchParams));
    const found = [...store.webhookDeliveries.values()]
      .filter(({ event }) => query.event === undefined || event === query.event)
      .filter(({ endpoint }) => query.endpoint === undefined || endpoint === query.endpoint)
      .filter(({ attempts }) => query.failed !== 'true' || (attempts.at(-1)?.error ?? null) !== null)
      .filter((delivery) => textOf(service, delivery).includes((query.find ?? '').trim().toLowerCase()))
      .reverse();
    const data = found.slice(0, Number(query.limit ?? 100)).map((one) => deliveryView(service, one));
    return json({ data });
  });

  app.post(`${CONTROL}/webhook_deliveries/:id/retry`, async (c) => {
    await refuseBody(c.req.raw);
    const delivery = store.webhookDeliveries.get(c.req.param('id'));
    if (delivery === undefined) throw noSuch('webhook delivery');
    if (!store.webhookEndpoints.has(delivery.endpoint)) {
      throw new RefusedRequest(
        'validation_error',
        'The endpoint of this delivery was deleted, so it cannot be sent again. Create an endpoint for later events.',
      );
    }
    await service.deliveries.sendNow(delivery);
    return json(deliveryView(service, delivery));
  });

  app.get(`${CONTROL}/webhook_plan`, () => json(store.webhookPlan));

  app.post(`${CONTROL}/webhook_plan`, async (c) => {
    const { duplicate, delay, reverse, time_out } = parseBody(PlanChange, await readJsonOrNothing(c.req.raw));
    const plan = store.webhookPlan;
    if (duplicate !== undefined) plan.duplicate = { copies: duplicate.copies, times: duplicate.times ?? 1 };
    if (delay !== undefined) plan.delay = { seconds: delay.seconds, times: delay.times ?? 1 };
    if (time_out !== undefined)
      plan.time_out = { arrives: time_out.arrives ?? true, times: time_out.times ?? 1 };
    if (reverse !== undefined) {
      const held = plan.reverse?.held ?? [];
      plan.reverse = { size: reverse.size, held: [] };
      service.deliveries.release(held);
    }
    return json(plan);
  });

  app.delete(`${CONTROL}/webhook_plan`, () => {
    const held = store.webhookPlan.reverse?.held ?? [];
    store.webhookPlan = { ...NO_PLAN };
    service.deliveries.release(held);
    return json(store.webhookPlan);
  });

  app.post(`${CONTROL}/webhook_signing_keys/rotate`, async (c) => {
    await refuseBody(c.req.raw);
    rotateSigningKey(store, service.seed);
    return json(signingKeyList(store));
  });

  app.post(`${CONTROL}/webhook_signing_keys/retire`, async (c) => {
    const { kid } = parseBody(KeyNamed, await readJsonOrNothing(c.req.raw));
    if (!store.signingKeys.some((key) => key.kid === kid)) throw noSuch('signing key');
    if (store.signingKeys.length === 1) {
      throw new RefusedRequest(
        'validation_error',
        'The last signing key cannot be retired. Rotate the keys first.',
        {
          param: 'kid',
        },
      );
    }
    store.signingKeys = store.signingKeys.filter((key) => key.kid !== kid);
    return json(signingKeyList(store));
  });
};

const noSuch = (what: string): RefusedRequest =>
  new RefusedRequest('not_found', `There is no such ${what}. Check the id.`);

const endpointIn = (service: Service, c: SandboxContext): WebhookEndpoint => {
  const endpoint = service.store.webhookEndpoints.get(c.req.param('id') ?? '');
  if (endpoint === undefined) throw noSuch('webhook endpoint');
  return endpoint;
};

/** Returns the id of the account that a body names, or of the sandbox's first account by default. */
const accountNamed = ({ store }: Service, id: string | undefined): string => {
  const account = id === undefined ? [...store.accounts.keys()][0] : id;
  if (account === undefined || !store.accounts.has(account)) {
    throw new RefusedRequest(
      'not_found',
      '"account" must be the id of an account of the sandbox; got another string.',
      {
        param: 'account',
      },
    );
  }
  return account;
};

/** Formats a delivery for the control routes. */
export const deliveryView = ({ store }: Service, delivery: WebhookDelivery) => {
  const { id, event, endpoint, ...rest } = delivery;
  const sent = store.events.get(event);
  return {
    id,
    event,
    type: sent?.type ?? null,
    payment_intent: sent ? paymentOf(sent.object) : null,
    body: sent ? JSON.stringify(envelopeOf(sent)) : null,
    endpoint,
    ...rest,
  };
};

/** The text of a delivery that `find` searches. */
const textOf = ({ store }: Service, { event, attempts }: WebhookDelivery): string => {
  const sent = store.events.get(event);
  const problems = attempts.map(({ error }) => error);
  return [event, sent?.type, sent && paymentOf(sent.object), ...problems].join(' ').toLowerCase();
};
