/**
 * Removes secrets from everything a probe saves and prints. The publishable key may stay: every page of the merchant
 * contains it.
 */

import { SECRETS } from '../../api/secrets.ts';

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

const REMOVED = '(removed)';

const escaped = (text: string): string => text.replace(/[\\^$.|?+*()[\]{}/-]/g, '\\$&');

/** A redactor that also knows this run's secret, in every form in which a page can show or send it. */
export const redactor = (clientSecret: string): Redact => {
  const forms = [
    clientSecret,
    encodeURIComponent(clientSecret),
    Buffer.from(clientSecret)
      .toString('base64')
      .replace(/={1,2}$/, ''),
    Buffer.from(clientSecret).toString('base64url'),
    Buffer.from(clientSecret).toString('hex'),
    [...clientSecret].reverse().join(''),
  ];
  const known = new RegExp(forms.map(escaped).join('|'), 'gi');
  return (text) => text.replace(known, REMOVED).replace(SECRETS, REMOVED);
};

/** Header fields whose values are removed from a HAR. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A HAR without secrets. Bodies and cookies are removed. A blocked request keeps only its origin, because its path may
 * contain anything. `keepsUrl` returns true for URLs that were let through.
 */
export const redactHar = (
  har: string,
  {
    redact,
    publishableKey,
    keepsUrl,
  }: { redact: Redact; publishableKey: string; keepsUrl: (url: string) => boolean },
): string => {
  const header = (value: Record<string, unknown>): unknown =>
    SECRET_HEADERS.includes(`${value.name}`.toLowerCase()) && value.value !== `Bearer ${publishableKey}`
      ? { name: value.name, value: REMOVED }
      : value;
  const url = (text: string): string =>
    keepsUrl(text) ? redact(text) : URL.canParse(text) ? redact(new URL(text).origin) : REMOVED;
  const clean = (key: string, value: unknown): unknown => {
    switch (key) {
      case 'cookies':
      case 'queryString':
        return [];
      case 'postData':
      case 'title':
      case '_webSocketMessages':
        return REMOVED;
      case 'content':
        return isRecord(value) ? { ...value, text: REMOVED } : value;
      case 'headers':
        return Array.isArray(value) ? value.map((one) => (isRecord(one) ? header(one) : one)) : value;
      case 'url':
      case 'redirectURL':
        return typeof value === 'string' && value !== '' ? url(value) : value;
      default:
        return typeof value === 'string' ? redact(value) : value;
    }
  };
  return `${JSON.stringify(JSON.parse(har, clean), null, 2)}\n`;
};
