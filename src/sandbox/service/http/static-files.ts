import { createHash } from 'node:crypto';
import { STATIC_ROUTES } from '../../../api/routes.ts';
import { SUFFIXES } from '../../../api/served/codings.ts';
import {
  headerRules,
  headersAt,
  isPlainOrigin,
  PATH_SEGMENT,
  withoutHttps,
} from '../../../api/served/headers.ts';
import { inlineHashes } from '../../../api/served/inline.ts';
import { documentFile, FRAME_FILE, languageAsked } from '../../../api/served/language-documents.ts';
import { NOTHING_CHOSEN, type OwnersChoice, withChoice } from '../../../api/served/owners-choice.ts';
import { withoutEndpoints } from '../../../api/served/reports.ts';
import { sandboxSigner } from '../../../api/served/signature.ts';
import type { BuiltFiles } from './built-files.ts';

const signer = sandboxSigner();

const RELEASE = new RegExp(STATIC_ROUTES.release(`(${PATH_SEGMENT})`));

/** Answers a request for a file of the card form; `null` for any other request (contract 2). */
export type StaticFiles = (request: Request) => Promise<Response | null>;

/**
 * Serves the built files, whose folders mirror the URLs, with the headers of `src/owner/hosting`. `reportsTo` is the
 * path on this server that browsers send violation reports to, or `null` for none. `appSchemes` are the URL schemes of
 * apps that may embed the form.
 */
export const createStaticFiles =
  (files: BuiltFiles, { reportsTo, appSchemes }: OwnersChoice = NOTHING_CHOSEN): StaticFiles =>
  async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { origin, pathname, search } = new URL(request.url);
    if (!isPlainOrigin(origin) || !mayBeServed(pathname)) return null;

    const english = (pathname === STATIC_ROUTES.frame ? `${pathname}.html` : pathname).slice(1);
    const release = releaseIn(pathname) ?? releaseIn(files(english)?.toString('utf8') ?? '') ?? '';
    const ofRelease = STATIC_ROUTES.release(release).slice(1);
    const language = languageAsked(search.slice(1), (one) => files(ofRelease + documentFile(one)) !== null);
    const isFrame = english.endsWith(`/${FRAME_FILE}`);
    const path = isFrame && language !== null ? ofRelease + documentFile(language) : english;
    const plain = files(path);
    if (plain === null) return null;
    const html = path.endsWith('.html') ? plain.toString('utf8') : '';
    const signature = path.endsWith('/card-form.js') ? signer.headersFor(plain) : {};
    const rules = headerRules({ origin, release, inline: inlineHashes(html), signature });
    const chosen = withChoice(rules, {
      appSchemes,
      reportsTo: reportsTo === null ? null : origin + reportsTo,
    });
    const served = headersAt(pathname, chosen);
    if (served === null) return null;
    const headers = new Headers(
      origin.startsWith('https:') ? served : withoutEndpoints(withoutHttps(served)),
    );

    const accepted = request.headers.get('accept-encoding') ?? '';
    const coding = SERVED_CODINGS.find(
      (one) => accepts(accepted, one) && files(path + SUFFIXES[one]) !== null,
    );
    const encoded = coding === undefined ? null : files(path + SUFFIXES[coding]);
    const tag = etagOf(encoded ?? plain);
    headers.set('etag', tag);
    if (matchesEtag(request.headers.get('if-none-match') ?? '', tag)) {
      return new Response(null, { status: 304, headers });
    }
    const body = encoded ?? plain;
    if (coding !== undefined) headers.set('content-encoding', coding);
    headers.set('content-length', String(body.length));
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers });
  };

const releaseIn = (text: string): string | undefined => RELEASE.exec(text)?.[1];

/** Returns true if a rule could match this path. Checked before any file is read. */
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

/** Best first. */
const SERVED_CODINGS = ['br', 'gzip'] as const;

const accepts = (acceptEncoding: string, coding: string): boolean =>
  acceptEncoding.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
