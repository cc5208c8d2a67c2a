// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followNextKey } from './next-key.ts';

let ending: AbortController;
beforeEach(() => {
  ending = new AbortController();
  vi.stubGlobal('matchMedia', () => ({ matches: true })); // a phone
  document.body.innerHTML = '<input class="control"><input class="control">';
});
afterEach(() => {
  ending.abort();
  vi.unstubAllGlobals();
});

const controls = () => [...document.querySelectorAll<HTMLInputElement>('input')];

/** Presses Enter in the first field. Returns true if the second has the focus afterwards. */
const movesOn = (init: KeyboardEventInit): boolean => {
  const [first = document.createElement('input')] = controls();
  Object.assign(first, { enterKeyHint: 'next' }); // unknown to happy-dom
  first.focus();
  followNextKey(ending.signal);
  first.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
  );
  return document.activeElement === controls()[1];
};

it('on a phone, Enter goes to the next field', () => expect(movesOn({})).toBe(true));

it.each<[string, KeyboardEventInit]>([
  ['with `isComposing`', { isComposing: true }],
  ['in Safari with `keyCode` 229 alone', { keyCode: 229 }],
])('Enter that ends a composition, %s, is no press', (_, init) => {
  expect(movesOn(init)).toBe(false);
});
