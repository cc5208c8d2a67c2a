/**
 * Connects the frame to the page that embeds it. It runs before anything else in the frame, so it has no dependency: it
 * checks only the envelope of `init`, and messages.ts parses the rest later.
 *
 *  1. The frame posts `hello` to its parent. It holds no secret yet and cannot know the parent's origin, so this is the
 *     product's only message with the target `*`. It contains only its type and versions. A short script in the
 *     document's head posts it (`greetEarly`), so that the page answers while the rest is still loading.
 *  2. A message from the parent without a protocol is a hello request, sent by a loader that may have started after the
 *     frame. The frame posts `hello` again, marked `again`, since the loader may have received the first one.
 *  3. `init` is accepted only from the parent window, from an origin that is not opaque, with exactly one port.
 *  4. The first `init` ends the handshake; later messages are ignored. A reloaded frame starts again.
 *  5. A `hello` is never answered with a `hello`, or two frames (or a frame that is its own parent) could loop forever.
 *
 * `document.referrer` and `ancestorOrigins` are not used: the embedding page can blank both.
 */
import type { Hello } from './messages.ts';
import { ownProperty } from './own-property.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

/** The parts of a message event that the handshake reads. */
export type ReceivedMessage = {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports: readonly MessagePort[];
};

/** Left by `greetEarly` for `handshake`: its hello, and all messages since, in order. */
type Greeting = { readonly hello: Hello; readonly heard: ReceivedMessage[] };

/** The part of the parent window that both functions use. */
type MessageTarget = { postMessage(message: unknown, targetOrigin: string): void };

/** Typed by a method, whose parameter is bivariant, so that a real window fits. */
type Listener = { hear(event: ReceivedMessage): void }['hear'];

/** The part of the frame's window that both functions use, so that tests can replace it. */
export type FrameWindow = MessageTarget & {
  readonly parent: MessageTarget;
  onmessage: Listener | null;
  greeting: Greeting;
};

declare global {
  interface Window {
    /** In a frame, once `greetEarly` has run. */
    greeting: Greeting;
  }
}

/** `data` is `init`, not yet parsed; `origin` is the embedding page's. */
export type HandshakeResult = { data: unknown; port: MessagePort; origin: string };

/** The first message of a release. */
export const helloOf = (release: string): Hello => ({
  channel: CHANNEL,
  type: 'hello',
  protocols: [PROTOCOL],
  release,
});

/**
 * Posts `hello` and records incoming messages. The document contains its source text (`hosting/document.ts`), so it
 * must not use anything from this module. A document outside a frame has nobody to greet.
 */
export const greetEarly = (window: FrameWindow, hello: Hello): void => {
  if (window.parent === window) return;
  const heard: ReceivedMessage[] = [];
  window.onmessage = (event) => heard.push(event);
  window.greeting = { hello, heard };
  window.parent.postMessage(hello, '*');
};

/** Resolves when the parent has answered `hello` with `init` and a port. Never rejects and never times out. */
export const handshake = (window: FrameWindow): Promise<HandshakeResult> =>
  new Promise((resolve) => {
    const {
      parent,
      greeting: { hello, heard },
    } = window;
    const listen = (event: ReceivedMessage) => {
      if (window.onmessage !== listen || event.source !== parent || event.origin === 'null') return;
      const { data } = event;
      if (ownProperty(data, 'channel') !== CHANNEL || ownProperty(data, 'type') === 'hello') return;
      if (ownProperty(data, 'protocol') === undefined)
        return parent.postMessage({ ...hello, again: true }, '*');
      const [port, ...others] = event.ports;
      if (ownProperty(data, 'protocol') !== PROTOCOL || !port || others.length) return;
      window.onmessage = null;
      resolve({ data, port, origin: event.origin });
    };

    window.onmessage = listen;
    // Removes the messages from the list, since `init` holds the client secret and would be kept forever.
    for (const event of heard.splice(0)) listen(event);
  });
