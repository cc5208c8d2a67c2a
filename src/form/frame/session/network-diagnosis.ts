/**
 * Distinguishes a dead connection, a blocker in the browser, and a policy the frame was served with (outcomes 2.7).
 * `fetch` rejects with the same error for all three, but not equally fast.
 */
import type { ServiceAnswer } from '../../../api/errors.ts';

/** In ms. A request that fails sooner never left the browser. */
const IMMEDIATE = 50;
/** Consecutive immediate failures that count as a blocker. */
const BLOCKED_AFTER = 3;

export type NetworkDiagnosis = {
  /**
   * Sends a request. If it gets no answer, replaces the reason with the actual cause, if known. `since`: when the
   * request was sent, in monotonic ms, if before now.
   */
  diagnose<Value>(send: () => Promise<ServiceAnswer<Value>>, since?: number): Promise<ServiceAnswer<Value>>;
};

/** Listens for policy violations until `signal` aborts. `now` in monotonic ms. */
export const createNetworkDiagnosis = (
  {
    now,
    isOnline,
    origin,
    isForbidden = false,
  }: {
    now: () => number;
    isOnline: () => boolean;
    origin: string;
    /** True if a policy has already blocked a request of the form. */
    isForbidden?: boolean;
  },
  signal: AbortSignal,
): NetworkDiagnosis => {
  let byPolicy = isForbidden;
  let immediateFailures = 0;
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, effectiveDirective, blockedURI }) => {
      const isOurs = effectiveDirective === 'connect-src' && blockedURI.startsWith(`${origin}/`);
      if (disposition === 'enforce' && isOurs) byPolicy = true;
    },
    { signal },
  );

  return {
    async diagnose(send, since) {
      const from = since ?? now();
      const result = await send();
      const isUnreached =
        !result.ok && result.failure.kind === 'no_answer' && result.failure.reason === 'network';
      immediateFailures = isUnreached && isOnline() && now() - from < IMMEDIATE ? immediateFailures + 1 : 0;
      if (!isUnreached || !isOnline()) return result;
      const reason = byPolicy
        ? 'internal_csp'
        : immediateFailures >= BLOCKED_AFTER
          ? 'blocked_fetch'
          : 'network';
      return { ok: false, failure: { kind: 'no_answer', reason } };
    },
  };
};
