import type { CardFormEventName, CardFormEvents } from './types.ts';

/** Taken from a method, so that one map can hold the handlers of an event. */
type Handler = { handle(detail: unknown): void }['handle'];

/** What the page hears a form with. */
type Events = {
  on(name: EventName, handler: (detail: never) => void, once?: boolean): () => void;
  once(name: EventName, handler: (detail: never) => void): () => void;
  off(name: EventName, handler: (detail: never) => void): void;
};

/** Tells it. */
type Emit = <Name extends EventName>(
  name: Name,
  detail: Name extends CardFormEventName ? CardFormEvents[Name] : unknown,
) => void;

/** The public ones, and the answer to `diagnostics()`. */
type EventName = CardFormEventName | 'unmount' | 'diagnostics';

/** Makes a form's events. Handlers are called soon, never before whatever caused the event has returned. */
export const createEvents = (): readonly [emit: Emit, events: Events] => {
  /** By event: who hears it, and whether only once. */
  const handlers: Partial<Record<EventName, Map<Handler, unknown>>> = {};

  const on: Events['on'] = (name, handler, once) => {
    handlers[name] ??= new Map();
    handlers[name].set(handler, once);
    return () => handlers[name]?.delete(handler);
  };

  return [
    // First a microtask for all, so that who called can attach a handler for what happened at once; then one
    // for each, so that what a handler throws is the page's error and keeps no other from hearing.
    (name, detail) =>
      queueMicrotask(() => {
        for (const [handler, once] of handlers[name] ?? []) {
          if (once) handlers[name]?.delete(handler);
          queueMicrotask(() => handler(detail));
        }
      }),
    {
      on,
      off: (name, handler) => handlers[name]?.delete(handler),
      once: (name, handler) => on(name, handler, true),
    },
  ];
};
