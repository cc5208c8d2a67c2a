import { signal } from '@preact/signals';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileFormat } from '../../address/compile.ts';
import { type AddressFormat, GENERAL_FORMAT } from '../../address/format.ts';
import { createFollower } from './address-format.ts';

/** Files on their way; a country that is not among them is at hand. */
const onTheirWay = vi.hoisted(() => new Map<string, Promise<AddressFormat>>());

vi.mock('../../address/load.ts', async (original) => {
  const real = await original<typeof import('../../address/load.ts')>();
  const { compileFormat: compiled } = await import('../../address/compile.ts');
  return {
    ...real,
    knownFormat: (country: string) => (onTheirWay.has(country) ? null : compiled(country)),
    loadFormat: (country: string) => onTheirWay.get(country),
  };
});

afterEach(() => onTheirWay.clear());

const isAway = (country: string) => {
  const { promise, resolve } = deferred<AddressFormat>();
  onTheirWay.set(country, promise);
  return {
    arrive: async (format: AddressFormat = compileFormat(country)) => {
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

/** Lets everything happen that waits for nothing. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

const trial = (country = 'US') => {
  const state = signal('');
  const postalCode = signal('');
  const patience = deferred<void>();
  const follower = createFollower({ state, postal_code: postalCode }, () => patience.promise);
  follower.follow(country);
  return {
    ...follower,
    state,
    postalCode,
    /** As the form does: what is typed stands there, and is noted. */
    type(name: 'state' | 'postal_code', text: string) {
      (name === 'state' ? state : postalCode).value = text;
      follower.note(name, text);
    },
    runOutOfPatience: async () => {
      patience.resolve();
      await settled();
    },
  };
};

describe('changing the country keeps what still fits', () => {
  it('a postal code that fits there, too, stays; one that does not goes', () => {
    const form = trial('US');
    form.type('postal_code', '97205');
    form.follow('DE');
    expect(form.postalCode.value).toBe('97205');
    form.follow('GB');
    expect(form.postalCode.value).toBe('');
  });

  it('coming back restores what was typed, through countries that have no such thing', () => {
    const form = trial('US');
    form.type('state', 'OR');
    form.type('postal_code', '97205');
    form.follow('HK');
    expect([form.state.value, form.postalCode.value]).toEqual(['', '']);
    form.follow('CA');
    form.type('state', 'QC');
    form.type('postal_code', 'H3Z 2Y7');
    form.follow('US');
    expect([form.state.value, form.postalCode.value]).toEqual(['OR', '97205']);
    form.follow('CA');
    expect([form.state.value, form.postalCode.value]).toEqual(['QC', 'H3Z 2Y7']);
  });

  it('what was emptied stays empty', () => {
    const form = trial('US');
    form.type('postal_code', '97205');
    form.follow('DE');
    form.type('postal_code', '');
    form.follow('US');
    form.type('postal_code', '');
    form.follow('DE');
    expect(form.postalCode.value).toBe('');
  });

  it('the "WA" of one country does not become the "WA" of another', () => {
    const form = trial('US');
    form.type('state', 'WA');
    form.follow('AU');
    expect(form.state.value).toBe('');
  });

  it('a state by another of its names is the state on the list; what is on no list is not sent', () => {
    const form = trial('US');
    form.type('state', 'oregon');
    expect(form.state.value).toBe('OR');
    form.type('state', 'Atlantis');
    expect(form.state.value).toBe('');
  });
});

describe('while the fields of a country are on their way', () => {
  it('those of the country before stay until they are there', async () => {
    const japan = isAway('JP');
    const form = trial('US');
    form.follow('JP');
    await settled();
    expect(form.format.value).toEqual(compileFormat('US'));
    await japan.arrive();
    expect(form.format.value).toEqual(compileFormat('JP'));
  });

  it('chosen twice quickly: the last one wins, in whatever order the files arrive', async () => {
    const japan = isAway('JP');
    const brazil = isAway('BR');
    const form = trial('US');
    form.follow('JP');
    form.follow('BR');
    await brazil.arrive();
    await japan.arrive();
    expect(form.format.value).toEqual(compileFormat('BR'));
  });

  it('chosen, left for one at hand, and arrived too late: it changes nothing', async () => {
    const japan = isAway('JP');
    const form = trial('US');
    form.follow('JP');
    form.follow('CA');
    await japan.arrive();
    expect(form.format.value).toEqual(compileFormat('CA'));
  });

  it('what was typed meanwhile is the chosen country’s and stays', async () => {
    const japan = isAway('JP');
    const form = trial('US');
    form.follow('JP');
    form.type('postal_code', '154-0023');
    form.type('state', 'Tokyo');
    await japan.arrive();
    expect(form.postalCode.value).toBe('154-0023');
    expect(form.state.value).toBe('東京都');
  });

  it('after a while the address is asked for in general terms, and theirs come when they come', async () => {
    const japan = isAway('JP');
    const form = trial('US');
    form.type('state', 'OR');
    form.follow('JP');
    await form.runOutOfPatience();
    expect(form.format.value).toBe(GENERAL_FORMAT);
    expect(form.state.value).toBe('');
    form.type('state', 'Osaka');
    await japan.arrive();
    expect(form.format.value).toEqual(compileFormat('JP'));
    expect(form.state.value).toBe('大阪府');
  });

  it('a file that fails to load leaves an address in general terms', async () => {
    const japan = isAway('JP');
    const form = trial('US');
    form.follow('JP');
    await japan.arrive(GENERAL_FORMAT);
    expect(form.format.value).toBe(GENERAL_FORMAT);
    expect(form.settle()).toBe(false);
  });

  it('a press waits for nothing: it is told that the fields have changed, and then nothing moves any more', async () => {
    const japan = isAway('JP');
    const form = trial('US');
    form.follow('JP');
    expect(form.settle()).toBe(true);
    expect(form.format.value).toBe(GENERAL_FORMAT);
    expect(form.settle()).toBe(false);
    await form.runOutOfPatience();
    await japan.arrive();
    expect(form.format.value).toBe(GENERAL_FORMAT);
  });

  it('a press after the general terms keeps them, too: the address is read once more when it is sent', async () => {
    const japan = isAway('JP');
    const form = trial('US');
    form.follow('JP');
    await form.runOutOfPatience();
    expect(form.settle()).toBe(false);
    await japan.arrive();
    expect(form.format.value).toBe(GENERAL_FORMAT);
  });

  it('a press before the first country is there changes nothing the buyer sees', async () => {
    const germany = isAway('DE');
    const form = trial('DE');
    expect(form.settle()).toBe(false);
    await germany.arrive();
    expect(form.format.value).toBe(GENERAL_FORMAT);
  });
});
