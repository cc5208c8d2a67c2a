import { isLoopbackHost } from '../../../api/loopback.ts';

/** In characters (contract S17.16). */
export const LONGEST_WEBHOOK_URL = 2048;

/**
 * Names that are never in public DNS (RFC 2606, 6761, 6762, 7686, 8375, 9476, and common private ones). The description
 * gives three of them as examples; the others are ours (contract 5.9).
 */
export const PRIVATE_ENDINGS = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'test',
  'example',
  'invalid',
  'onion',
  'alt',
];

/**
 * Returns the problem with the URL of an endpoint, worded to follow "must", or `null` (contract S13.2). `allowLocal`
 * also accepts this machine, and `hosts` those names, on any port and without TLS. Only the sandbox sets them, for
 * local development.
 */
export const webhookUrlProblem = (
  text: string,
  { allowLocal, hosts = [] }: { allowLocal: boolean; hosts?: readonly string[] },
): string | null => {
  if (text.length > LONGEST_WEBHOOK_URL) {
    return `be at most ${LONGEST_WEBHOOK_URL} characters long; got ${text.length}`;
  }
  // The parser silently drops some characters, but the stored URL must equal the one sent.
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('\\')) {
    return 'be written in ASCII without spaces and backslashes; got other characters. Percent-encode them, and write a host name in punycode';
  }
  const url = parsedUrl(text);
  if (url === null || !/^https?:\/\/[^/]/i.test(text))
    return `be an absolute https:// URL${allowLocal ? ', or one of this machine, such as http://localhost:3000/webhooks' : ''}; got something else`;
  if (url.username !== '' || url.password !== '') {
    return 'have no user name and password: they would be visible wherever the URL is shown';
  }
  if (url.hash !== '') return 'have no #fragment: it is never sent';
  if ((allowLocal && isLoopbackHost(url.hostname)) || hosts.includes(url.hostname)) return null;

  if (url.protocol !== 'https:') return 'begin with https://; got http://';
  if (url.port !== '') return `use port 443; got ${url.port}`;
  // The parser has already normalised forms such as 0x7f.1 to four decimal numbers.
  if (url.hostname.startsWith('[') || /^\d+(\.\d+){3}\.?$/.test(url.hostname)) {
    return 'name a host; got an IP address';
  }
  const name = url.hostname.replace(/\.$/, '');
  if (PRIVATE_ENDINGS.some((ending) => name === ending || name.endsWith(`.${ending}`))) {
    return 'name a public host; got a name that is known in a private network only';
  }
  if (!name.includes('.')) return 'name a public host, which has a dot in it; got a single word';
  if (
    name.split('.').some((label) => !/^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) ||
    name.length > 253
  ) {
    return 'name a public host; got a name that is not a valid host name';
  }
  return null;
};

/** Parses a URL. Returns null if it is invalid. */
export const parsedUrl = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};
