/**
 * Violation reports of browsers about the frame's document: refused scripts and requests, interventions, deprecations and
 * crashes. They are off unless the owner of the service names an address of their own (docs/hosting.md). Off means that
 * no rule changes by a byte.
 */
import { type Headers, ORIGIN, type Rule } from './headers.ts';

/** The one endpoint. Browsers send interventions, deprecations and crashes to the endpoint of this name alone. */
const ENDPOINT = 'default';

const CSP = 'content-security-policy';
const ENDPOINTS = 'reporting-endpoints';

/**
 * Whether reports can be sent to this address: a path on the service's own origin, or an https URL. No query, and no
 * character that has a meaning in a header or in the configuration of a server.
 */
export const isReportsTo = (text: string): boolean =>
  /^(https:\/\/[a-z0-9.-]+(:\d{1,5})?)?\/[\w./~-]*$/.test(text) && !text.startsWith('//');

/** The rules with reports to an address that `isReportsTo` accepts; the same rules for `null`. */
export const withReports = (rules: readonly Rule[], reportsTo: string | null): readonly Rule[] => {
  if (reportsTo === null) return rules;
  const url = reportsTo.startsWith('/') ? `${ORIGIN}${reportsTo}` : reportsTo;
  return rules.map(({ address, headers }) =>
    CSP in headers
      ? { address, headers: { ...headers, ...reportingHeaders(headers, url) } }
      : { address, headers },
  );
};

/**
 * The headers of a document that change. No policy has `report-sample`: a report must not quote scripts, which may hold
 * what was typed. Integrity-Policy and COEP name their endpoint each in its own grammar.
 */
const reportingHeaders = (headers: Headers, url: string): Headers => ({
  // Without reports of its own: the address of a connection that was refused may hold what was typed.
  ...(url.startsWith(ORIGIN) ? {} : { 'connection-allowlist': `(response-origin "${url}")` }),
  [ENDPOINTS]: `${ENDPOINT}="${url}"`,
  // Browsers that know `report-to` ignore `report-uri`.
  [CSP]: `${headers[CSP]}; report-uri ${url}; report-to ${ENDPOINT}`,
  'integrity-policy': `${headers['integrity-policy']}, endpoints=(${ENDPOINT})`,
  'cross-origin-embedder-policy': `${headers['cross-origin-embedder-policy']}; report-to="${ENDPOINT}"`,
});

/**
 * The same headers for plain http, where browsers know no endpoint: without `report-to`, they send reports of the policy
 * to its `report-uri`.
 */
export const withoutEndpoints = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== ENDPOINTS)
      .map(([name, value]) => [name, name === CSP ? value.replace(`; report-to ${ENDPOINT}`, '') : value]),
  );
