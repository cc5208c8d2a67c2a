// @vitest-environment happy-dom
/** The component in both major versions of React that it supports, in development mode, which finds mistakes. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENTS } from '../form/channel/events.ts';
import { keysOf } from '../form/channel/own-property.ts';
import {
  type FakeForm,
  importBundle,
  removeCardForm,
  silenceIframes,
  stubCardForm,
} from './framework.fixture.ts';
import type { CardFormProps } from './react.ts';

const ENTRY = `
export * as React from 'react';
export { createRoot, hydrateRoot } from 'react-dom/client';
export { renderToString } from 'react-dom/server.browser';
export { CardForm } from '#binding/react.ts';
`;

const PROPS: CardFormProps = {
  baseUrl: 'https://pay.example',
  publishableKey: 'pk_live_1',
  clientSecret: 'lg_cs_1',
};

/** What the tests use of React. */
type Element = object;
type Modules = {
  React: {
    version: string;
    act(run: () => Promise<void>): Promise<void>;
    createElement(type: unknown, props?: object | null, ...children: readonly unknown[]): Element;
    StrictMode: unknown;
    Suspense: unknown;
  };
  createRoot(container: globalThis.Element): Root;
  hydrateRoot(container: globalThis.Element, element: Element): Root;
  renderToString(element: Element): string;
  CardForm: unknown;
};
type Root = { render(element: Element): void; unmount(): void };

it.each([
  ['18', { react: 'react-18', 'react-dom': 'react-dom-18' }],
  ['19', {}],
])(
  'says in words that the app has two copies of React %s',
  async (_, alias) => {
    silenceIframes();
    const { React, createRoot }: Modules = await importBundle(ENTRY, { alias });
    const { CardForm }: Modules = await importBundle(ENTRY, { alias });
    Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const root = createRoot(document.body.appendChild(document.createElement('main')));
    const rendered = React.act(async () => root.render(React.createElement(CardForm, PROPS)));
    await expect(rendered).rejects.toThrow(/^CardForm: .*two copies of React.*npm ls react/);
    vi.restoreAllMocks();
  },
  120_000,
);

describe.each([
  ['18', { react: 'react-18', 'react-dom': 'react-dom-18' }],
  ['19', {}],
])('<CardForm> in React %s', (major, alias) => {
  let modules: Modules;
  let forms: readonly FakeForm[];
  let roots: Root[] = [];
  const complaints = vi.fn();

  beforeAll(async () => {
    silenceIframes();
    modules = await importBundle(ENTRY, { alias });
    expect(modules.React.version).toMatch(new RegExp(`^${major}\\.`));
  }, 120_000); // it bundles React
  beforeEach(() => {
    Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
    vi.spyOn(console, 'error').mockImplementation(complaints);
    forms = stubCardForm();
  });
  afterEach(async () => {
    await act(() => {
      for (const root of roots) root.unmount();
    });
    roots = [];
    removeCardForm();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(complaints.mock.calls).toEqual([]);
    complaints.mockClear();
  });

  const element = (props: object = {}) =>
    modules.React.createElement(modules.CardForm, { ...PROPS, ...props });
  const act = (run: () => void) => modules.React.act(async () => run());
  const page = (html = '') => {
    const main = document.createElement('main');
    if (html) main.append(document.createRange().createContextualFragment(html));
    document.body.append(main);
    return main;
  };
  const render = async (first: Element) => {
    const main = page();
    const root = modules.createRoot(main);
    roots.push(root);
    const show = (next: Element) => act(() => root.render(next));
    await show(first);
    return { main, show };
  };
  const mounted = () => forms.filter(({ isMounted }) => isMounted);

  it('mounts a form into its element, and keeps the iframe that is there already', async () => {
    const { main } = await render(element({ className: 'card', id: 'pay', locale: 'de' }));
    expect(forms.map(({ options }) => options)).toEqual([
      { publishableKey: 'pk_live_1', clientSecret: 'lg_cs_1', locale: 'de' },
    ]);
    expect(main.querySelector('#pay')?.className).toBe('card');
    expect(main.querySelectorAll('iframe')).toHaveLength(1);
  });

  it('has one form in StrictMode, which mounts everything twice', async () => {
    await render(modules.React.createElement(modules.React.StrictMode, null, element()));
    expect(forms).toHaveLength(1);
    expect(mounted()).toHaveLength(1);
  });

  it('passes changed options to update(), and calls the handlers of the latest rendering', async () => {
    const heard: string[] = [];
    const { show } = await render(
      element({ appearance: { theme: 'light' }, onDecline: () => heard.push('old') }),
    );
    await show(element({ appearance: { theme: 'light' }, onDecline: () => heard.push('new') }));
    expect(forms[0]?.updates).toEqual([]);
    await show(element({ appearance: { theme: 'dark' }, onDecline: () => heard.push('newest') }));
    expect(forms[0]?.updates).toEqual([{ appearance: { theme: 'dark' } }]);
    forms[0]?.emit('decline', {});
    expect([heard, forms.length]).toEqual([['newest'], 1]);
  });

  it('has a property for every event', async () => {
    const heard: string[] = [];
    const props = [
      ...[
        'onReady',
        'onChange',
        'onFocus',
        'onBlur',
        'onEscape',
        'onSubmitRequest',
        'onAmountChange',
        'onProcessing',
        'onDecline',
      ],
      ...['onRateLimited', 'onError', 'onWarning', 'onResult', 'onStatus', 'onLoadError'],
    ];
    await render(element(Object.fromEntries(props.map((name) => [name, () => heard.push(name)]))));
    const names = keysOf(EVENTS);
    for (const name of names) forms[0]?.emit(name, {});
    expect(heard).toEqual(props);
    expect(props.map((name) => name.slice(2).toLowerCase())).toEqual(names);
  });

  it('is mounted anew for another payment, in a new element', async () => {
    const { main, show } = await render(element());
    const before = main.firstChild;
    await show(element({ clientSecret: 'lg_cs_2' }));
    expect(forms.map(({ isMounted, options }) => [isMounted, options.clientSecret])).toEqual([
      [false, 'lg_cs_1'],
      [true, 'lg_cs_2'],
    ]);
    expect(main.firstChild).not.toBe(before);
    expect(main.querySelectorAll('iframe')).toHaveLength(1);
  });

  it('has the form as its ref, and null when it is gone', async () => {
    const ref: { current: object | null } = { current: null };
    const { main, show } = await render(element({ ref }));
    expect(ref.current).toBe(forms[0]?.instance);
    await show(modules.React.createElement('p'));
    expect([ref.current, forms[0]?.isMounted, main.querySelector('iframe')]).toEqual([null, false, null]);
  });

  it('keeps its form while a Suspense boundary around it waits', async () => {
    let isWaiting = false;
    const forever = new Promise(() => {});
    const Wait = () => {
      if (isWaiting) throw forever;
      return null;
    };
    const inside = () =>
      modules.React.createElement(
        modules.React.Suspense,
        { fallback: 'one moment' },
        element(),
        modules.React.createElement(Wait),
      );
    const { main, show } = await render(inside());
    const frame = main.querySelector('iframe');
    isWaiting = true;
    await show(inside());
    expect(main.textContent).toContain('one moment');
    isWaiting = false;
    await show(inside());
    expect([forms.length, mounted().length]).toEqual([1, 1]);
    expect(main.querySelector('iframe')).toBe(frame);
  });

  it('shows the fallback if there can be no form, and reports why', async () => {
    removeCardForm();
    const mistake = new Error('publishableKey');
    stubCardForm(mistake);
    const failures: Error[] = [];
    const onFailure = (error: Error) => failures.push(error);
    const { main, show } = await render(element({ onFailure }));
    expect(main.querySelector('[role=alert]')?.textContent).toBe('The card form could not be loaded.');
    expect(failures).toEqual([mistake]);
    await show(element({ onFailure, fallback: 'Please call us.' }));
    expect(main.textContent).toBe('Please call us.');
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    await show(element({ clientSecret: 'lg_cs_2' }));
    expect(reported.mock.calls).toEqual([[mistake]]);
  });

  it('promises 2.7: renders the iframe as high as the form will be, on a server and in a container of this width', async () => {
    const known = { defaultValues: { billingDetails: { address: {} } } };
    const rendered = (props: object) => page(modules.renderToString(element(props))).querySelector('iframe');
    expect(rendered(known)?.height).toBe('455');
    expect(rendered({ payButton: 'host', publishableKey: 'pk_live_sandbox1' })?.height).toBe('884');
    vi.spyOn(HTMLIFrameElement.prototype, 'clientWidth', 'get').mockReturnValue(720);
    const { main } = await render(element());
    expect(main.querySelector('iframe')?.height).toBe('647');
  });

  it("renders the form's iframe on a server, and takes it over without a mismatch", async () => {
    const html = modules.renderToString(element({ className: 'card', version: '0.1.0-test' }));
    const { earlyFrame } = await import('./early-frame.ts');
    const early = page(earlyFrame('https://pay.example', { version: '0.1.0-test' })).firstElementChild;
    const main = page(html);
    const frame = main.querySelector('iframe');
    expect(frame?.isEqualNode(early)).toBe(true);
    const written = vi.spyOn(HTMLIFrameElement.prototype, 'setAttribute');
    await act(() => {
      roots.push(modules.hydrateRoot(main, element({ className: 'card', version: '0.1.0-test' })));
    });
    expect(written.mock.calls.filter(([name]) => name === 'src')).toEqual([]); // it would load again
    expect(main.querySelector('iframe')).toBe(frame);
    expect(forms.map(({ container }) => container)).toEqual([main.firstElementChild]);
  });
});
