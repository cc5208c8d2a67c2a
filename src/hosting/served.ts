/**
 * Compares what a service sends with what was built: every file and header, requested as a browser does (PCI DSS
 * 11.6.1: changes must be noticed "as received by the consumer browser").
 */
import { STATIC_ROUTES } from '../api/routes.ts';
import { type Headers, headersAt, ORIGIN, withoutHttps } from './headers.ts';
import type { HttpGet, HttpResponse } from './http-get.ts';
import { integrityOf } from './inline.ts';
import type { HeadersFile, IntegrityFile } from './manifest.ts';

/** Not compared: a server that compresses sets `Vary` itself. */
const NOT_COMPARED: readonly string[] = ['vary'];

/** Headers that a server must not add: they redirect, store data in the browser, or weaken the release's headers. */
const FORBIDDEN: readonly string[] = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'content-security-policy',
  'link',
  'location',
  'refresh',
  'service-worker-allowed',
  'set-cookie',
  'sourcemap',
  'timing-allow-origin',
  'x-frame-options',
  'x-sourcemap',
];

/** The headers that Chromium sends for a page of another site. */
const AS_BROWSER = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'accept-language': 'en-US,en;q=0.9',
  'sec-fetch-site': 'cross-site',
};
const FOR_FRAME = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'iframe',
  'upgrade-insecure-requests': '1',
};
const FOR_FILE = { accept: '*/*', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' };

/** Each file is requested compressed and plain, because a server could alter one of the two. */
const ENCODINGS: readonly string[] = ['gzip, deflate, br', 'identity'];

/** Requests every file of the release from the service at `origin`. Returns the differences, one sentence each. */
export const findDifferences = async (
  origin: string,
  { release, rules }: HeadersFile,
  { files }: IntegrityFile,
  get: HttpGet,
): Promise<readonly string[]> => {
  const isMoving = (address: string) => !address.startsWith(STATIC_ROUTES.release(release));
  const expectedAt = (address: string): Headers => {
    const headers = Object.fromEntries(
      Object.entries(headersAt(address, rules) ?? {}).map(([name, value]) => [
        name,
        value.replaceAll(ORIGIN, origin),
      ]),
    );
    return origin.startsWith('https:') ? headers : withoutHttps(headers);
  };

  const inspect = async (address: string, hash: string): Promise<string[]> => {
    const expected = expectedAt(address);
    const asBrowser = {
      ...AS_BROWSER,
      ...(expected['content-type']?.startsWith('text/html') ? FOR_FRAME : FOR_FILE),
    };
    const found: string[] = [];
    for (const encoding of ENCODINGS) {
      const headers = { ...asBrowser, 'accept-encoding': encoding };
      const response = await responseOf(get, origin + address, headers);
      if (typeof response === 'string') return [`${address}: ${response}`];
      if (response.status !== 200) return [`${address}: expected status 200; got ${response.status}`];
      found.push(...differences(response, expected, hash).map((one) => `${address}: ${one}`));
      const { etag } = response.headers;
      if (!isMoving(address)) continue;
      const again = etag
        ? await responseOf(get, origin + address, { ...headers, 'if-none-match': etag })
        : null;
      if (again === null || typeof again === 'string' || again.status !== 304) {
        found.push(
          `${address}: expected an etag that revalidates with 304; ${etag ? 'it does not' : 'got none'}`,
        );
      }
    }
    return found;
  };

  const sourceMap = async (address: string): Promise<string[]> => {
    const response = await responseOf(get, `${origin}${address}.map`, { ...AS_BROWSER, ...FOR_FILE });
    return typeof response !== 'string' && response.status === 200
      ? [`${address}.map: a source map is served`]
      : [];
  };

  const all = await inBatches(Object.entries(files), async ([address, hash]) => [
    ...(await inspect(address, hash)),
    ...(/\.(js|css)$/.test(address) ? await sourceMap(address) : []),
  ]);
  return [...new Set(all.flat())];
};

const differences = ({ headers, body }: HttpResponse, expected: Headers, hash: string): string[] => {
  const found: string[] = [];
  for (const [name, value] of Object.entries(expected)) {
    if (NOT_COMPARED.includes(name) || headers[name] === value) continue;
    found.push(`${name}: expected "${value}"; got ${name in headers ? `"${headers[name]}"` : 'none'}`);
  }
  for (const name of FORBIDDEN) {
    if (name in headers && !(name in expected)) found.push(`${name}: expected none; got "${headers[name]}"`);
  }
  const actual = integrityOf(body);
  if (actual !== hash) found.push(`content: expected ${hash}; got ${actual} (${body.length} bytes)`);
  return found;
};

/** The response, or why there is none. */
const responseOf = async (get: HttpGet, url: string, headers: Headers): Promise<HttpResponse | string> => {
  try {
    return await get(url, headers);
  } catch (error) {
    return `no readable answer (${error instanceof Error ? error.message : 'unknown reason'})`;
  }
};

const BATCH_SIZE = 6;

/** Processes the items in batches. The results have the order of the items. */
const inBatches = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += BATCH_SIZE) {
    results.push(...(await Promise.all(items.slice(first, first + BATCH_SIZE).map(work))));
  }
  return results;
};
