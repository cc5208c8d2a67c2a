// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { hydrate } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { en } from '../i18n/en.ts';
import { enFirst } from '../i18n/en-first.ts';
import { LANGUAGES } from '../i18n/translate.ts';
import { App } from './components/App.tsx';
import { createScreen } from './components/context.ts';
import { fieldsOf } from './first/fields.ts';
import { learn, type Spoken } from './first/language.ts';
import { type Fitting, prepare } from './first/static-form.ts';
import { createTyping } from './first/typing.ts';
import { createForm } from './form/card-form.ts';
import { createTexts, typedIn } from './form/field-texts.ts';
import { storeOf } from './form/typing-store.ts';
import { withForm } from './prerender.tsx';
import { createWords } from './view/words.ts';

const PAGE = withForm('<div id="form" hidden></div>');

const PLAIN = { isSandbox: false, isButtonless: false, hidden: [], country: 'US' } as const;

const rootOf = (): HTMLElement => {
  const root = document.getElementById('form');
  if (!root) throw new Error('There is no form.');
  return root;
};

/** The form that stands in the document, made fit. */
const standing = (fitting: Partial<Omit<Fitting, 'catalog'>> = {}, spoken: Spoken | null = null) => {
  document.body.innerHTML = PAGE;
  const root = rootOf();
  const shown = { ...PLAIN, ...fitting };
  prepare(root, { ...shown, catalog: spoken?.catalog ?? null });
  return { root, shown, spoken };
};

/** The same, with components. */
const alive = ({ root, shown, spoken }: ReturnType<typeof standing>) => {
  const { isSandbox, isButtonless, hidden, country } = shown;
  const form = createForm({
    text: createTexts((name) => typedIn(name) || (name === 'country' ? country : '')),
    preferred: [],
    thisMonth: () => ({ year: 2026, month: 11 }),
  });
  const words = createWords(['en-US'], document.createElement('html'), spoken);
  const context = {
    form,
    words,
    screen: createScreen(),
    desk: signal(null),
    isSandbox,
    isButtonless,
    hidden: signal(hidden),
    pressHint: signal(null),
    isInterrupted: signal(false),
  };
  hydrate(<App {...context} />, root);
  return form;
};

/** All that a buyer reads, and where. */
const read = (root: HTMLElement): readonly string[] =>
  [...root.querySelectorAll('*')]
    .filter((element) => !element.closest('select'))
    .map(({ tagName, id, className, childNodes, ...rest }) => {
      const own = [...childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
      const placeholder = 'placeholder' in rest ? rest.placeholder : '';
      return `${tagName} ${id} ${className} ${placeholder}: ${own.trim()}`;
    });

beforeEach(() => {
  // Names of countries are for when there is time, which there is none in these tests.
  Reflect.set(window, 'requestIdleCallback', () => 0);
  Reflect.set(window, 'cancelIdleCallback', () => undefined);
});

const KINDS: readonly [string, Partial<Fitting>][] = [
  ['as it stands', {}],
  ['in the sandbox', { isSandbox: true }],
  ['whose page has the button', { isButtonless: true }],
  ['that does not ask for what the page knows', { hidden: fieldsOf(['email', 'name', 'address']) }],
  ['of another country', { country: 'GB' }],
];

describe('the form that stands in the document', () => {
  it.each(KINDS)('%s is what is drawn later, and every element of it stays', (_, fitting) => {
    const made = standing(fitting);
    const before = [...made.root.querySelectorAll('*')];
    const words = read(made.root);
    expect(before.length).toBeGreaterThan(30);
    alive(made);
    expect(read(made.root)).toEqual(words);
    const after = [...made.root.querySelectorAll('*')].filter(({ tagName }) => tagName !== 'OPTION');
    expect(after).toEqual(before.filter(({ tagName }) => tagName !== 'OPTION'));
    expect(
      after.every((element, index) => element === before.filter((one) => one.tagName !== 'OPTION')[index]),
    ).toBe(true);
  });

  it.each(LANGUAGES)('speaks %s by nothing but its words', async (language) => {
    for (const country of ['US', 'ZZ']) {
      const made = standing({ isSandbox: true, country }, await learn(language, []));
      const words = read(made.root);
      alive(made);
      expect(words).toEqual(read(made.root));
    }
  });

  it('asks for nothing before it is made fit: it is hidden', () => {
    document.body.innerHTML = PAGE;
    expect(rootOf().hidden).toBe(true);
  });

  it('holds no word that the other languages lack', () => {
    document.body.innerHTML = PAGE.replaceAll(/<\/?template[^>]*>/g, '');
    const texts = [...document.body.querySelectorAll('*')].flatMap(({ childNodes }) =>
      [...childNodes].flatMap((node) => (node instanceof Text && node.data.trim() ? [node.data.trim()] : [])),
    );
    const known: readonly string[] = Object.values(enFirst);
    expect([...new Set(texts)].filter((text) => !known.includes(text))).toEqual(['United States']);
    expect(new Set(known).size).toBe(known.length); // a sentence is found by its English
    expect(en).toMatchObject(enFirst);
  });

  it('brings nothing back that session history put into it', () => {
    document.body.innerHTML = PAGE;
    const [number] = rootOf().querySelectorAll('input');
    if (number) number.value = '4242 4242 4242 4242';
    prepare(rootOf(), { ...PLAIN, catalog: null });
    expect([number?.value, typedIn('country')]).toEqual(['', 'US']);
  });

  it('forgets the card when the page is left, whether or not it has come to life', () => {
    for (const isAlive of [false, true]) {
      const made = standing();
      const typing = createTyping(made.root);
      const [number] = made.root.querySelectorAll('input');
      if (!number) throw new Error('There is no input.');
      number.value = '4242';
      number.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
      if (isAlive) typing.join(storeOf(alive(made), () => true));
      window.dispatchEvent(new Event('pagehide'));
      expect(number.value).toBe('');
    }
  });

  it('has the country that was asked for, or else the first', () => {
    expect([standing(), standing({ country: 'GB' })].map(() => typedIn('country'))).toEqual(['GB', 'GB']);
    standing();
    expect(typedIn('country')).toBe('US');
  });

  it('keeps what was typed before there was anything to judge it', () => {
    const made = standing();
    const typing = createTyping(made.root);
    const type = (name: string, text: string) => {
      const input = made.root.querySelector(`#field-${name}`);
      if (!(input instanceof HTMLInputElement)) throw new Error(`There is no ${name}.`);
      input.focus();
      for (const key of text) {
        input.value += key;
        input.setSelectionRange(input.value.length, input.value.length);
        input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: key }));
      }
      return input;
    };
    const number = type('number', '4242424242424241');
    expect(number.value).toBe('4242 4242 4242 4241');
    type('name', 'Ada Lovelace');
    number.focus();
    number.setSelectionRange(4, 4);
    const form = alive(made);
    typing.join(storeOf(form, () => true));
    expect([document.activeElement, number.value, number.selectionStart]).toEqual([
      number,
      '4242 4242 4242 4241',
      4,
    ]);
    expect(form.brand.value).toBe('visa');
    expect(form.fields.name.text.value).toBe('Ada Lovelace');
    expect(form.fields.number.problem.value).toBeNull();
    form.fields.number.leave();
    expect(form.fields.number.problem.value).toMatchObject({ key: 'number.luhn' });
    number.setSelectionRange(19, 19);
    number.value = '4242 4242 4242 424';
    number.setSelectionRange(18, 18);
    number.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'deleteContentBackward' }));
    type('number', '2');
    expect(form.fields.number.text.value).toBe('4242 4242 4242 4242');
    expect(form.fields.number.isComplete.value).toBe(true);
  });
});
