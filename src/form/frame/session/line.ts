/**
 * The frame's one port to the page. Every part of the frame posts and hears by it, so it is here that a parked form falls silent, and
 * that one which comes back is led to the page's next port. No other part learns of either.
 */
import { EVENTS } from '../../channel/events.ts';
import { ownProperty } from '../../channel/own-property.ts';

/** The answer to a question about covers that no page answers any more: a press that waits for it does not count. */
const UNSEEN = { type: 'covers', covers: ['over', 'over', 'over'] };

export type PageLine = {
  /** Closes the port. From now on nothing is posted and nothing is heard. */
  cut(): void;
  /** Posts and hears by this port from now on; what is an event for the page waits for `open`. */
  lead(next: MessagePort): void;
  /** Ends that. Returns the messages that have waited. */
  open(): readonly unknown[];
};

/** Takes over a port that is in use: its handler is set. */
export const createLine = (port: MessagePort): PageLine => {
  const hear = port.onmessage;
  let end: { post(message: unknown): void; close(): void } | null = {
    post: port.postMessage.bind(port),
    close: port.close.bind(port),
  };
  let waiting: unknown[] | null = null;
  /** How many questions about covers are open. */
  let owed = 0;

  port.onmessage = (event) => {
    if (owed > 0 && ownProperty(event.data, 'type') === UNSEEN.type) owed -= 1;
    hear?.call(port, event);
  };
  port.postMessage = (message: unknown) => {
    if (!end) return;
    const type = ownProperty(message, 'type');
    if (type === UNSEEN.type) owed += 1;
    if (waiting && typeof type === 'string' && Object.hasOwn(EVENTS, type)) waiting.push(message);
    else end.post(message);
  };
  port.close = () => end?.close();

  return {
    cut() {
      end?.close();
      end = null;
      while (owed > 0) port.onmessage?.(new MessageEvent('message', { data: UNSEEN }));
    },
    lead(next) {
      waiting = [];
      end = { post: next.postMessage.bind(next), close: next.close.bind(next) };
      next.onmessage = (event) => port.onmessage?.(event);
    },
    open() {
      const waited = waiting ?? [];
      waiting = null;
      return waited;
    },
  };
};
