/**
 * Clients that request a service's files: the headers that browsers, a crawler and a command-line program send. A
 * server, or a CDN in front of it, can answer each of them differently, and each content coding differently. So every
 * file is requested in all of these ways (PCI DSS 11.6.1: "as received by the consumer browser").
 */
import { READABLE_CODINGS } from '../../api/command/http-get.ts';
import type { Headers } from '../../api/served/headers.ts';

/** One way to request a file. */
export type Requester = {
  /** Name used in a difference, such as `Chrome with gzip only`. */
  name: string;
  /** Headers of a request for a document in an iframe, and of one for any other file. */
  document: Headers;
  file: Headers;
};

const DOCUMENT_TYPES = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Extra headers of a document request and of a file request. */
type More = Pick<Requester, 'document' | 'file'>;

/** Headers a browser sends for a page of another site. */
const PAGE = { 'accept-language': 'en-US,en;q=0.9', 'sec-fetch-site': 'cross-site' };
const BROWSER: More = {
  document: {
    accept: DOCUMENT_TYPES,
    ...PAGE,
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'iframe',
    'upgrade-insecure-requests': '1',
  },
  file: { accept: '*/*', ...PAGE, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
};

/** A client with this `User-Agent`. It accepts those of the codings that this program can decode. */
const client = (
  name: string,
  userAgent: string,
  codings: string,
  { document, file }: More = BROWSER,
): Requester => {
  const accepted = codings.split(' ').filter((coding) => READABLE_CODINGS.includes(coding));
  const always = { 'user-agent': userAgent, 'accept-encoding': accepted.join(', ') || 'identity' };
  return { name, document: { ...always, ...document }, file: { ...always, ...file } };
};

const CHROME = client(
  'Chrome',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'gzip deflate br zstd',
);

const OTHERS: readonly Requester[] = [
  client(
    'Safari on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.4 Mobile/15E148 Safari/604.1',
    'gzip deflate br',
  ),
  client(
    'Firefox',
    'Mozilla/5.0 (X11; Linux x86_64; rv:156.0) Gecko/20100101 Firefox/156.0',
    'gzip deflate br zstd',
  ),
  client(
    'Googlebot',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'gzip deflate br',
    { document: { accept: DOCUMENT_TYPES }, file: { accept: '*/*' } },
  ),
  client('curl', 'curl/8.14.1', '', { document: { accept: '*/*' }, file: { accept: '*/*' } }),
];

/** The same client with other headers. */
export const requestingWith = ({ document, file }: Requester, name: string, changed: Headers): Requester => ({
  name,
  document: { ...document, ...changed },
  file: { ...file, ...changed },
});

const chromeWith = (coding: string): Requester =>
  requestingWith(CHROME, coding === 'identity' ? 'Chrome, uncompressed' : `Chrome with ${coding} only`, {
    'accept-encoding': coding,
  });

/** Chrome, compressed and plain, because a server could alter only one of the two. */
export const AS_CHROME: readonly Requester[] = [CHROME, chromeWith('identity')];

/** Chrome with each coding that a release has files in. With all of them, it gets brotli. */
export const IN_EACH_CODING: readonly Requester[] = [...AS_CHROME, chromeWith('gzip')];

/** Several browsers, a crawler and curl, and Chrome with each coding alone. */
export const AS_EVERYBODY: readonly Requester[] = [
  ...AS_CHROME,
  ...READABLE_CODINGS.filter((coding) => coding !== 'deflate').map(chromeWith),
  ...OTHERS,
];
