/** For the webhook tests: a merchant whose endpoint records the webhooks and responds as configured. */

import * as z from 'zod/mini';
import { SERVER_ROUTES } from '../../../api/routes.ts';
import { Event, List, WebhookSigningKey } from '../../../api/schemas.ts';
import type { SandboxOptions } from '../options.ts';
import { confirmBody, createWorld, GOOD_CARD } from '../sandbox.fixture.ts';
import type { OutgoingRequest } from './outgoing.ts';

/** A received webhook. `at` is in milliseconds on the sandbox's clock. */
export type Arrival = OutgoingRequest & { at: number; event: Event };

/** The endpoint's response. `never` accepts the connection and sends nothing. */
export type EndpointReply = number | { status: number; body: string } | 'never' | Error;

/** The fields of the control routes' responses that the tests read. */
export const Delivery = z.object({
  id: z.string(),
  event: z.string(),
  type: z.nullable(z.string()),
  payment_intent: z.nullable(z.string()),
  body: z.nullable(z.string()),
  endpoint: z.string(),
  status: z.string(),
  failures: z.number(),
  next_attempt_at: z.nullable(z.number()),
  attempts: z.array(
    z.object({
      reason: z.string(),
      at: z.number(),
      duration_ms: z.number(),
      http_status: z.nullable(z.number()),
      error: z.nullable(z.string()),
      response: z.string(),
    }),
  ),
});
export const Endpoint = z.object({
  id: z.string(),
  account: z.string(),
  url: z.string(),
  event_types: z.array(z.string()),
  enabled: z.boolean(),
  created: z.number(),
});
const Deliveries = z.object({ data: z.array(Delivery) });

/** An error like a socket's: its message contains the URL, its code does not. */
export const socketError = (code: string): Error =>
  Object.assign(new Error(`connect ${code} https://shop.example.com/?token=hush`), { code });

/** A sandbox on a manual clock whose webhooks arrive here. */
export const createMerchantWorld = (options: SandboxOptions = {}) => {
  const arrivals: Arrival[] = [];
  let reply: (arrival: Arrival) => EndpointReply = () => 200;
  const world = createWorld({
    outgoing: async (request, signal) => {
      const at = world.service.clock.now();
      const arrival = { ...request, at, event: Event.parse(JSON.parse(request.body)) };
      arrivals.push(arrival);
      const response = reply(arrival);
      if (response === 'never') {
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(socketError('ABORT_ERR')));
        });
      }
      if (response instanceof Error) throw response;
      return typeof response === 'number' ? { status: response } : response;
    },
    ...options,
  });

  return {
    ...world,
    /** All received webhooks, in order. */
    arrivals,
    /** Sets how the endpoint responds from now on: always the same, or depending on the webhook. */
    replies: (next: EndpointReply | ((arrival: Arrival) => EndpointReply)) => {
      reply = typeof next === 'function' ? next : () => next;
    },
    /** Creates an endpoint through the control route. */
    endpoint: async (settings: Record<string, unknown> = {}) =>
      Endpoint.parse(
        (await world.control('webhook_endpoints', { url: 'https://shop.example.com/webhooks', ...settings }))
          .body,
      ),
    /** Makes a payment and sends its webhooks. */
    pay: async (number = GOOD_CARD) => {
      const intent = await world.intent();
      await world.client('confirm', confirmBody(intent, number)).catch(() => 'cut');
      await world.clock.advance(0);
      return intent;
    },
    /** The delivery history, oldest first. */
    history: async (query = '') =>
      Deliveries.parse((await world.control(`webhook_deliveries${query}`)).body).data.reverse(),
    keys: async () =>
      List(WebhookSigningKey).parse((await world.server('GET', SERVER_ROUTES.webhookSigningKeys)).body).data,
    remove: async (path: string) => (await world.send('DELETE', `/_sandbox/${path}`, undefined, {})).status,
  };
};

export type MerchantWorld = ReturnType<typeof createMerchantWorld>;
