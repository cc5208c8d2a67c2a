import type { IdPrefix } from '../core/ids.ts';
import type { EventObject, EventRecord, EventType } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Enough to look back on; old events make room. */
const MAX_EVENTS = 10_000;

/** The part of the service that events need. */
export type EventService = {
  store: Store;
  newId: (prefix: IdPrefix) => string;
  deliveries: { dispatch(event: EventRecord): void };
};

/**
 * Notes an event at `at` (unix seconds) and has it sent to the account's webhook endpoints
 * (contract S12). `object` is copied: later changes of the payment or the refund do not reach the event.
 */
export const publishEvent = (
  service: EventService,
  type: EventType,
  object: EventObject,
  at: number,
): EventRecord => {
  const { store } = service;
  const payment = store.intents.get(object.object === 'refund' ? object.payment_intent : object.id);
  if (payment === undefined) throw new Error(`an event about ${object.id}, whose payment does not exist`);
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
  makeRoom(store);
  return event;
};

/** What is still on its way to somebody is not forgotten, nor what came after it. */
const makeRoom = (store: Store): void => {
  if (store.events.size <= MAX_EVENTS) return;
  // Over the keys alone: to look at a row is to have it written to the disk again.
  for (const id of store.events.keys()) {
    if (store.events.size <= MAX_EVENTS) return;
    const deliveries = store.events.get(id)?.deliveries ?? [];
    if (deliveries.some((one) => store.webhookDeliveries.get(one)?.status === 'pending')) return;
    for (const one of deliveries) store.webhookDeliveries.delete(one);
    store.events.delete(id);
  }
};

/** The envelope as it is sent (contract S12.2). */
export const envelopeOf = ({ id, type, created, object }: EventRecord) => ({
  id,
  object: 'event' as const,
  type,
  created,
  data: { object },
});
