/**
 * The script a merchant's page includes: finds out where it came from and leaves one global, `CardForm`.
 *
 * This folder is the only code of ours in a foreign page. It knows no card, no schema and no dependency, it
 * touches nothing outside the container it is given, and it holds no secret the page does not hold already.
 */
import { createCardForm } from './card-form.ts';
import { mistake } from './errors.ts';
import type { CardFormApi } from './types.ts';

/** Package version and content hash, put in by the build. */
declare const __RELEASE__: string;

declare global {
  interface Window {
    CardForm?: CardFormApi;
  }
}

/** An SVG script has no address. */
const script: { readonly id: string; readonly src?: string } | null = document.currentScript;
// The service's address is the script's own, moving or pinned (contract 2.1, 2.2): no option to get wrong.
const [, releases] = /^(.+?\/v1\/card-form).*\.js/.exec(script?.src ?? '') ?? [];
if (!releases) throw mistake('script_not_found', 'Use <script src>.');

const api = createCardForm(releases, __RELEASE__);
const first = window.CardForm?.version; // an element may bear the name
if (!first) window.CardForm = api;
else if (first !== api.version) {
  // biome-ignore lint/suspicious/noConsole: the page's developer is the one to know, and nothing has failed
  console.warn(`CardForm ${first} stays.`);
}
