/** Developer pages that a sandbox serves next to its control routes: the inspector and the playground. */
import { PERMISSIONS_POLICY } from '../../../api/served/headers.ts';
import { type ControlGuard, controlRefusal } from '../core/loopback.ts';
import type { BuiltFiles } from './built-files.ts';

/** Answers a request for a file of the page; `null` for any other request. */
export type PageFiles = (request: Request, address: string, guard: ControlGuard) => Promise<Response | null>;

export type DeveloperPage = {
  /** The document's path, with a trailing slash. */
  path: string;
  /** The Content-Security-Policy. */
  policy: string;
  /** Returns the name of the file at a path, below the built files, or `null` if the page has none there. */
  fileAt(pathname: string): string | null;
};

/**
 * The page's CSP: allows its own files, the form and this sandbox's control routes, these Trusted Types policies, and
 * no framing.
 */
export const policyOf = (trustedTypes: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join('; ');

/** The URL fragment that passes the control token to such a page. Browsers don't send fragments to servers. */
export const tokenFragment = (token: string | null): string => (token === null ? '' : `#token=${token}`);

export const HEADERS = {
  'cache-control': 'no-store',
  // These pages copy ids, test numbers, links and code to the clipboard.
  'permissions-policy': PERMISSIONS_POLICY.replace('clipboard-write=()', 'clipboard-write=(self)'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  md: 'text/plain; charset=utf-8', // browsers show plain text
};

/**
 * Serves a page to the callers that may use the control routes (contract 6.3), and also to links from other sites: the
 * page itself contains no data, and its own requests are same-origin. For the same reason the files need no control
 * token: the page asks for it and sends it with its requests.
 */
export const createDeveloperPage = (
  files: BuiltFiles,
  { path, policy, fileAt }: DeveloperPage,
): PageFiles => {
  const withoutSlash = path.slice(0, -1);
  const headers = { ...HEADERS, 'content-security-policy': policy };

  /** Treats a navigation from another site like a typed URL. */
  const asTypedUrl = (sent: Headers, pathname: string): Headers => {
    const copy = new Headers(sent);
    if ([path, withoutSlash].includes(pathname) && sent.get('sec-fetch-dest') === 'document')
      copy.delete('sec-fetch-site');
    return copy;
  };

  return async (request, address, guard) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { pathname } = new URL(request.url);
    const file = fileAt(pathname);
    if (file === null && pathname !== withoutSlash) return null;
    if (controlRefusal(asTypedUrl(request.headers, pathname), address, guard) !== null) return null;
    if (file === null) return new Response(null, { status: 308, headers: { ...headers, location: path } });
    const content = files(file);
    const type = TYPES[file.slice(file.lastIndexOf('.') + 1)];
    if (content === null || type === undefined) return null;
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(content), {
      headers: { ...headers, 'content-type': type, 'content-length': String(content.length) },
    });
  };
};
