// @vitest-environment happy-dom
/** The component in both supported major versions of React, in development mode, which detects mistakes. */
import { beforeEach, expect, it, vi } from 'vitest';
import { EVENTS } from '../form/channel/events.ts';
import { complaints, describeBinding, PROPS, page, stubMistake } from './bindings.fixture.ts';
import { importBundle, silenceIframes } from './framework.fixture.ts';

const ENTRY = `
export * as React from 'react';
export { createRoot, hydrateRoot } from 'react-dom/client';
export { renderToString } from 'react-dom/server.browser';
export { CardForm } from '#binding/react.ts';
`;

/** The parts of React used by the tests. */
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

beforeEach(() => {
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(complaints);
});

const VERSIONS = [
  ['18', { react: 'react-18', 'react-dom': 'react-dom-18' }],
  ['19', {}],
] as const;

const load = async (alias: Readonly<Record<string, string>>) => {
  const { React, createRoot, hydrateRoot, renderToString, CardForm }: Modules = await importBundle(ENTRY, {
    alias,
  });
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  let roots: Root[] = [];
  const act = (run: () => void) => React.act(async () => run());
  const element = (props: object = {}) => React.createElement(CardForm, { ...PROPS, ...props });
  /** Renders an element, and others in its place. */
  const render = async (first: Element) => {
    const main = page();
    const root = createRoot(main);
    roots.push(root);
    const show = (next: Element) => act(() => root.render(next));
    await show(first);
    return { main, show };
  };
  return {
    React,
    element,
    render,
    show: async (given: object = {}) => {
      const ref: { current: object | null } = { current: null };
      let props = { ...given, ref };
      const { main, show } = await render(element(props));
      return {
        main,
        change: (changes: object) => {
          props = { ...props, ...changes };
          return show(element(props));
        },
        remove: () => show(React.createElement('p')),
        form: () => ref.current,
      };
    },
    renderOnServer: (props: object) => renderToString(element(props)),
    hydrate: (main: globalThis.Element, props: object) =>
      act(() => {
        roots.push(hydrateRoot(main, element(props)));
      }),
    end: () =>
      act(() => {
        for (const root of roots) root.unmount();
        roots = [];
      }),
    listener: (name: string) => LISTENERS.find((one) => one.slice(2).toLowerCase() === name) ?? 'none',
    className: 'className',
  };
};

const LISTENERS = [
  ...['onReady', 'onChange', 'onFocus', 'onBlur', 'onEscape', 'onSubmitRequest', 'onAmountChange'],
  ...['onProcessing', 'onDecline', 'onRateLimited', 'onError', 'onWarning', 'onResult', 'onStatus'],
  ...['onLoadError', 'onFailure'],
];

it('names the events as React does, each and no other', () => {
  const names = LISTENERS.map((name) => name.slice(2).toLowerCase());
  expect(names).toEqual([...Object.keys(EVENTS), 'failure']);
});

it.each(VERSIONS)(
  'explains that the app has two copies of React %s',
  async (_, alias) => {
    silenceIframes();
    const { React, createRoot }: Modules = await importBundle(ENTRY, { alias });
    const { CardForm }: Modules = await importBundle(ENTRY, { alias });
    Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
    const root = createRoot(page());
    const rendered = React.act(async () => root.render(React.createElement(CardForm, PROPS)));
    await expect(rendered).rejects.toThrow(/^CardForm: .*two copies of React.*npm ls react/);
    complaints.mockClear();
    vi.restoreAllMocks();
  },
  120_000,
);

for (const [major, alias] of VERSIONS)
  describeBinding(
    `<CardForm> in React ${major}`,
    () => load(alias),
    (framework, forms) => {
      const mounted = () => forms().filter(({ isMounted }) => isMounted);

      it('promises 1.15: unmounts the form while it is in the page, so that it can be parked', async () => {
        const { remove } = await framework().show({ keep: true });
        await remove();
        expect(forms()[0]?.leftInTime).toBe(true);
      });

      it('has one form in StrictMode, which mounts everything twice', async () => {
        const { React, element, render } = framework();
        expect(React.version).toMatch(new RegExp(`^${major}\\.`));
        await render(React.createElement(React.StrictMode, null, element()));
        expect([forms().length, mounted().length]).toEqual([1, 1]);
      });

      it('calls the handlers of the latest rendering', async () => {
        const heard: string[] = [];
        const { change } = await framework().show({ onDecline: () => heard.push('old') });
        await change({ onDecline: () => heard.push('new') });
        forms()[0]?.emit('decline', {});
        expect([heard, forms()[0]?.updates]).toEqual([['new'], []]);
      });

      it('keeps its form while a Suspense boundary around it waits', async () => {
        const { React, element, render } = framework();
        let isWaiting = false;
        const forever = new Promise(() => {});
        const Wait = () => {
          if (isWaiting) throw forever;
          return null;
        };
        const inside = () =>
          React.createElement(
            React.Suspense,
            { fallback: 'one moment' },
            element(),
            React.createElement(Wait),
          );
        const { main, show } = await render(inside());
        const frame = main.querySelector('iframe');
        isWaiting = true;
        await show(inside());
        expect(main.textContent).toContain('one moment');
        isWaiting = false;
        await show(inside());
        expect([forms().length, mounted().length]).toEqual([1, 1]);
        expect(main.querySelector('iframe')).toBe(frame);
      });

      it('shows a fallback of the shop', async () => {
        stubMistake();
        const { main } = await framework().show({ onFailure: () => {}, fallback: 'Please call us.' });
        expect(main.textContent).toBe('Please call us.');
      });
    },
  );
