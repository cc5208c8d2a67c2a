// @vitest-environment happy-dom
/**
 * Browser and extension translators replace each text node with elements that contain the translation. Later writes to
 * the old node are invisible.
 */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runs } from '../../../proof/fuzz.ts';
import { allowedAmong } from '../../address/countries.ts';
import { BILLING_OPTIONS } from '../../channel/fields.ts';
import { keysOf } from '../../channel/own-property.ts';
import { exampleIntent, exampleRefusal, exampleState, STATUSES } from '../../payment/payment.fixture.ts';
import { type Feedback, NO_FEEDBACK } from '../../payment/payment-state.ts';
import { exampleForm, TYPED } from '../merchant/merchant.fixture.ts';
import { FIRST_VIEW, offeredView, type View } from '../view/form-view.ts';
import { laterView } from '../view/later-view.ts';
import { view } from '../view/view.ts';
import { createWords } from '../view/words.ts';
import { exampleContext } from './context.fixture.ts';
import type { FormContext } from './context.ts';
import { FormRoot } from './FormRoot.tsx';
import { components } from './late.ts';

const dearer = exampleIntent({
  amount: 1334,
  amount_total: 1334,
  description: 'Coffee',
  items: [{ name: 'Kenya', quantity: 2, unit_amount: 667, amount: 1334 }],
});

const feedback = (different: Partial<Feedback>): View =>
  view(exampleState('ready', { intent: dearer, feedback: { ...NO_FEEDBACK, ...different } }), true);

const throttled = (secondsLeft: number) =>
  view(exampleState('throttled', { error: { retryAfter: 90, stated: true }, secondsLeft }), true);

/** A view of each state, and those that differ only in their texts. */
const VIEWS: readonly View[] = [
  FIRST_VIEW,
  offeredView({ amount: 1234, currency: 'usd' }),
  ...STATUSES.map((status) => view(exampleState(status), true)),
  view(exampleState('load_failed'), false),
  view(
    exampleState('ready', { intent: exampleIntent({ description: 'Tea', amount: 1, amount_total: 1 }) }),
    true,
  ),
  laterView(view(exampleState('confirming'), true), 30),
  throttled(90),
  throttled(9),
  throttled(0),
  view(exampleState('load_failed', { intent: dearer }), true),
  feedback({ previousTotal: { amount: 1234, currency: 'usd' } }),
  feedback({ notice: { kind: 'declined', error: exampleRefusal({ declineCode: 'insufficient_funds' }) } }),
  feedback({ notice: { kind: 'page_refused', message: 'Sold out.' } }),
];

/** A context with changeable parts. */
const changing = () => {
  const form = exampleForm();
  form.allowCountries(allowedAmong(['US', 'GB']), 'US'); // all countries would take longer to render
  const words = createWords(['en-US'], document.createElement('html'));
  return {
    form,
    words,
    screen: signal(VIEWS.at(-1) ?? FIRST_VIEW),
    pressHint: signal<FormContext['pressHint']['value']>(null),
    isInterrupted: signal(false),
    isGrouped: signal(false),
  };
};

/** Other changes of texts, each on top of the previous one. */
const CHANGES: Readonly<Record<string, (context: ReturnType<typeof changing>) => unknown>> = {
  'another country': ({ form }) => form.fields.country.type('GB'),
  'an unknown country': ({ form }) => form.fields.country.type('ZZ'),
  'another language': ({ words }) => words.changeLanguage('de'),
  'words of the page': ({ words }) => words.choose({ translations: { pay: 'Start {amount}' } }),
  'a brand': ({ form }) => form.fields.number.type('4242 4242 4242 4242'),
  'another brand': ({ form }) => form.fields.number.type('3782 822463 10005'),
  'a problem': ({ form }) => form.fields.number.refuse(),
  'folded details': ({ form }) => {
    for (const name of keysOf(TYPED)) form.fields[name].type(TYPED[name]);
    form.unasked.fold(BILLING_OPTIONS);
  },
  'other folded details': ({ form }) => form.fields.email.type('grace@example.com'),
  'a press that did not count': ({ pressHint }) => {
    pressHint.value = 'notice.press_again';
  },
  'an interruption': ({ isInterrupted }) => {
    isInterrupted.value = true;
  },
  'grouped fields': ({ isGrouped }) => {
    isGrouped.value = true;
  },
};

/**
 * Replaces each text with its translation, in a translator's element. Amounts, too: not all translators respect
 * `translate`.
 */
const translate = (root: HTMLElement): void => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text && node.data.trim() && !node.parentElement?.closest('font')) texts.push(node);
  for (const text of texts) {
    const font = document.createElement('font');
    font.textContent = `«${text.data}»`;
    text.replaceWith(font);
  }
};

const show = (context: Partial<FormContext>): HTMLElement => {
  const root = document.body.appendChild(document.createElement('div'));
  render(<FormRoot {...exampleContext({ late: signal(components), isSandbox: true, ...context })} />, root);
  return root;
};

/** The visible text; translations are mapped back to their original. */
const textOf = ({ textContent }: HTMLElement): string => (textContent ?? '').replace(/[«»]/g, '');

const settled = () => vi.runOnlyPendingTimersAsync();

beforeEach(() => {
  vi.useFakeTimers();
  // The browser is never idle, so the country names are not loaded.
  Reflect.set(window, 'requestIdleCallback', () => 0);
  Reflect.set(window, 'cancelIdleCallback', () => undefined);
});

afterEach(() => {
  for (const root of document.body.children) render(null, root);
  document.body.replaceChildren();
  vi.useRealTimers();
});

it('promises 2.13: each text that can change is alone in its element', async () => {
  const { screen, ...context } = changing();
  const root = show({ screen, ...context });
  const mixed: string[] = [];
  const look = () => {
    for (const element of root.querySelectorAll('*')) {
      const texts = [...element.childNodes].filter((node) => node instanceof Text && node.data.trim());
      if (texts.length > 0 && element.childNodes.length > 1) mixed.push(element.outerHTML);
    }
  };
  for (const shown of VIEWS) {
    screen.value = shown;
    await settled();
    look();
  }
  for (const change of Object.values(CHANGES)) {
    change({ screen, ...context });
    await settled();
    look();
  }
  expect([...new Set(mixed)]).toEqual([]);
});

it('promises 2.13: no amount and no digits of the card are given to a translator', async () => {
  for (const shown of VIEWS) {
    const root = show({ ...changing(), screen: signal(shown) });
    await settled();
    const amounts = [...root.querySelectorAll('[data-amount], .line-amount, s, small, .printed')];
    expect(amounts.filter((one) => one.getAttribute('translate') !== 'no')).toEqual([]);
  }
});

it('promises 2.13: after any change of the view, a translated form says what an untranslated one does', async () => {
  const plain = new Map<View, string>();
  for (const shown of VIEWS) {
    const root = show({ ...changing(), screen: signal(shown) });
    await settled();
    plain.set(shown, textOf(root));
    render(null, root);
  }
  const screen = signal(FIRST_VIEW);
  const root = show({ ...changing(), screen });
  const pairs = VIEWS.flatMap((one, index) => VIEWS.slice(index + 1).map((other) => [one, other] as const));
  const each = Math.round(pairs.length / runs(pairs.length));
  for (const shown of pairs.filter((_, at) => at % each === 0).flat()) {
    translate(root);
    screen.value = shown;
    await settled();
    expect(textOf(root)).toBe(plain.get(shown));
  }
});

it('promises 2.13: no trace is left of the text that reserves space for known details', async () => {
  document.body.innerHTML = '<div class="known"><p>Ada Lovelace</p></div>';
  const form = exampleForm({ known: ['name', 'email'] });
  for (const name of keysOf(TYPED)) form.fields[name].type(TYPED[name]);
  const actions = signal<FormContext['actions']['value']>(null);
  const root = show({ ...changing(), form, actions });
  await settled();
  translate(root);
  actions.value = {
    press: async () => {},
    retry: () => {},
    paidWith: signal(''),
    clearPressHint: () => {},
  };
  await settled();
  expect(root.querySelector('.known p')?.textContent).toBe('Ada Lovelace · ada@example.com');
});

it('promises 2.13: nor does it say anything else after another change', async () => {
  const translated = changing();
  const plain = changing();
  const [root, other] = [show(translated), show(plain)];
  await settled();
  for (const [name, change] of Object.entries(CHANGES)) {
    translate(root);
    change(translated);
    change(plain);
    await settled();
    expect(textOf(root), name).toBe(textOf(other));
  }
});
