/** Pays with addresses in countries of every kind, through the form, the request schema and the sandbox. */
import { describe, expect, it } from 'vitest';
import { ConfirmRequest } from '../../../api/requests.ts';
import { compileFormat } from '../../../build/tables/address.ts';
import { runs } from '../../../proof/fuzz.ts';
import { BILLING, createWorld, GOOD_CARD } from '../../../sandbox/service/sandbox.fixture.ts';
import { COUNTRIES } from '../../address/country-codes.ts';
import { importance, stateOptions } from '../../address/format.ts';
import { loadFormat } from '../../address/load.ts';
import { createForm } from './card-form.ts';

const world = createWorld({ clientRateLimit: 100_000, serverRateLimit: 100_000 });

const formIn = async (country: string) => {
  const form = createForm({
    preferred: ['en-US'],
    thisMonth: () => ({ year: 2026, month: 11 }),
    formatTimeout: () => new Promise(() => undefined),
  });
  await loadFormat(country);
  form.fields.number.type(GOOD_CARD);
  form.fields.expiry.type('12 / 30');
  form.fields.cvc.type('123');
  form.fields.name.type('Ada Lovelace');
  form.fields.email.type('ada@example.com');
  form.fields.country.type(country);
  form.fields.line1.type('12 Orchard Lane');
  return form;
};

/** Confirms an intent with the form's values. */
const pay = async (form: Awaited<ReturnType<typeof formIn>>) => {
  const intent = await world.intent();
  const body = ConfirmRequest.parse({
    client_secret: intent.client_secret,
    amount_total: intent.amount_total,
    currency: intent.currency,
    ...form.details(),
  });
  const answer = await world.client('confirm', body);
  return { answer, address: body.billing_details.address };
};
const PAID = { status: 200, body: { status: 'succeeded' } };

it('covers 249 countries', () => expect(COUNTRIES).toHaveLength(249));

const EACH = Math.floor(COUNTRIES.length / runs(COUNTRIES.length));

describe.each(COUNTRIES.filter((_, at) => at % EACH === 0))('in %s', (country) => {
  const format = compileFormat(country);

  it('a full address passes the first press and is sent as typed', async () => {
    const form = await formIn(country);
    const state = stateOptions(format, 'en').at(-1)?.value ?? 'Somewhere';
    const typed = {
      line2: 'Flat 3',
      city: 'Springfield',
      state,
      postal_code: format.postal?.example ?? '12345',
    };
    for (const name of ['line2', 'city', 'state', 'postal_code'] as const)
      if (format.fields.includes(name)) form.fields[name].type(typed[name]);
    expect(form.press()).toBe(null);
    const { answer, address } = await pay(form);
    expect(answer).toMatchObject(PAID);
    const has = (name: keyof typeof typed) => format.fields.includes(name);
    expect(address).toEqual({
      line1: '12 Orchard Lane',
      line2: 'Flat 3',
      city: has('city') ? typed.city : null,
      state: has('state') ? typed.state : null,
      postal_code: has('postal_code') ? typed.postal_code : '',
      country,
    });
  });

  it('the fields that the data requires stop every press until filled in, and are enough', async () => {
    const form = await formIn(country);
    const example = {
      city: 'Springfield',
      state: format.states?.[0]?.value ?? 'Somewhere',
      postal_code: format.postal?.example ?? '12345',
    };
    const needed = (['city', 'state', 'postal_code'] as const).filter(
      (name) => format.fields.includes(name) && importance(name, format) !== 'optional',
    );
    for (const name of form.format.value.fields.flatMap((field) => needed.filter((one) => one === field))) {
      expect(form.press()).toBe(name);
      expect(form.details()).toBe(null);
      form.fields[name].type(example[name]);
    }
    expect(form.press()).toBe(null);
    const { answer, address } = await pay(form);
    expect(answer).toMatchObject(PAID);
    if (!needed.includes('postal_code')) expect(address.postal_code).toBe('');
  });

  it('an unusual postal code is questioned once, then paid', async () => {
    if (!format.postal) return;
    const form = await formIn(country);
    for (const name of ['city', 'state'] as const)
      if (format.fields.includes(name)) form.fields[name].type(format.states?.[0]?.value ?? 'Springfield');
    form.fields.postal_code.type('New #1');
    expect(form.press()).toBe('postal_code');
    expect(form.fields.postal_code.problem.value).toBe(null);
    expect(form.fields.postal_code.doubt.value).toEqual({
      key: 'postal_code.unusual',
      values: { example: format.postal.example },
    });
    expect(form.press()).toBe(null);
    const { answer, address } = await pay(form);
    expect(answer).toMatchObject(PAID);
    expect(address.postal_code).toBe('NEW #1');
  });
});

it('the service refuses an unknown country', async () => {
  const intent = await world.intent();
  const answer = await world.client('confirm', {
    client_secret: intent.client_secret,
    amount_total: intent.amount_total,
    currency: intent.currency,
    card: { number: GOOD_CARD, exp_month: 12, exp_year: 2030, cvc: '123' },
    billing_details: { ...BILLING, address: { ...BILLING.address, country: 'XX' } },
  });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_billing_details' } } });
});
