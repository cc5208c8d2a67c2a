/**
 * Compares what a service sends with what was built: every file and header, requested as a browser does (PCI DSS
 * 11.6.1: changes must be noticed "as received by the consumer browser").
 */
import { STATIC_ROUTES } from '../api/routes.ts';
import { AS_CHROME, type Asker } from './askers.ts';
import { type Headers, headersAt, ORIGIN, withoutHttps } from './headers.ts';
import type { HttpGet, HttpResponse } from './http-get.ts';
import { integrityOf } from './inline.ts';
import type { HeadersFile, IntegrityFile } from './manifest.ts';
import { withoutEndpoints } from './reports.ts';
import { signatureProblem } from './signature.ts';

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
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'sourcemap',
  'timing-allow-origin',
  'x-frame-options',
  'x-sourcemap',
];

/** One difference between what is served and what was built. */
export type Difference = {
  address: string;
  /** Such as `content: expected sha384-…; got sha384-… (12 bytes)`. */
  problem: string;
  /** The names of the askers that got it; null if everybody did. */
  askedAs: readonly string[] | null;
};

/** A difference as one sentence. */
export const describeDifference = ({ address, problem, askedAs }: Difference): string =>
  `${address}: ${problem}${askedAs === null ? '' : ` (asked as ${askedAs.join('; ')})`}`;

/** Requests every file of the release from the service at `origin`. Returns the differences, one sentence each. */
export const findDifferences = async (
  origin: string,
  headers: Pick<HeadersFile, 'release' | 'rules'>,
  integrity: IntegrityFile,
  get: HttpGet,
): Promise<readonly string[]> =>
  (await compareServed({ origin, headers, integrity, get })).map(describeDifference);

export type Comparison = {
  /** Scheme and host of the service. */
  origin: string;
  headers: Pick<HeadersFile, 'release' | 'rules'>;
  /** The files to ask for. With `signedBy`, the loader must be signed with this key. */
  integrity: IntegrityFile;
  get: HttpGet;
  askers?: readonly Asker[];
  /** The names of contents by their `sha384-…`, to say what is served in place of what was expected. */
  known?: ReadonlyMap<string, string>;
};

/** Requests every file of a release from a service, in the way of each asker. */
export const compareServed = async ({
  origin,
  headers: { release, rules },
  integrity: { files, signedBy },
  get,
  askers = AS_CHROME,
  known = new Map(),
}: Comparison): Promise<readonly Difference[]> => {
  const isMoving = (address: string) => !address.startsWith(STATIC_ROUTES.release(release));
  const expectedAt = (address: string): Headers => {
    const headers = Object.fromEntries(
      Object.entries(headersAt(address, rules) ?? {}).map(([name, value]) => [
        name,
        value.replaceAll(ORIGIN, origin),
      ]),
    );
    return origin.startsWith('https:') ? headers : withoutEndpoints(withoutHttps(headers));
  };

  /** What one asker finds at an address. */
  const askAs = async (asker: Asker, address: string, hash: string): Promise<string[]> => {
    const expected = expectedAt(address);
    const headers = expected['content-type']?.startsWith('text/html') ? asker.document : asker.file;
    const response = await responseOf(get, origin + address, headers);
    if (typeof response === 'string') return [response];
    if (response.status !== 200) return [`expected status 200; got ${response.status}`];
    const found = differences(response, expected, hash, known);
    if (signedBy !== undefined && address.endsWith(LOADER_FILE)) {
      const problem = signatureProblem(response.headers, response.body, signedBy);
      if (problem !== null) found.push(problem);
    }
    if (!isMoving(address)) return found;
    const { etag } = response.headers;
    const again = etag
      ? await responseOf(get, origin + address, { ...headers, 'if-none-match': etag })
      : null;
    if (again === null || typeof again === 'string' || again.status !== 304)
      found.push(`expected an etag that revalidates with 304; ${etag ? 'it does not' : 'got none'}`);
    return found;
  };

  const inspect = async (address: string, hash: string): Promise<Difference[]> => {
    const names = new Map<string, string[]>();
    for (const asker of askers) {
      for (const problem of await askAs(asker, address, hash))
        names.set(problem, [...(names.get(problem) ?? []), asker.name]);
    }
    return Array.from(names, ([problem, askedAs]) => ({
      address,
      problem,
      askedAs: askedAs.length === askers.length ? null : askedAs,
    }));
  };

  const sourceMap = async (address: string): Promise<Difference[]> => {
    const [first] = askers;
    const response = await responseOf(get, `${origin}${address}.map`, first?.file ?? {});
    return typeof response !== 'string' && response.status === 200
      ? [{ address: `${address}.map`, problem: 'a source map is served', askedAs: null }]
      : [];
  };

  const all = await inBatches(Object.entries(files), async ([address, hash]) => [
    ...(await inspect(address, hash)),
    ...(/\.(js|css)$/.test(address) ? await sourceMap(address) : []),
  ]);
  return all.flat();
};

/** The end of both addresses of the loader. */
const LOADER_FILE = '/card-form.js';

const differences = (
  { headers, body }: HttpResponse,
  expected: Headers,
  hash: string,
  known: ReadonlyMap<string, string>,
): string[] => {
  const found: string[] = [];
  for (const [name, value] of Object.entries(expected)) {
    if (NOT_COMPARED.includes(name) || headers[name] === value) continue;
    found.push(`${name}: expected "${value}"; got ${name in headers ? `"${headers[name]}"` : 'none'}`);
  }
  for (const name of FORBIDDEN) {
    if (name in headers && !(name in expected)) found.push(`${name}: expected none; got "${headers[name]}"`);
  }
  const [, lifetime] = /max-age=(\d+)/.exec(expected['cache-control'] ?? '') ?? [];
  if (lifetime !== undefined && Number(headers.age) > Number(lifetime))
    found.push(`age: a cache may keep it for ${lifetime} seconds; it was kept for ${headers.age}`);
  const actual = integrityOf(body);
  if (actual !== hash) {
    const name = known.get(actual);
    found.push(
      `content: expected ${hash}; got ${actual} (${name === undefined ? '' : `${name}, `}${body.length} bytes)`,
    );
  }
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
