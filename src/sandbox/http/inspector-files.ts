import { PERMISSIONS_POLICY } from '../../hosting/headers.ts';
import { controlRefusal } from '../core/loopback.ts';
import type { BuiltFiles } from './built-files.ts';

/** Where the inspector is, as every program of the sandbox prints it. */
export const INSPECTOR = '/_sandbox/';
const WITHOUT_SLASH = INSPECTOR.slice(0, -1);

/** Nothing but its own script, style and control routes; in nobody's frame. */
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
  // Ids and test numbers are copied with one click.
  'permissions-policy': PERMISSIONS_POLICY.replace('clipboard-write=()', 'clipboard-write=(self)'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Every file of the page: its address, its name below the built files, its type. */
const FILES: Readonly<Record<string, { name: string; type: string }>> = {
  [INSPECTOR]: { name: 'index.html', type: 'text/html; charset=utf-8' },
  [`${INSPECTOR}inspector.js`]: { name: 'inspector.js', type: 'text/javascript; charset=utf-8' },
  [`${INSPECTOR}inspector.css`]: { name: 'inspector.css', type: 'text/css; charset=utf-8' },
};

/**
 * Answers a request for the inspector, or `null` where there is none. It is there for whom the control routes are
 * there (contract 6.3), with one exception: a link on another site's page may lead to it. The page says nothing by
 * itself, and what it asks it asks as itself.
 */
export const createInspectorFiles =
  (files: BuiltFiles) =>
  async (request: Request, address: string): Promise<Response | null> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { pathname } = new URL(request.url);
    const file = Object.hasOwn(FILES, pathname) ? FILES[pathname] : undefined;
    if (file === undefined && pathname !== WITHOUT_SLASH) return null;
    if (controlRefusal(asFollowed(request.headers, pathname), address) !== null) return null;
    if (file === undefined)
      return new Response(null, { status: 308, headers: { ...HEADERS, location: INSPECTOR } });
    const content = files(`sandbox/inspector/${file.name}`);
    if (content === null) return null;
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(content), {
      headers: { ...HEADERS, 'content-type': file.type, 'content-length': String(content.length) },
    });
  };

/** A page that is followed to comes as if its address had been typed. */
const asFollowed = (sent: Headers, pathname: string): Headers => {
  const headers = new Headers(sent);
  if ([INSPECTOR, WITHOUT_SLASH].includes(pathname) && sent.get('sec-fetch-dest') === 'document')
    headers.delete('sec-fetch-site');
  return headers;
};
