/**
 * The prerendered form in the document (`prerender.tsx`) is in English and for one country. This adapts it to the
 * page's `init` before it is shown. The result must equal what the components render with the same options, so that they can
 * hydrate it.
 */
import { FIRST_COUNTRY } from '../../address/hint.ts';
import type { FieldName } from '../../channel/field-names.ts';
import type { Catalog } from '../../i18n/en.ts';
import { enFirst } from '../../i18n/en-first.ts';
import { controlOf } from './controls.ts';

/** The id of the template with the billing fields of a country whose format has not been loaded. */
export const GENERAL_FIELDS = 'general';

export type StaticFormOptions = {
  isSandbox: boolean;
  /** Whether the page has the Pay button. */
  isButtonless: boolean;
  hidden: readonly FieldName[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Null for English. */
  catalog: Catalog | null;
};

/** Adapts the form below `root`. Call it once, before the form is shown. */
export const adaptStaticForm = (
  root: HTMLElement,
  { isSandbox, isButtonless, hidden, country, catalog }: StaticFormOptions,
): void => {
  root.querySelector('form')?.reset(); // session history may restore what the previous user of this browser typed
  if (!isSandbox) root.querySelector('.ribbon')?.remove();
  if (isButtonless) root.querySelector('.pay-place')?.remove();
  const general = document.getElementById(GENERAL_FIELDS);
  if (country !== FIRST_COUNTRY && general instanceof HTMLTemplateElement) {
    root.querySelector('fieldset:last-of-type .fields')?.replaceWith(general.content);
    const countryOption = root.querySelector('option');
    if (countryOption) countryOption.value = country;
  }
  general?.remove();
  for (const name of hidden) controlOf(name)?.closest('.field')?.remove();
  if (catalog) translate(root, catalog);
};

/** Replaces each English text of the form by its translation. */
const translate = (root: HTMLElement, catalog: Catalog) => {
  const texts = new Map<string, string>();
  for (const [key, text] of Object.entries(enFirst)) texts.set(text, String(Reflect.get(catalog, key)));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const [english = ''] = node.nodeValue?.match(/\S.*/) ?? []; // without the space that may precede it
    node.nodeValue = node.nodeValue?.replace(english, (same) => texts.get(same) ?? same) ?? '';
  }
  for (const input of root.querySelectorAll('input')) {
    input.placeholder = texts.get(input.placeholder) ?? input.placeholder;
  }
};
