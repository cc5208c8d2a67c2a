/** The first read of the payment, on its way before what reads its answer has arrived. */
import { clientRequest, type PrefetchedRead, retrieveBody } from '../../api/client-request.ts';

export type Ahead = PrefetchedRead & {
  /** Whether a policy kept it from being sent. */
  isForbidden(): boolean;
};

/** Sends it. Both have the form the service gives them (`channel/init-preview.ts`). */
export const readAhead = (publishableKey: string, clientSecret: string): Ahead => {
  const abandoning = new AbortController();
  const body = retrieveBody(clientSecret);
  let isForbidden = false;
  document.addEventListener(
    'securitypolicyviolation',
    ({ disposition, effectiveDirective }) => {
      isForbidden ||= disposition === 'enforce' && effectiveDirective === 'connect-src';
    },
    { signal: abandoning.signal },
  );
  const answer = fetch(
    ...clientRequest(location.origin, publishableKey, 'retrieve', body, abandoning.signal),
  );
  answer.catch(() => undefined); // whoever takes it hears of it
  return {
    body,
    at: performance.now(),
    answer,
    abandon: () => abandoning.abort(),
    isForbidden: () => isForbidden,
  };
};
