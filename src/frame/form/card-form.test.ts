import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { allowedAmong, guessCountry } from '../../address/countries.ts';
import { loadFormat } from '../../address/load.ts';
import { ConfirmRequest } from '../../api/requests.ts';
import type { FieldName } from '../../channel/field-names.ts';
import { type CardForm, createForm } from './card-form.ts';

/** As the part of the frame that pays does it, which knows the countries. */
const allow = (form: CardForm, codes: readonly string[] | undefined, preferred: readonly string[]) => {
  const countries = allowedAmong(codes);
  form.allowCountries(countries, guessCountry(preferred, countries));
  return form;
};

const emptyForm = (preferred: readonly string[] = ['en-US']) =>
  allow(createForm({ preferred, thisMonth: () => ({ year: 2026, month: 11 }) }), undefined, preferred);

const COMPLETE: Partial<Record<FieldName, string>> = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 30',
  cvc: '123',
  name: '  Ada Lovelace ',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
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
          city: 'Portland',
          state: 'OR',
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

  it('line2 may be left out', () => {
    expect(filledForm({ line2: '' }).press()).toBe(null);
  });

  it.each<FieldName>(['city', 'state'])(
    '%s, without which no letter arrives there, is asked for once and may be left out',
    (name) => {
      const form = filledForm({ [name]: '' });
      expect(form.fields[name].doubt.value).toBe(null);
      expect(form.isComplete.value).toBe(true);
      expect(form.press()).toBe(name);
      expect(form.fields[name].doubt.value).toMatchObject({ key: `${name}.empty` });
      expect(form.press()).toBe(null);
      expect(form.details()?.billing_details.address).toMatchObject({ [name]: null });
    },
  );

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

  it("a press before a country's fields are there shows others and is not counted; the next one is", async () => {
    const form = filledForm();
    form.fields.country.type('VN'); // of which nothing was loaded yet
    expect(form.press()).toBe('country');
    expect(form.asked.value).toContain('state');
    expect(form.press()).toBe(null);
    const sent = form.details();
    expect(sent?.billing_details.address).toMatchObject({
      line1: '12 Orchard Lane',
      state: null,
      postal_code: '',
      country: 'VN',
    });
    await loadFormat('VN');
    expect(form.details()).toEqual(sent);
  });

  it('the length of the security code follows the brand', () => {
    const amex = { number: '3782 822463 10005' };
    expect(filledForm({ ...amex, cvc: '1234' }).details()).not.toBe(null);
    expect(filledForm({ ...amex, cvc: '123' }).press()).toBe('cvc');
    expect(filledForm({ cvc: '1234' }).details()).toBe(null);
  });
});

describe('a postal code that does not look like one of the country', () => {
  const EXAMPLE = { example: '95014' };

  it('is doubted on leaving, gently; the first press leads there, the second goes through', () => {
    const form = filledForm({ postal_code: '9720' });
    const { postal_code: field } = form.fields;
    expect(field.doubt.value).toBe(null);
    field.leave();
    expect(field.doubt.value).toEqual({ key: 'postal_code.pattern', values: EXAMPLE });
    expect(field.problem.value).toBe(null);
    expect(form.press()).toBe('postal_code');
    expect(field.doubt.value).toEqual({ key: 'postal_code.unusual', values: EXAMPLE });
    expect(form.press()).toBe(null);
    expect(form.details()?.billing_details.address.postal_code).toBe('9720');
  });

  it('is not doubted while it is put right, and another one is doubted anew', () => {
    const form = filledForm({ postal_code: '9720' });
    const { postal_code: field } = form.fields;
    field.leave();
    field.type('972');
    expect(field.doubt.value).toBe(null);
    expect(form.press()).toBe('postal_code');
    field.type('972a');
    expect(field.doubt.value).toBe(null);
    expect(form.press()).toBe('postal_code');
    expect(form.press()).toBe(null);
    field.type('97201');
    expect(form.press()).toBe(null);
    expect(field.doubt.value).toBe(null);
  });

  it('is told of beside what is really wrong, and does not stop a press of its own after that', () => {
    const form = filledForm({ postal_code: '9720', number: '' });
    expect(form.press()).toBe('number');
    expect(form.fields.postal_code.doubt.value).toMatchObject({ key: 'postal_code.unusual' });
    form.fields.number.type('4242424242424242');
    expect(form.press()).toBe(null);
  });

  it('is sent as it is written there where only the writing differs', () => {
    const form = filledForm({ postal_code: ' 97201 1234' });
    expect(form.press()).toBe(null);
    form.fields.postal_code.leave();
    expect(form.fields.postal_code.text.value).toBe('97201-1234');
    expect(form.details()?.billing_details.address.postal_code).toBe('97201-1234');
  });

  it('stops every press where the service would refuse it: too long (at most 20 characters)', () => {
    const form = filledForm({ postal_code: '1'.repeat(21) });
    expect([form.press(), form.press()]).toEqual(['postal_code', 'postal_code']);
    expect(form.fields.postal_code.problem.value).toEqual({ key: 'text.too_long', values: { max: 20 } });
    expect(form.details()).toBe(null);
  });
});

describe('the word for a postal code that is missing is the word of its label', () => {
  it.each([
    ['US', 'postal_code.empty.zip'],
    ['GB', 'postal_code.empty.postcode'],
    ['IN', 'postal_code.empty.pin'],
    ['DE', 'postal_code.empty'],
  ])('in %s: %s', async (country, key) => {
    const form = filledForm({ postal_code: '' });
    await loadFormat(country);
    form.fields.country.type(country);
    form.press();
    expect(form.fields.postal_code.problem.value).toMatchObject({ key });
  });

  it('in IE no Eircode is needed', async () => {
    const form = filledForm({ postal_code: '', state: '' });
    await loadFormat('IE');
    form.fields.country.type('IE');
    expect(form.press()).toBe(null);
    expect(form.details()?.billing_details.address).toMatchObject({ country: 'IE', postal_code: '' });
  });
});

describe('product 1: allowedCountries', () => {
  it('are the only ones to choose from, and the likely one among them is chosen', () => {
    const form = emptyForm(['en-US', 'de-AT']);
    allow(form, ['DE', 'at', 'XX'], ['en-US', 'de-AT']);
    expect(form.countries.value).toEqual(['DE', 'AT']);
    expect(form.fields.country.text.value).toBe('AT');
  });

  it('a guess that is among them stays', () => {
    const form = emptyForm(['de-AT']);
    allow(form, ['DE', 'AT'], ['de-AT']);
    expect(form.fields.country.text.value).toBe('AT');
  });

  it('a default address elsewhere is passed over, with all of its lines; who it is stays', () => {
    const form = emptyForm(['de']);
    allow(form, ['DE', 'AT'], ['de']);
    const address = { country: 'US', line1: '12 Orchard Lane', city: 'Portland', postal_code: '97205' };
    form.fillIn({ name: 'Ada Lovelace', email: 'ada@example.com', address });
    const { country, line1, city, postal_code, name, email } = form.fields;
    expect(country.text.value).toBe('DE');
    expect([line1, city, postal_code].map(({ text }) => text.value)).toEqual(['', '', '']);
    expect([name, email].map(({ text }) => text.value)).toEqual(['Ada Lovelace', 'ada@example.com']);
  });

  it('a default address without a country, or with none that is one, is filled in', () => {
    for (const country of [undefined, 'USA']) {
      const form = allow(emptyForm(['de']), ['DE'], ['de']);
      form.fillIn({ address: { country, line1: 'Gasse 1' } });
      expect(form.fields.country.text.value).toBe('DE');
      expect(form.fields.line1.text.value).toBe('Gasse 1');
    }
  });

  it('a default address in one of them is filled in, whatever was guessed', () => {
    const form = allow(emptyForm(['de']), ['DE', 'US'], ['de']);
    form.fillIn({ address: { country: 'us', line1: '12 Orchard Lane', state: 'OR' } });
    expect(form.fields.country.text.value).toBe('US');
    expect(form.fields.state.text.value).toBe('OR');
  });

  it.each([[undefined], [[]], [['XX']]])('of %j every country is left', (codes) => {
    const form = emptyForm();
    allow(form, codes, ['en-US']);
    expect(form.countries.value).toHaveLength(249);
    expect(form.fields.country.text.value).toBe('US');
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

  it('a state may be given by its code or its name, and is the one on the list', async () => {
    const form = emptyForm();
    form.fillIn({ address: { country: 'US', state: 'oregon' } });
    expect(form.fields.state.text.value).toBe('OR');
    await loadFormat('JP');
    const other = emptyForm();
    other.fillIn({ address: { country: 'JP', state: 'Tokyo' } });
    expect(other.fields.state.text.value).toBe('東京都');
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

describe('a store that takes Visa and Mastercard alone (product 1, `acceptedBrands`)', () => {
  const storeForm = (number: string) => {
    const form = filledForm({ number, cvc: number.startsWith('3') ? '1234' : '123' });
    form.acceptBrands(['visa', 'mastercard']);
    return form;
  };

  it('sends nothing of another brand, and says which brand it is on leaving the field', () => {
    const form = storeForm('3782 822463 10005');
    expect(form.fields.number.problem.value).toBeNull();
    form.fields.number.leave();
    expect(form.fields.number.problem.value).toEqual({
      key: 'number.not_accepted',
      values: { brand: 'American Express' },
    });
    expect(form.isComplete.value).toBe(false);
    expect(form.details()).toBeNull();
    expect(form.press()).toBe('number');
  });

  it('says it already of the beginning of a number, once the brand is certain', () => {
    const form = storeForm('37');
    form.fields.number.leave();
    expect(form.fields.number.problem.value?.key).toBe('number.not_accepted');
  });

  it.each(['4242 4242 4242 4242', '5555 5555 5555 4444', '9999 9999 9999 9995'])('sends %s', (number) => {
    expect(storeForm(number).details()?.card.number).toBe(number.replaceAll(' ', ''));
  });

  it('takes every brand again when the list is taken back', () => {
    const form = storeForm('3782 822463 10005');
    form.fields.number.leave();
    form.acceptBrands(undefined);
    expect(form.fields.number.problem.value).toBeNull();
    expect(form.details()?.card.number).toBe('378282246310005');
  });
});

it('asks for a Japanese address from large to small in Japanese, and from small to large in English', async () => {
  const locale = signal('ja');
  const form = createForm({
    preferred: ['ja'],
    thisMonth: () => ({ year: 2026, month: 11 }),
    locale: () => locale.value,
  });
  await loadFormat('JP');
  form.fields.country.type('JP');
  const address = () => form.asked.value.slice(form.asked.value.indexOf('country') + 1);
  expect(address()).toEqual(['postal_code', 'state', 'line1', 'line2']);
  locale.value = 'en-JP';
  expect(address()).toEqual(['line1', 'line2', 'state', 'postal_code']);
});
