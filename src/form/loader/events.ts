import type { CardFormEventName, CardFormEvents } from './types.ts';

/** Typed by a method, whose parameters are bivariant, so that one map can hold the handlers of all events. */
type Handler = { handle(...args: unknown[]): void }['handle'];

/** The event methods of the form's API. */
type Events = {
  on(name: Listened, handler: (...args: never) => void, once?: boolean): () => void;
  once(name: Listened, handler: (...args: never) => void): () => void;
  off(name: Listened, handler: (...args: never) => void): void;
};

/** Emits an event to its handlers. */
export type Emit = <Name extends string>(
  name: Name,
  detail: Name extends CardFormEventName ? CardFormEvents[Name] : unknown,
) => void;

/** Resolves with the detail of the next of these events. */
type When = <Detail>(...names: readonly EventName[]) => Promise<Detail>;

/** The public events and five internal ones: the answers to four methods, and the end of a form without a payment. */
type EventName = CardFormEventName | 'unmount' | 'diagnostics' | 'validate' | 'refresh' | 'update';

/** Every public event. */
export const ALL = '*';

/** Internal events, which the page can't listen to. */
export const INTERNAL = /^(unmount|diagnostics|validate|refresh|update)$/;

/** Names that handlers can be added for. */
type Listened = EventName | typeof ALL;

/** The handlers given to `on()` by name, including names that are not events. */
export type Listeners = Readonly<Record<string, Map<unknown, unknown> | undefined>>;

/** Creates the events of a form. Handlers run asynchronously, after the code that caused the event. */
export const createEvents = (): readonly [emit: Emit, events: Events, when: When, listeners: Listeners] => {
  /** The handlers of each event, and whether each is called only once. */
  const handlers: { [name: string]: Map<Handler, unknown> | undefined } = Object.create(null);

  const on: Events['on'] = (name, handler, once) => {
    handlers[name] ??= new Map();
    handlers[name].set(handler, once);
    return () => handlers[name]?.delete(handler);
  };

  const call = (listened: string, ...args: readonly unknown[]) => {
    for (const [handler, once] of handlers[listened] ?? []) {
      if (once) handlers[listened]?.delete(handler);
      queueMicrotask(() => handler(...args));
    }
  };

  return [
    // One microtask for all, so that a handler attached right after mount() still gets events of mount(). Then one for
    // each handler, so that an exception surfaces as the page's error and doesn't stop other handlers.
    (name, detail) =>
      queueMicrotask(() => {
        call(name, detail);
        if (!INTERNAL.test(name)) call(ALL, name, detail);
      }),
    {
      on,
      off: (name, handler) => handlers[name]?.delete(handler),
      once: (name, handler) => on(name, handler, true),
    },
    (...names) =>
      new Promise((resolve) => {
        for (const name of names) on(name, resolve, true);
      }),
    handlers,
  ];
};
