/**
 * The frame's end of the private port. Possession of the other end is the proof of who speaks, so no message
 * needs an origin; but the page that holds it is not trusted, so every message is measured and parsed.
 */
import { measure } from './bounds.ts';
import { type FrameMessage, HostMessage } from './messages.ts';

/** Messages a second that are listened to: no honest page comes near. */
export const MOST_PER_SECOND = 20;

/** The page broke a limit of the channel. */
export type Violation = 'protocol';

/** What the frame can do with its end of the port. */
export type FramePort = { post(message: FrameMessage): void; close(): void };

/**
 * Listens to the loader until `close`. Unknown types and malformed messages are dropped without a word, so
 * that a newer loader can talk to us. Size, depth and rate are limits: who breaks one is not listened to any
 * more, and still spoken to, because a page must hear how a payment ends.
 */
export const createFramePort = (
  port: MessagePort,
  {
    onMessage,
    onViolation,
    now,
  }: {
    onMessage(message: HostMessage): void;
    onViolation(violation: Violation): void;
    /** Milliseconds on a clock that never goes back. */
    now(): number;
  },
): FramePort => {
  let open = true;
  /** When the latest messages came, oldest first. */
  let times: readonly number[] = [];

  const close = () => {
    open = false;
    port.onmessage = null;
    port.close();
  };

  const violate = () => {
    port.onmessage = null;
    onViolation('protocol');
  };

  port.onmessage = (event: MessageEvent<unknown>) => {
    const time = now();
    times = [...times.filter((earlier) => time - earlier < 1000), time];
    if (times.length > MOST_PER_SECOND) return violate();
    const bounds = measure(event.data);
    if (bounds === 'oversized') return violate();
    if (bounds === 'foreign') return;
    const parsed = HostMessage.safeParse(event.data);
    if (parsed.success) onMessage(parsed.data);
  };

  return {
    post: (message) => {
      if (open) port.postMessage(message);
    },
    close,
  };
};
