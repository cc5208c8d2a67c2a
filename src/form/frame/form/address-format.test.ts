import { signal } from '@preact/signals';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileFormat } from '../../../build/tables/address.ts';
import { type AddressFormat, GENERAL_FORMAT } from '../../address/format.ts';
import { createCountryFormat } from './address-format.ts';

/** Formats that are still loading; every other country's is known. */
const loading = vi.hoisted(() => new Map<string, Promise<AddressFormat>>());

vi.mock('../../address/load.ts', async (original) => {
  const real = await original<typeof import('../../address/load.ts')>();
  const { compileFormat: compiled } = await import('../../../build/tables/address.ts');
  return {
    ...real,
    knownFormat: (country: string) => (loading.has(country) ? null : compiled(country)),
    loadFormat: (country: string) => loading.get(country),
  };
});

afterEach(() => loading.clear());

const startLoading = (country: string) => {
  const { promise, resolve } = deferred<AddressFormat>();
  loading.set(country, promise);
  return {
    finish: async (format: AddressFormat = compileFormat(country)) => {
      resolve(format);
      await settled();
    },
  };
};

const deferred = <Value>() => {
  let resolve: (value: Value | PromiseLike<Value>) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

/** Runs all queued microtasks. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

const setUp = (country = 'US') => {
  const state = signal('');
  const postalCode = signal('');
  const timeout = deferred<void>();
  const countryFormat = createCountryFormat({ state, postal_code: postalCode }, () => timeout.promise);
  countryFormat.choose(country);
  return {
    ...countryFormat,
    state,
    postalCode,
    /** Writes the text and records it, as the form does. */
    type(name: 'state' | 'postal_code', text: string) {
      (name === 'state' ? state : postalCode).value = text;
      countryFormat.note(name, text);
    },
    runOutOfTime: async () => {
      timeout.resolve();
      await settled();
    },
  };
};

/** A form whose format of Japan is still loading. */
const chooseJapan = () => {
  const japan = startLoading('JP');
  const form = setUp('US');
  form.choose('JP');
  return { japan, form };
};

describe('when the country changes', () => {
  it('a postal code that fits the new country stays, any other goes', () => {
    const form = setUp('US');
    form.type('postal_code', '97205');
    form.choose('DE');
    expect(form.postalCode.value).toBe('97205');
    form.choose('GB');
    expect(form.postalCode.value).toBe('');
  });

  it('returning to a country restores the typed values, even after countries without such a field', () => {
    const form = setUp('US');
    form.type('state', 'OR');
    form.type('postal_code', '97205');
    form.choose('HK');
    expect([form.state.value, form.postalCode.value]).toEqual(['', '']);
    form.choose('CA');
    form.type('state', 'QC');
    form.type('postal_code', 'H3Z 2Y7');
    form.choose('US');
    expect([form.state.value, form.postalCode.value]).toEqual(['OR', '97205']);
    form.choose('CA');
    expect([form.state.value, form.postalCode.value]).toEqual(['QC', 'H3Z 2Y7']);
  });

  it('a field the buyer emptied stays empty', () => {
    const form = setUp('US');
    form.type('postal_code', '97205');
    form.choose('DE');
    form.type('postal_code', '');
    form.choose('US');
    form.type('postal_code', '');
    form.choose('DE');
    expect(form.postalCode.value).toBe('');
  });

  it('a state code of one country is not taken for the same code in another', () => {
    const form = setUp('US');
    form.type('state', 'WA');
    form.choose('AU');
    expect(form.state.value).toBe('');
  });

  it('promises 2.11: a state that the list lacks is kept for the country that comes after it', () => {
    const form = setUp('US');
    form.type('state', 'Ontario');
    form.choose('CA');
    expect(form.state.value).toBe('ON');
  });

  it('a state given by another name becomes the one on the list; an unknown one is dropped', () => {
    const form = setUp('US');
    form.type('state', 'oregon');
    expect(form.state.value).toBe('OR');
    form.type('state', 'Atlantis');
    expect(form.state.value).toBe('');
  });
});

describe('while the format of a country is loading', () => {
  it('the fields of the previous country stay', async () => {
    const { japan, form } = chooseJapan();
    await settled();
    expect(form.format.value).toEqual(compileFormat('US'));
    await japan.finish();
    expect(form.format.value).toEqual(compileFormat('JP'));
  });

  it('the last of two choices wins, in whatever order the files arrive', async () => {
    const japan = startLoading('JP');
    const brazil = startLoading('BR');
    const form = setUp('US');
    form.choose('JP');
    form.choose('BR');
    await brazil.finish();
    await japan.finish();
    expect(form.format.value).toEqual(compileFormat('BR'));
  });

  it('a file that arrives after another choice changes nothing', async () => {
    const { japan, form } = chooseJapan();
    form.choose('CA');
    await japan.finish();
    expect(form.format.value).toEqual(compileFormat('CA'));
  });

  it('text typed in the meantime belongs to the chosen country and stays', async () => {
    const { japan, form } = chooseJapan();
    form.type('postal_code', '154-0023');
    form.type('state', 'Tokyo');
    await japan.finish();
    expect(form.postalCode.value).toBe('154-0023');
    expect(form.state.value).toBe('東京都');
  });

  it('the general format is shown after a while, until the file arrives', async () => {
    const japan = startLoading('JP');
    const form = setUp('US');
    form.type('state', 'OR');
    form.choose('JP');
    await form.runOutOfTime();
    expect(form.format.value).toBe(GENERAL_FORMAT);
    expect(form.state.value).toBe('');
    form.type('state', 'Osaka');
    await japan.finish();
    expect(form.format.value).toEqual(compileFormat('JP'));
    expect(form.state.value).toBe('大阪府');
  });

  it('the general format stays if the file fails to load', async () => {
    const { japan, form } = chooseJapan();
    await japan.finish(GENERAL_FORMAT);
    expect(form.format.value).toBe(GENERAL_FORMAT);
    expect(form.settle()).toBeNull();
  });

  it('promises 2.11: a press waits for the fields of the chosen country', async () => {
    const { japan, form } = chooseJapan();
    const settling = form.settle();
    await japan.finish();
    await settling;
    expect(form.format.value).toEqual(compileFormat('JP'));
    expect(form.settle()).toBeNull();
  });

  it('a press waits no longer than for the general fields, which then stay', async () => {
    const { japan, form } = chooseJapan();
    const settling = form.settle();
    await form.runOutOfTime();
    await settling;
    await japan.finish();
    expect(form.format.value).toBe(GENERAL_FORMAT);
  });

  it('a press waits for the last choice', async () => {
    const [japan, brazil] = [startLoading('JP'), startLoading('BR')];
    const form = setUp('US');
    form.choose('JP');
    const settling = form.settle();
    form.choose('BR');
    await japan.finish();
    await brazil.finish();
    await settling;
    expect(form.format.value).toEqual(compileFormat('BR'));
  });
});
