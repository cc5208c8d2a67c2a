/** Explains in one word and one sentence why a probe failed, from what the page and the network showed. */
import type { PageFinding } from './page.ts';

/**
 * Machine-readable reasons. `hostile`: something in the page tried to send a request that a form doesn't send before a
 * press.
 */
export const PROBE_REASONS = [
  'hostile',
  'loader',
  'mount',
  'csp',
  'file',
  'script',
  'frame',
  'key',
  'read',
  'payment',
  'typing',
  'cookie',
  'timeout',
] as const;
export type ProbeReason = (typeof PROBE_REASONS)[number];

/** The last answer to a request; `status` is 0 if there was none, with the browser's reason. */
export type Seen = { url: string; status: number; why: string };

/** Observations from the network and the console. */
export type Observed = {
  finding: PageFinding;
  /**
   * The last answer for the script, the frame's document and the read of the payment. Null if it was never requested.
   */
  loader: Seen | null;
  frame: Seen | null;
  read: Seen | null;
  /** Blocked requests. */
  stopped: readonly string[];
  /** The browser's console messages about policies. */
  policies: readonly string[];
  /** Addresses of the service whose answers set a cookie. */
  cookies: readonly string[];
  /** Files of the form that failed to arrive or didn't match their hash, one sentence each. */
  files: readonly string[];
  /** Uncaught errors thrown by scripts of the page or the frame, with their location. */
  thrown: readonly string[];
  /** Why a buyer couldn't type; null if typing worked or wasn't tried. */
  typing: string | null;
};

export type Diagnosis = { reason: ProbeReason; message: string } | null;

const answerOf = ({ url, status, why }: Seen): string => {
  if (status === 0) return `${url} got no answer${why === '' ? '' : ` (${why})`}`;
  return `${url} answered ${status}${why === '' ? '' : ` ${why}`}`;
};

/** Null if the form was ready and nothing was wrong. */
export const diagnose = ({
  finding,
  loader,
  frame,
  read,
  stopped,
  policies,
  cookies,
  files,
  thrown,
  typing,
}: Observed): Diagnosis => {
  const { end, hasTotal, detail, codes } = finding;
  const [first] = stopped;
  if (first !== undefined)
    return {
      reason: 'hostile',
      message: `${stopped.length === 1 ? 'a request was' : `${stopped.length} requests were`} stopped that no form sends before a press, such as ${first}`,
    };
  const [policy] = policies;
  const [file] = files;
  const [error] = thrown;
  if (end === 'ready' && hasTotal) {
    if (file !== undefined) return { reason: 'file', message: file };
    if (error !== undefined) return { reason: 'script', message: error };
    if (typing !== null) return { reason: 'typing', message: typing };
    return cookies[0] === undefined ? null : { reason: 'cookie', message: `${cookies[0]} set a cookie` };
  }
  if (end === 'no_loader')
    return { reason: 'loader', message: loader === null ? 'the script did not run' : answerOf(loader) };
  if (end === 'threw') return { reason: 'mount', message: detail };
  const isFrameWrong = frame !== null && (frame.status >= 400 || frame.status === 0);
  if (isFrameWrong && policy === undefined)
    return { reason: 'frame', message: `${answerOf(frame)}; ${detail || 'the form did not load'}` };
  if (end !== 'ready' && policy !== undefined) return { reason: 'csp', message: policy };
  if (end !== 'ready' && file !== undefined) return { reason: 'file', message: file };
  if (end !== 'ready' && error !== undefined)
    return { reason: 'script', message: detail === '' ? error : `${error}; ${detail}` };
  if (end === 'loaderror') return { reason: 'frame', message: detail };
  const isRefused = read !== null && (read.status === 401 || read.status === 403);
  // The HAR may lack the body: then the form has reported the service's error code.
  if (isRefused) return { reason: 'key', message: answerOf({ ...read, why: read.why || (codes[0] ?? '') }) };
  if (read !== null && read.status !== 200) return { reason: 'read', message: answerOf(read) };
  if (end === 'timeout') {
    const waited =
      finding.times.loader === null
        ? 'the script had not run'
        : read === null
          ? 'the payment had not been read'
          : 'the form was not ready';
    return { reason: 'timeout', message: `when the time was over, ${waited}` };
  }
  const why = codes.length === 0 ? 'the form showed no total' : `the form said ${codes.join(', ')}`;
  return { reason: 'payment', message: `${why}: the payment must be pending and complete` };
};
