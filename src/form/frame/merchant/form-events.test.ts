// @vitest-environment happy-dom
/** promises 1.8: the page's events about the form, which contain nothing that was typed. */
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FrameMessage } from '../../channel/messages.ts';
import { controlId } from '../first/controls.ts';
import { postState } from '../first/frame-state.ts';
import { reportChanges, reportFocus, reportState, reportSubmitRequests } from './form-events.ts';
import { exampleForm, filledForm } from './merchant.fixture.ts';

let ending: AbortController;
let messages: FrameMessage[];
const post = (message: FrameMessage) => {
  messages.push(message);
};

beforeEach(() => {
  ending = new AbortController();
  messages = [];
});
afterEach(() => {
  ending.abort();
  document.body.replaceChildren();
});

describe('change', () => {
  it('is sent when something in it differs, not at the start and not twice', () => {
    const form = exampleForm();
    reportChanges(form, signal(true), post);
    expect(messages).toEqual([]);
    form.fields.number.type('4242');
    form.fields.number.type('4242 4');
    expect(messages).toMatchObject([{ type: 'change', complete: false, empty: false, brand: 'visa' }]);
  });

  it('is sent when a billing field becomes valid or is left invalid, not for each key in it', () => {
    const form = exampleForm();
    reportChanges(form, signal(true), post);
    const { email } = form.fields;
    for (const text of ['a', 'ad', 'ad@', 'ad@b', 'ad@b.']) email.type(text);
    expect(messages).toEqual([]);
    email.type('ad@b.d');
    email.type('ad@b.de');
    expect(messages).toHaveLength(1);
    email.type('ad@@b.de');
    email.leave();
    expect(messages).toMatchObject([{ invalid: [] }, { invalid: [] }, { invalid: ['email'] }]);
    expect(messages[0]).not.toMatchObject({ missing: expect.arrayContaining(['email']) });
    expect(messages[1]).toMatchObject({ missing: expect.arrayContaining(['email']) });
  });

  it('is sent when the payment can be paid, and when it no longer can', () => {
    const form = filledForm();
    const canBePaid = signal(false);
    reportChanges(form, canBePaid, post);
    canBePaid.value = true;
    canBePaid.value = false;
    expect(messages).toMatchObject([
      { complete: true, canPay: true },
      { complete: true, canPay: false },
    ]);
  });
});

describe('focus and blur', () => {
  const input = (name: 'number' | 'cvc' | 'email') => {
    const element = document.createElement('input');
    element.id = controlId(name);
    document.body.append(element);
    return element;
  };
  const move = (type: string, target: Element, relatedTarget: Element | null) =>
    target.dispatchEvent(new FocusEvent(type, { bubbles: true, relatedTarget }));

  it('name the card as one place, and say nothing on the way from one card field to the next', () => {
    const hasFocus = reportFocus(post, ending.signal);
    const [number, cvc, email] = [input('number'), input('cvc'), input('email')];
    move('focusin', number, null);
    move('focusout', number, cvc);
    move('focusin', cvc, number);
    expect(messages).toEqual([{ type: 'focus', field: 'card' }]);
    move('focusout', cvc, email);
    move('focusin', email, cvc);
    expect(messages.slice(1)).toEqual([
      { type: 'blur', field: 'card' },
      { type: 'focus', field: 'email' },
    ]);
    expect(hasFocus.peek()).toBe(true);
    move('focusout', email, null);
    expect(hasFocus.peek()).toBe(false);
  });

  it('are sent for a field that had the focus before', () => {
    const number = input('number');
    number.focus();
    reportFocus(post, ending.signal);
    expect(messages).toEqual([{ type: 'focus', field: 'card' }]);
  });

  it('are silent after the end', () => {
    const email = input('email');
    reportFocus(post, ending.signal);
    ending.abort();
    move('focusin', email, null);
    expect(messages).toEqual([]);
  });
});

describe('submitrequest', () => {
  const press = (target: Element, init: KeyboardEventInit = {}, isTrusted = true) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
    Object.defineProperty(event, 'isTrusted', { value: isTrusted });
    target.dispatchEvent(event);
  };
  const put = (name: 'input' | 'select' | 'button') => {
    const element = document.createElement(name);
    document.body.append(element);
    return element;
  };

  it('is sent for Enter in a field', () => {
    reportSubmitRequests(() => true, post, ending.signal);
    press(put('input'));
    expect(messages).toEqual([{ type: 'submitrequest' }]);
  });

  it.each<[string, KeyboardEventInit, boolean]>([
    ['a script', {}, false],
    ['a key that is held', { repeat: true }, true],
    ['a composition of an input method', { isComposing: true }, true],
    [
      'the key that ends a composition in Safari: `keyCode` 229 without `isComposing`',
      { keyCode: 229 },
      true,
    ],
    ['another key', { key: 'a' }, true],
  ])('is not sent for %s', (_, init, isTrusted) => {
    reportSubmitRequests(() => true, post, ending.signal);
    press(put('input'), init, isTrusted);
    expect(messages).toEqual([]);
  });

  it('is not sent for Enter on a list or a button, nor if Enter went to the next field', () => {
    reportSubmitRequests(() => true, post, ending.signal);
    press(put('select'));
    press(put('button'));
    const input = put('input');
    input.addEventListener('keydown', (event) => event.preventDefault());
    press(input);
    expect(messages).toEqual([]);
  });

  it('is not sent while nothing can be paid or the page has no button, nor after the end', () => {
    let isWanted = false;
    reportSubmitRequests(() => isWanted, post, ending.signal);
    press(put('input'));
    isWanted = true;
    ending.abort();
    press(put('input'));
    expect(messages).toEqual([]);
  });

  it('is not sent without a live user activation', () => {
    vi.stubGlobal('navigator', { userActivation: { isActive: false } });
    reportSubmitRequests(() => true, post, ending.signal);
    press(put('input'));
    vi.unstubAllGlobals();
    expect(messages).toEqual([]);
  });
});

it('classes of the container and an awaited outcome are sent when they change', () => {
  const form = exampleForm();
  const hasFocus = signal(false);
  const isAwaitingOutcome = signal(false);
  reportState((state) => postState(post, state), form, hasFocus, isAwaitingOutcome);
  expect(messages.at(-1)).toMatchObject({ classes: ['CardForm--empty'], sent: false });
  hasFocus.value = true;
  isAwaitingOutcome.value = true;
  expect(messages.at(-1)).toMatchObject({ classes: ['CardForm--focus', 'CardForm--empty'], sent: true });
  const sent = messages.length;
  hasFocus.value = true;
  expect(messages).toHaveLength(sent);
});
