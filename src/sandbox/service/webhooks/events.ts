import type { IdPrefix } from '../core/ids.ts';
import type { EventObject, EventRecord, EventType } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Maximum number of stored events. Above it, the oldest are deleted. */
const MAX_EVENTS = 10_000;

/** The part of the service that events need. */
export type EventService = {
  store: Store;
  newId: (prefix: IdPrefix) => string;
  deliveries: { dispatch(event: EventRecord): void };
};

/**
 * Stores an event that happened at `at` (unix seconds) and sends it to the account's webhook endpoints (contract S12).
 * `object` is copied, so later changes of the payment or refund do not change the event.
 */
export const publishEvent = (
  service: EventService,
  type: EventType,
  object: EventObject,
  at: number,
): EventRecord => {
  const { store } = service;
  const payment = store.intents.get(paymentOf(object));
  if (payment === undefined)
    throw new Error(`cannot publish an event for ${object.id}: its payment does not exist`);
  const event: EventRecord = {
    id: service.newId('evt_'),
    account: payment.account,
    type,
    created: at,
    object: structuredClone(object),
    deliveries: [],
  };
  store.events.set(event.id, event);
  service.deliveries.dispatch(event);
  deleteOldEvents(store);
  return event;
};

/** Returns the id of an event's payment, also for the event of a refund. */
export const paymentOf = (object: EventObject): string =>
  object.object === 'refund' ? object.payment_intent : object.id;

/**
 * Deletes the oldest events. Stops at the first one with a pending delivery, so that neither it nor a later event is
 * deleted.
 */
const deleteOldEvents = (store: Store): void => {
  if (store.events.size <= MAX_EVENTS) return;
  for (const { id, deliveries } of store.events.values()) {
    if (store.events.size <= MAX_EVENTS) return;
    if (deliveries.some((one) => store.webhookDeliveries.get(one)?.status === 'pending')) return;
    for (const one of deliveries) store.webhookDeliveries.delete(one);
    store.events.delete(id);
  }
};

/** The JSON body of a webhook (contract S12.2). */
export const envelopeOf = ({ id, type, created, object }: EventRecord) => ({
  id,
  object: 'event' as const,
  type,
  created,
  data: { object },
});
