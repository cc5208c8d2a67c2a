/** Sends the first read of the payment intent while the scripts that handle its answer are still loading. */
import { clientRequest, type PrefetchedRead, retrieveBody } from '../../../api/client-request.ts';

export type Prefetch = PrefetchedRead & {
  /** Whether the page's content security policy blocked the request. */
  isForbidden(): boolean;
};

/** `channel/read-options.ts` has checked the format of both. */
export const prefetchIntent = (publishableKey: string, clientSecret: string): Prefetch => {
  const abort = new AbortController();
  const body = retrieveBody(clientSecret);
  let isForbidden = false;
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, effectiveDirective }) => {
      isForbidden ||= disposition === 'enforce' && effectiveDirective === 'connect-src';
    },
    { signal: abort.signal },
  );
  const answer = fetch(...clientRequest(location.origin, publishableKey, 'retrieve', body, abort.signal));
  answer.catch(() => undefined); // the client handles it; without this a failure would count as unhandled
  return {
    body,
    at: performance.now(),
    answer,
    abandon: () => abort.abort(),
    isForbidden: () => isForbidden,
  };
};
