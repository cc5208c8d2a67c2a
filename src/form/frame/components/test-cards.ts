/**
 * The searchable list of test cards in the sandbox's ribbon, for developers and in English only. A separate script,
 * loaded when the list is opened. Plain DOM: a component would share its library with the scripts that every buyer
 * loads, and so change those scripts.
 */
import { formatPan } from '../../card/pan.ts';
import { entriesFor, findTestCards, type TestCard } from '../../card/test-cards.ts';
import { adoptStyles } from '../first/adopt-styles.ts';
import { isOfComposition } from '../first/composition.ts';
import type { FormModel } from '../form/card-form.ts';
import styles from '../styles/test-cards.css?inline';

/** The fields filled in by a test card. */
type CardFields = Readonly<Record<'number' | 'expiry' | 'cvc', Pick<FormModel['fields']['number'], 'type'>>>;

/** Shows the list in an open `details` element, and removes it from a closed one. */
export const toggleTestCards = (details: HTMLDetailsElement, fields: CardFields): void => {
  details.querySelector('section')?.remove();
  if (!details.open) return;
  if (!hasStyles) adoptStyles(styles);
  hasStyles = true;
  const close = () => {
    details.open = false;
    details.querySelector('summary')?.focus();
  };
  const list = createList((card) => {
    const { number, expiry, cvc } = entriesFor(card.number, new Date().getFullYear());
    fields.number.type(number);
    fields.expiry.type(expiry);
    fields.cvc.type(cvc);
    tellPlayground(card.outcome);
    close();
  }, close);
  details.append(list);
  list.querySelector('input')?.focus();
};

let hasStyles = false;

/**
 * Sends the chosen outcome to the sandbox's playground, if it is open, so that its panel shows the same. Only pages of
 * the service's own origin receive it.
 */
const tellPlayground = (outcome: string): void => {
  const channel = new BroadcastChannel(CHOSEN_OUTCOME);
  channel.postMessage(outcome);
  channel.close();
};

/** The playground uses the same name (`src/sandbox/playground/PaymentPanel.tsx`). */
const CHOSEN_OUTCOME = 'card-form-test-outcome';

/** The list's first control is the search field. */
const createList = (choose: (card: TestCard) => void, close: () => void): HTMLElement => {
  const root = create('section', 'test-card-list', { lang: 'en', dir: 'ltr', 'aria-label': 'Test cards' });
  const search = create('input', 'test-card-search', {
    type: 'search',
    'aria-label': 'Search test cards',
    placeholder: 'Search the outcomes',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const count = create('p', 'unseen', { 'aria-live': 'polite' });
  const results = create('div', 'test-card-results', {});
  root.append(search, count, results);

  const choiceOf = (card: TestCard): HTMLElement => {
    const { number, outcome } = card;
    const button = create('button', 'test-card', { type: 'button' });
    const digits = create('span', 'test-card-number', {});
    digits.textContent = formatPan(number);
    const text = create('span', 'test-card-outcome', {});
    text.textContent = outcome;
    button.append(text, ' ', digits);
    button.addEventListener('click', () => choose(card));
    const item = document.createElement('li');
    item.append(button);
    return item;
  };

  const show = () => {
    const groups = findTestCards(search.value);
    const sections = groups.map(({ title, cards }, index) => {
      const heading = create('p', 'test-card-title', { id: `test-cards-${index}` });
      heading.textContent = title;
      const list = create('ul', '', { 'aria-labelledby': heading.id });
      list.append(...cards.map(choiceOf));
      return [heading, list];
    });
    const cards = groups.reduce((sum, group) => sum + group.cards.length, 0);
    const said = cards === 1 ? '1 test card' : `${cards === 0 ? 'No' : cards} test cards`;
    count.textContent = said;
    const none = create('p', 'test-card-title', { 'aria-hidden': 'true' });
    none.textContent = said;
    results.replaceChildren(...(cards === 0 ? [none] : sections.flat()));
  };
  search.addEventListener('input', show);
  show();

  root.addEventListener('keydown', (event) => {
    const buttons = [...results.querySelectorAll('button')];
    const focused = document.activeElement;
    const at = focused instanceof HTMLButtonElement ? buttons.indexOf(focused) : -1;
    const act = actionFor(event, { at, last: buttons.length - 1, isSearching: event.target === search });
    if (act === null) return;
    event.preventDefault();
    event.stopPropagation(); // the page gets Escape events of the form, but not this one
    if (act === 'close') close();
    else if (act === 'choose') buttons[0]?.click();
    else (act < 0 ? search : buttons[act])?.focus();
  });
  return root;
};

type Place = { at: number; last: number; isSearching: boolean };

/** A key's action: closes the list, chooses the first card, or moves the focus to a card (-1: to the search field). */
const actionFor = (
  event: KeyboardEvent,
  { at, last, isSearching }: Place,
): 'close' | 'choose' | number | null => {
  if (isOfComposition(event)) return null;
  switch (event.key) {
    case 'Escape':
      return 'close';
    case 'Enter':
      return isSearching && !event.repeat ? 'choose' : null;
    case 'ArrowDown':
      return Math.min(at + 1, last);
    case 'ArrowUp':
      return isSearching ? null : at - 1;
    case 'Home':
      return isSearching ? null : 0;
    case 'End':
      return isSearching ? null : last;
    default:
      return null;
  }
};

const create = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
