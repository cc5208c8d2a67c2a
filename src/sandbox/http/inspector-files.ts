import type { BuiltFiles } from './built-files.ts';
import { createDeveloperPage, type PageFiles } from './developer-page.ts';

/** The path of the inspector. */
export const INSPECTOR = '/_sandbox/';

/** Allows only the inspector's own script, style and control routes, the form of this sandbox, and no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The files of the page by path, with their names below the built files. */
const FILES: Readonly<Record<string, string>> = {
  [INSPECTOR]: 'sandbox/inspector/index.html',
  [`${INSPECTOR}inspector.js`]: 'sandbox/inspector/inspector.js',
  [`${INSPECTOR}inspector.css`]: 'sandbox/inspector/inspector.css',
};

/** Answers a request for the inspector; `null` for any other request. */
export const createInspectorFiles = (files: BuiltFiles): PageFiles =>
  createDeveloperPage(files, {
    path: INSPECTOR,
    policy: POLICY,
    fileAt: (pathname) => (Object.hasOwn(FILES, pathname) ? (FILES[pathname] ?? null) : null),
  });
