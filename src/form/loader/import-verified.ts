/**
 * Imports another file of the loader only if its hash matches: if a page pins the loader by `integrity`, an altered
 * file must not run either. `import()` accepts no hash, so the hash is given in the way that each browser enforces
 * (measured in each):
 *
 * - Chromium, and Firefox from 115: a `modulepreload` link. `import()` then runs the loaded module without a second
 *   request. Older Firefox doesn't know such links and loads nothing.
 * - WebKit ignores the hash of a link. There a module script is used, whose module `import()` then finds loaded.
 *
 * Neither needs more of the page's Content-Security-Policy than `import()` does, given the nonce, with one exception:
 * in WebKit, a policy that requires Trusted Types forbids the script's address. Only there the file is imported
 * unverified.
 */
import { createElement } from './create-element.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/**
 * `nonce` is the script tag's, `integrity` the file's hash, `sha256-…`. Rejects if the file doesn't load or was
 * altered.
 */
export const importVerified = <Module>(src: string, nonce: string, integrity: string): Promise<Module> =>
  new Promise((resolve, onerror) => {
    const onload = () => resolve(import(/* @vite-ignore */ src));
    try {
      unclobberedDocument().head.append(
        // Each kind of element uses some of these properties and ignores the others. Both kinds always use CORS.
        createElement(/^A/.test(navigator.vendor) ? 'script' : 'link', {
          type: 'module',
          onload,
          rel: 'modulepreload',
          integrity,
          onerror,
          href: src,
          nonce,
          src,
        }),
      );
    } catch {
      onload();
    }
  });
