// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { controlId } from '../first/controls.ts';
import { createCommands } from './commands.ts';
import { exampleForm } from './merchant.fixture.ts';

afterEach(() => document.body.replaceChildren());

const setUp = ({ mayReturn = true, canClear = true } = {}) => {
  const form = exampleForm();
  const guard = { focusMovedByPage: vi.fn() };
  const watch = { mayReturn: () => mayReturn, isInterrupted: () => false, leftByPage: vi.fn() };
  const warn = vi.fn();
  const defaults = vi.fn(() => ({ name: 'Ada Lovelace' }));
  const inputs = (['number', 'email'] as const).map((name) => {
    const input = document.createElement('input');
    input.id = controlId(name);
    input.scrollIntoView = () => undefined;
    document.body.append(input);
    return input;
  });
  const commands = createCommands({ form, guard, watch, warn, canClear: signal(canClear), defaults });
  return { commands, form, guard, watch, warn, inputs };
};

describe('focus()', () => {
  it('focuses the field, and notifies the guard that the page moved the focus', () => {
    const { commands, guard, inputs } = setUp();
    commands.focus('email');
    expect(document.activeElement).toBe(inputs[1]);
    expect(guard.focusMovedByPage).toHaveBeenCalledOnce();
  });

  it('without a name focuses the first field that is not complete', () => {
    const { commands, inputs } = setUp();
    commands.focus(undefined);
    expect(document.activeElement).toBe(inputs[0]);
  });

  it('is refused for a card field after the page took the focus from one, with a warning', () => {
    const { commands, guard, warn } = setUp({ mayReturn: false });
    commands.focus('number');
    expect(document.activeElement).toBe(document.body);
    expect(guard.focusMovedByPage).not.toHaveBeenCalled();
    expect(warn).toHaveBeenCalledWith('focus', expect.stringContaining('was refused'));
  });

  it('of a field that is no card field is never refused', () => {
    const { commands, inputs } = setUp({ mayReturn: false });
    commands.focus('email');
    expect(document.activeElement).toBe(inputs[1]);
  });

  it('out of a card field takes the focus from the buyer, as blur() does; within the card it does not', () => {
    const { commands, watch } = setUp();
    commands.focus('number');
    expect(watch.leftByPage).not.toHaveBeenCalled();
    commands.focus('email');
    expect(watch.leftByPage).toHaveBeenCalledOnce();
  });
});

it('blur() removes the focus, and counts as the work of the page', () => {
  const { commands, watch } = setUp();
  commands.focus('number');
  commands.blur();
  expect(document.activeElement).toBe(document.body);
  expect(watch.leftByPage).toHaveBeenCalledOnce();
});

describe('clear()', () => {
  it('empties every field but the country, and fills in the default values again', () => {
    const { commands, form } = setUp();
    form.fields.number.type('4242');
    form.fields.email.type('ada@example.com');
    const country = form.fields.country.text.peek();
    commands.clear();
    expect([form.fields.number.text.peek(), form.fields.email.text.peek()]).toEqual(['', '']);
    expect(form.fields.country.text.peek()).toBe(country);
    expect(form.fields.name.text.peek()).toBe('Ada Lovelace');
  });

  it('does nothing while a payment is under way or over', () => {
    const { commands, form } = setUp({ canClear: false });
    form.fields.number.type('4242');
    commands.clear();
    expect(form.fields.number.text.peek()).toBe('4242');
    expect(form.fields.name.text.peek()).toBe('');
  });
});
