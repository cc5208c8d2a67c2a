import { INSPECTOR } from '../../../api/routes.ts';
import type { BuiltFiles } from './built-files.ts';
import { createDeveloperPage, type PageFiles, policyOf } from './developer-page.ts';

const POLICY = policyOf("'none'");

/** The page's files and the API reference, by URL path, with their names below the built files. */
const FILES: Readonly<Record<string, string>> = {
  [INSPECTOR]: 'sandbox/inspector/index.html',
  [`${INSPECTOR}inspector.js`]: 'sandbox/inspector/inspector.js',
  [`${INSPECTOR}inspector.css`]: 'sandbox/inspector/inspector.css',
  [`${INSPECTOR}api.md`]: 'api.md',
};

/** Answers a request for the inspector; `null` for any other request. */
export const createInspectorFiles = (files: BuiltFiles): PageFiles =>
  createDeveloperPage(files, {
    path: INSPECTOR,
    policy: POLICY,
    fileAt: (pathname) => (Object.hasOwn(FILES, pathname) ? (FILES[pathname] ?? null) : null),
  });
