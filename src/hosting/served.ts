/**
 * Whether a service sends what was built: every file and header, asked for as a browser does (PCI DSS 11.6.1:
 * changes are to be noticed "as received by the consumer browser").
 */
import { STATIC_ROUTES } from '../api/routes.ts';
import type { Answer, Ask } from './ask.ts';
import { type Headers, headersAt, ORIGIN, withoutHttps } from './headers.ts';
import { integrityOf } from './inline.ts';
import type { HeadersFile, IntegrityFile } from './manifest.ts';

/** Left out of the comparison: whoever compresses says by himself what an answer varies by. */
const NOT_COMPARED: readonly string[] = ['vary'];

/** What nobody may add: it would send a browser elsewhere, keep something there, or undo what is sent. */
const UNWANTED: readonly string[] = [
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

/** As Chromium asks from another site's page. */
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

/** Files can differ in one coding alone. */
const CODINGS: readonly string[] = ['gzip, deflate, br', 'identity'];

/**
 * Asks the service at `origin` for every file of the release and tells each difference, in order, one sentence
 * each. None means: what browsers get is what was built.
 */
export const differencesAt = async (
  origin: string,
  { release, rules }: HeadersFile,
  { files }: IntegrityFile,
  ask: Ask,
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
    for (const coding of CODINGS) {
      const headers = { ...asBrowser, 'accept-encoding': coding };
      const answer = await answerOf(ask, origin + address, headers);
      if (typeof answer === 'string') return [`${address}: ${answer}`];
      if (answer.status !== 200) return [`${address}: expected status 200; got ${answer.status}`];
      found.push(...differences(answer, expected, hash).map((one) => `${address}: ${one}`));
      const tag = answer.headers.etag;
      if (!isMoving(address)) continue;
      const again = tag ? await answerOf(ask, origin + address, { ...headers, 'if-none-match': tag }) : null;
      if (again === null || typeof again === 'string' || again.status !== 304) {
        found.push(`${address}: expected an etag that is answered by 304; ${tag ? 'it is not' : 'got none'}`);
      }
    }
    return found;
  };

  const sourceMap = async (address: string): Promise<string[]> => {
    const answer = await answerOf(ask, `${origin}${address}.map`, { ...AS_BROWSER, ...FOR_FILE });
    return typeof answer !== 'string' && answer.status === 200
      ? [`${address}.map: a source map is served`]
      : [];
  };

  const all = await inTurns(Object.entries(files), async ([address, hash]) => [
    ...(await inspect(address, hash)),
    ...(/\.(js|css)$/.test(address) ? await sourceMap(address) : []),
  ]);
  return [...new Set(all.flat())];
};

const differences = ({ headers, body }: Answer, expected: Headers, hash: string): string[] => {
  const found: string[] = [];
  for (const [name, value] of Object.entries(expected)) {
    if (NOT_COMPARED.includes(name) || headers[name] === value) continue;
    found.push(`${name}: expected "${value}"; got ${name in headers ? `"${headers[name]}"` : 'none'}`);
  }
  for (const name of UNWANTED) {
    if (name in headers && !(name in expected)) found.push(`${name}: expected none; got "${headers[name]}"`);
  }
  const actual = integrityOf(body);
  if (actual !== hash) found.push(`content: expected ${hash}; got ${actual} (${body.length} bytes)`);
  return found;
};

/** The answer, or a sentence on why there is none. */
const answerOf = async (ask: Ask, url: string, headers: Headers): Promise<Answer | string> => {
  try {
    return await ask(url, headers);
  } catch (error) {
    return `no readable answer (${error instanceof Error ? error.message : 'unknown reason'})`;
  }
};

const AT_ONCE = 6;

/** Results in the order of the items. */
const inTurns = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(first, first + AT_ONCE).map(work))));
  }
  return results;
};
