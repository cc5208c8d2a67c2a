/**
 * The loader's side of the handshake (the frame's is channel/handshake.ts).
 *
 *  1. A hello counts only from the very window of our iframe *and* from the service's origin: others can have
 *     the one or the other. Anything at all may arrive, so nothing is read before it is known to be there.
 *  2. Each hello is answered with the secret and one end of a new private channel, posted to exactly the
 *     service's origin: a frame that was navigated away in the meantime cannot read it.
 *  3. A frame that the page put there itself may have said hello before anybody listened, so it is asked again:
 *     what it answers counts only where the first was not heard.
 *  4. From then on only the port speaks. Possession of its other end is the proof of who does.
 */
import type { FrameMessage, Hello, HostMessage, Init } from '../channel/messages.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';

/** What the loader has to say; the rest of `init` is the channel's. */
export type InitOptions = Omit<Init, 'channel' | 'type' | 'protocol'>;

/**
 * Listens until the signal, and returns what speaks over the port. `answer` is asked at each hello whether it is
 * to be answered, and with what.
 */
export const connect = (
  frame: () => Window | null | undefined,
  origin: string,
  signal: AbortSignal,
  answer: (release: unknown) => InitOptions | undefined,
  receive: (message: FrameMessage) => void,
): ((message: HostMessage) => void) => {
  let port: MessagePort | undefined;

  addEventListener(
    'message',
    (event: MessageEvent) => {
      const source = frame();
      const hello: Partial<Hello> | null | undefined = event.data;
      if (!source || event.source !== source || event.origin !== origin) return;
      // Hello is the one message our document ever sends to a window.
      if (hello?.channel !== CHANNEL) return;
      if (hello.again && port) return;
      // The release says all: of the loader's own the frame speaks its protocol.
      const init = answer(hello.release);
      if (!init) return;
      const { port1, port2 } = new MessageChannel();
      port?.close();
      port = port1;
      port.onmessage = ({ data }: MessageEvent<FrameMessage>) => receive(data);
      source.postMessage({ ...init, channel: CHANNEL, type: 'init', protocol: PROTOCOL }, origin, [port2]);
    },
    { signal },
  );
  signal.onabort = () => port?.close();
  return (message) => port?.postMessage(message);
};
