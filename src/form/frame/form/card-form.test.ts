import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { ConfirmRequest } from '../../../api/requests.ts';
import { allowedAmong, guessCountry } from '../../address/countries.ts';
import { loadFormat } from '../../address/load.ts';
import { CARD_FIELDS, FIELD_NAMES } from '../../channel/field-names.ts';
import type { FieldName } from '../../channel/fields.ts';
import { createForm, type FormModel } from './card-form.ts';
import type { UnaskedAtStart } from './unasked.ts';

/** Sets the countries as `merchant/options.ts` does. */
const allow = (form: FormModel, codes: readonly string[] | undefined, preferred: readonly string[]) => {
  const countries = allowedAmong(codes);
  form.allowCountries(countries, guessCountry(preferred, countries));
  return form;
};

const emptyForm = (preferred: readonly string[] = ['en-US'], create = createForm) =>
  allow(create({ preferred, thisMonth: () => ({ year: 2026, month: 11 }) }), undefined, preferred);

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

describe('details()', () => {
  it('contract 3.2: digits, integers and trimmed text; optional address keys are null, never left out', () => {
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

  it('threat-model C43: every text is normalized (NFC)', () => {
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

  it('parses as the request body of the service', () => {
    const body = { client_secret: 'lg_cs_1', amount_total: 1234, currency: 'usd', ...filledForm().details() };
    expect(ConfirmRequest.safeParse(body).success).toBe(true);
  });

  it.each<FieldName>(['number', 'expiry', 'cvc', 'name', 'email', 'country', 'line1', 'postal_code'])(
    'is null without %s, and a press focuses that field',
    (name) => {
      const form = filledForm({ [name]: '' });
      expect(form.details()).toBe(null);
      expect(form.isComplete.value).toBe(false);
      expect(form.press()).toBe(name);
    },
  );

  it('if the name comes first, a press without it focuses the name and not the number', () => {
    const isNameFirst = signal(false);
    const form = createForm({
      preferred: [],
      thisMonth: () => ({ year: 2026, month: 11 }),
      isNameFirst: () => isNameFirst.value,
    });
    expect(form.press()).toBe('number');
    isNameFirst.value = true;
    expect(form.press()).toBe('name');
  });

  it('line2 is optional', () => {
    expect(filledForm({ line2: '' }).press()).toBe(null);
  });

  it.each<FieldName>(['city', 'state'])(
    'a missing %s, which letters there need, stops every press',
    (name) => {
      const form = filledForm({ [name]: '' });
      expect(form.isComplete.value).toBe(false);
      expect(form.fields[name].isRequired.value).toBe(true);
      for (const _ of ['first', 'second']) {
        expect(form.press()).toBe(name);
        expect(form.fields[name].problem.value).toMatchObject({ key: `${name}.empty` });
        expect(form.details()).toBe(null);
      }
      form.fields[name].type('OR');
      expect(form.press()).toBe(null);
    },
  );

  it('only what can stay empty is not required', () => {
    const fields = Object.values(filledForm().fields);
    expect(fields.filter(({ isRequired }) => !isRequired.value).map(({ name }) => name)).toEqual(['line2']);
  });

  it('promises 2.3: a country without postal codes has no such field, and "" is sent', async () => {
    const form = filledForm();
    form.fields.country.type('HK');
    await expect.poll(() => form.asked.value.includes('postal_code')).toBe(false);
    form.fields.state.type('Kowloon');
    expect(form.details()?.billing_details.address).toMatchObject({ country: 'HK', postal_code: '' });
  });

  it('a state of the previous country is not sent for the new one', async () => {
    const form = filledForm({ state: 'OR' });
    form.fields.country.type('CA');
    await expect.poll(() => form.fields.state.text.value).toBe('');
  });

  it("promises 2.11: a press waits while a country's fields are loading, and what fits there is sent", async () => {
    const form = filledForm({ state: '', postal_code: '' });
    form.fields.country.type('VN'); // its format has not been loaded yet
    form.fields.state.type('Hà Nội');
    await form.settle();
    expect(form.settle()).toBeNull();
    expect(form.press()).toBeNull();
    const sent = form.details();
    expect(sent?.billing_details.address).toMatchObject({
      line1: '12 Orchard Lane',
      state: 'Hà Nội',
      country: 'VN',
    });
  });

  it('the length of the security code follows the brand', () => {
    const amex = { number: '3782 822463 10005' };
    expect(filledForm({ ...amex, cvc: '1234' }).details()).not.toBe(null);
    expect(filledForm({ ...amex, cvc: '123' }).press()).toBe('cvc');
    expect(filledForm({ cvc: '1234' }).details()).toBe(null);
  });
});

describe('a postal code that does not fit the pattern of the country', () => {
  const EXAMPLE = { example: '95014' };

  it('is questioned on blur; the first press focuses the field, the second goes through', () => {
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

  it('is not questioned while it is corrected; another one is questioned again', () => {
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

  it('is questioned together with problems elsewhere, and does not stop another press after that', () => {
    const form = filledForm({ postal_code: '9720', number: '' });
    expect(form.press()).toBe('number');
    expect(form.fields.postal_code.doubt.value).toMatchObject({ key: 'postal_code.unusual' });
    form.fields.number.type('4242424242424242');
    expect(form.press()).toBe(null);
  });

  it('is sent in the notation of the country if only the notation differs', () => {
    const form = filledForm({ postal_code: ' 97201 1234' });
    expect(form.press()).toBe(null);
    form.fields.postal_code.leave();
    expect(form.fields.postal_code.text.value).toBe('97201-1234');
    expect(form.details()?.billing_details.address.postal_code).toBe('97201-1234');
  });

  it('stops every press if it is longer than the 20 characters the service takes', () => {
    const form = filledForm({ postal_code: '1'.repeat(21) });
    expect([form.press(), form.press()]).toEqual(['postal_code', 'postal_code']);
    expect(form.fields.postal_code.problem.value).toEqual({ key: 'text.too_long', values: { max: 20 } });
    expect(form.details()).toBe(null);
  });
});

describe('the message for a missing postal code uses the word of its label', () => {
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

  it('in IE no Eircode is required', async () => {
    const form = filledForm({ postal_code: '', state: '' });
    await loadFormat('IE');
    form.fields.country.type('IE');
    expect(form.fields.postal_code.isRequired.value).toBe(false);
    expect(form.press()).toBe(null);
    expect(form.details()?.billing_details.address).toMatchObject({ country: 'IE', postal_code: '' });
  });
});

describe('promises 1.5: allowedCountries', () => {
  it('limits the choice, and chooses the likeliest of them', () => {
    const form = emptyForm(['en-US', 'de-AT']);
    allow(form, ['DE', 'at', 'XX'], ['en-US', 'de-AT']);
    expect(form.countries.value).toEqual(['DE', 'AT']);
    expect(form.fields.country.text.value).toBe('AT');
  });

  it('keeps a guess that is among them', () => {
    const form = emptyForm(['de-AT']);
    allow(form, ['DE', 'AT'], ['de-AT']);
    expect(form.fields.country.text.value).toBe('AT');
  });

  it('skips a default address in another country, with all its lines, but not name and email', () => {
    const form = emptyForm(['de']);
    allow(form, ['DE', 'AT'], ['de']);
    const address = { country: 'US', line1: '12 Orchard Lane', city: 'Portland', postal_code: '97205' };
    form.fillIn({ name: 'Ada Lovelace', email: 'ada@example.com', address });
    const { country, line1, city, postal_code, name, email } = form.fields;
    expect(country.text.value).toBe('DE');
    expect([line1, city, postal_code].map(({ text }) => text.value)).toEqual(['', '', '']);
    expect([name, email].map(({ text }) => text.value)).toEqual(['Ada Lovelace', 'ada@example.com']);
  });

  it('fills in a default address without a country, or with an invalid one', () => {
    for (const country of [undefined, 'USA']) {
      const form = allow(emptyForm(['de']), ['DE'], ['de']);
      form.fillIn({ address: { country, line1: 'Gasse 1' } });
      expect(form.fields.country.text.value).toBe('DE');
      expect(form.fields.line1.text.value).toBe('Gasse 1');
    }
  });

  it('fills in a default address in one of them, whatever was guessed', () => {
    const form = allow(emptyForm(['de']), ['DE', 'US'], ['de']);
    form.fillIn({ address: { country: 'us', line1: '12 Orchard Lane', state: 'OR' } });
    expect(form.fields.country.text.value).toBe('US');
    expect(form.fields.state.text.value).toBe('OR');
  });

  it.each([[undefined], [[]], [['XX']]])('%j leaves every country to choose from', (codes) => {
    const form = emptyForm();
    allow(form, codes, ['en-US']);
    expect(form.countries.value).toHaveLength(249);
    expect(form.fields.country.text.value).toBe('US');
  });
});

describe('when a problem is shown', () => {
  it('on leaving the field, for what can never become valid', () => {
    const { number } = emptyForm().fields;
    number.type('4242 4242 4242 4241');
    expect(number.problem.value).toBe(null);
    number.leave();
    expect(number.problem.value).toMatchObject({ key: 'number.luhn' });
  });

  it('after Pay was pressed, for incomplete fields', () => {
    const form = emptyForm();
    const { number } = form.fields;
    number.type('4242');
    number.leave();
    expect(number.problem.value).toBe(null);
    form.press();
    expect(number.problem.value).toMatchObject({ key: 'number.incomplete' });
  });

  it('not while the buyer corrects it; on leaving it is checked again', () => {
    const form = emptyForm();
    form.press();
    const { email } = form.fields;
    email.type('ada@');
    expect(email.problem.value).toBe(null);
    email.leave();
    expect(email.problem.value).toMatchObject({ key: 'email.incomplete' });
  });

  it('never in an untouched form', () => {
    const form = emptyForm();
    for (const field of Object.values(form.fields)) {
      field.leave();
      expect(field.problem.value).toBe(null);
    }
  });

  it('a value the service refused, until it is changed', () => {
    const form = filledForm();
    form.fields.postal_code.refuse();
    expect(form.fields.postal_code.problem.value).toMatchObject({ key: 'field.refused' });
    form.fields.postal_code.type('97202');
    expect(form.fields.postal_code.problem.value).toBe(null);
  });
});

describe('keeping and clearing values', () => {
  it('clearCvc() clears the security code and nothing else', () => {
    const form = filledForm();
    form.clearCvc();
    expect(form.fields.cvc.text.value).toBe('');
    expect(form.fields.number.text.value).toBe(COMPLETE.number);
    expect(form.fields.email.text.value).toBe(COMPLETE.email);
  });

  it('clearCard() leaves no card data', () => {
    const form = filledForm();
    form.clearCard();
    expect(JSON.stringify(Object.values(form.fields).map(({ text }) => text.value))).not.toMatch(
      /4242|30|123/,
    );
  });

  it('fillIn() fills in default values, but never over typed ones', () => {
    const form = emptyForm();
    form.fields.email.type('typed@example.com');
    form.fillIn({ email: 'given@example.com', name: 'Ada', address: { country: 'de', line1: 'Gasse 1' } });
    expect(form.fields.email.text.value).toBe('typed@example.com');
    expect(form.fields.name.text.value).toBe('Ada');
    expect(form.fields.country.text.value).toBe('DE');
    expect(form.fields.line1.text.value).toBe('Gasse 1');
  });

  const OREGON = {
    country: 'US',
    line1: '12 Orchard Lane',
    line2: 'Flat 3',
    city: 'Portland',
    state: 'OR',
    postal_code: '97205',
  };
  const BERLIN = { country: 'DE', line1: 'Hauptstr. 5', city: 'Berlin', postal_code: '10115' };
  const textsOf = (form: FormModel, ...names: readonly FieldName[]) =>
    names.map((name) => form.fields[name].text.peek()).join('|');

  it('fillIn() replaces earlier default values, and an address as a whole', async () => {
    await loadFormat('DE');
    const form = emptyForm();
    form.fillIn({ email: 'old@example.com', name: 'Ada', address: OREGON });
    form.fillIn({ email: 'new@example.com', address: BERLIN });
    expect(textsOf(form, 'email', 'name', 'country', 'line1', 'line2', 'city', 'postal_code')).toBe(
      'new@example.com|Ada|DE|Hauptstr. 5||Berlin|10115',
    );
  });

  it.each<FieldName>(['email', 'name', 'line1', 'line2', 'city', 'state', 'postal_code'])(
    'fillIn() never overwrites a %s that was typed, nor one that was typed and deleted',
    (name) => {
      for (const typed of [name === 'state' ? 'WA' : 'typed', '']) {
        const form = emptyForm();
        form.fillIn({ email: 'old@example.com', name: 'Ada', address: OREGON });
        form.fields[name].type('x');
        form.fields[name].type(typed);
        form.fillIn({ email: 'new@example.com', name: 'Grace', address: { ...OREGON, state: 'CA' } });
        expect(form.fields[name].text.peek()).toBe(typed);
        if (name !== 'email') expect(form.fields.email.text.peek()).toBe('new@example.com');
        if (name !== 'line1') expect(form.fields.line1.text.peek()).toBe('12 Orchard Lane');
      }
    },
  );

  it('fillIn() keeps country and address lines if the buyer chose a country, or typed a line in a different one', async () => {
    await loadFormat('DE');
    for (const [name, text] of [
      ['country', 'US'],
      ['line1', '5 Elm Street'],
    ] as const) {
      const form = emptyForm();
      form.fillIn({ address: OREGON });
      form.fields[name].type(text);
      form.fillIn({ email: 'new@example.com', address: BERLIN });
      const texts = textsOf(form, 'country', 'city', 'postal_code', 'email');
      expect(texts).toBe('US|Portland|97205|new@example.com');
    }
  });

  it('reset() empties every field but the country, and then takes default values everywhere', () => {
    const form = filledForm();
    form.reset({ name: 'Grace Hopper' });
    expect(textsOf(form, 'number', 'cvc', 'line1', 'name', 'country')).toBe('|||Grace Hopper|US');
  });

  describe('a detail that the buyer is not asked for', () => {
    const formWith = (unasked: UnaskedAtStart) =>
      allow(createForm({ preferred: [], unasked, thisMonth: () => ({ year: 2026, month: 11 }) }), undefined, [
        'en-US',
      ]);

    it('is not on the screen until it is asked for', () => {
      const { unasked } = formWith({ never: ['name'], known: ['email', 'address'] });
      expect(unasked.fields.peek()).toEqual(FIELD_NAMES.slice(CARD_FIELDS.length));
      unasked.ask(['address', 'name']);
      expect([unasked.never.peek(), unasked.known.peek()]).toEqual([[], ['email']]);
    });

    it('needs no city and raises no doubt, which only a field can answer: the first press counts', () => {
      const form = formWith({ known: ['address'] });
      for (const [name, text] of Object.entries({ ...COMPLETE, city: '' })) {
        Object.values(form.fields)
          .find((field) => field.name === name)
          ?.type(text);
      }
      expect(form.press()).toBe(null);
    });

    it('counts a press while its address format is still loading', () => {
      const form = formWith({ known: ['address'] });
      for (const field of Object.values(form.fields)) field.type(COMPLETE[field.name] ?? field.text.peek());
      form.fields.country.type('ZM'); // its format has not been loaded yet
      expect(form.press()).not.toBe('country');
    });

    it('is sound if it can be sent and is as the country expects; unknown while the format loads', async () => {
      vi.resetModules(); // no format has been loaded
      const form = emptyForm(['en-US'], (await import('./card-form.ts')).createForm);
      const sound = () => (['email', 'name', 'address'] as const).map((part) => form.isSound(part));
      expect(sound()).toEqual([false, false, false]);
      form.fillIn({ email: 'ada@example.com', name: 'Ada', address: OREGON });
      expect(sound()).toEqual([true, true, true]);
      form.fields.city.type('');
      expect(form.isSound('address')).toBe(false);
      form.fields.city.type('Portland');
      form.fields.line1.refuse();
      expect(form.isSound('address')).toBe(false);
      form.fields.country.type('TR');
      expect(form.isSound('address')).toBe(undefined);
      await expect.poll(() => form.isSound('address')).toBe(false);
    });
  });

  it('fillIn() takes a state by its code or by its name', async () => {
    const form = emptyForm();
    form.fillIn({ address: { country: 'US', state: 'oregon' } });
    expect(form.fields.state.text.value).toBe('OR');
    await loadFormat('JP');
    const other = emptyForm();
    other.fillIn({ address: { country: 'JP', state: 'Tokyo' } });
    expect(emptyForm(['de-AT', 'en']).fields.country.text.value).toBe('AT');
  });
});

describe('promises 1.5, acceptedBrands: a store that takes Visa and Mastercard only', () => {
  const storeForm = (number: string) => {
    const form = filledForm({ number, cvc: number.startsWith('3') ? '1234' : '123' });
    form.acceptBrands(['visa', 'mastercard']);
    return form;
  };

  it('refuses another brand, and names it on leaving the field', () => {
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

  it('names it even for an incomplete number, once the brand is certain', () => {
    const form = storeForm('37');
    form.fields.number.leave();
    expect(form.fields.number.problem.value?.key).toBe('number.not_accepted');
  });

  it.each(['4242 4242 4242 4242', '5555 5555 5555 4444', '9999 9999 9999 9995'])('accepts %s', (number) => {
    expect(storeForm(number).details()?.card.number).toBe(number.replaceAll(' ', ''));
  });

  it('accepts every brand again when the list is withdrawn', () => {
    const form = storeForm('3782 822463 10005');
    form.fields.number.leave();
    form.acceptBrands(undefined);
    expect(form.fields.number.problem.value).toBeNull();
    expect(form.details()?.card.number).toBe('378282246310005');
  });
});

it('orders a Japanese address from large to small in Japanese, and from small to large in English', async () => {
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
