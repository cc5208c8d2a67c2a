/**
 * The frame's end of the port. Only the embedding page holds the other end, so messages need no origin check; but the
 * page is not trusted, so every message is measured and parsed.
 */
import { measure } from './bounds.ts';
import { type FrameMessage, type HostMessage, readHostMessage } from './messages.ts';
import { ownProperty } from './own-property.ts';

/** Maximum number of messages accepted per second. Legitimate pages send far fewer. */
export const MOST_PER_SECOND = 20;

/**
 * Messages accepted even after a violation: requests whose answer the page awaits, and its answer about covers, whose
 * absence would count as a cover.
 */
const QUESTIONS: readonly unknown[] = ['diagnostics', 'validate', 'refresh', 'covers'];

/** The page exceeded a limit of the channel. */
export type Violation = 'protocol';

export type FramePort = { post(message: FrameMessage): void; close(): void };

/**
 * Receives the loader's messages until `close`. Unknown and malformed messages are dropped silently, so that a newer
 * loader can talk to this frame. After a message that exceeds the limits of size, depth or rate, only `QUESTIONS` are
 * received, so that nobody waits forever and the page can report what it did; an `update()` only as `dropped`. The frame
 * still posts, because the page must learn the outcome of the payment.
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
    /** Milliseconds of a monotonic clock. */
    now(): number;
  },
): FramePort => {
  let open = true;
  /** Arrival times of the messages of the last second, oldest first. */
  let times: readonly number[] = [];
  /** Number of cover answers the page still owes. They don't count, since the form asks as often as a buyer presses. */
  let owed = 0;

  const close = () => {
    open = false;
    port.onmessage = null;
    port.close();
  };

  let isViolated = false;
  const drop = (data: unknown) => {
    if (!isViolated) onViolation('protocol');
    isViolated = true;
    const isCall = ownProperty(data, 'type') === 'update' && ownProperty(data, 'clientSecret') !== undefined;
    if (isCall) onMessage({ type: 'dropped' });
  };

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const type = ownProperty(data, 'type');
    if (isViolated && !QUESTIONS.includes(type)) return drop(data);
    if (type === 'covers' && owed > 0) owed -= 1;
    else {
      const time = now();
      times = times.filter((earlier) => time - earlier < 1000);
      if (times.length >= MOST_PER_SECOND) return drop(data);
      times = [...times, time];
    }
    // Its bytes are not text to measure or parse: `page-fonts.ts` counts them, if it requested them.
    if (type === 'font') return onMessage({ type, answer: data });
    const bounds = measure(data);
    if (bounds === 'oversized') return drop(data);
    if (bounds === 'foreign') return;
    const message = readHostMessage(data);
    if (message) onMessage(message);
  };

  return {
    post: (message) => {
      if (!open) return;
      if (message.type === 'covers') owed += 1;
      port.postMessage(message);
    },
    close,
  };
};
