/**
 * Loaded only for a page with `addressLookup`: turns the address's first line into a combobox with a list of
 * suggestions, following the ARIA practices (list autocomplete with manual selection). The list takes its own space
 * below the field, so that it covers nothing. The field remains a text field: its text stays, and is sent, until a
 * suggestion is chosen.
 */
import { batch, type ReadonlySignal } from '@preact/signals';
import { systemClock } from '../../api/clock/clock.ts';
import { ADDRESS_PARTS } from '../channel/suggestion.ts';
import { suggestionsText } from '../i18n/suggestion-texts.ts';
import { createAddressQuestions, type FullSuggestion } from './address-questions.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import { isOfComposition } from './first/composition.ts';
import { controlOf } from './first/controls.ts';
import type { FormModel } from './form/card-form.ts';
import { afterPointer } from './press/after-pointer.ts';
import type { Offer } from './session/payment.ts';
import rules from './styles/address-suggestions.css?inline';
import type { View } from './view/form-view.ts';
import type { Words } from './view/words.ts';

type Shown = { form: FormModel; words: Pick<Words, 'negotiated'>; screen: ReadonlySignal<View> };

const LIST = 'suggestions';

/** Edits made by a buyer. Browsers and password managers fill in an address that is already complete. */
const EDITED = /^(insert(Text|CompositionText|FromComposition|FromPaste)|delete|history)/;

const elementOf = (tag: string, attributes: Readonly<Record<string, string>>, text = '') => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
};

/** Fills in the whole address as if typed by the buyer, except parts for which the country has no field. */
const fillIn = ({ fields }: FormModel, { address }: FullSuggestion) =>
  batch(() => {
    fields.country.type(address.country); // first, because the other fields depend on it
    for (const part of ADDRESS_PARTS) if (part !== 'country') fields[part].type(address[part]);
    for (const part of ADDRESS_PARTS) fields[part].leave();
  });

/** Listens until `ending` aborts. */
export const suggestAddresses = ({ form, words, screen }: Shown, { page, guard, ending }: Offer): void => {
  adoptStyles(rules);
  const list = elementOf('ul', { id: LIST, role: 'listbox', class: 'suggestions' });
  const count = elementOf('p', { class: 'unseen' });
  let input: HTMLInputElement | null = null;
  let suggestions: readonly FullSuggestion[] = [];
  /** Index of the option that Enter would choose; -1: none. */
  let active = -1;

  const activate = (at: number) => {
    active = at;
    for (const [place, option] of [...list.children].entries())
      option.setAttribute('aria-selected', `${place === at}`);
    const option = list.children[at];
    if (option) input?.setAttribute('aria-activedescendant', option.id);
    else input?.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const show = (isShown: boolean) => {
    const { language } = words.negotiated.peek();
    const text = isShown ? suggestionsText(language, suggestions.length) : '';
    activate(-1);
    list.hidden = !isShown;
    list.setAttribute('aria-label', text);
    count.textContent = text;
    input?.setAttribute('aria-expanded', `${isShown}`);
  };
  const isLocked = () => {
    const now = screen.peek();
    return now.screen !== 'form' || now.locked;
  };
  const suggest = (found: readonly FullSuggestion[]) =>
    afterPointer(() => {
      suggestions = input === document.activeElement && !isLocked() ? found : [];
      list.replaceChildren(
        ...suggestions.map((suggestion, at) => {
          const option = elementOf(
            'li',
            { id: `suggestion-${at}`, role: 'option', dir: 'auto' },
            suggestion.label,
          );
          option.addEventListener('click', () => choose(suggestion));
          return option;
        }),
      );
      show(suggestions.length > 0);
    });
  const questions = createAddressQuestions({
    page,
    clock: systemClock,
    guard,
    country: () => form.fields.country.text.peek(),
    isOffered: (country) => form.countries.peek()?.includes(country) ?? false,
    suggest,
  });
  const choose = (chosen: FullSuggestion) => {
    questions.end();
    if (!isLocked()) fillIn(form, chosen);
  };

  /** Attaches to the current input: asking for the address again creates a new one. */
  const attach = () => {
    const control = controlOf('line1');
    if (control === input) return;
    input = control instanceof HTMLInputElement ? control : null;
    questions.end();
    for (const [name, value] of Object.entries({
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': LIST,
    }))
      input?.setAttribute(name, value);
    input?.after(list);
    document.querySelector('.notices')?.append(count); // the form's only live region
  };
  show(false);
  attach();
  const observer = new MutationObserver(attach);
  observer.observe(document.body, { childList: true, subtree: true });

  const on = <Type extends keyof DocumentEventMap>(
    type: Type,
    act: (event: DocumentEventMap[Type]) => void,
  ) =>
    document.addEventListener(type, (event) => event.target === input && act(event), {
      capture: true, // before other handlers of Enter and Escape
      signal: ending.signal,
    });
  on('input', (event) => {
    if (!(event instanceof InputEvent) || !EDITED.test(event.inputType)) return questions.end();
    if (event.isTrusted && !event.isComposing && input) void questions.typed(input.value);
  });
  on('compositionend', () => {
    if (input) void questions.typed(input.value);
  });
  on('focusout', questions.end);
  on('keydown', (event) => {
    if (isOfComposition(event) || event.ctrlKey || event.altKey || event.metaKey) return;
    const { length } = suggestions;
    if (length === 0) return;
    const { key } = event;
    const chosen = suggestions[active];
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const next = key === 'ArrowDown' ? active + 1 : (active < 0 ? length : active) - 1;
      if (list.hidden) show(true);
      activate((next + length) % length);
    } else if (key === 'Enter' && chosen) choose(chosen);
    else if (key === 'Escape' && !list.hidden) show(false);
    else {
      if (key === 'Enter') questions.end();
      activate(-1);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener('mousedown', (event) => event.preventDefault()); // keeps the focus in the field
  screen.subscribe(() => {
    if (isLocked()) questions.end();
  });
  ending.signal.addEventListener('abort', () => {
    questions.end();
    observer.disconnect();
  });
};
