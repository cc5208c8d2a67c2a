// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { hydrate } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { BILLING_OPTIONS } from '../channel/billing-options.ts';
import { en } from '../i18n/en.ts';
import { enFirst } from '../i18n/en-first.ts';
import { LANGUAGES } from '../i18n/languages.fixture.ts';
import { App } from './components/App.tsx';
import { createFirstView } from './components/context.ts';
import { type LoadedLanguage, loadLanguage } from './first/language.ts';
import { adaptStaticForm, type StaticFormOptions } from './first/static-form.ts';
import { createTyping } from './first/typing.ts';
import { createForm } from './form/card-form.ts';
import { createDigitsStore } from './form/digits-store.ts';
import { createTexts, typedIn } from './form/field-texts.ts';
import { insertStaticForm } from './prerender.tsx';
import { createWords } from './view/words.ts';

const DOCUMENT = insertStaticForm('<div id="form" hidden></div>');

const DEFAULTS = {
  isSandbox: false,
  isButtonless: false,
  never: [],
  known: [],
  defaults: {},
  country: 'US',
} as const;

const rootOf = (): HTMLElement => {
  const root = document.getElementById('form');
  if (!root) throw new Error('There is no form.');
  return root;
};

/** Puts the prerendered form into the document and adapts it. */
const showStatic = (
  options: Partial<Omit<StaticFormOptions, 'catalog'>> = {},
  language: LoadedLanguage | null = null,
) => {
  document.body.innerHTML = DOCUMENT;
  const root = rootOf();
  const shown = { ...DEFAULTS, ...options };
  adaptStaticForm(root, { ...shown, catalog: language?.catalog ?? null });
  return { root, shown, language };
};

/** Hydrates it. */
const hydrateStatic = ({ root, shown, language }: ReturnType<typeof showStatic>) => {
  const { isSandbox, isButtonless, never, known, country } = shown;
  const form = createForm({
    text: createTexts((name) => typedIn(name) || (name === 'country' ? country : '')),
    preferred: [],
    unasked: { never, known },
    thisMonth: () => ({ year: 2026, month: 11 }),
  });
  const words = createWords(['en-US'], document.createElement('html'), language);
  const context = {
    form,
    words,
    screen: createFirstView(),
    actions: signal(null),
    isSandbox,
    isButtonless: signal(isButtonless),
    pressHint: signal(null),
    isInterrupted: signal(false),
    isGrouped: signal(false),
  };
  hydrate(<App {...context} />, root);
  return form;
};

/** Every text and the element it is in. */
const read = (root: HTMLElement): readonly string[] =>
  [...root.querySelectorAll('*')]
    .filter((element) => !element.closest('select'))
    .map(({ tagName, id, className, childNodes, ...rest }) => {
      const own = [...childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
      const placeholder = 'placeholder' in rest ? rest.placeholder : '';
      return `${tagName} ${id} ${className} ${placeholder}: ${own.trim()}`;
    });

beforeEach(() => {
  document.documentElement.lang = 'en'; // as the document has it
  // The browser is never idle, so the country names are not loaded.
  Reflect.set(window, 'requestIdleCallback', () => 0);
  Reflect.set(window, 'cancelIdleCallback', () => undefined);
});

const KNOWN = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
  country: 'US',
};

const VARIANTS: readonly [string, Partial<StaticFormOptions>][] = [
  ['by default', {}],
  ['in the sandbox', { isSandbox: true }],
  ['if the page has the button', { isButtonless: true }],
  ['with fields the page provides', { never: BILLING_OPTIONS }],
  ['with known details', { known: BILLING_OPTIONS, defaults: KNOWN }],
  ['with a known email in another country', { known: ['email'], defaults: KNOWN, country: 'GB' }],
  ['for another country', { country: 'GB' }],
];

describe('the prerendered form', () => {
  it.each(VARIANTS)(
    '%s equals what the components render, and hydration keeps every element',
    (_, options) => {
      const made = showStatic(options);
      const before = [...made.root.querySelectorAll('*')];
      const words = read(made.root);
      expect(before.length).toBeGreaterThan(30);
      hydrateStatic(made);
      expect(read(made.root)).toEqual(words);
      const after = [...made.root.querySelectorAll('*')].filter(({ tagName }) => tagName !== 'OPTION');
      expect(after).toEqual(before.filter(({ tagName }) => tagName !== 'OPTION'));
      expect(
        after.every((element, index) => element === before.filter((one) => one.tagName !== 'OPTION')[index]),
      ).toBe(true);
    },
  );

  it.each(LANGUAGES)('in %s differs in its texts only', async (language) => {
    for (const country of ['US', 'ZZ']) {
      const made = showStatic({ isSandbox: true, country }, await loadLanguage(language, []));
      const words = read(made.root);
      hydrateStatic(made);
      expect(words).toEqual(read(made.root));
    }
  });

  it('is hidden until it has been adapted', () => {
    document.body.innerHTML = DOCUMENT;
    expect(rootOf().hidden).toBe(true);
  });

  it('has no text that is missing in other languages', () => {
    document.body.innerHTML = DOCUMENT.replaceAll(/<\/?template[^>]*>/g, '');
    const texts = [...document.body.querySelectorAll('*')].flatMap(({ childNodes }) =>
      [...childNodes].flatMap((node) => (node instanceof Text && node.data.trim() ? [node.data.trim()] : [])),
    );
    const known: readonly string[] = Object.values(enFirst);
    expect([...new Set(texts)].filter((text) => !known.includes(text))).toEqual(['United States']);
    expect(new Set(known).size).toBe(known.length); // texts are found by their English
    expect(en).toMatchObject(enFirst);
  });

  it('drops what session history restored', () => {
    document.body.innerHTML = DOCUMENT;
    const [number] = rootOf().querySelectorAll('input');
    if (number) number.value = '4242 4242 4242 4242';
    adaptStaticForm(rootOf(), { ...DEFAULTS, catalog: null });
    expect([number?.value, typedIn('country')]).toEqual(['', 'US']);
  });

  it('forgets the card when the page is left, whether hydrated or not', () => {
    for (const isHydrated of [false, true]) {
      const made = showStatic();
      const typing = createTyping(made.root);
      const [number] = made.root.querySelectorAll('input');
      if (!number) throw new Error('There is no input.');
      number.value = '4242';
      number.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
      if (isHydrated) typing.connect(createDigitsStore(hydrateStatic(made), () => true));
      window.dispatchEvent(new Event('pagehide'));
      expect(number.value).toBe('');
    }
  });

  it('has the requested country, or else the default', () => {
    expect([showStatic(), showStatic({ country: 'GB' })].map(() => typedIn('country'))).toEqual(['GB', 'GB']);
    showStatic();
    expect(typedIn('country')).toBe('US');
  });

  it('keeps what was typed before hydration', () => {
    const made = showStatic();
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
    const form = hydrateStatic(made);
    typing.connect(createDigitsStore(form, () => true));
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
