import { describe, expect, it } from 'vitest';
import { ConfirmRequest } from '../api/requests.ts';
import { createForm, type FieldName } from './form.ts';

const emptyForm = (preferred: readonly string[] = ['en-US']) =>
  createForm({ preferred, thisMonth: () => ({ year: 2026, month: 11 }) });

const COMPLETE: Partial<Record<FieldName, string>> = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 30',
  cvc: '123',
  name: '  Ada Lovelace ',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  postal_code: '97201',
};

const filledForm = (different: Partial<Record<FieldName, string>> = {}) => {
  const form = emptyForm();
  for (const [name, text] of Object.entries({ ...COMPLETE, ...different })) {
    const field = Object.values(form.fields).find((candidate) => candidate.name === name);
    field?.type(text);
  }
  return form;
};

describe('what is sent', () => {
  it('contract 3.2: digits, integers, trimmed text, optional address keys null and never left out', () => {
    expect(filledForm().details()).toEqual({
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' },
      billing_details: {
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        address: {
          line1: '12 Orchard Lane',
          line2: null,
          city: null,
          state: null,
          postal_code: '97201',
          country: 'US',
        },
      },
    });
  });

  it('43: each letter in one way (NFC), in every text', () => {
    const form = filledForm({
      name: 'Zoe\u0308',
      line1: 'Ro\u0308merstr. 1',
      line2: 'A\u030a',
      city: 'Ko\u0308ln',
    });
    expect(form.details()?.billing_details).toMatchObject({
      name: 'Zo\u00eb',
      address: { line1: 'R\u00f6merstr. 1', line2: '\u00c5', city: 'K\u00f6ln' },
    });
  });

  it('parses as the body the service takes', () => {
    const body = { client_secret: 'lg_cs_1', amount_total: 1234, currency: 'usd', ...filledForm().details() };
    expect(ConfirmRequest.safeParse(body).success).toBe(true);
  });

  it.each<FieldName>(['number', 'expiry', 'cvc', 'name', 'email', 'country', 'line1', 'postal_code'])(
    'nothing is sent without %s',
    (name) => {
      const form = filledForm({ [name]: '' });
      expect(form.details()).toBe(null);
      expect(form.isComplete.value).toBe(false);
      expect(form.press()).toBe(name);
    },
  );

  it.each<FieldName>(['line2', 'city', 'state'])('%s may be left out', (name) => {
    expect(filledForm({ [name]: '' }).press()).toBe(null);
  });

  it('product 2: where a country has no postal code the field is not asked and "" is sent', async () => {
    const form = filledForm();
    form.fields.country.type('HK');
    await expect.poll(() => form.asked.value.includes('postal_code')).toBe(false);
    expect(form.details()?.billing_details.address).toMatchObject({ country: 'HK', postal_code: '' });
  });

  it('a state of the country before is not sent as one of the country now', async () => {
    const form = filledForm({ state: 'OR' });
    form.fields.country.type('CA');
    await expect.poll(() => form.fields.state.text.value).toBe('');
  });

  it('the length of the security code follows the brand', () => {
    const amex = { number: '3782 822463 10005' };
    expect(filledForm({ ...amex, cvc: '1234' }).details()).not.toBe(null);
    expect(filledForm({ ...amex, cvc: '123' }).press()).toBe('cvc');
    expect(filledForm({ cvc: '1234' }).details()).toBe(null);
  });
});

describe('when a problem is shown', () => {
  it('what can never become valid: on leaving the field, not before', () => {
    const { number } = emptyForm().fields;
    number.type('4242 4242 4242 4241');
    expect(number.problem.value).toBe(null);
    number.leave();
    expect(number.problem.value).toMatchObject({ key: 'number.luhn' });
  });

  it('what is not valid yet: only after Pay was pressed', () => {
    const form = emptyForm();
    const { number } = form.fields;
    number.type('4242');
    number.leave();
    expect(number.problem.value).toBe(null);
    form.press();
    expect(number.problem.value).toMatchObject({ key: 'number.incomplete' });
  });

  it('nobody is scolded while putting it right; on leaving it is judged again', () => {
    const form = emptyForm();
    form.press();
    const { email } = form.fields;
    email.type('ada@');
    expect(email.problem.value).toBe(null);
    email.leave();
    expect(email.problem.value).toMatchObject({ key: 'email.incomplete' });
  });

  it('an untouched form shows none', () => {
    const form = emptyForm();
    for (const field of Object.values(form.fields)) {
      field.leave();
      expect(field.problem.value).toBe(null);
    }
  });

  it('pressing Pay on an empty form leads to the card number', () => {
    expect(emptyForm().press()).toBe('number');
  });

  it('what the service refused is marked until it is changed', () => {
    const form = filledForm();
    form.fields.postal_code.refuse();
    expect(form.fields.postal_code.problem.value).toMatchObject({ key: 'field.refused' });
    form.fields.postal_code.type('97202');
    expect(form.fields.postal_code.problem.value).toBe(null);
  });
});

describe('what is kept and what is forgotten', () => {
  it('after an attempt the security code goes, everything else stays', () => {
    const form = filledForm();
    form.clearCvc();
    expect(form.fields.cvc.text.value).toBe('');
    expect(form.fields.number.text.value).toBe(COMPLETE.number);
    expect(form.fields.email.text.value).toBe(COMPLETE.email);
  });

  it('after the end nothing of the card is left', () => {
    const form = filledForm();
    form.clearCard();
    expect(JSON.stringify(Object.values(form.fields).map(({ text }) => text.value))).not.toMatch(
      /4242|30|123/,
    );
  });

  it("fills in the merchant's values, and never over what the buyer typed", () => {
    const form = emptyForm();
    form.fields.email.type('typed@example.com');
    form.fillIn({ email: 'given@example.com', name: 'Ada', address: { country: 'de', line1: 'Gasse 1' } });
    expect(form.fields.email.text.value).toBe('typed@example.com');
    expect(form.fields.name.text.value).toBe('Ada');
    expect(form.fields.country.text.value).toBe('DE');
    expect(form.fields.line1.text.value).toBe('Gasse 1');
  });

  it('a country nobody knows is not filled in', () => {
    const form = emptyForm();
    form.fillIn({ address: { country: 'XX' } });
    expect(form.fields.country.text.value).toBe('US');
  });

  it('guesses the country from the browser', () => {
    expect(emptyForm(['de-AT', 'en']).fields.country.text.value).toBe('AT');
  });
});
