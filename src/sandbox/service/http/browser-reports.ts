/**
 * Parses browsers' violation reports in both formats: `application/reports+json` (Reporting API, a list) and
 * `application/csp-report` (`report-uri` of a policy, one object).
 *
 * No report of the form should contain a card, a secret or a buyer's details. But a report of a URL that a script was
 * refused includes the query, and anything that runs in a buyer's browser can choose that. So if a report seems to
 * contain such data, the whole report is dropped.
 */
import type { BrowserReport, Finding } from '../core/report-log.ts';

/** The content types of reports. */
export const REPORT_TYPES = ['application/reports+json', 'application/csp-report'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** More reports than a browser sends in one body. */
const MAX_IN_BODY = 50;

/** In characters. Longer texts are cut. */
const MAX_TEXT = 300;

/** Returns the reports in a parsed body, or `null` if it is not in the format of its type. */
export const readReports = (type: ReportType, body: unknown, at: number): readonly BrowserReport[] | null => {
  if (type === 'application/csp-report') {
    const { 'csp-report': report } = recordOf(body);
    return isRecord(report) ? [reportOf('csp-violation', report['document-uri'], report, report, at)] : null;
  }
  if (!Array.isArray(body) || body.length > MAX_IN_BODY || !body.every(isRecord)) return null;
  return body.map((report) => reportOf(report.type, report.url, recordOf(report.body), report, at));
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** `whole` is everything that arrived; if it contains private data, the report is dropped. */
const reportOf = (
  type: unknown,
  url: unknown,
  body: Record<string, unknown>,
  whole: unknown,
  at: number,
): BrowserReport => {
  const dropped = findingIn(textsIn(whole));
  const name = typeof type === 'string' && /^[a-z-]{1,40}$/.test(type) ? type : 'unknown';
  if (dropped !== null) return { at, type: name, dropped };
  const fields = Object.entries(body)
    .filter(([field]) => !LEFT_OUT.includes(field) && /^[a-zA-Z-]{1,40}$/.test(field))
    .flatMap(([field, value]) => {
      const text = typeof value === 'string' || typeof value === 'number' ? shortened(`${value}`) : '';
      return text === '' ? [] : [[field, text] as const];
    });
  return {
    at,
    type: name,
    dropped,
    url: typeof url === 'string' ? shortened(url) : '',
    fields: Object.fromEntries(fields),
  };
};

/** The policy is known and makes reports unreadable. The document's URL is in `url`. */
const LEFT_OUT: readonly string[] = ['original-policy', 'originalPolicy', 'document-uri', 'documentURL'];

/** Cuts the query and fragment of a URL: the inspector has no use for them. */
const shortened = (text: string): string =>
  (/^[a-z]+:\/\//i.test(text) ? text.replace(/[?#].*/s, '') : text).slice(0, MAX_TEXT);

/**
 * Returns all texts in a parsed JSON value, including property names. Numbers count as texts, since they may be card
 * numbers.
 */
const textsIn = (whole: unknown): readonly string[] => {
  const texts: string[] = [];
  // No recursion: a report may be nested deeper than the stack.
  const rest: unknown[] = [whole];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string' || typeof value === 'number') texts.push(`${value}`);
    else if (Array.isArray(value)) for (const inner of value) rest.push(inner);
    else for (const [name, inner] of Object.entries(recordOf(value))) rest.push(name, inner);
  }
  return texts;
};

const findingIn = (texts: readonly string[]): Finding | null => {
  for (const text of texts.flatMap((one) => [one, decoded(one)])) {
    if (/lg_cs_|sk_live_/.test(text)) return 'secret';
    if (hasCardNumber(text)) return 'card_number';
    if (/[\w.+-]@[\w-]+\.[a-z]{2,}/i.test(text)) return 'email';
  }
  return null;
};

/** Decodes ASCII percent escapes such as `%20`. */
const decoded = (text: string): string =>
  text.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/**
 * 13 or more digits with at most two separators after each. Ignores the check digit, because a number may stand next to
 * an expiry date. Allows no dots or colons: an IP address and its port are not one number.
 */
const DIGITS = /\d(?:[ +_-]{0,2}\d){12,}/;

const hasCardNumber = (text: string): boolean => DIGITS.test(text.normalize('NFKC'));
