/**
 * Adapts the prerendered form (`prerender.tsx`), which is for one country and contains every part, to the page's `init`
 * before it is shown. The result must equal the components' output for the same options, so that they can hydrate it.
 */
import { FIRST_COUNTRY } from '../../address/hint.ts';
import { type BillingOption, fieldsOf } from '../../channel/fields.ts';
import { controlOf } from './controls.ts';
import { type Defaults, draftOf } from './known-details.ts';

/**
 * The id of the template with alternatives to the default billing fields: known details as text, and the fields of a
 * country whose format has not loaded. It also contains the button's text with a total.
 */
export const BILLING_TEMPLATE = 'billing';

export type StaticFormOptions = {
  isSandbox: boolean;
  /** True if the page has the Pay button. */
  isButtonless: boolean;
  /** True if only the payment's status is shown, and nothing can be typed. */
  isStatus: boolean;
  /** True if the focus moves on automatically, which the number's description announces. */
  autoAdvance: boolean;
  /** True if the cardholder's name comes before the card number. */
  isNameFirst: boolean;
  /** The billing details that are never asked for. */
  never: readonly BillingOption[];
  /** The billing details that are shown as text. */
  known: readonly BillingOption[];
  defaults: Defaults;
  /** True if the address is also the shipping address. */
  sameAsShipping: boolean | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string;
};

/** Adapts the form below `root`. Call it once, before the form is shown. Returns the button's text with a total. */
export const adaptStaticForm = (
  root: HTMLElement,
  {
    isSandbox,
    isButtonless,
    autoAdvance,
    isNameFirst,
    never,
    known,
    defaults,
    sameAsShipping,
    country,
  }: StaticFormOptions,
): string => {
  let sentence = '';
  root.querySelector('form')?.reset(); // session history may restore what the previous user of this browser typed
  if (!isSandbox) root.querySelector('.ribbon')?.remove();
  if (isButtonless) root.querySelector('.pay-place')?.remove();
  if (!autoAdvance) {
    const number = controlOf('number');
    number?.parentElement?.querySelector('[hidden]')?.replaceChildren();
    number?.removeAttribute('aria-describedby');
  }
  const name = isNameFirst && controlOf('name')?.closest('.field');
  if (name) name.parentElement?.prepend(name);
  const template = document.getElementById(BILLING_TEMPLATE);
  const fields = root.querySelector('fieldset:last-of-type .fields');
  if (fields && template instanceof HTMLTemplateElement) {
    const [block, general, pay] = template.content.children;
    sentence = pay?.textContent ?? '';
    if (block && known[0]) fields.before(block);
    if (general && country !== FIRST_COUNTRY) {
      fields.replaceWith(general);
      const countryOption = root.querySelector('option');
      if (countryOption) countryOption.value = country;
    }
  }
  template?.remove();
  for (const name of fieldsOf([...never, ...known])) controlOf(name)?.closest('.field')?.remove();
  const [draft, shipping] = root.querySelectorAll('.known p > span');
  const text = (sameAsShipping ? shipping : draft)?.textContent ?? '';
  if (draft) draft.textContent = draftOf(defaults, known, text, document.documentElement.lang);
  shipping?.remove();
  return sentence;
};
