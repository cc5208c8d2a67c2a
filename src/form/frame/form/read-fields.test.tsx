// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import fc from 'fast-check';
import { render } from 'preact';
import { beforeEach, expect, it } from 'vitest';
import { runs } from '../../../proof/fuzz.ts';
import { FIELD_NAMES } from '../../channel/field-names.ts';
import type { FieldName } from '../../channel/fields.ts';
import { exampleContext } from '../components/context.fixture.ts';
import { FormRoot } from '../components/FormRoot.tsx';
import { DIGITS, type DigitsName } from '../first/auto-advance.ts';
import { controlOf } from '../first/controls.ts';
import { createTyping } from '../first/typing.ts';
import { exampleForm } from '../merchant/merchant.fixture.ts';
import { paidWith } from '../session/paid-with.ts';
import type { FormModel } from './card-form.ts';
import { followFields } from './read-fields.ts';

const root = document.createElement('div');
const typing = createTyping(root);

/** Shows a form. `fill` is called before anything listens to it. */
const show = (fill: () => void = () => {}, canChange = () => true): FormModel => {
  document.body.replaceChildren(root);
  render(null, root);
  render(<FormRoot {...exampleContext()} />, root);
  fill();
  const form = exampleForm();
  followFields(form, typing, canChange);
  render(<FormRoot {...exampleContext({ form })} />, root);
  return form;
};

beforeEach(() => {
  // The browser is never idle, so the country names are not loaded.
  Reflect.set(window, 'requestIdleCallback', () => 0);
  Reflect.set(window, 'cancelIdleCallback', () => undefined);
});

const VALUES = {
  number: [
    '4242424242424242',
    '5555 5555 5555 4444',
    '3782-822463-10005',
    '4242',
    '42424242424242429999',
    '',
  ],
  expiry: ['12/34', '0530', '2031-07', '1', ''],
  cvc: ['123', '1234', '12345', ''],
  name: ['Ada Lovelace', 'Grace Hopper', ''],
  email: ['ada@example.com', 'grace@example.org', 'ada@', ''],
  line1: ['12 Orchard Lane', '7 Hill Street', ''],
  line2: ['Flat 3', ''],
  city: ['Portland', 'Salem', ''],
  state: ['OR', 'CA', ''],
  postal_code: ['97205', '97301-1234', ''],
} as const satisfies Partial<Record<FieldName, readonly string[]>>;

type Filled = { name: keyof typeof VALUES; value: string; events: readonly string[] };

const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];

/** The events after a value: all, some or none. */
const EVENTS = fc.constantFrom<readonly string[]>(
  [],
  ['input'],
  ['change'],
  ['blur', 'focusout'],
  ['input', 'change'],
  ['keydown', 'keyup'],
);

const FILLED: fc.Arbitrary<Filled> = fc.constantFrom(...NAMES).chain((name) =>
  fc.record({
    name: fc.constant(name),
    value: fc.constantFrom(...VALUES[name]),
    events: EVENTS,
  }),
);

const write = (name: FieldName, value: string): EventTarget | null => {
  const control = controlOf(name);
  if (control) control.value = value;
  return control;
};

/** Sets a value like a script or a password manager: on the element, with only some of the events of typing. */
const fill = ({ name, value, events }: Filled) => {
  const control = write(name, value);
  for (const type of events) control?.dispatchEvent(new Event(type, { bubbles: type !== 'blur' }));
};

/** Presses Pay, and compares what the form read with the fields' values. */
const expectShownIsSent = (form: FormModel) => {
  const standing = FIELD_NAMES.map((name) => [name, controlOf(name)?.value ?? ''] as const);
  const refused = form.press();
  const sent = form.details();
  const same = exampleForm();
  for (const [name, value] of standing) {
    const shown = controlOf(name)?.value ?? '';
    expect([value, isDigits(name) && typing.entered(name, value)], name).toContain(shown);
    same.fields[name].type(shown);
  }
  expect(sent).toEqual(same.details());
  expect(refused === null).toBe(sent !== null);
  expect(form.brand.peek()).toBe(same.brand.peek());
  expect(receiptOf(form)).toBe(receiptOf(same));
};

const isDigits = (name: string): name is DigitsName => DIGITS.some((one) => one === name);

/** The card as the receipt would show it. */
const receiptOf = ({ brand, fields: { number } }: FormModel) =>
  paidWith(signal({ status: 'confirming' } as const), { brand, number }).peek();

/** A whole form at once, or nothing. */
const WHOLE: fc.Arbitrary<readonly Filled[]> = fc
  .option(EVENTS)
  .map((events) => (events ? NAMES.map((name) => ({ name, value: VALUES[name][0], events })) : []));

const some = (maxLength: number) => fc.array(FILLED, { maxLength });

it('promises 2.11: a press sends the values in the fields, however they were filled in, even after a decline', () => {
  const form = show();
  fc.assert(
    fc.property(WHOLE, some(6), some(4), (whole, filled, afterDecline) => {
      form.reset({});
      for (const { name, text } of Object.values(form.fields)) write(name, text.peek());
      for (const one of [...whole, ...filled]) fill(one);
      expectShownIsSent(form);
      form.clearCvc();
      for (const one of afterDecline) fill(one);
      expectShownIsSent(form);
    }),
    { numRuns: runs(10_000) },
  );
});

it('promises 2.11: the form starts with the values filled in before hydration', () => {
  fc.assert(
    fc.property(some(12), some(4), (early, later) => {
      const form = show(() => {
        for (const one of early) fill(one);
      });
      for (const one of later) fill(one);
      expectShownIsSent(form);
    }),
    { numRuns: runs(400) },
  );
});

it('promises 2.11: values filled in after the press, while the page decides, are sent', () => {
  const form = show();
  for (const name of NAMES) fill({ name, value: VALUES[name][0], events: ['input'] });
  expect(form.press()).toBeNull();
  fill({ name: 'number', value: '5555555555554444', events: [] });
  expect(form.details()?.card.number).toBe('5555555555554444');
});

it('promises 2.11: a security code that is filled in has as many digits as the number beside it asks for', () => {
  const form = show();
  fill({ name: 'number', value: '5555555555554444', events: ['input'] });
  fill({ name: 'number', value: '378282246310005', events: [] });
  fill({ name: 'cvc', value: '1234', events: ['input'] });
  expect(form.fields.cvc.text.peek()).toBe('1234');
});

it.each(['change', 'focusout'])(
  'promises 2.11: after %s of any field, the values of all fields are validated and marked',
  (event) => {
    const form = show();
    fill({ name: 'number', value: '5555555555554444', events: [] });
    fill({ name: 'email', value: 'ada@example.com', events: [event] });
    expect(controlOf('number')?.value).toBe('5555 5555 5555 4444');
    expect([form.brand.peek(), form.fields.email.isComplete.peek()]).toEqual(['mastercard', true]);
  },
);

it('promises 2.11: values that the form writes, such as a test card, stay whatever happens at the same moment', () => {
  const form = show();
  fill({ name: 'email', value: '<ada@example.com>', events: ['input'] });
  form.fields.number.type('4242 4242 4242 4242');
  form.fields.email.type('ada@example.com');
  document.dispatchEvent(new Event('focusout'));
  expect(form.fields.number.text.peek()).toBe('4242 4242 4242 4242');
  expect(controlOf('number')?.value).toBe('4242 4242 4242 4242');
  expect(form.fields.email.text.peek()).toBe('ada@example.com');
});

it('promises 2.11: while the form is locked, values written by a script are ignored', () => {
  let isOpen = true;
  const form = show(undefined, () => isOpen);
  fill({ name: 'number', value: '5555555555554444', events: ['input'] });
  isOpen = false;
  fill({ name: 'number', value: '4242424242424242', events: ['change', 'focusout'] });
  form.read();
  expect(form.fields.number.text.peek()).toBe('5555 5555 5555 4444');
});
