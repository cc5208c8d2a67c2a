// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLiveness, type Liveness } from './liveness.ts';

let ending: AbortController;
let liveness: Liveness;
let button: HTMLElement;

beforeEach(() => {
  ending = new AbortController();
  liveness = createLiveness(ending.signal);
  button = document.createElement('button');
  document.body.replaceChildren(button);
});
afterEach(() => ending.abort());

const trusted = <One extends Event>(event: One, isTrusted = true): One =>
  Object.defineProperty(event, 'isTrusted', { value: isTrusted });

/** Clicks the button. Returns true if the click counts. */
const press = (detail = 0, isTrusted = true): boolean => {
  const click = trusted(new MouseEvent('click', { detail, bubbles: true }), isTrusted);
  button.dispatchEvent(click);
  return liveness.isLive(click);
};

it('a click that a script dispatched is not live', () => {
  expect(press(0, false)).toBe(false);
  expect(press()).toBe(true);
});

it('outcomes 2.7: a held key presses once; a new key press or a pointer counts again', () => {
  const key = (type: string, repeat = false) =>
    button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', repeat, bubbles: true }));
  key('keydown');
  expect(press(0)).toBe(true);
  key('keydown', true);
  expect(press(0)).toBe(false);
  key('keydown', true);
  expect(press(1)).toBe(true);
  key('keydown', true);
  expect(press(0)).toBe(false);
  key('keyup');
  expect(press(0)).toBe(true); // the space bar clicks on keyup, and assistive technology without any key
  key('keydown');
  expect(press(0)).toBe(true);
});

it.each([
  ['mouse', 'mouse'],
  ['pen', 'mouse'],
  ['touch', 'touch'],
])('click() reports the device, and when and where the pointer went down: %s', (pointerType, by) => {
  button.dispatchEvent(
    Object.defineProperty(new PointerEvent('pointerdown', { pointerType, bubbles: true }), 'timeStamp', {
      value: 7,
    }),
  );
  button.dispatchEvent(new MouseEvent('click', { detail: 1, screenX: 3, screenY: 4, bubbles: true }));
  expect(liveness.click()).toEqual({ by, at: 7, spot: { x: 3, y: 4 } });
  button.dispatchEvent(new MouseEvent('click', { detail: 0, bubbles: true }));
  expect(liveness.click()).toEqual({ by: 'key' });
});

it('before any click, a press came from a key', () => {
  expect(liveness.click()).toEqual({ by: 'key' });
});

it('a key that came up is not held, nor is one that already clicked', () => {
  const key = (type: string, repeat = false) =>
    button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', repeat, bubbles: true }));
  key('keydown', true);
  key('keyup');
  expect(press()).toBe(true);
  key('keydown', true);
  expect([press(), press()]).toEqual([false, true]);
});

it('listens before any element can stop an event, and not after its end', () => {
  const by = (detail: number) => {
    button.dispatchEvent(trusted(new MouseEvent('click', { detail, bubbles: true })));
    return liveness.click().by;
  };
  button.addEventListener('click', (event) => event.stopPropagation());
  expect(by(1)).toBe('mouse');
  ending.abort();
  expect(by(0)).toBe('mouse');
});
