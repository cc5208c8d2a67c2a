// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OPTIONS } from '../form/channel/options.ts';
import { keysOf } from '../form/channel/own-property.ts';
import type { CardFormEventName, CardFormInstance } from '../form/loader/types.ts';
import { type CardFormSettings, connectForm, createFormKey } from './binding.ts';
import { earlyFrame } from './early-frame.ts';
import { removeCardForm, silenceIframes, stubCardForm } from './framework.fixture.ts';

const SETTINGS: CardFormSettings = {
  baseUrl: 'https://pay.example',
  publishableKey: 'pk_live_1',
  clientSecret: 'lg_cs_1',
};

beforeEach(silenceIframes);
afterEach(() => {
  removeCardForm();
  document.body.replaceChildren();
});

/** Connects a form whose settings the test can replace. */
const connect = async (given: Partial<CardFormSettings> = {}, mistake?: Error, base = SETTINGS) => {
  const forms = stubCardForm(mistake);
  const container = document.createElement('div');
  document.body.append(container);
  let settings: CardFormSettings = { ...base, ...given };
  const heard: [string, object][] = [];
  const formed = vi.fn<(form: CardFormInstance | null) => void>();
  const failed = vi.fn<(error: Error) => void>();
  const emit = (name: CardFormEventName, detail: object) => heard.push([name, detail]);
  const key = createFormKey();
  key.of(settings);
  const connection = connectForm(container, () => settings, { emit, formed, failed }, key);
  const change = (changes: Partial<CardFormSettings>) => {
    settings = { ...settings, ...changes };
    connection.update();
  };
  await Promise.resolve(); // for a script that is already loaded
  await expect.poll(() => formed.mock.calls.length + failed.mock.calls.length).toBeGreaterThan(0);
  return { form: forms[0], forms, connection, change, heard, formed, failed, key: () => key.of(settings) };
};

describe('the options of a binding', () => {
  it('are all passed to mount(), except for what is not its own', async () => {
    const signal = new AbortController().signal;
    const given = {
      locale: 'de',
      appearance: { theme: 'dark' },
      readOnly: true,
      nonce: 'n',
      signal,
    } as const;
    const { form } = await connect(given);
    expect(form?.options).toEqual({
      publishableKey: 'pk_live_1',
      clientSecret: 'lg_cs_1',
      locale: 'de',
      appearance: { theme: 'dark' },
      readOnly: true,
      signal,
    });
    expect(form?.options.signal).toBe(signal);
  });

  it('are passed to update() if they have changed, compared by their content', async () => {
    const { form, change } = await connect({
      locale: 'de',
      appearance: { variables: { colorPrimary: 'red' } },
    });
    change({ appearance: { variables: { colorPrimary: 'red' } } });
    expect(form?.updates).toEqual([]);
    change({ appearance: { variables: { colorPrimary: 'navy' } }, readOnly: true });
    change({ locale: 'fr' });
    expect(form?.updates).toEqual([
      { appearance: { variables: { colorPrimary: 'navy' } }, readOnly: true },
      { locale: 'fr' },
    ]);
  });

  it('that are not given any more get their defaults', async () => {
    const { form, change } = await connect({ locale: 'de', readOnly: true, acceptedBrands: ['visa'] });
    change({ locale: undefined, readOnly: undefined, acceptedBrands: undefined });
    expect(form?.updates).toEqual([{ locale: 'auto', readOnly: false }]);
  });

  it('that contain elements of the page, which React makes circular, are passed as given', async () => {
    const [one, other] = [document.createElement('input'), document.createElement('input')];
    for (const element of [one, other]) Object.assign(element, { __reactFiber$1: { stateNode: element } });
    const { form, change } = await connect({ appearance: { theme: 'dark', from: { field: one } } });
    expect(form?.options.appearance).toEqual({ theme: 'dark', from: { field: one } });
    change({ appearance: { theme: 'dark', from: { field: one } } });
    expect(form?.updates).toEqual([]);
    change({ appearance: { theme: 'dark', from: { field: other } } });
    expect(form?.updates).toEqual([{ appearance: { theme: 'dark', from: true } }]);
  });

  it('that change while the script loads are those that are mounted', async () => {
    const forms = stubCardForm();
    let settings: CardFormSettings = { ...SETTINGS, locale: 'de' };
    const listener = { emit: vi.fn(), formed: vi.fn(), failed: vi.fn() };
    const connection = connectForm(document.body, () => settings, listener);
    settings = { ...settings, locale: 'fr' };
    connection.update();
    await expect.poll(() => forms).toHaveLength(1);
    connection.update();
    expect([forms[0]?.options.locale, forms[0]?.updates]).toEqual(['fr', []]);
  });

  it('promises 1.8: addressLookup gets the question as it is, the signal included', async () => {
    const addressLookup = vi.fn(async () => []);
    const { form } = await connect({ addressLookup });
    const question = { query: '12 Orchard', country: 'US', signal: new AbortController().signal };
    expect(await form?.options.addressLookup?.(question)).toEqual([]);
    expect(addressLookup.mock.calls).toEqual([[question]]);
  });

  it('that are functions are called as they currently are', async () => {
    const first = vi.fn(async () => 'lg_cs_first');
    const { form, change } = await connect({ clientSecret: undefined, fetchClientSecret: first });
    change({ fetchClientSecret: async () => 'lg_cs_second' });
    expect(await form?.options.fetchClientSecret?.()).toBe('lg_cs_second');
    expect(first).not.toHaveBeenCalled();
    expect(form?.updates).toEqual([]);
  });

  it('need another form for another service, release, account or payment, and for nothing else', () => {
    const keyOf = (settings: CardFormSettings) => createFormKey().of(settings);
    const key = keyOf(SETTINGS);
    for (const name of ['baseUrl', 'version', 'publishableKey', 'clientSecret'])
      expect([name, keyOf({ ...SETTINGS, [name]: 'other' }) === key]).toEqual([name, false]);
    expect(keyOf({ ...SETTINGS, view: 'status' })).not.toBe(key);
    expect(keyOf({ ...SETTINGS, view: 'form', locale: 'de', appearance: {}, nonce: 'n' })).toBe(key);
  });
});

describe('promises 1.6: another client secret', () => {
  const REFUSED = {
    type: 'invalid_request_error',
    code: 'payment_in_progress',
    message: 'A payment is under way.',
    charged: 'unknown',
  } as const;
  const OTHER = { clientSecret: 'lg_cs_2' };
  const WARNED = ['warning', { about: 'clientSecret', hint: 'A payment is under way.' }];

  it('goes to update() while the payment is open, and needs no other form', async () => {
    const { form, change, key } = await connect();
    const before = key();
    change(OTHER);
    change({ locale: 'fr' });
    expect([form?.updates, key()]).toEqual([[OTHER, { locale: 'fr' }], before]);
  });

  it('that is refused for now causes a warning, and is passed again when the payment continues', async () => {
    const { form, change, heard } = await connect();
    form?.answers.push({ ...REFUSED, recovery: 'wait' });
    change(OTHER);
    await expect.poll(() => heard).toEqual([WARNED]);
    change({});
    expect(form?.updates).toEqual([OTHER]);
    form?.emit('decline', {});
    form?.emit('decline', {});
    expect(form?.updates).toEqual([OTHER, OTHER]);
  });

  it('is passed again until the form takes it, but not after the component is gone', async () => {
    const [kept, removed] = [await connect(), await connect()];
    vi.useFakeTimers();
    for (const { form, change } of [kept, removed]) {
      form?.answers.push({ ...REFUSED, recovery: 'retry' });
      change(OTHER);
    }
    await vi.advanceTimersByTimeAsync(1000);
    removed.connection.end();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect([kept.form?.updates, removed.form?.updates]).toEqual([[OTHER, OTHER], [OTHER]]);
  });

  it('that is refused for good is not given again', async () => {
    const { form, change, heard } = await connect();
    form?.answers.push({ ...REFUSED, recovery: 'new_payment' });
    change(OTHER);
    await expect.poll(() => heard).toEqual([WARNED]);
    form?.emit('error', {});
    change({});
    expect(form?.updates).toEqual([OTHER]);
  });

  it('that was refused is not mounted when the payment before it succeeds: the buyer has paid', async () => {
    const { form, change, key, heard } = await connect();
    const before = key();
    form?.answers.push({ ...REFUSED, recovery: 'wait' });
    change(OTHER);
    key();
    await expect.poll(() => heard).toEqual([WARNED]);
    form?.emit('result', { outcome: 'succeeded' });
    change({ locale: 'fr' });
    expect([key(), form?.updates]).toEqual([before, [OTHER, { locale: 'fr' }]]);
    change({ clientSecret: 'lg_cs_3' });
    expect(key()).not.toBe(before);
  });

  it('is another form after the payment, where none could be mounted, and for a status', async () => {
    const paid = await connect();
    paid.form?.emit('result', { outcome: 'canceled' });
    const status = await connect({ view: 'status' });
    const failed = await connect({}, new Error('target_not_found'));
    for (const { form, change, key } of [paid, status, failed]) {
      const before = key();
      change(OTHER);
      expect(key()).not.toBe(before);
      expect(form?.updates ?? []).toEqual([]);
    }
  });
});

describe('the events of a binding', () => {
  it('are not reported after its end', async () => {
    const { form, connection, heard, formed } = await connect();
    connection.end();
    form?.emit('result', {});
    expect([form?.isMounted, heard]).toEqual([false, []]);
    expect(formed.mock.lastCall).toEqual([null]);
  });
});

describe('a binding', () => {
  it('that ends while the script loads mounts nothing', async () => {
    const forms = stubCardForm();
    const listener = { emit: vi.fn(), formed: vi.fn(), failed: vi.fn() };
    connectForm(document.body, () => SETTINGS, listener).end();
    const other = connectForm(document.body, () => SETTINGS, listener);
    await expect.poll(() => listener.formed).toHaveBeenCalled();
    expect(forms).toHaveLength(1);
    other.end();
  });

  it('reports what mount() throws, and what keeps the script from loading', async () => {
    const mistake = new Error('target_not_found');
    expect((await connect({}, mistake)).failed.mock.calls).toEqual([[mistake]]);
    expect((await connect({ baseUrl: 'pay.example' })).failed.mock.calls).toEqual([
      [expect.objectContaining({ code: 'invalid_option' })],
    ]);
  });
});

describe('threat-model 2.8: a polluted prototype', () => {
  const POLLUTED = {
    ...Object.fromEntries(keysOf(OPTIONS).map((name) => [name, 'lg_cs_of_a_stranger'])),
    version: '9.9.9-evil',
    integrity: 'sha384-evil',
    nonce: 'evil',
  };
  afterEach(() => {
    for (const name of keysOf(POLLUTED)) Reflect.deleteProperty(Object.prototype, name);
  });

  it("adds no option to the page's options", async () => {
    for (const [name, value] of Object.entries(POLLUTED)) Reflect.set(Object.prototype, name, value);
    const fetchClientSecret = async () => 'lg_cs_1';
    const { baseUrl, publishableKey } = SETTINGS;
    const { form } = await connect({}, undefined, { baseUrl, publishableKey, fetchClientSecret });
    expect(Object.entries(form?.options ?? {})).toEqual([
      ['publishableKey', publishableKey],
      ['fetchClientSecret', expect.any(Function)],
    ]);
    expect(createFormKey().of({ baseUrl, publishableKey, fetchClientSecret })).not.toMatch(/evil|stranger/);
    expect(earlyFrame(baseUrl)).not.toContain('evil');
  });
});
