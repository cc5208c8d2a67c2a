// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { readChanges } from '../../channel/read-changes.ts';
import type { UnaskedAtStart } from '../form/unasked.ts';
import { createWords } from '../view/words.ts';
import { exampleForm, exampleInit } from './merchant.fixture.ts';
import { followOptions } from './options.ts';

const setUp = (options: object = {}, unasked: UnaskedAtStart = {}) => {
  const form = exampleForm(unasked);
  const words = createWords(['en-US'], { lang: '', dir: '' });
  const warnings: string[] = [];
  const changeLook = vi.fn<Parameters<typeof followOptions>[1]['changeLook']>(async () => []);
  const followed = followOptions(exampleInit(options), {
    form,
    words,
    changeLook,
    warn: (about, hint) => warnings.push(`${about}: ${hint}`),
  });
  const update = (changes: object) => {
    const read = readChanges(changes);
    if (read) followed.update({ type: 'update', ...read });
  };
  return { ...followed, form, words, warnings, changeLook, update };
};

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', address: { country: 'GB', line1: '1 A St' } };

it('a folded part opens when it is no longer finished, and the page is not warned of it', () => {
  const { form, warnings } = setUp({ defaultValues: { billingDetails: ADA } });
  form.unasked.fold(['name', 'email']);
  form.fields.email.refuse();
  expect(form.unasked.folded.value).toEqual(['name']);
  expect(warnings).toEqual([]);
});

describe('the options of mount()', () => {
  it('fill in default values, limit countries and brands, and set readOnly', () => {
    const { form, readOnly } = setUp({
      defaultValues: { billingDetails: ADA },
      allowedCountries: ['GB', 'FR'],
      acceptedBrands: ['visa'],
      readOnly: true,
    });
    expect(form.fields.email.text.peek()).toBe('ada@example.com');
    expect(form.countries.peek()).toEqual(['GB', 'FR']);
    expect(form.accepted.peek()).toEqual(['visa']);
    expect(readOnly.peek()).toBe(true);
  });

  it('report problems of the appearance', async () => {
    const form = exampleForm();
    const warn = vi.fn();
    followOptions(exampleInit(), {
      form,
      words: createWords([], { lang: '', dir: '' }),
      changeLook: async () => [{ option: 'appearance.theme', message: 'Unknown.' }],
      warn,
    });
    await expect.poll(() => warn).toHaveBeenCalledWith('appearance.theme', 'Unknown.');
  });

  it('show a hidden field again if its default value is not valid for the country', () => {
    const { form, warnings } = setUp(
      {
        fields: { billingDetails: { address: 'never' } },
        defaultValues: { billingDetails: { ...ADA, address: { country: 'US', line1: '1 A St' } } },
      },
      { never: ['address'] },
    );
    form.press();
    expect(form.unasked.fields.peek()).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('fields.billingDetails.address')]);
  });
});

describe('known details', () => {
  const OREGON = {
    country: 'US',
    line1: '12 Orchard Lane',
    city: 'Portland',
    state: 'OR',
    postal_code: '97205',
  };
  const KNOWN = { name: 'Ada Lovelace', email: 'ada@example.com', address: OREGON };
  const setUpKnown = (billingDetails: object) =>
    setUp({ defaultValues: { billingDetails } }, { known: ['email', 'name', 'address'] });

  it('stay text if they are complete and valid for the country', () => {
    const { form, warnings } = setUpKnown(KNOWN);
    expect(form.unasked.known.peek()).toEqual(['email', 'name', 'address']);
    expect(warnings).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['an email that is none', { email: 'ada' }, 'email'],
    ['a name without text', { name: ' ' }, 'name'],
    ['an address without a postal code', { address: { ...OREGON, postal_code: '' } }, 'address'],
    ['an address without a state', { address: { ...OREGON, state: '' } }, 'address'],
    [
      'an address with a postal code of another country',
      { address: { ...OREGON, postal_code: 'EC1A 1BB' } },
      'address',
    ],
    ['an address with an unknown state', { address: { ...OREGON, state: 'Bavaria' } }, 'address'],
  ])('open only their group, with a warning, for %s', (_, wrong, group) => {
    const { form, warnings } = setUpKnown({ ...KNOWN, ...wrong });
    expect(form.unasked.known.peek()).toEqual(['email', 'name', 'address'].filter((one) => one !== group));
    expect(warnings).toEqual([expect.stringMatching(`^defaultValues.billingDetails.${group}: `)]);
  });

  it('open the group of a field that the service refuses, with everything in it', () => {
    const { form } = setUpKnown(KNOWN);
    form.fields.postal_code.refuse();
    expect(form.unasked.known.peek()).toEqual(['email', 'name']);
    expect(form.fields.postal_code.problem.peek()).toEqual({ key: 'field.refused' });
    expect(form.fields.city.text.peek()).toBe('Portland');
  });

  it('open if a country that is not allowed any more takes their place', () => {
    const { form, update } = setUpKnown(KNOWN);
    update({ allowedCountries: ['FR'] });
    expect(form.unasked.known.peek()).toEqual(['email', 'name']);
  });

  it('are those of the delivery if the page says so, until the buyer is asked', () => {
    const { form, update } = setUp(
      { defaultValues: { billingDetails: KNOWN, sameAsShipping: true } },
      { known: ['email', 'name', 'address'] },
    );
    expect(form.unasked.sameAsShipping.peek()).toBe(true);
    update({ defaultValues: { billingDetails: { email: 'grace@example.com' } } });
    expect(form.unasked.sameAsShipping.peek()).toBe(true);
    form.unasked.ask(['name']);
    expect(form.unasked.sameAsShipping.peek()).toBe(true);
    form.unasked.ask(['address']);
    expect(form.unasked.sameAsShipping.peek()).toBe(false);
    update({ defaultValues: { sameAsShipping: true } });
    expect(form.unasked.sameAsShipping.peek()).toBe(true);
    update({ defaultValues: { sameAsShipping: false } });
    expect(form.unasked.sameAsShipping.peek()).toBe(false);
  });

  it('stay closed for another address from update() if it is also complete', () => {
    const { form, update } = setUpKnown(KNOWN);
    update({ defaultValues: { billingDetails: { address: { ...OREGON, line1: '5 Elm Street' } } } });
    expect(form.unasked.known.peek()).toEqual(['email', 'name', 'address']);
    expect(form.fields.line1.text.peek()).toBe('5 Elm Street');
  });
});

describe('update()', () => {
  it('fills in default values where the buyer typed nothing', () => {
    const { form, update } = setUp();
    form.fields.name.type('Grace Hopper');
    update({ defaultValues: { billingDetails: { email: 'ada@example.com', name: 'Ada' } } });
    expect([form.fields.email.text.peek(), form.fields.name.text.peek()]).toEqual([
      'ada@example.com',
      'Grace Hopper',
    ]);
  });

  it('adds default values to those before, for clear()', () => {
    const { defaults, update } = setUp({ defaultValues: { billingDetails: { name: 'Ada' } } });
    update({ defaultValues: { billingDetails: { email: 'ada@example.com' } } });
    expect(defaults()).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
  });

  it('changes the options that can change in a mounted form', () => {
    const { update, form, readOnly, changeLook } = setUp();
    update({ readOnly: true, acceptedBrands: ['visa'], allowedCountries: ['FR'], locale: 'de' });
    expect(readOnly.peek()).toBe(true);
    expect(form.accepted.peek()).toEqual(['visa']);
    expect(form.countries.peek()).toEqual(['FR']);
    expect(changeLook).toHaveBeenLastCalledWith(expect.objectContaining({ locale: 'de' }));
  });

  it.each(['publishableKey', 'fonts'])('says that %s cannot change', (name) => {
    const { update, warnings } = setUp();
    update({ [name]: 'x' });
    expect(warnings).toEqual([`${name}: update() cannot change it. Call unmount(), then mount() again.`]);
  });

  it('keeps the list before, with a warning, if the new one has an unknown entry', () => {
    const { update, form, warnings } = setUp({ allowedCountries: ['GB'] });
    update({ allowedCountries: ['XX'], acceptedBrands: ['visa'] });
    expect([form.countries.peek(), form.accepted.peek()]).toEqual([['GB'], setUp().form.accepted.peek()]);
    expect(warnings).toEqual([expect.stringMatching(/^allowedCountries: Expected .* got "XX"\.$/)]);
  });

  it('leaves the appearance as it is if it is not among the changes', () => {
    const { update, changeLook } = setUp();
    update({ readOnly: false });
    expect(changeLook.mock.lastCall?.[0]).not.toHaveProperty('appearance');
  });

  it('applies the latest translations, and names those it refuses', async () => {
    const { update, words, warnings } = setUp();
    update({ translations: { 'field.email': 'First' } });
    update({ translations: { 'field.email': 'Electronic mail', 'no.such.key': 'x' } });
    await vi.dynamicImportSettled();
    expect(words.say('field.email')).toBe('Electronic mail');
    expect(warnings).toEqual([expect.stringContaining('translations.no.such.key')]);
  });
});

describe('promises 2.14: the look of the page for appearance.from', () => {
  const LOOK = [['rules.field.height', '38px']];

  it('is applied, with the latest appearance, when the page has read it', () => {
    const { update, changeLook, source } = setUp({ appearance: { from: true, labels: 'floating' } });
    expect(source()).toBe(true);
    update({ from: LOOK });
    expect(changeLook.mock.lastCall?.[0]).toMatchObject({ appearance: { from: LOOK, labels: 'floating' } });
  });

  it('is left out if it comes after from was removed', () => {
    const { update, changeLook, source } = setUp({ appearance: { from: true } });
    update({ appearance: { labels: 'floating' } });
    expect(source()).toBeUndefined();
    update({ from: LOOK, backdrop: 'rgb(0, 0, 0)' });
    expect(changeLook.mock.lastCall?.[0]).toMatchObject({ backdrop: 'rgb(0, 0, 0)' });
    expect(changeLook.mock.lastCall?.[0]).not.toHaveProperty('appearance');
  });
});

describe('custom properties of the page in an appearance', () => {
  const BRAND = { variables: { colorPrimary: 'var(--brand)' } };

  it('are requested by the latest appearance, and applied with it at once if they have been read', () => {
    const { named, update, changeLook } = setUp({ appearance: BRAND, style: [['--brand', '#123456']] });
    expect(named()).toEqual(['--brand']);
    expect(changeLook.mock.lastCall?.[0]).toMatchObject({ appearance: BRAND });
    const dark = { theme: 'dark', ...BRAND };
    update({ appearance: dark });
    expect(changeLook.mock.lastCall?.[0]).toMatchObject({ appearance: dark });
    update({ appearance: {} });
    expect(named()).toEqual([]);
  });

  it('that are new have the form look as before until the page has answered, with values or without', () => {
    for (const answer of [{ backdrop: 'rgb(0, 0, 0)', style: [['--brand', 'red']] }, {}]) {
      const { named, update, changeLook } = setUp();
      update({ appearance: BRAND, locale: 'de' });
      expect(changeLook.mock.lastCall?.[0]).toMatchObject({ locale: 'de' });
      expect(changeLook.mock.lastCall?.[0]).not.toHaveProperty('appearance');
      expect(named()).toEqual(['--brand']);
      update(answer);
      expect(changeLook.mock.lastCall?.[0]).toMatchObject({ ...answer, appearance: BRAND });
      update({});
      expect(changeLook.mock.lastCall?.[0]).not.toHaveProperty('appearance');
    }
  });
});
