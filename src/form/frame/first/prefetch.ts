/** Sends the first read of the payment intent while the scripts that handle its answer are still loading. */
import { clientRequest, type PrefetchedRead, retrieveBody } from '../../../api/client-request.ts';

export type Prefetch = PrefetchedRead & {
  /** True if the page's content security policy blocked the request. */
  isForbidden(): boolean;
};

/**
 * `channel/read-options.ts` has validated both. Keeps no copy of the secret, so emptying `secret` removes it here, too.
 */
export const prefetchIntent = (publishableKey: string, secret: { readonly value: string }): Prefetch => {
  const abort = new AbortController();
  const body = () => retrieveBody(secret.value);
  let isForbidden = false;
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, effectiveDirective }) => {
      isForbidden ||= disposition === 'enforce' && effectiveDirective === 'connect-src';
    },
    { signal: abort.signal },
  );
  const answer = fetch(...clientRequest(location.origin, publishableKey, 'retrieve', body(), abort.signal));
  answer.catch(() => undefined); // the client handles it; prevents an unhandled rejection
  return {
    isFor: (other) => other === body(),
    at: performance.now(),
    answer,
    abandon: () => abort.abort(),
    isForbidden: () => isForbidden,
  };
};
