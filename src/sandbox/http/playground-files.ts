import type { BuiltFiles } from './built-files.ts';
import { createDeveloperPage, type PageFiles } from './developer-page.ts';

/** The path of the playground. */
export const PLAYGROUND = '/_sandbox/playground/';

/**
 * Allows the page's own files, the form and the control routes of this sandbox, and no framing. `card-form` is the
 * Trusted Types policy with which `loadCardForm()` adds the form's script.
 */
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
  'trusted-types card-form',
].join('; ');

/** The names of the script and the style have a hash of their content. */
const ASSET = /^assets\/[\w-]+\.(js|css)$/;

/** Answers a request for the playground; `null` for any other request. */
export const createPlaygroundFiles = (files: BuiltFiles): PageFiles =>
  createDeveloperPage(files, {
    path: PLAYGROUND,
    policy: POLICY,
    fileAt: (pathname) => {
      if (pathname === PLAYGROUND) return 'playground/index.html';
      const name = pathname.startsWith(PLAYGROUND) ? pathname.slice(PLAYGROUND.length) : '';
      return ASSET.test(name) ? `playground/${name}` : null;
    },
  });
