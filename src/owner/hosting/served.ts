/**
 * Compares what a service sends with the build: every file and header, requested as a browser does (PCI DSS 11.6.1:
 * changes must be noticed "as received by the consumer browser").
 */
import type { GetResponse, HttpGet } from '../../api/command/http-get.ts';
import { STATIC_ROUTES } from '../../api/routes.ts';
import { acceptPattern, CODINGS, type Coding, isCompressed } from '../../api/served/codings.ts';
import { type Headers, headersAt, ORIGIN, type Rule, withoutHttps } from '../../api/served/headers.ts';
import { integrityOf } from '../../api/served/inline.ts';
import { withoutEndpoints } from '../../api/served/reports.ts';
import { signatureProblem } from '../../api/served/signature.ts';
import { AS_CHROME, type Requester } from './requesters.ts';

/** Not compared, because a server that compresses sets `Vary` itself. */
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

/** One difference between the served files and the build. */
export type Difference = {
  address: string;
  /** Such as `content: expected sha384-…; got sha384-… (12 bytes)`. */
  problem: string;
  /** Names of the requesters that got it; null if all did. */
  askedAs: readonly string[] | null;
};

/** Describes a difference in one sentence. */
export const describeDifference = ({ address, problem, askedAs }: Difference): string =>
  `${address}: ${problem}${askedAs === null ? '' : ` (asked as ${askedAs.join('; ')})`}`;

export type Comparison = {
  /** Scheme and host of the service. */
  origin: string;
  release: string;
  rules: readonly Rule[];
  /**
   * Expected hash by address. With several hashes separated by spaces, any of them is right. An address with a query is
   * requested by the first requester only, and a problem that also occurs without the query is reported once.
   */
  files: Readonly<Record<string, string>>;
  /** Keys (`ed25519-…`) that must each have signed the loader. */
  keys?: readonly string[];
  get: HttpGet;
  requesters?: readonly Requester[];
  /** The release's codings; each requester must get the best one. If absent, the coding is not checked. */
  codings?: readonly Coding[];
  /** Names of contents by `sha384-…`, to say what is served instead of the expected content. */
  known?: ReadonlyMap<string, string>;
};

/** Requests every file of a release from a service, as each requester would. */
export const compareServed = async ({
  origin,
  release,
  rules,
  files,
  keys = [],
  get,
  requesters = AS_CHROME,
  codings = [],
  known = new Map(),
}: Comparison): Promise<readonly Difference[]> => {
  const isMoving = (address: string) => !address.startsWith(STATIC_ROUTES.release(release));
  const expectedAt = (address: string): Headers => {
    const headers = Object.fromEntries(
      Object.entries(headersAt(withoutQuery(address), rules) ?? {}).map(([name, value]) => [
        name,
        value.replaceAll(ORIGIN, origin),
      ]),
    );
    return origin.startsWith('https:') ? headers : withoutEndpoints(withoutHttps(headers));
  };

  /** Problems that one requester finds at an address. */
  const requestAs = async (requester: Requester, address: string, hash: string): Promise<string[]> => {
    const expected = expectedAt(address);
    const headers = expected['content-type']?.startsWith('text/html') ? requester.document : requester.file;
    const response = await responseOf(get, origin + address, headers);
    if (typeof response === 'string') return [response];
    if (response.status !== 200) return [`expected status 200; got ${response.status}`];
    const found = differences(response, expected, hash, known);
    if (!isCompressed(expected)) found.push(...codingProblems(response, headers, codings));
    for (const key of address.endsWith(LOADER_FILE) ? keys : []) {
      const problem = signatureProblem(response.headers, response.body, key);
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
    const chosen = hasQuery(address) ? requesters.slice(0, 1) : requesters;
    for (const requester of chosen) {
      for (const problem of await requestAs(requester, address, hash))
        names.set(problem, [...(names.get(problem) ?? []), requester.name]);
    }
    return Array.from(names, ([problem, askedAs]) => ({
      address,
      problem,
      askedAs: askedAs.length === chosen.length ? null : askedAs,
    }));
  };

  const sourceMap = async (address: string): Promise<Difference[]> => {
    const [first] = requesters;
    const response = await responseOf(get, `${origin}${address}.map`, first?.file ?? {});
    return typeof response !== 'string' && response.status === 200
      ? [{ address: `${address}.map`, problem: 'a source map is served', askedAs: null }]
      : [];
  };

  const all = await inBatches(Object.entries(files), async ([address, hash]) => [
    ...(await inspect(address, hash)),
    ...(/\.(js|css)$/.test(address) ? await sourceMap(address) : []),
  ]);
  const found = all.flat();
  const seen = new Set(found.map(({ address, problem }) => `${address} ${problem}`));
  return found.filter(
    ({ address, problem }) => !hasQuery(address) || !seen.has(`${withoutQuery(address)} ${problem}`),
  );
};

const withoutQuery = (address: string): string => address.replace(/\?.*/, '');

/** Returns true for the address of a file with a query, which is not a separate file. */
export const hasQuery = (address: string): boolean => address.includes('?');

/** Suffix of both loader addresses. */
const LOADER_FILE = '/card-form.js';

const differences = (
  { headers, body }: GetResponse,
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
  const expectedHashes = hash.split(' ');
  if (!expectedHashes.includes(actual)) {
    const name = known.get(actual);
    found.push(
      `content: expected ${expectedHashes.join(' or ')}; got ${actual} (${name === undefined ? '' : `${name}, `}${body.length} bytes)`,
    );
  }
  return found;
};

/** A server that lost its compressed files sends the same content, three times as large. */
const codingProblems = (
  { headers }: GetResponse,
  asked: Headers,
  codings: readonly Coding[],
): readonly string[] => {
  const accepted = asked['accept-encoding'] ?? '';
  const best = CODINGS.findLast(
    (coding) => codings.includes(coding) && new RegExp(acceptPattern(coding), 'i').test(accepted),
  );
  const got = headers['content-encoding'];
  return best === undefined || got === best
    ? []
    : [`content-encoding: expected "${best}"; got ${got === undefined ? 'none' : `"${got}"`}`];
};

/** A request that was refused because the overall time limit had passed. Not a difference. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** The same requests until a deadline, in ms since 1970. After it, each rejects with a `TimeLimitError`. */
export const until =
  (get: HttpGet, deadline: number, now: () => number): HttpGet =>
  async (url, headers) => {
    if (now() > deadline) throw new TimeLimitError('the time limit is over');
    return get(url, headers);
  };

/** The response, or the reason why there is none. */
const responseOf = async (get: HttpGet, url: string, headers: Headers): Promise<GetResponse | string> => {
  try {
    return await get(url, headers);
  } catch (error) {
    if (error instanceof TimeLimitError) throw error;
    return `no readable answer (${error instanceof Error ? error.message : 'unknown reason'})`;
  }
};

const BATCH_SIZE = 6;

/** Processes the items in batches. Results keep the order of the items. */
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
