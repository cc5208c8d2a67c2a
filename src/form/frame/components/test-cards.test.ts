// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { toggleTestCards } from './test-cards.ts';

const open = () => {
  const details = document.createElement('details');
  details.append(document.createElement('summary'));
  document.body.replaceChildren(details);
  const typed = { number: vi.fn(), expiry: vi.fn(), cvc: vi.fn() };
  const fields = { number: { type: typed.number }, expiry: { type: typed.expiry }, cvc: { type: typed.cvc } };
  details.open = true;
  toggleTestCards(details, fields);
  const search = details.querySelector('input');
  if (!search) throw new Error('There is no search field.');
  const type = (text: string) => {
    search.value = text;
    search.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const key = (name: string) => {
    const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return event;
  };
  const choices = () => [...details.querySelectorAll('button')].map(({ textContent }) => textContent);
  return { details, fields, typed, search, type, key, choices };
};

it('opens with the focus in the search field and every card in the list, in English', () => {
  const { details, search, choices } = open();
  expect(document.activeElement).toBe(search);
  expect(choices()).toHaveLength(28);
  expect(details.querySelector('section')?.lang).toBe('en');
});

it('search and Enter fill in number, date and code, close the list and return the focus', () => {
  const { details, typed, type, key, choices } = open();
  type('insufficient');
  expect(choices()).toEqual(['402, insufficient_funds 4000 0000 0000 9995']);
  key('Enter');
  expect(typed.number.mock.calls).toEqual([['4000 0000 0000 9995']]);
  expect(typed.expiry.mock.calls).toEqual([[expect.stringMatching(/^12 \/ \d\d$/)]]);
  expect(typed.cvc.mock.calls).toEqual([['123']]);
  expect(details.open).toBe(false);
  expect(document.activeElement).toBe(details.querySelector('summary'));
});

it('results are announced, and Enter without a result fills in nothing', () => {
  const { details, typed, type, key } = open();
  const announced = () => details.querySelector('[aria-live]')?.textContent;
  expect(announced()).toBe('28 test cards');
  type('lost');
  expect(announced()).toBe('1 test card');
  type('xyz');
  expect(announced()).toBe('No test cards');
  key('Enter');
  expect(typed.number).not.toHaveBeenCalled();
});

it('the arrow keys, Home and End move through the cards and back to the search field', () => {
  const { details, search, key } = open();
  const buttons = [...details.querySelectorAll('button')];
  key('ArrowDown');
  expect(document.activeElement).toBe(buttons[0]);
  key('End');
  expect(document.activeElement).toBe(buttons.at(-1));
  key('ArrowDown');
  expect(document.activeElement).toBe(buttons.at(-1));
  key('Home');
  key('ArrowUp');
  expect(document.activeElement).toBe(search);
});

it('Escape closes it, and the page receives no event', () => {
  const { details, key } = open();
  const heard = vi.fn();
  document.addEventListener('keydown', heard, { once: true });
  expect(key('Escape').defaultPrevented).toBe(true);
  expect(heard).not.toHaveBeenCalled();
  expect(details.open).toBe(false);
  document.removeEventListener('keydown', heard);
});

it('a closed ribbon has no list', () => {
  const { details, fields } = open();
  details.open = false;
  toggleTestCards(details, fields);
  expect(details.querySelector('section')).toBeNull();
});
