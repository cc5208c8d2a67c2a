/**
 * The script that a merchant's page includes. It derives the service's address from its own and defines one global,
 * `CardForm`.
 *
 * This folder is our only code that runs in the merchant's page. It has no card logic, no schemas and no dependencies,
 * changes nothing outside the given container except for the element that loads its second file, and holds no secret
 * that the page doesn't already have.
 */
import { developer, throwMistake } from './errors.ts';
import { createCardForm, type PageScript } from './form.ts';
import { importVerified } from './import-verified.ts';
import { createLoadErrorAlert } from './load-error-alert.ts';
import type { CardFormApi } from './types.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** Package version and content hash, set by the build. */
declare const __RELEASE__: string;

/** The hash of `page.js`, `sha256-…`, set by the build. */
declare const __PAGE_INTEGRITY__: string;

declare global {
  interface Window {
    CardForm?: CardFormApi;
  }
}

// In an SVG, `currentScript` has no `src`.
const script = unclobberedDocument().currentScript;
// The service's address comes from the script's own, moving or pinned (contract 2.1, 2.2): no option to get wrong.
// Converted to a string, the match is the matched text.
const releases = script && 'src' in script && /^.+\/v1\/card-form/.exec(script.src);
if (!releases) throwMistake('script_not_found', 'needs a classic <script src>');

// An element or a frame of this name is not an own property of `window`.
if (!(Object.hasOwn(window, 'CardForm') && window.CardForm?.mount)) {
  const folder = `${releases}/${__RELEASE__}`;
  let second: Promise<PageScript> | undefined;
  const load = () => {
    second ??= importVerified(`${folder}/page.js`, script.nonce, __PAGE_INTEGRITY__);
    second.catch(() => {
      second = undefined; // it may have failed like the frame; later requests must not
    });
    return second;
  };
  const api = createCardForm(folder, __RELEASE__, load);
  developer.explain = (...mistake) =>
    load()
      .then(({ explain }) => explain(...mistake))
      .catch(() => {}); // this file may not have loaded either: the code says enough
  window.CardForm = api;
  // Pages that call mount() are not watched for elements.
  if (script.hasAttribute('data-card-form')) {
    load().then(
      ({ start }) => start(api, script),
      () => {
        for (const place of unclobberedDocument().querySelectorAll('card-form,[data-card-form]'))
          place.append(createLoadErrorAlert('csp, integrity', {}));
      },
    );
  }
}
