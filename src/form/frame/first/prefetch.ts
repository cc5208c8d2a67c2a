/** Sends the first read of the payment intent while the scripts that handle its answer are still loading. */
import { clientRequest, type PrefetchedRead, retrieveBody } from '../../../api/client-request.ts';

export type Prefetch = PrefetchedRead & {
  /** Whether the page's content security policy blocked the request. */
  isForbidden(): boolean;
};

/** `channel/read-options.ts` has checked the format of both. Once `secret` is emptied, nothing here has it either. */
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
  answer.catch(() => undefined); // the client handles it; without this a failure would count as unhandled
  return {
    isFor: (other) => other === body(),
    at: performance.now(),
    answer,
    abandon: () => abort.abort(),
    isForbidden: () => isForbidden,
  };
};
