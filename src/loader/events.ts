import type { CardFormEventName, CardFormEvents, CardFormInstance } from './types.ts';

/** Taken from a method, so that one list can hold the handlers of all events. */
type Handler = { handle(detail: CardFormEvents[CardFormEventName]): void }['handle'];

type Listener = readonly [name: CardFormEventName, handler: Handler, once: boolean];

/** What a form tells the page with. */
export type Events = Pick<CardFormInstance, 'on' | 'once' | 'off'> & {
  emit<Name extends CardFormEventName>(name: Name, detail: CardFormEvents[Name]): void;
};

/** Makes a form's events. Handlers are called soon, never before whatever caused the event has returned. */
export const createEvents = (): Events => {
  let listeners: readonly Listener[] = [];

  const add =
    (once: boolean): Events['on'] =>
    (name, handler) => {
      listeners = [...listeners, [name, handler, once]];
      return () => off(name, handler);
    };

  const off: Events['off'] = (event, handler) => {
    listeners = listeners.filter(([name, known]) => name !== event || known !== handler);
  };

  return {
    on: add(false),
    once: add(true),
    off,
    // First a microtask for all, so that who called can attach a handler for what happened at once; then one
    // for each, so that what a handler throws is the page's error and keeps no other from hearing.
    emit: (event, detail) =>
      queueMicrotask(() => {
        for (const [name, handler, once] of listeners) {
          if (name !== event) continue;
          if (once) off(name, handler);
          queueMicrotask(() => handler(detail));
        }
      }),
  };
};
