import { createHash } from 'node:crypto';
import { STATIC_ROUTES } from '../../api/routes.ts';
import { headerRules, headersAt, isPlainOrigin, PATH_SEGMENT, withoutHttps } from '../../hosting/headers.ts';
import { inlineHashes } from '../../hosting/inline.ts';
import { withoutEndpoints, withReports } from '../../hosting/reports.ts';
import { sandboxSigner } from '../../hosting/signature.ts';
import type { BuiltFiles } from './built-files.ts';

const signer = sandboxSigner();

const RELEASE = new RegExp(STATIC_ROUTES.release(`(${PATH_SEGMENT})`));

/** Answers a request for a file of the card form; `null` for any other request (contract 2). */
export type StaticFiles = (request: Request) => Promise<Response | null>;

/**
 * Serves the built files, whose folders mirror the URLs, with the headers of `src/hosting`. `reportsTo` is the path of
 * this server to which browsers send violation reports; `null` for nowhere.
 */
export const createStaticFiles =
  (files: BuiltFiles, reportsTo: string | null = null): StaticFiles =>
  async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { origin, pathname } = new URL(request.url);
    if (!isPlainOrigin(origin) || !mayBeServed(pathname)) return null;

    const path = (pathname === STATIC_ROUTES.frame ? `${pathname}.html` : pathname).slice(1);
    const plain = files(path);
    if (plain === null) return null;
    const html = path.endsWith('.html') ? plain.toString('utf8') : '';
    const release = releaseIn(pathname) ?? releaseIn(html) ?? '';
    const signature = path.endsWith('/card-form.js') ? signer.headersFor(plain) : {};
    const rules = headerRules({ origin, release, inline: inlineHashes(html), signature });
    const reporting = withReports(rules, reportsTo === null ? null : origin + reportsTo);
    const served = headersAt(pathname, reporting);
    if (served === null) return null;
    const headers = new Headers(
      origin.startsWith('https:') ? served : withoutEndpoints(withoutHttps(served)),
    );

    const brotli = files(`${path}.br`);
    const encoded =
      brotli !== null && acceptsBrotli(request.headers.get('accept-encoding') ?? '') ? brotli : null;
    const tag = etagOf(encoded ?? plain);
    headers.set('etag', tag);
    if (matchesEtag(request.headers.get('if-none-match') ?? '', tag)) {
      return new Response(null, { status: 304, headers });
    }
    const body = encoded ?? plain;
    if (encoded !== null) headers.set('content-encoding', 'br');
    headers.set('content-length', String(body.length));
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers });
  };

const releaseIn = (text: string): string | undefined => RELEASE.exec(text)?.[1];

/** Whether a rule could match this path, checked before any file is read. */
const mayBeServed = (pathname: string): boolean => {
  const release = releaseIn(pathname) ?? '';
  return (
    headersAt(pathname, headerRules({ origin: '', release, inline: { scripts: [], styles: [] } })) !== null
  );
};

const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

const matchesEtag = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);

const acceptsBrotli = (acceptEncoding: string): boolean =>
  acceptEncoding.split(',').some((one) => {
    const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'br' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
