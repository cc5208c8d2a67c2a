/**
 * Runs `page.js`, the loader's second file, only if it is as built: where a page pins the loader by `integrity`, whoever
 * can change what the service sends must not get in by the second file. `import()` takes no hash, so the browser is
 * given it in the way that it enforces, measured in each:
 *
 * - Chromium and Firefox from 115: a `modulepreload` link. What it loaded is the module that `import()` then runs, and
 *   is not fetched again. An older Firefox does not know such links and loads nothing.
 * - WebKit ignores the hash of a link: there a module script, which `import()` then finds in place.
 *
 * Neither asks more of the page's policy than `import()` does, given the nonce, with one exception: in WebKit a policy
 * that requires Trusted Types forbids the script's address. Only there the file is imported unverified.
 */
import { createElement } from './create-element.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** `sha256-…` of `page.js`, put in by the build. */
declare const __PAGE_INTEGRITY__: string;

/** What `page.js` exports. */
export type PageScript = typeof import('./page.ts');

/** `nonce`: of the loader's tag. Rejects where the file does not come or is altered. */
export const importVerified = (src: string, nonce: string): Promise<PageScript> =>
  new Promise((resolve, onerror) => {
    const onload = () => resolve(import(/* @vite-ignore */ src));
    try {
      unclobberedDocument.head.append(
        // Each element has a use for some of these; the others mean nothing to it. Both ask with CORS without being told.
        createElement(/^A/.test(navigator.vendor) ? 'script' : 'link', {
          type: 'module',
          rel: 'modulepreload',
          nonce,
          integrity: __PAGE_INTEGRITY__,
          onload,
          onerror,
          href: src,
          src,
        }),
      );
    } catch {
      onload();
    }
  });
