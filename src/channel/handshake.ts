/**
 * How the frame finds out who holds it. Runs before anything else in the frame, so it carries no dependency:
 * what it accepts is an `init` by shape only, and messages.ts decides later whether it is a good one.
 *
 *  1. The frame says `hello` to its parent. It holds no secret yet and cannot know the parent's origin, so
 *     this is the one message of the whole product with the target `*`; it carries type and versions only.
 *  2. A word of the parent that names no protocol is a knock. It is answered by `hello`, marked as said again: the
 *     loader may have come after the frame, or have heard it all the same.
 *  3. `init` counts only from the parent window, from an origin that can be named, with exactly one port.
 *  4. The first `init` ends the handshake; whatever follows is not heard. A reloaded frame begins anew.
 *  5. A `hello` is never answered by another one: two frames, or one that is its own parent, would not stop.
 *
 * `document.referrer` and `ancestorOrigins` play no part: the embedding page can blank both.
 */
import { ownProperty } from './own-property.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

/** What the handshake looks at in a message. */
export type Heard = {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports: readonly MessagePort[];
};

/** What the handshake needs of a window, so that a test can be one. */
export type Listening = {
  addEventListener(type: 'message', listener: (event: Heard) => void): void;
  removeEventListener(type: 'message', listener: (event: Heard) => void): void;
};

/** What the handshake needs of the parent window. */
export type Reachable = { postMessage(message: unknown, targetOrigin: string): void };

/** What the handshake ends with: `data` has still to be parsed, `origin` is the embedding page's. */
export type HandshakeResult = { data: unknown; port: MessagePort; origin: string };

/** Says hello until the parent answers with an `init` and a port. Never rejects; waits as long as it takes. */
export const handshake = ({
  window,
  parent,
  release,
}: {
  window: Listening;
  parent: Reachable;
  release: string;
}): Promise<HandshakeResult> =>
  new Promise((resolve) => {
    const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release };
    const sayHello = (more?: { again: true }) => parent.postMessage({ ...hello, ...more }, '*');

    const listen = (event: Heard) => {
      if (event.source !== parent || event.origin === 'null') return;
      const { data } = event;
      if (ownProperty(data, 'channel') !== CHANNEL || ownProperty(data, 'type') === 'hello') return;
      if (ownProperty(data, 'protocol') === undefined) return sayHello({ again: true });
      const [port, ...others] = event.ports;
      if (ownProperty(data, 'protocol') !== PROTOCOL || !port || others.length) return;
      window.removeEventListener('message', listen);
      resolve({ data, port, origin: event.origin });
    };

    window.addEventListener('message', listen);
    sayHello();
  });
