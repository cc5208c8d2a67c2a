// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import {
  createApp,
  createSSRApp,
  type GlobalComponents,
  h,
  KeepAlive,
  nextTick,
  reactive,
  ref,
  shallowReactive,
  type VNode,
} from 'vue';
import { renderToString } from 'vue/server-renderer';
import { complaints, describeBinding, PROPS, page, stubMistake } from './bindings.fixture.ts';
import { CardForm } from './vue.ts';

beforeEach(() => {
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(complaints);
});

const unmounts: (() => void)[] = [];
const settled = async () => {
  for (let turn = 0; turn < 8; turn += 1) await nextTick();
};
const mount = async (create: typeof createApp, main: Element, render: () => VNode | null) => {
  const app = create({ render });
  app.mount(main);
  unmounts.push(() => app.unmount());
  await settled();
  return main;
};
const render = (shown: () => VNode | null) => mount(createApp, page(), shown);

const VUE = {
  show: async (given: object = {}) => {
    const props = shallowReactive<Record<string, unknown>>({ ...PROPS, ...given });
    const isThere = ref(true);
    let form: object | null | undefined;
    const update = (value: object | null) => {
      form = value;
    };
    const main = await render(() =>
      isThere.value ? h(CardForm, { ...PROPS, ...props, 'onUpdate:form': update }) : null,
    );
    return {
      main,
      change: (changes: object) => {
        Object.assign(props, changes);
        return settled();
      },
      remove: () => {
        isThere.value = false;
        return settled();
      },
      form: () => form,
    };
  },
  renderOnServer: (props: object) =>
    renderToString(createSSRApp({ render: () => h(CardForm, { ...PROPS, ...props }) })),
  hydrate: async (main: Element, props: object) => {
    await mount(createSSRApp, main, () => h(CardForm, { ...PROPS, ...props }));
  },
  end: () => {
    for (const unmount of unmounts.splice(0)) unmount();
  },
  listener: (name: string) => `on${name[0]?.toUpperCase()}${name.slice(1)}`,
  className: 'class',
};

describeBinding(
  '<CardForm> in Vue',
  () => VUE,
  (framework, forms) => {
    it('promises 1.15: unmounts the form while it is in the page, so that it can be parked', async () => {
      const { remove } = await framework().show({ keep: true });
      await remove();
      expect(forms()[0]?.leftInTime).toBe(true);
    });

    it('passes on what changes deep in a reactive object', async () => {
      const appearance = reactive<{ theme: 'light' | 'dark'; variables: { colorPrimary: string } }>({
        theme: 'light',
        variables: { colorPrimary: 'red' },
      });
      const turn = ref(0);
      await render(() => h(CardForm, { ...PROPS, appearance, 'data-turn': turn.value }));
      turn.value += 1;
      await settled();
      expect(forms()[0]?.updates).toEqual([]);
      appearance.variables.colorPrimary = 'navy';
      await settled();
      expect(forms()[0]?.updates).toEqual([
        { appearance: { theme: 'light', variables: { colorPrimary: 'navy' } } },
      ]);
    });

    it('reads an attribute without a value as true', async () => {
      await VUE.show({ 'read-only': '' });
      expect(forms()[0]?.options).toMatchObject({ readOnly: true });
      expect(forms()[0]?.options).not.toHaveProperty('debug');
    });

    it('is mounted again when <KeepAlive> shows it again', async () => {
      const isShown = ref(true);
      await render(() => h(KeepAlive, () => (isShown.value ? h(CardForm, PROPS) : h('p'))));
      isShown.value = false;
      await settled();
      expect(forms().map(({ isMounted }) => isMounted)).toEqual([false]);
      isShown.value = true;
      await settled();
      expect(forms().map(({ isMounted }) => isMounted)).toEqual([false, true]);
    });

    it('shows a fallback of the shop', async () => {
      stubMistake();
      vi.stubGlobal('reportError', vi.fn());
      const main = await render(() => h(CardForm, PROPS, { fallback: () => 'Please call us.' }));
      expect(main.textContent).toBe('Please call us.');
    });
  },
);

it('the types of <card-form> in templates have its attributes and events, and no others', () => {
  type Props = InstanceType<GlobalComponents['card-form']>['$props'];
  const right: Props = {
    'client-secret': 'lg_cs_1',
    theme: 'dark',
    'read-only': '',
    class: 'card',
    'onCard-form:result': ({ detail }) => detail.outcome,
  };
  // @ts-expect-error: there is no such theme
  const wrong: Props = { theme: 'blue' };
  expect([right.theme, wrong.theme]).toEqual(['dark', 'blue']);
});
