import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { STATIC_ROUTES } from '../api/routes.ts';
import { assetHeaders, CACHE_CONTROL, frameHeaders, isPlainOrigin } from './headers.ts';

const CONTENT_TYPES: Partial<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** One name in a path: it cannot start with a dot, so it cannot lead upwards or to a hidden file. */
const NAME = '[A-Za-z0-9_][A-Za-z0-9_.+-]*';
const RELEASE_FILE = new RegExp(`^${STATIC_ROUTES.release(`(${NAME})`)}${NAME}(?:/${NAME})*$`);
const RELEASE_IN_HTML = new RegExp(STATIC_ROUTES.release(`(${NAME})`));

type Target = {
  /** Below the root. */
  path: string;
  cacheControl: string;
  /** The release of the address, `null` at a moving one. */
  release: string | null;
};

/** Which file an address names. A closed set: what is not recognised does not exist. */
const targetOf = (pathname: string): Target | null => {
  if (pathname === STATIC_ROUTES.loader) {
    return { path: pathname, cacheControl: CACHE_CONTROL.movingLoader, release: null };
  }
  if (pathname === STATIC_ROUTES.frame) {
    return { path: `${pathname}.html`, cacheControl: CACHE_CONTROL.movingFrame, release: null };
  }
  const release = RELEASE_FILE.exec(pathname)?.[1];
  return release === undefined ? null : { path: pathname, cacheControl: CACHE_CONTROL.release, release };
};

/** Answers a request for a file of the card form, or `null` where there is none (contract 2). */
export type StaticFiles = (request: Request) => Promise<Response | null>;

/** The files below `root`, whose folders mirror the addresses. */
export const createStaticFiles = (root: string): StaticFiles => {
  /** Releases that moving frame documents refer to, by the documents' own tags: each is read once. */
  const releases = new Map<string, string>();

  const releaseOf = (html: Buffer, tag: string): string => {
    const known = releases.get(tag) ?? RELEASE_IN_HTML.exec(html.toString('utf8'))?.[1];
    if (known === undefined) throw new Error('the frame document refers to no release of the card form');
    releases.set(tag, known);
    return known;
  };

  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const url = new URL(request.url);
    const target = targetOf(url.pathname);
    const contentType = target === null ? undefined : CONTENT_TYPES[extname(target.path)];
    if (target === null || contentType === undefined || !isPlainOrigin(url.origin)) return null;

    const plain = await readBelow(root, target.path);
    if (plain === null) return null;
    const brotli = await readBelow(root, `${target.path}.br`);
    const encoded =
      brotli !== null && acceptsBrotli(request.headers.get('accept-encoding') ?? '') ? brotli : null;
    const tag = tagOf(encoded ?? plain);

    const headers = new Headers(
      extname(target.path) === '.html'
        ? frameHeaders({ origin: url.origin, release: target.release ?? releaseOf(plain, tagOf(plain)) })
        : assetHeaders(contentType),
    );
    headers.set('cache-control', target.cacheControl);
    headers.set('etag', tag);
    if (brotli !== null) headers.set('vary', 'Accept-Encoding');
    if (isKnown(request.headers.get('if-none-match') ?? '', tag)) {
      return new Response(null, { status: 304, headers });
    }
    const body = encoded ?? plain;
    if (encoded !== null) headers.set('content-encoding', 'br');
    headers.set('content-length', String(body.length));
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers });
  };
};

/** A file below the root, or `null`; a link that leads out of the root counts as no file. */
const readBelow = async (root: string, path: string): Promise<Buffer | null> => {
  try {
    const base = await realpath(root);
    const file = await realpath(join(base, path));
    return file.startsWith(base + sep) ? await readFile(file) : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FILE.includes(error.code)) return null;
    throw error;
  }
};

/** Nothing there, a file in the place of a folder, a folder in the place of a file. */
const NO_FILE: unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];

const tagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

const isKnown = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);

const acceptsBrotli = (acceptEncoding: string): boolean =>
  acceptEncoding.split(',').some((one) => {
    const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'br' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
