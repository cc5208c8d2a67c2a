import { PERMISSIONS_POLICY } from '../../hosting/headers.ts';
import { controlRefusal } from '../core/loopback.ts';
import type { BuiltFiles } from './built-files.ts';

/** The path of the inspector. */
export const INSPECTOR = '/_sandbox/';
const WITHOUT_SLASH = INSPECTOR.slice(0, -1);

/** Allows only the inspector's own script, style and control routes, and no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  // The inspector copies ids and test numbers to the clipboard.
  'permissions-policy': PERMISSIONS_POLICY.replace('clipboard-write=()', 'clipboard-write=(self)'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The files of the page by path, with their names below the built files. */
const FILES: Readonly<Record<string, { name: string; type: string }>> = {
  [INSPECTOR]: { name: 'index.html', type: 'text/html; charset=utf-8' },
  [`${INSPECTOR}inspector.js`]: { name: 'inspector.js', type: 'text/javascript; charset=utf-8' },
  [`${INSPECTOR}inspector.css`]: { name: 'inspector.css', type: 'text/css; charset=utf-8' },
};

/**
 * Answers a request for the inspector; `null` for any other request. The same callers as for the control routes are
 * allowed (contract 6.3), and also a link from another site: the page itself contains no data, and its own requests are
 * same-origin.
 */
export const createInspectorFiles =
  (files: BuiltFiles) =>
  async (request: Request, address: string): Promise<Response | null> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { pathname } = new URL(request.url);
    const file = Object.hasOwn(FILES, pathname) ? FILES[pathname] : undefined;
    if (file === undefined && pathname !== WITHOUT_SLASH) return null;
    if (controlRefusal(asTypedUrl(request.headers, pathname), address) !== null) return null;
    if (file === undefined)
      return new Response(null, { status: 308, headers: { ...HEADERS, location: INSPECTOR } });
    const content = files(`sandbox/inspector/${file.name}`);
    if (content === null) return null;
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(content), {
      headers: { ...HEADERS, 'content-type': file.type, 'content-length': String(content.length) },
    });
  };

/** Treats a navigation from another site like a typed URL. */
const asTypedUrl = (sent: Headers, pathname: string): Headers => {
  const headers = new Headers(sent);
  if ([INSPECTOR, WITHOUT_SLASH].includes(pathname) && sent.get('sec-fetch-dest') === 'document')
    headers.delete('sec-fetch-site');
  return headers;
};
