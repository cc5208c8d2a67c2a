import type { Clock } from '../core/clock.ts';
import { ConnectionCut } from '../core/errors.ts';

/** What can befall an answer on its way. Combined, they apply in the order in which they stand here. */
export type ResponseFault = {
  /** Seconds on the sandbox's clock before anything is sent. */
  delaySeconds?: number;
  /** Nothing is ever sent; the connection stays open until the caller or the sandbox gives up. */
  never?: boolean;
  /** The connection ends without an answer. */
  cut?: boolean;
  /** The body is a page instead of JSON, as from a proxy. */
  html?: boolean;
  /** The body ends after so many bytes, though its length promises more. */
  truncateAt?: number | 'middle';
};

/** A day: as good as for ever for whoever waits for an answer. */
const FOR_EVER = 86_400_000;

const PAGE = '<!doctype html><title>Please wait</title><p>The page you asked for will be here soon.</p>\n';

/** Whether an answer of this status never has a body; the platform refuses to make one that has. */
export const bodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** An answer after what befell it. Rejects with `ConnectionCut` where there is none. */
export const applyResponseFault = async (
  answer: Response,
  responseFault: ResponseFault,
  clock: Clock,
  /** Aborts when nobody waits any more. Asked for only where there is a wait. */
  signal: () => AbortSignal,
): Promise<Response> => {
  const wait = async (ms: number) => {
    const over = signal();
    await clock.wait(ms, over);
    if (over.aborted) throw new ConnectionCut('nobody waits for this answer any more');
  };
  if (responseFault.delaySeconds) await wait(responseFault.delaySeconds * 1000);
  if (responseFault.never) {
    await wait(FOR_EVER);
    throw new ConnectionCut('this answer was never to come');
  }
  if (responseFault.cut) throw new ConnectionCut('the connection was cut before the answer');
  const whole = responseFault.html && !bodiless(answer.status) ? asPage(answer) : answer;
  return responseFault.truncateAt === undefined ? whole : truncated(whole, responseFault.truncateAt);
};

const asPage = (answer: Response): Response => {
  const headers = new Headers(answer.headers);
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-length', String(PAGE.length));
  return new Response(PAGE, { status: answer.status, headers });
};

/** The promised length stays, so that a reader can tell; the body breaks off where the bytes end. */
const truncated = async (answer: Response, at: number | 'middle'): Promise<Response> => {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const kept = bytes.slice(0, at === 'middle' ? Math.floor(bytes.length / 2) : at);
  if (kept.length === bytes.length) return new Response(bytes, answer);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (kept.length > 0) controller.enqueue(kept);
      },
      // Not in `start`: an error there would throw away the bytes that are waiting to be read.
      pull: (controller) => controller.error(new ConnectionCut('the body was cut')),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: answer.status, headers: answer.headers });
};
