/**
 * What keeps the form from asking, where it is no network: a blocker in the browser, or a policy the frame was
 * served with (research 2.7). `fetch` tells neither from a dead connection; how soon it says no does.
 */
import type { Result } from '../../api/errors.ts';

/** In ms. A request that is refused sooner has hardly left the browser. */
const AT_ONCE = 50;
/** So often in a row it is no chance. */
const TIMES = 3;

export type Blocked = {
  /**
   * Asks, and names what kept it from being answered. Where that is not known the failure stays as it is. `since`:
   * when it was sent, where that was before now.
   */
  name<Value>(ask: () => Promise<Result<Value>>, since?: number): Promise<Result<Value>>;
};

/** Listens to the document until the signal. `now` in monotonic ms; `isOnline`: the browser does not deny it. */
export const createBlocked = (
  {
    now,
    isOnline,
    origin,
    isForbidden = false,
  }: {
    now: () => number;
    isOnline: () => boolean;
    origin: string;
    /** A policy has already kept a request of ours from being sent. */
    isForbidden?: boolean;
  },
  signal: AbortSignal,
): Blocked => {
  let byPolicy = isForbidden;
  let atOnce = 0;
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, effectiveDirective, blockedURI }) => {
      const isOurs = effectiveDirective === 'connect-src' && blockedURI.startsWith(`${origin}/`);
      if (disposition === 'enforce' && isOurs) byPolicy = true;
    },
    { signal },
  );

  return {
    async name(ask, since) {
      const from = since ?? now();
      const result = await ask();
      const isUnreached =
        !result.ok && result.failure.kind === 'no_answer' && result.failure.reason === 'network';
      atOnce = isUnreached && isOnline() && now() - from < AT_ONCE ? atOnce + 1 : 0;
      if (!isUnreached || !isOnline()) return result;
      const reason = byPolicy ? 'internal_csp' : atOnce >= TIMES ? 'blocked_fetch' : 'network';
      return { ok: false, failure: { kind: 'no_answer', reason } };
    },
  };
};
