/**
 * The script a merchant's page includes: finds out where it came from and leaves one global, `CardForm`.
 *
 * This folder is the only code of ours in a foreign page. It knows no card, no schema and no dependency, it touches
 * nothing outside the container it is given but for the link that loads its second file, and it holds no secret that
 * the page does not hold already.
 */
import { throwMistake } from './errors.ts';
import { createCardForm } from './form.ts';
import { importVerified, type PageScript } from './import-verified.ts';
import { createLoadErrorAlert } from './load-error-alert.ts';
import type { CardFormApi } from './types.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** Package version and content hash, put in by the build. */
declare const __RELEASE__: string;

declare global {
  interface Window {
    CardForm?: CardFormApi;
  }
}

// An SVG script has no `src`.
const script = unclobberedDocument.currentScript;
// The service's address is the script's own, moving or pinned (contract 2.1, 2.2): no option to get wrong.
// Written out, a match is what it matched.
const releases = script && 'src' in script && /.+\/v1\/card-form/.exec(script.src);
if (!releases) throwMistake('script_not_found', 'use an HTML <script src>');

// An element or a frame that bears the name is not the window's own.
if (!(Object.hasOwn(window, 'CardForm') && window.CardForm?.mount)) {
  const folder = `${releases}/${__RELEASE__}`;
  let second: Promise<PageScript> | undefined;
  const load = () => {
    second ??= importVerified(`${folder}/page.js`, script.nonce);
    return second;
  };
  const api = createCardForm(folder, __RELEASE__, load);
  window.CardForm = api;
  // A page that mounts by code is not watched.
  if ('cardForm' in script.dataset) {
    load().then(
      ({ start }) => start(api, script),
      () => {
        for (const place of unclobberedDocument.querySelectorAll('card-form,[data-card-form]'))
          place.append(createLoadErrorAlert('integrity'));
      },
    );
  }
}
