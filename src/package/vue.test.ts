// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createApp,
  createSSRApp,
  type GlobalComponents,
  h,
  KeepAlive,
  nextTick,
  reactive,
  ref,
  shallowRef,
  type VNode,
} from 'vue';
import { renderToString } from 'vue/server-renderer';
import { EVENTS } from '../form/channel/events.ts';
import { keysOf } from '../form/channel/own-property.ts';
import { earlyFrame } from './early-frame.ts';
import { type FakeForm, removeCardForm, silenceIframes, stubCardForm } from './framework.fixture.ts';
import { CardForm, type CardFormProps } from './vue.ts';

const PROPS: CardFormProps = {
  baseUrl: 'https://pay.example',
  publishableKey: 'pk_live_1',
  clientSecret: 'lg_cs_1',
};

describe('<CardForm> in Vue', () => {
  let forms: readonly FakeForm[];
  const unmounts: (() => void)[] = [];
  const complaints = vi.fn();

  beforeEach(() => {
    silenceIframes();
    vi.spyOn(console, 'warn').mockImplementation(complaints);
    vi.spyOn(console, 'error').mockImplementation(complaints);
    forms = stubCardForm();
  });
  afterEach(() => {
    for (const unmount of unmounts.splice(0)) unmount();
    removeCardForm();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(complaints.mock.calls).toEqual([]);
    complaints.mockClear();
  });

  const page = (html = '') => {
    const main = document.createElement('main');
    if (html) main.append(document.createRange().createContextualFragment(html));
    document.body.append(main);
    return main;
  };
  const settled = async () => {
    for (let turn = 0; turn < 8; turn += 1) await nextTick();
  };
  const show = async (render: () => VNode | null) => {
    const main = page();
    const app = createApp({ render });
    app.mount(main);
    unmounts.push(() => app.unmount());
    await settled();
    return { main, app };
  };

  it('mounts a form into its element, and keeps the iframe that is there already', async () => {
    const { main } = await show(() => h(CardForm, { ...PROPS, class: 'card', id: 'pay', locale: 'de' }));
    expect(forms.map(({ options }) => options)).toEqual([
      { publishableKey: 'pk_live_1', clientSecret: 'lg_cs_1', locale: 'de' },
    ]);
    expect(main.querySelector('#pay')?.className).toBe('card');
    expect(main.querySelectorAll('iframe')).toHaveLength(1);
  });

  it('passes changed options to update(), also deep in a reactive object', async () => {
    const appearance = reactive<{ theme: 'light' | 'dark'; variables: { colorPrimary: string } }>({
      theme: 'light',
      variables: { colorPrimary: 'red' },
    });
    const turn = ref(0);
    await show(() => h(CardForm, { ...PROPS, appearance, 'data-turn': turn.value }));
    turn.value += 1;
    await settled();
    expect(forms[0]?.updates).toEqual([]);
    appearance.variables.colorPrimary = 'navy';
    await settled();
    expect(forms[0]?.updates).toEqual([
      { appearance: { theme: 'light', variables: { colorPrimary: 'navy' } } },
    ]);
  });

  it('reads an attribute without a value as true', async () => {
    await show(() => h(CardForm, { ...PROPS, 'read-only': '' }));
    expect(forms[0]?.options).toMatchObject({ readOnly: true });
    expect(forms[0]?.options).not.toHaveProperty('debug');
  });

  it('has a listener for every event', async () => {
    const heard: string[] = [];
    const names = keysOf(EVENTS).map((name) => `on${name[0]?.toUpperCase()}${name.slice(1)}`);
    const listeners = Object.fromEntries(names.map((name) => [name, () => heard.push(name)]));
    await show(() => h(CardForm, { ...PROPS, ...listeners }));
    for (const name of keysOf(EVENTS)) forms[0]?.emit(name, {});
    expect(heard).toEqual(names);
  });

  it('is mounted anew for another payment, in a new element', async () => {
    const clientSecret = ref('lg_cs_1');
    const { main } = await show(() => h(CardForm, { ...PROPS, clientSecret: clientSecret.value }));
    const before = main.firstElementChild;
    clientSecret.value = 'lg_cs_2';
    await settled();
    expect(forms.map(({ isMounted, options }) => [isMounted, options.clientSecret])).toEqual([
      [false, 'lg_cs_1'],
      [true, 'lg_cs_2'],
    ]);
    expect(main.firstElementChild).not.toBe(before);
    expect(main.querySelectorAll('iframe')).toHaveLength(1);
  });

  it('gives the form to v-model:form, and null when it is gone', async () => {
    const form = shallowRef<object | null>();
    const isThere = ref(true);
    const update = (value: object | null) => {
      form.value = value;
    };
    const { main } = await show(() =>
      isThere.value ? h(CardForm, { ...PROPS, 'onUpdate:form': update }) : null,
    );
    expect(form.value).toBe(forms[0]?.instance);
    isThere.value = false;
    await settled();
    expect([form.value, forms[0]?.isMounted, main.querySelector('iframe')]).toEqual([null, false, null]);
  });

  it('is mounted again when <KeepAlive> shows it again', async () => {
    const isShown = ref(true);
    await show(() => h(KeepAlive, () => (isShown.value ? h(CardForm, PROPS) : h('p'))));
    isShown.value = false;
    await settled();
    expect(forms.map(({ isMounted }) => isMounted)).toEqual([false]);
    isShown.value = true;
    await settled();
    expect(forms.map(({ isMounted }) => isMounted)).toEqual([false, true]);
  });

  it('shows the fallback if there can be no form, and reports why; another payment is another try', async () => {
    removeCardForm();
    const mistake = new Error('publishableKey');
    stubCardForm(mistake);
    const failures: Error[] = [];
    const clientSecret = ref('lg_cs_1');
    const onFailure = (error: Error) => failures.push(error);
    const { main } = await show(() => h(CardForm, { ...PROPS, clientSecret: clientSecret.value, onFailure }));
    expect(main.querySelector('[role=alert]')?.textContent).toBe('The card form could not be loaded.');
    expect(failures).toEqual([mistake]);
    removeCardForm();
    forms = stubCardForm();
    clientSecret.value = 'lg_cs_2';
    await settled();
    expect([forms.length, main.querySelector('[role=alert]')]).toEqual([1, null]);
  });

  it('shows a fallback of the shop, and reports a failure that nobody listens for', async () => {
    removeCardForm();
    const mistake = new Error('publishableKey');
    stubCardForm(mistake);
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const { main } = await show(() => h(CardForm, PROPS, { fallback: () => 'Please call us.' }));
    expect(main.textContent).toBe('Please call us.');
    expect(reported.mock.calls).toEqual([[mistake]]);
  });

  it('promises 2.7: renders the iframe as high as the form will be, on a server and in a container of this width', async () => {
    const rendered = async (props: object) => {
      const app = createSSRApp({ render: () => h(CardForm, { ...PROPS, ...props }) });
      return page(await renderToString(app)).querySelector('iframe');
    };
    const known = { defaultValues: { billingDetails: { address: {} } } };
    expect((await rendered(known))?.height).toBe('455');
    expect((await rendered({ payButton: 'host', publishableKey: 'pk_live_sandbox1' }))?.height).toBe('884');
    vi.spyOn(HTMLIFrameElement.prototype, 'clientWidth', 'get').mockReturnValue(720);
    const { main } = await show(() => h(CardForm, PROPS));
    expect(main.querySelector('iframe')?.height).toBe('647');
  });

  it("renders the form's iframe on a server, and takes it over without a mismatch", async () => {
    const element = () => h(CardForm, { ...PROPS, class: 'card', version: '0.1.0-test' });
    const html = await renderToString(createSSRApp({ render: element }));
    const early = page(earlyFrame('https://pay.example', { version: '0.1.0-test' })).firstElementChild;
    const main = page(html);
    const frame = main.querySelector('iframe');
    expect(frame?.isEqualNode(early)).toBe(true);
    const written = vi.spyOn(HTMLIFrameElement.prototype, 'setAttribute');
    const app = createSSRApp({ render: element });
    app.mount(main);
    unmounts.push(() => app.unmount());
    await settled();
    expect(written.mock.calls.filter(([name]) => name === 'src')).toEqual([]); // it would load again
    expect(main.querySelector('iframe')).toBe(frame);
    expect(forms.map(({ container }) => container)).toEqual([main.firstElementChild]);
  });
});

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
