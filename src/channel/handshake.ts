/**
 * How the frame connects to the page that embeds it. Runs before anything else in the frame, so it has no dependency:
 * it checks only the envelope of `init`, and messages.ts parses the rest later.
 *
 *  1. The frame posts `hello` to its parent. It holds no secret yet and cannot know the parent's origin, so this is the
 *     only message of the product with the target `*`. It carries nothing but its type and versions.
 *  2. A message of the parent without a protocol is a hello request, sent by a loader that may have started after the
 *     frame. The frame answers with `hello` again, marked `again`, since the loader may have heard the first one.
 *  3. `init` is accepted only from the parent window, from an origin that is not opaque, with exactly one port.
 *  4. The first `init` ends the handshake; later messages are ignored. A reloaded frame starts again.
 *  5. A `hello` is never answered with a `hello`, or two frames could go on for ever, as could one that is its own
 *     parent.
 *
 * `document.referrer` and `ancestorOrigins` are not used: the embedding page can blank both.
 */
import { ownProperty } from './own-property.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

/** The parts of a message event that the handshake reads. */
export type ReceivedMessage = {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports: readonly MessagePort[];
};

/** The part of `window` that the handshake uses, so that tests can replace it. */
export type MessageSource = {
  addEventListener(type: 'message', listener: (event: ReceivedMessage) => void): void;
  removeEventListener(type: 'message', listener: (event: ReceivedMessage) => void): void;
};

/** The part of the parent window that the handshake uses. */
export type MessageTarget = { postMessage(message: unknown, targetOrigin: string): void };

/** `data` is `init`, not yet parsed; `origin` is the embedding page's. */
export type HandshakeResult = { data: unknown; port: MessagePort; origin: string };

/** Resolves when the parent has answered `hello` with `init` and a port. Never rejects and never times out. */
export const handshake = ({
  window,
  parent,
  release,
}: {
  window: MessageSource;
  parent: MessageTarget;
  release: string;
}): Promise<HandshakeResult> =>
  new Promise((resolve) => {
    const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release };
    const sayHello = (more?: { again: true }) => parent.postMessage({ ...hello, ...more }, '*');

    const listen = (event: ReceivedMessage) => {
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
