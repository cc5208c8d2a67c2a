import type { WallClock } from '../core/clock.ts';
import { ConnectionCut } from '../core/errors.ts';

/** Faults of a response in transit. Combined faults apply in the order of these fields. */
export type ResponseFault = {
  /** Seconds on the sandbox's clock before anything is sent. */
  delaySeconds?: number;
  /** Nothing is sent; the connection stays open until the caller or the sandbox closes it. */
  never?: boolean;
  /** The connection is closed without a response. */
  cut?: boolean;
  /** The body is an HTML page instead of JSON, as from a proxy. */
  html?: boolean;
  /** The body ends after this many bytes, although Content-Length promises more. */
  truncateAt?: number | 'middle';
};

/** Longer than any caller waits. */
const ONE_DAY = 86_400_000;

const PAGE = '<!doctype html><title>Please wait</title><p>The page you asked for will be here soon.</p>\n';

/** Returns true if a response with this status has no body: `new Response` throws if it gets one. */
export const bodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** Applies the fault to a response. Rejects with `ConnectionCut` if no response is to be sent. */
export const applyResponseFault = async (
  response: Response,
  responseFault: ResponseFault,
  clock: WallClock,
  /** Returns a signal that aborts when the caller disconnects. Called only if there is a wait. */
  signal: () => AbortSignal,
): Promise<Response> => {
  const wait = async (ms: number) => {
    const gone = signal();
    await clock.wait(ms, gone);
    if (gone.aborted) throw new ConnectionCut('the caller is gone');
  };
  if (responseFault.delaySeconds) await wait(responseFault.delaySeconds * 1000);
  if (responseFault.never) {
    await wait(ONE_DAY);
    throw new ConnectionCut('the fault withholds this response');
  }
  if (responseFault.cut) throw new ConnectionCut('the connection was cut before the response');
  const whole = responseFault.html && !bodiless(response.status) ? asPage(response) : response;
  return responseFault.truncateAt === undefined ? whole : truncated(whole, responseFault.truncateAt);
};

const asPage = (response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-length', String(PAGE.length));
  return new Response(PAGE, { status: response.status, headers });
};

/** Cuts the body but keeps Content-Length, so that the reader sees an incomplete response. */
const truncated = async (response: Response, at: number | 'middle'): Promise<Response> => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const kept = bytes.slice(0, at === 'middle' ? Math.floor(bytes.length / 2) : at);
  if (kept.length === bytes.length) return new Response(bytes, response);
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (kept.length > 0) controller.enqueue(kept);
      },
      // Not in `start`: an error there would discard the enqueued bytes.
      pull: (controller) => controller.error(new ConnectionCut('the body was cut')),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};
