/**
 * The prerendered form in the document (`prerender.tsx`) is in English and for one country. This adapts it to the
 * page's `init` before it is shown. The result must equal what the components render with the same options, so that they can
 * hydrate it.
 */
import { FIRST_COUNTRY } from '../../address/hint.ts';
import type { BillingOption } from '../../channel/billing-options.ts';
import type { Defaults } from '../../channel/init-preview.ts';
import type { Catalog } from '../../i18n/en.ts';
import { enFirst } from '../../i18n/en-first.ts';
import { controlOf } from './controls.ts';
import { fieldsOf } from './fields.ts';
import { draftOf } from './known-details.ts';

/**
 * The id of the template with what some forms have in place of the default billing fields: known details as text, and
 * the fields of a country whose format has not been loaded.
 */
export const BILLING_TEMPLATE = 'billing';

export type StaticFormOptions = {
  isSandbox: boolean;
  /** Whether the page has the Pay button. */
  isButtonless: boolean;
  /** The billing details that are never asked for. */
  never: readonly BillingOption[];
  /** The billing details that are shown as text. */
  known: readonly BillingOption[];
  defaults: Defaults;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Null for English. */
  catalog: Catalog | null;
};

/** Adapts the form below `root`. Call it once, before the form is shown. */
export const adaptStaticForm = (
  root: HTMLElement,
  { isSandbox, isButtonless, never, known, defaults, country, catalog }: StaticFormOptions,
): void => {
  root.querySelector('form')?.reset(); // session history may restore what the previous user of this browser typed
  if (!isSandbox) root.querySelector('.ribbon')?.remove();
  if (isButtonless) root.querySelector('.pay-place')?.remove();
  const template = document.getElementById(BILLING_TEMPLATE);
  const fields = root.querySelector('fieldset:last-of-type .fields');
  if (fields && template instanceof HTMLTemplateElement) {
    const [block, general] = template.content.children;
    if (block && known[0]) {
      fields.before(block);
      const text = block.querySelector('p');
      if (text) text.textContent = draftOf(defaults, known, document.documentElement.lang);
    }
    if (general && country !== FIRST_COUNTRY) {
      fields.replaceWith(general);
      const countryOption = root.querySelector('option');
      if (countryOption) countryOption.value = country;
    }
  }
  template?.remove();
  for (const name of fieldsOf([...never, ...known])) controlOf(name)?.closest('.field')?.remove();
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
