/**
 * Clients that request a service's files: the headers that browsers, a crawler and a command-line program send. A
 * server, or a CDN in front of it, can answer each of them differently, and each content coding differently. So every
 * file is requested in all of these ways (PCI DSS 11.6.1: "as received by the consumer browser").
 */
import type { Headers } from './headers.ts';
import { READABLE_CODINGS } from './http-get.ts';

/** One way to request a file. */
export type Asker = {
  /** Name used in a difference, such as `Chrome with gzip only`. */
  name: string;
  /** Headers of a request for a document in an iframe, and of one for any other file. */
  document: Headers;
  file: Headers;
};

type Client = {
  name: string;
  userAgent: string;
  acceptEncoding: string;
  /** Extra headers of a document request and a file request. */
  document: Headers;
  file: Headers;
};

const DOCUMENT_TYPES = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Headers a browser sends for a page of another site. */
const BROWSER_DOCUMENT = {
  accept: DOCUMENT_TYPES,
  'accept-language': 'en-US,en;q=0.9',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'iframe',
  'upgrade-insecure-requests': '1',
};
const BROWSER_FILE = {
  accept: '*/*',
  'accept-language': 'en-US,en;q=0.9',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-dest': 'script',
};

/** The subset of these codings that this program can decode. */
const readable = (codings: readonly string[]): string =>
  codings.filter((coding) => READABLE_CODINGS.includes(coding)).join(', ');

const CHROME: Client = {
  name: 'Chrome',
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  acceptEncoding: readable(['gzip', 'deflate', 'br', 'zstd']),
  document: BROWSER_DOCUMENT,
  file: BROWSER_FILE,
};

const OTHERS: readonly Client[] = [
  {
    name: 'Safari on iOS',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.4 Mobile/15E148 Safari/604.1',
    acceptEncoding: readable(['gzip', 'deflate', 'br']),
    document: BROWSER_DOCUMENT,
    file: BROWSER_FILE,
  },
  {
    name: 'Firefox',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:156.0) Gecko/20100101 Firefox/156.0',
    acceptEncoding: readable(['gzip', 'deflate', 'br', 'zstd']),
    document: BROWSER_DOCUMENT,
    file: BROWSER_FILE,
  },
  {
    name: 'Googlebot',
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    acceptEncoding: readable(['gzip', 'deflate', 'br']),
    document: { accept: DOCUMENT_TYPES },
    file: { accept: '*/*' },
  },
  {
    name: 'curl',
    userAgent: 'curl/8.14.1',
    acceptEncoding: 'identity',
    document: { accept: '*/*' },
    file: { accept: '*/*' },
  },
];

const askerOf = (
  { name, userAgent, acceptEncoding, document, file }: Client,
  only: string | null = null,
): Asker => {
  const always = { 'user-agent': userAgent, 'accept-encoding': only ?? acceptEncoding };
  return {
    name: only === null ? name : only === 'identity' ? `${name}, uncompressed` : `${name} with ${only} only`,
    document: { ...always, ...document },
    file: { ...always, ...file },
  };
};

/** Chrome, compressed and plain, because a server could alter only one of the two. */
export const AS_CHROME: readonly Asker[] = [askerOf(CHROME), askerOf(CHROME, 'identity')];

/** Chrome with each coding that a release has files in. With all of them, it gets brotli. */
export const IN_EACH_CODING: readonly Asker[] = [...AS_CHROME, askerOf(CHROME, 'gzip')];

/** Several browsers, a crawler and curl, and Chrome with each coding alone. */
export const AS_EVERYBODY: readonly Asker[] = [
  ...AS_CHROME,
  ...READABLE_CODINGS.filter((coding) => coding !== 'deflate').map((coding) => askerOf(CHROME, coding)),
  ...OTHERS.map((client) => askerOf(client)),
];
