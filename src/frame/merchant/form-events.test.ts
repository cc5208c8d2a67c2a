// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FrameMessage } from '../../channel/messages.ts';
import { controlId } from '../first/controls.ts';
import { reportChanges, reportFocus, reportState } from './form-events.ts';
import { exampleForm } from './merchant.fixture.ts';

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
    reportChanges(form, post);
    expect(messages).toEqual([]);
    form.fields.number.type('4242');
    form.fields.number.type('4242 4');
    expect(messages).toEqual([{ type: 'change', complete: false, empty: false, brand: 'visa' }]);
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

  it('are heard of a field that had the focus before', () => {
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

it('classes of the container and an awaited outcome are sent when they change', () => {
  const form = exampleForm();
  const hasFocus = signal(false);
  const isAwaitingOutcome = signal(false);
  reportState(post, form, hasFocus, isAwaitingOutcome);
  expect(messages.at(-1)).toMatchObject({ classes: ['CardForm--empty'], sent: false });
  hasFocus.value = true;
  isAwaitingOutcome.value = true;
  expect(messages.at(-1)).toMatchObject({ classes: ['CardForm--focus', 'CardForm--empty'], sent: true });
  const sent = messages.length;
  hasFocus.value = true;
  expect(messages).toHaveLength(sent);
});
