/**
 * The script a merchant's page includes: finds out where it came from and leaves one global, `CardForm`.
 *
 * This folder is the only code of ours in a foreign page. It knows no card, no schema and no dependency, it
 * touches nothing outside the container it is given, and it holds no secret the page does not hold already.
 */
import { refuse } from './errors.ts';
import { createCardForm } from './form.ts';
import { importVerified } from './import-verified.ts';
import type { CardFormApi } from './types.ts';
import { unclobbered } from './unclobbered.ts';

/** Package version and content hash, put in by the build. */
declare const __RELEASE__: string;

declare global {
  interface Window {
    CardForm?: CardFormApi;
  }
}

// An SVG script has no `src`.
const script = unclobbered(document).currentScript;
// The service's address is the script's own, moving or pinned (contract 2.1, 2.2): no option to get wrong.
const releases = script instanceof HTMLScriptElement && /.+\/v1\/card-form/.exec(script.src)?.[0];
if (!releases) refuse('script_not_found', 'use an HTML <script src>');

// An element or a frame that bears the name is not the window's own.
if (!(Object.hasOwn(window, 'CardForm') && window.CardForm?.mount)) {
  const folder = `${releases}/${__RELEASE__}`;
  const api = createCardForm(folder, __RELEASE__);
  window.CardForm = api;
  // What mounts without code of the page's is fetched where the script is asked for it. So a script that is pinned by
  // `integrity` runs nothing else, and a page that mounts by code is not watched.
  if ('cardForm' in script.dataset) {
    const elements: Promise<typeof import('./elements.ts')> = import(
      /* @vite-ignore */ `${folder}/elements.js`
    );
    elements.then(({ start }) => start(api, script));
  }
}
