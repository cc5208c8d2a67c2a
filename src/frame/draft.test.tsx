// @vitest-environment happy-dom
import { effect, signal } from '@preact/signals';
import { options, render } from 'preact';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { allowedAmong } from '../address/countries.ts';
import { checkPan } from '../card/check-pan.ts';
import { en } from '../i18n/en.ts';
import { formatMoney, formatNumber } from '../i18n/money.ts';
import { App } from './App.tsx';
import { createScreen } from './context.ts';
import { createDraft } from './draft.ts';
import { createForm } from './form.ts';
import { createWords } from './words.ts';

vi.mock('../card/check-pan.ts', async (original) => {
  const real = await original<typeof import('../card/check-pan.ts')>();
  return { ...real, checkPan: vi.fn(real.checkPan) };
});

const thisMonth = () => ({ year: 2026, month: 11 });

const joined = (draft = createDraft('US')) => {
  const form = createForm({ text: draft.texts, preferred: ['en-US'], thisMonth });
  draft.join(form);
  form.allowCountries(allowedAmong(undefined), 'US');
  return { draft, form };
};

describe('what is typed before anything judges it', () => {
  it('stands there afterwards, is judged, and is sent as it was typed', () => {
    const draft = createDraft('US');
    const typed = {
      number: '4242 4242 4242 4242',
      expiry: '12 / 30',
      cvc: '123',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      line1: '12 Orchard Lane',
      city: 'Portland',
      postal_code: '97201',
    } as const;
    for (const name of ['number', 'expiry', 'cvc', 'name', 'email', 'line1', 'city', 'postal_code'] as const)
      draft.fields[name].type(typed[name]);
    expect(draft.fields.number.isComplete.value).toBe(false);
    expect(draft.brand.value).toBe('visa');
    const { form } = joined(draft);
    expect(draft.fields.number.isComplete.value).toBe(true);
    draft.fields.state.type('OR');
    expect(form.details()).toMatchObject({
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' },
      billing_details: {
        name: 'Ada Lovelace',
        address: { line1: '12 Orchard Lane', postal_code: '97201', state: 'OR' },
      },
    });
  });

  it('is not called wrong by anybody, and is once it can be', () => {
    const draft = createDraft('US');
    draft.fields.number.type('4242 4242 4242 4241');
    draft.fields.number.leave();
    expect(draft.fields.number.problem.value).toBeNull();
    joined(draft);
    draft.fields.number.leave();
    expect(draft.fields.number.problem.value).toMatchObject({ key: 'number.luhn' });
  });

  it('of a country that is not the first asks for an address in general terms', () => {
    expect(createDraft('DE').format.value.states).toBeNull();
    expect(createDraft('US').format.value.labels.postal_code).toBe('zip');
    expect(joined().draft.format.value.states).toHaveLength(62);
  });

  it('a country that was given stays, unless the store does not take it', () => {
    const given = createDraft('US');
    given.fields.country.type('GB');
    const { form } = joined(given);
    form.fillIn({ address: { country: 'GB' } });
    expect(given.fields.country.text.value).toBe('GB');
  });
});

describe('product 7: a key', () => {
  const rendered: string[] = [];
  const before = options.diffed;
  options.diffed = (vnode) => {
    if (typeof vnode.type === 'function') rendered.push(vnode.type.name);
    before?.(vnode);
  };

  const setUp = async () => {
    // Names of countries are for when there is time, which there is none in this test.
    Reflect.set(window, 'requestIdleCallback', () => 0);
    Reflect.set(window, 'cancelIdleCallback', () => undefined);
    const root = document.createElement('div');
    document.body.replaceChildren(root);
    const { draft, form } = joined();
    const words = createWords(['en-US'], document.documentElement);
    words.learn(en, { formatMoney, formatNumber });
    render(
      <App
        form={draft}
        words={words}
        screen={createScreen()}
        desk={signal(null)}
        isSandbox={signal(false)}
        payButton={signal('frame')}
        hidden={signal([])}
        caution={signal(null)}
      />,
      root,
    );
    await settled();
    const told: unknown[] = [];
    effect(() => {
      told.push([form.isComplete.value, form.isEmpty.value, form.brand.value]);
    });
    const input = root.querySelector('input');
    if (!input) throw new Error('There is no input.');
    return { input, told };
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

  beforeEach(() => {
    rendered.length = 0;
    vi.mocked(checkPan).mockClear();
  });

  it('is checked once and renders each component at most once; one that changes nothing renders none', async () => {
    const { input, told } = await setUp();
    const keys: { checks: number; renders: readonly string[] }[] = [];
    for (const digit of '4242424242424242') {
      vi.mocked(checkPan).mockClear();
      rendered.length = 0;
      input.value += digit;
      input.selectionStart = input.value.length;
      input.selectionEnd = input.value.length;
      input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: digit }));
      await settled();
      keys.push({ checks: vi.mocked(checkPan).mock.calls.length, renders: [...rendered] });
    }
    expect(input.value).toBe('4242 4242 4242 4242');
    expect(keys.map(({ checks }) => checks)).toEqual(Array(16).fill(1));
    for (const { renders } of keys) expect(new Set(renders).size).toBe(renders.length);
    // The brand is open at the first key and known at the second, third or fourth; then nothing of it changes.
    expect(keys.slice(4, -1).flatMap(({ renders }) => renders)).toEqual([]);
    expect(told.length).toBeLessThanOrEqual(4); // nothing, something, a brand, complete or not
  });
});
