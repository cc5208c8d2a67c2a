// @vitest-environment happy-dom
import { effect } from '@preact/signals';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadFormat } from '../../address/load.ts';
import { exampleConfirming, exampleIntent } from '../../payment/payment.fixture.ts';
import { controlId } from '../first/controls.ts';
import { view } from '../view/view.ts';
import { exampleForm, filledForm } from './merchant.fixture.ts';
import { validate, validationOf } from './validation.ts';

const OPEN = view(
  {
    status: 'ready',
    intent: exampleIntent(),
    feedback: { notice: null, previousTotal: null },
    readAt: 0,
    armedAt: 0,
  },
  true,
);
const LOCKED = view(exampleConfirming, true);

beforeAll(() => loadFormat('US'));
afterEach(() => document.body.replaceChildren());

describe('missing and invalid values', () => {
  it('an empty form lacks every required field, and the card as one', () => {
    expect(validationOf(exampleForm(), true)).toEqual({
      complete: false,
      invalid: [],
      missing: ['card', 'name', 'email', 'line1', 'postal_code', 'state', 'city'],
      canPay: false,
    });
  });

  it('a complete form lacks nothing, and can be paid if the payment can', () => {
    const nothing = { complete: true, invalid: [], missing: [] };
    expect(validationOf(filledForm(), true)).toEqual({ ...nothing, canPay: true });
    expect(validationOf(filledForm(), false)).toEqual({ ...nothing, canPay: false });
  });

  it('a value is invalid once the buyer sees an error, and missing while it is being typed', () => {
    const form = filledForm({ email: 'ada@@example.com' });
    expect(validationOf(form, true)).toMatchObject({ invalid: [], missing: ['email'], canPay: false });
    form.fields.email.leave();
    expect(validationOf(form, true)).toMatchObject({ invalid: ['email'], missing: [] });
    form.fields.email.type('ada@example');
    expect(validationOf(form, true)).toMatchObject({ invalid: [], missing: ['email'] });
  });

  it('a value that the service refused is invalid even if the form is complete', () => {
    const form = filledForm();
    form.fields.postal_code.refuse();
    expect(validationOf(form, true)).toEqual({
      complete: true,
      invalid: ['postal_code'],
      missing: [],
      canPay: false,
    });
  });

  it('the card is in one list only: a wrong number counts more than a missing code', () => {
    const form = filledForm({ number: '4242 4242 4242 4241', cvc: '' });
    form.fields.number.leave();
    expect(validationOf(form, true)).toMatchObject({ invalid: ['card'], missing: [] });
  });

  it('a field that the country does not have is not missing', async () => {
    const form = exampleForm();
    form.fields.country.type('AE');
    await expect.poll(() => validationOf(form, true).missing).not.toContain('postal_code');
    expect(validationOf(form, true).missing).toContain('line1');
  });

  it('canPay is true after a doubt has stopped one press', () => {
    const form = filledForm({ postal_code: 'EC1A 1BB' });
    expect(validationOf(form, true)).toMatchObject({ complete: true, canPay: false });
    expect(form.press()).toBe('postal_code');
    expect(validationOf(form, true)).toMatchObject({ complete: true, canPay: true });
    expect(form.press()).toBeNull();
  });
});

describe('validate()', () => {
  it('shows the missing fields without a press', () => {
    const form = exampleForm();
    expect(validate(form, OPEN, true)).toMatchObject({ complete: false, canPay: false });
    expect(form.fields.email.problem.peek()).toMatchObject({ key: 'email.empty' });
    expect(form.fields.number.problem.peek()).toMatchObject({ key: 'number.empty' });
  });

  it('shows a doubt and says that it stops a press, once', () => {
    const form = filledForm({ postal_code: 'EC1A 1BB' });
    expect(validate(form, OPEN, true)).toMatchObject({ complete: true, canPay: false });
    expect(form.fields.postal_code.doubt.peek()).not.toBeNull();
    expect(validate(form, OPEN, true)).toMatchObject({ complete: true, canPay: true });
  });

  it('marks nothing while the form is locked or an outcome is in its place', () => {
    const outcome = view({ status: 'canceled', intent: exampleIntent() }, true);
    for (const screen of [LOCKED, outcome]) {
      const form = exampleForm();
      expect(validate(form, screen, false)).toMatchObject({ complete: false, canPay: false });
      expect(form.fields.email.problem.peek()).toBeNull();
    }
  });

  it('threat-model 1.3: a page that validates all the time does not learn when the buyer types in the card', () => {
    const form = filledForm({ number: '', expiry: '12 / 34', cvc: '123' });
    const input = document.createElement('input');
    input.id = controlId('number');
    document.body.append(input);
    input.focus();
    const seen: string[] = [];
    effect(() => {
      const isMarked = form.asked.value.some((name) => form.fields[name].problem.value !== null);
      seen.push(JSON.stringify([validationOf(form, true), isMarked]));
    });
    for (const text of ['4', '42', '424', '4242', '4242 4', '4242 42']) {
      validate(form, OPEN, true);
      form.fields.number.type(text);
    }
    expect(new Set(seen).size).toBe(1);
    form.fields.number.leave(); // now its message is due
    expect(form.fields.number.problem.peek()).toMatchObject({ key: 'number.incomplete' });
  });
});
