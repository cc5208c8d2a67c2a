/**
 * Browsers' violation reports about the frame's document: refused scripts and requests, interventions, deprecations and
 * crashes. They are off unless the service's owner gives an address (docs/hosting.md). While they are off, no rule
 * changes by a single byte.
 */
import { type Headers, ORIGIN, type Rule } from './headers.ts';

/** The only endpoint. Browsers send interventions, deprecations and crashes only to the endpoint with this name. */
const ENDPOINT = 'default';

const CSP = 'content-security-policy';
const ENDPOINTS = 'reporting-endpoints';

/**
 * Returns true if reports can be sent to this address: a path on the service's own origin, or an https URL. It may have
 * no query, and no character with a meaning in a header or in a server's configuration.
 */
export const isReportsTo = (text: string): boolean =>
  /^(https:\/\/[a-z0-9.-]+(:\d{1,5})?)?\/[\w./~-]*$/.test(text) && !text.startsWith('//');

/** Adds reports to an address that `isReportsTo` accepts. Returns the same rules for `null`. */
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
 * The document headers that change. No policy has `report-sample`: a report must not quote scripts, which may contain
 * typed data. Integrity-Policy and COEP each name their endpoint in their own grammar.
 */
const reportingHeaders = (headers: Headers, url: string): Headers => ({
  // Sends no reports itself, because the address of a refused connection may contain typed data.
  ...(url.startsWith(ORIGIN) ? {} : { 'connection-allowlist': `(response-origin "${url}")` }),
  [ENDPOINTS]: `${ENDPOINT}="${url}"`,
  // Browsers that support `report-to` ignore `report-uri`.
  [CSP]: `${headers[CSP]}; report-uri ${url}; report-to ${ENDPOINT}`,
  'integrity-policy': `${headers['integrity-policy']}, endpoints=(${ENDPOINT})`,
  'cross-origin-embedder-policy': `${headers['cross-origin-embedder-policy']}; report-to="${ENDPOINT}"`,
});

/**
 * The same headers for plain http, where browsers know no endpoint: without `report-to`, they send policy reports to
 * its `report-uri`.
 */
export const withoutEndpoints = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== ENDPOINTS)
      .map(([name, value]) => [name, name === CSP ? value.replace(`; report-to ${ENDPOINT}`, '') : value]),
  );
