/**
 * The frame's only port to the page. Every part of the frame posts and receives through it, so this is where a parked
 * form goes silent and where a returning one switches to the page's next port. No other part knows of either.
 */
import { EVENTS } from '../../channel/events.ts';
import { ownProperty } from '../../channel/own-property.ts';

/** Answers a question about covers that the page no longer can, so that the press waiting for it does not count. */
const UNSEEN = { type: 'covers', covers: ['over', 'over', 'over'] };

export type PageLine = {
  /** Closes the port. Nothing is posted or received from now on. */
  cut(): void;
  /** Switches to this port; messages that are events for the page are queued until `open`. */
  lead(next: MessagePort): void;
  /** Stops queueing. Returns the queued messages. */
  open(): readonly unknown[];
};

/** Takes over a port in use, whose handler is already set. */
export const createLine = (port: MessagePort): PageLine => {
  const hear = port.onmessage;
  let end: { post(message: unknown): void; close(): void } | null = {
    post: port.postMessage.bind(port),
    close: port.close.bind(port),
  };
  let waiting: unknown[] | null = null;
  /** Number of open questions about covers. */
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
