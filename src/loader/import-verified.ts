/**
 * Runs `elements.js`, the script for forms in markup, only if it is as built: where a page pins the loader by
 * `integrity`, whoever can change what the service sends must not get in by the second file. `import()` takes no hash,
 * so the browser is given it in the way that it enforces, measured in each:
 *
 * - Chromium and Firefox from 115: a `modulepreload` link. What it loaded is the module that `import()` then runs, and
 *   is not fetched again. An older Firefox does not know such links and shows no form in markup.
 * - WebKit ignores the hash of a link: there a module script, which `import()` then finds in place.
 *
 * Neither asks more of the page's policy than `import()` does, given the nonce, with one exception: in WebKit a policy
 * that requires Trusted Types forbids the script's address. Only there the file is imported unverified.
 */
import { element } from './element.ts';
import { notLoaded } from './not-loaded.ts';

/** `sha256-…` of `elements.js`, put in by the build. */
declare const __ELEMENTS_INTEGRITY__: string;

/** `nonce`: of the tag that asked for it. Where the file does not come or is altered, each form's place says so. */
export const importVerified = (src: string, nonce: string | undefined): void => {
  const onload = () => import(/* @vite-ignore */ src);
  try {
    document.head.append(
      // Each element has a use for some of these; the others mean nothing to it. Both ask with CORS without being told.
      element(/^A/.test(navigator.vendor) ? 'script' : 'link', {
        type: 'module',
        rel: 'modulepreload',
        nonce,
        integrity: __ELEMENTS_INTEGRITY__,
        onload,
        onerror() {
          for (const place of document.querySelectorAll('card-form,[data-card-form]'))
            place.append(notLoaded('integrity'));
        },
        href: src,
        src,
      }),
    );
  } catch {
    onload();
  }
};
