/**
 * The form as it stands in the document before any component has arrived: drawn by the same components when it was
 * built (`prerender.tsx`), in English and for one country. Here it is made to say what an `init` asks for; whoever
 * draws it anew finds what it would have drawn itself.
 */
import { FIRST_COUNTRY } from '../../address/hint.ts';
import type { FieldName } from '../../channel/field-names.ts';
import type { Catalog } from '../../i18n/en.ts';
import { enFirst } from '../../i18n/en-first.ts';
import { controlOf } from './controls.ts';

/** The id of a template: the billing details of a country of which nothing is known yet. */
export const GENERAL = 'general';

export type Fitting = {
  isSandbox: boolean;
  /** Whether the page has the Pay button. */
  isButtonless: boolean;
  hidden: readonly FieldName[];
  /** Of two letters. */
  country: string;
  /** Null for English. */
  catalog: Catalog | null;
};

/** Changes the form below `root` accordingly. Once, before it is shown. */
export const prepare = (
  root: HTMLElement,
  { isSandbox, isButtonless, hidden, country, catalog }: Fitting,
): void => {
  root.querySelector('form')?.reset(); // what session history put into it was typed by whoever sat here before
  if (!isSandbox) root.querySelector('.ribbon')?.remove();
  if (isButtonless) root.querySelector('.pay-place')?.remove();
  const general = document.getElementById(GENERAL);
  if (country !== FIRST_COUNTRY && general instanceof HTMLTemplateElement) {
    root.querySelector('fieldset:last-of-type .fields')?.replaceWith(general.content);
    const only = root.querySelector('option');
    if (only) only.value = country;
  }
  general?.remove();
  for (const name of hidden) controlOf(name)?.closest('.field')?.remove();
  if (catalog) translate(root, catalog);
};

/** In place of each English text of the form the same in another language. */
const translate = (root: HTMLElement, catalog: Catalog) => {
  const texts = new Map<string, string>();
  for (const [key, text] of Object.entries(enFirst)) texts.set(text, String(Reflect.get(catalog, key)));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const [english = ''] = node.nodeValue?.match(/\S.*/) ?? []; // a space may stand between it and what is before
    node.nodeValue = node.nodeValue?.replace(english, (same) => texts.get(same) ?? same) ?? '';
  }
  for (const input of root.querySelectorAll('input')) {
    input.placeholder = texts.get(input.placeholder) ?? input.placeholder;
  }
};
