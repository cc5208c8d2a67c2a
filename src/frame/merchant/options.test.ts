// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import type { FieldName } from '../../channel/field-names.ts';
import { HostMessage } from '../../channel/messages.ts';
import { createWords } from '../view/words.ts';
import { exampleForm, exampleInit } from './merchant.fixture.ts';
import { followOptions } from './options.ts';

const setUp = (options: object = {}, hiddenFields: readonly FieldName[] = []) => {
  const form = exampleForm();
  const words = createWords(['en-US'], { lang: '', dir: '' });
  const hidden = signal(hiddenFields);
  const warnings: string[] = [];
  const changeLook = vi.fn<Parameters<typeof followOptions>[1]['changeLook']>(async () => []);
  const followed = followOptions(exampleInit(options), {
    form,
    words,
    hidden,
    changeLook,
    warn: (about, hint) => warnings.push(`${about}: ${hint}`),
  });
  const update = (changes: object) => {
    const message = HostMessage.parse({ type: 'update', ...changes });
    if (message.type === 'update') followed.update(message);
  };
  return { ...followed, form, words, hidden, warnings, changeLook, update };
};

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', address: { country: 'GB', line1: '1 A St' } };

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

  it('report what is wrong with the appearance', async () => {
    const form = exampleForm();
    const warn = vi.fn();
    followOptions(exampleInit(), {
      form,
      words: createWords([], { lang: '', dir: '' }),
      hidden: signal([]),
      changeLook: async () => [{ option: 'appearance.theme', message: 'Unknown.' }],
      warn,
    });
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith('appearance.theme', 'Unknown.'));
  });

  it('show a hidden field again if its default value is not valid for the country', () => {
    const { form, hidden, warnings } = setUp(
      {
        fields: { billingDetails: { address: 'never' } },
        defaultValues: { billingDetails: { ...ADA, address: { country: 'US', line1: '1 A St' } } },
      },
      ['country', 'line1', 'line2', 'city', 'state', 'postal_code'],
    );
    form.press();
    expect(hidden.peek()).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('fields.billingDetails.address')]);
  });
});

describe('update()', () => {
  it('changes what can change while the form stands', () => {
    const { update, form, readOnly, changeLook } = setUp();
    update({ readOnly: true, acceptedBrands: ['visa'], allowedCountries: ['FR'], locale: 'de' });
    expect(readOnly.peek()).toBe(true);
    expect(form.accepted.peek()).toEqual(['visa']);
    expect(form.countries.peek()).toEqual(['FR']);
    expect(changeLook).toHaveBeenLastCalledWith(expect.objectContaining({ locale: 'de' }));
  });

  it.each(['publishableKey', 'clientSecret', 'payButton', 'defaultValues', 'fields'])(
    'says that %s cannot change',
    (name) => {
      const { update, warnings } = setUp();
      update({ [name]: 'x' });
      expect(warnings).toEqual([`${name}: update() cannot change it. Call unmount(), then mount() again.`]);
    },
  );

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
