// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { hydrate } from 'preact';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { retrieveBody } from '../../api/client-request.ts';
import type { Money } from '../../api/money.ts';
import { COUNTRIES } from '../address/country-codes.ts';
import { BILLING_OPTIONS } from '../channel/fields.ts';
import { readInit } from '../channel/read-options.ts';
import { en } from '../i18n/en.ts';
import { LANGUAGES } from '../i18n/languages.ts';
import { negotiate } from '../i18n/locale.ts';
import { exampleIntent } from '../payment/payment.fixture.ts';
import type { Intent } from '../payment/payment-state.ts';
import { exampleContext } from './components/context.fixture.ts';
import type { FormContext } from './components/context.ts';
import { FormRoot } from './components/FormRoot.tsx';
import { keepOptions } from './components/keep-options.ts';
import { controlOf } from './first/controls.ts';
import { setDocumentLanguage } from './first/document-language.ts';
import { fillEarlyLists } from './first/early-lists.ts';
import { type LoadedLanguage, loadLanguage } from './first/language.ts';
import { PLACED, writeForm } from './first/other-language.ts';
import type { Prefetch } from './first/prefetch.ts';
import { adaptStaticForm, type StaticFormOptions } from './first/static-form.ts';
import { createTyping } from './first/typing.ts';
import { createForm } from './form/card-form.ts';
import { followFields } from './form/read-fields.ts';
import { initMessage } from './merchant/merchant.fixture.ts';
import { insertStaticForm } from './prerender.tsx';
import { stubIntersectionObserver } from './press/intersection-observer.fixture.ts';
import { createOffer, endDrawing } from './session/payment.ts';
import { offeredView } from './view/form-view.ts';
import { createWords } from './view/words.ts';

const DOCUMENT = insertStaticForm('<div id="form" hidden></div>');

const DEFAULTS = {
  isSandbox: false,
  isStatus: false,
  autoAdvance: true,
  isNameFirst: false,
  isButtonless: false,
  never: [],
  known: [],
  defaults: {},
  sameAsShipping: false,
  country: 'US',
} as const;

const rootOf = (): HTMLElement => {
  const root = document.getElementById('form');
  if (!root) throw new Error('There is no form.');
  return root;
};

/** Inserts the prerendered form into the document, in this language, and adapts it. */
const showStatic = (options: Partial<StaticFormOptions> = {}, language: LoadedLanguage | null = null) => {
  document.body.innerHTML = DOCUMENT;
  const root = rootOf();
  const shown = { ...DEFAULTS, ...options };
  writeForm(root, language?.catalog ?? en);
  const sentence = adaptStaticForm(root, shown);
  return { root, shown, language, sentence };
};

/** Hydrates it. */
const hydrateStatic = (
  { root, shown, language }: ReturnType<typeof showStatic>,
  typing = createTyping(root),
  total: Money | null = null,
  offered: Pick<FormContext, 'guard' | 'screen'> | null = null,
) => {
  const { isSandbox, autoAdvance, isNameFirst, isButtonless, never, known, country } = shown;
  const form = createForm({
    country,
    preferred: [],
    unasked: { never, known },
    thisMonth: () => ({ year: 2026, month: 11 }),
  });
  followFields(form, typing, () => true);
  const words = createWords(['en-US'], document.createElement('html'), language);
  const context = exampleContext({
    form,
    words,
    earlyTotal: signal(total),
    isSandbox,
    autoAdvance,
    isNameFirst: signal(isNameFirst),
    isButtonless: signal(isButtonless),
    ...offered,
  });
  keepOptions(root, () => hydrate(<FormRoot {...context} />, root));
  return form;
};

/** Every text, with its element. */
const read = (root: HTMLElement): readonly string[] =>
  [...root.querySelectorAll('*')]
    .filter((element) => !element.closest('select'))
    .map((element) => {
      const { tagName, id, className, childNodes } = element;
      const own = [...childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
      const [placeholder, about] = ['placeholder', 'aria-describedby'].map(
        (name) => element.getAttribute(name) ?? '',
      );
      return `${tagName} ${id} ${className} ${placeholder} ${about}: ${own.trim()}`;
    });

beforeEach(() => {
  stubIntersectionObserver();
  vi.stubGlobal('reportError', () => undefined);
  document.documentElement.lang = 'en'; // as in the document
  // The browser is never idle, so the country names are not loaded.
  Reflect.set(window, 'requestIdleCallback', () => 0);
  Reflect.set(window, 'cancelIdleCallback', () => undefined);
});

/** The first read, answered with this intent. */
const prefetchOf = (changes: Partial<Intent>): Prefetch => ({
  isFor: (body: string) => body === retrieveBody('lg_cs_x'),
  at: performance.now(),
  answer: Promise.resolve(Response.json(exampleIntent(changes))),
  abandon: () => undefined,
  isForbidden: () => false,
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
  ['if the focus stays in full fields', { autoAdvance: false }],
  ['with the name first', { isNameFirst: true }],
  ['with the name first, but known', { isNameFirst: true, known: ['name'], defaults: KNOWN }],
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
      const made = showStatic({ isSandbox: true, country }, await loadLanguage(negotiate(language, [])));
      const words = read(made.root);
      hydrateStatic(made);
      expect(words).toEqual(read(made.root));
    }
  });

  it.each(LANGUAGES)('in %s offers a total on the button as the components do', async (language) => {
    for (const [currency, amount] of [
      ['usd', 123_456],
      ['eur', 100],
    ] as const) {
      const loaded = await loadLanguage(negotiate(language, []));
      const made = showStatic({}, loaded);
      if (loaded) setDocumentLanguage(document.documentElement, loaded.negotiated);
      const { port1 } = new MessageChannel();
      const offer = createOffer(readInit(initMessage()), prefetchOf({ amount_total: amount, currency }), {
        port: port1,
        sentence: made.sentence,
      });
      const { drawing } = offer;
      await expect.poll(() => drawing?.isOffered()).toBe(true);
      const parts = () => [...made.root.querySelectorAll('.pay-place *, .summary *')];
      const markup = () => [
        made.root.querySelector('.pay-place')?.outerHTML,
        made.root.querySelector('.summary')?.outerHTML,
      ];
      const before = [parts(), markup()];
      for (const place of ['.pay', '.total'])
        expect(made.root.querySelector(place)?.textContent).toMatch(/[1-9١-٩]/);
      const { total } = endDrawing(offer);
      expect(total).toEqual({ amount, currency });
      if (!total) throw new Error('There is no offer.');
      hydrateStatic(made, undefined, total, { guard: offer.guard, screen: signal(offeredView(total)) });
      expect([parts(), markup()]).toEqual(before);
      offer.ending.abort();
      offer.session?.close();
      offer.page.close();
    }
  });

  it('is hidden until it has been adapted', () => {
    document.body.innerHTML = DOCUMENT;
    expect(rootOf().hidden).toBe(true);
  });

  it('has keys instead of its texts, and each key is known at its place', () => {
    document.body.innerHTML = DOCUMENT.replaceAll(/<\/?template[^>]*>/g, '');
    const wordsIn = (node: Node): string[] => [
      node instanceof HTMLInputElement ? node.placeholder : '',
      node instanceof Text ? node.data : '',
      ...[...node.childNodes].flatMap(wordsIn),
    ];
    const words = wordsIn(document.body).map((word) => word.trim());
    expect(words.filter((word) => word !== '')).toEqual(PLACED.map((key) => key || 'United States'));
    expect(PLACED.filter((key) => !Object.hasOwn(en, key))).toEqual(['']);
  });

  it('drops what session history restored', () => {
    document.body.innerHTML = DOCUMENT;
    const [number] = rootOf().querySelectorAll('input');
    if (number) number.value = '4242 4242 4242 4242';
    adaptStaticForm(rootOf(), DEFAULTS);
    expect([number?.value, controlOf('country')?.value]).toEqual(['', 'US']);
  });

  it('forgets the card when the page is left, whether hydrated or not', () => {
    for (const isHydrated of [false, true]) {
      const made = showStatic();
      const typing = createTyping(made.root);
      const [number] = made.root.querySelectorAll('input');
      if (!number) throw new Error('There is no input.');
      number.value = '4242';
      number.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
      if (isHydrated) hydrateStatic(made, typing);
      window.dispatchEvent(new Event('pagehide'));
      expect(number.value).toBe('');
    }
  });

  it('has the requested country, or else the default', () => {
    expect([showStatic(), showStatic({ country: 'GB' })].map(() => controlOf('country')?.value)).toEqual([
      'GB',
      'GB',
    ]);
    showStatic();
    expect(controlOf('country')?.value).toBe('US');
  });

  it('keeps every option of its lists while it is hydrated', () => {
    for (const country of ['US', 'GB']) {
      const made = showStatic({ country });
      fillEarlyLists();
      const list = controlOf('country');
      const before = [...(list?.childNodes ?? [])];
      expect(before).toHaveLength(COUNTRIES.length);
      const removing = vi.spyOn(Element.prototype, 'remove');
      hydrateStatic(made);
      expect(removing.mock.contexts.filter((node) => node instanceof HTMLOptionElement)).toEqual([]);
      removing.mockRestore();
      expect([...(list?.childNodes ?? [])].map((node, at) => node === before[at])).toEqual(
        before.map(() => true),
      );
      expect(list?.value).toBe(country);
    }
  });

  it('keeps text typed before hydration', () => {
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
    const form = hydrateStatic(made, typing);
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
