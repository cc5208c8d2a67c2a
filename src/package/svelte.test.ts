// @vitest-environment happy-dom
import type { SvelteHTMLElements } from 'svelte/elements';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENTS } from '../form/channel/events.ts';
import { keysOf } from '../form/channel/own-property.ts';
import { earlyFrame } from './early-frame.ts';
import {
  type FakeForm,
  importBundle,
  removeCardForm,
  silenceIframes,
  stubCardForm,
} from './framework.fixture.ts';
import type { CardFormProps } from './svelte.ts';

/** A page with a form whose properties the test can change, as Svelte compiles it. */
const PAGE = `
<script>
import CardForm from '#binding/CardForm.svelte';
let { given } = $props();
</script>
{#if given.isThere}
  <CardForm {...given.props} bind:form={given.form} />
{/if}
`;
const CLIENT = `
export { hydrate, mount, unmount, flushSync } from 'svelte';
export { default as Page } from './Page.svelte';
export { given } from './given.svelte.js';
`;
const GIVEN = `
export const given = (initial) => {
  let isThere = $state(true);
  let form = $state.raw(null);
  let props = $state(initial);
  return {
    get isThere() { return isThere; },
    set isThere(value) { isThere = value; },
    get form() { return form; },
    set form(value) { form = value; },
    get props() { return props; },
  };
};
`;
const SERVER = `
export { render } from 'svelte/server';
export { default as Page } from './Page.svelte';
`;

const PROPS: CardFormProps = {
  baseUrl: 'https://pay.example',
  publishableKey: 'pk_live_1',
  clientSecret: 'lg_cs_1',
};

type Given = { isThere: boolean; form: object | null; props: Partial<CardFormProps> };
type Options = { target: Element; props: { given: Given } };
type Client = {
  mount(component: unknown, options: Options): object;
  hydrate(component: unknown, options: Options): object;
  unmount(page: object): void;
  flushSync(): void;
  given(props: Partial<CardFormProps>): Given;
  Page: unknown;
};
type Server = {
  render(component: unknown, options: { props: { given: Given } }): { body: string };
  Page: unknown;
};

describe('<CardForm> in Svelte', () => {
  const plugin = ['@sveltejs/vite-plugin-svelte', 'svelte'] as const;
  const files = { 'Page.svelte': PAGE, 'given.svelte.js': GIVEN };
  let client: Client;
  let server: Server;
  let forms: readonly FakeForm[];
  const pages: object[] = [];
  const complaints = vi.fn();

  beforeAll(async () => {
    silenceIframes();
    client = await importBundle(CLIENT, { plugin, files });
    server = await importBundle(SERVER, { plugin, files, ssr: true });
  }, 120_000); // it bundles Svelte twice
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(complaints);
    vi.spyOn(console, 'error').mockImplementation(complaints);
    forms = stubCardForm();
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) client.unmount(page);
    removeCardForm();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(complaints.mock.calls).toEqual([]);
    complaints.mockClear();
  });

  const settled = async () => {
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    client.flushSync();
  };
  const page = (html = '') => {
    const main = document.createElement('main');
    if (html) main.append(document.createRange().createContextualFragment(html));
    document.body.append(main);
    return main;
  };
  const show = async (props: Partial<CardFormProps> = {}) => {
    const main = page();
    const given = client.given({ ...PROPS, ...props });
    pages.push(client.mount(client.Page, { target: main, props: { given } }));
    client.flushSync();
    await settled();
    return { main, given };
  };

  it('mounts a form into its element, and keeps the iframe that is there already', async () => {
    const { main } = await show({ class: 'card', id: 'pay', locale: 'de' });
    expect(forms.map(({ options }) => options)).toEqual([
      { publishableKey: 'pk_live_1', clientSecret: 'lg_cs_1', locale: 'de' },
    ]);
    expect(main.querySelector('#pay')?.className).toBe('card');
    expect(main.querySelectorAll('iframe')).toHaveLength(1);
  });

  it('passes changed options to update(), also deep in an object of $state', async () => {
    const { given } = await show({ appearance: { theme: 'light', variables: { colorPrimary: 'red' } } });
    given.props.appearance = { theme: 'light', variables: { colorPrimary: 'red' } };
    await settled();
    expect(forms[0]?.updates).toEqual([]);
    if (given.props.appearance.variables) given.props.appearance.variables.colorPrimary = 'navy';
    await settled();
    expect(forms[0]?.updates).toEqual([
      { appearance: { theme: 'light', variables: { colorPrimary: 'navy' } } },
    ]);
    expect(forms).toHaveLength(1);
  });

  it('has a property for every event', async () => {
    const heard: string[] = [];
    await show(Object.fromEntries(keysOf(EVENTS).map((name) => [`on${name}`, () => heard.push(name)])));
    for (const name of keysOf(EVENTS)) forms[0]?.emit(name, {});
    expect(heard).toEqual(keysOf(EVENTS));
  });

  it('is mounted anew for another payment, in a new element', async () => {
    const { main, given } = await show();
    const before = main.firstElementChild;
    given.props.clientSecret = 'lg_cs_2';
    await settled();
    expect(forms.map(({ isMounted, options }) => [isMounted, options.clientSecret])).toEqual([
      [false, 'lg_cs_1'],
      [true, 'lg_cs_2'],
    ]);
    expect(main.firstElementChild).not.toBe(before);
    expect(main.querySelectorAll('iframe')).toHaveLength(1);
  });

  it('gives the form to bind:form, and null when it is gone', async () => {
    const { main, given } = await show();
    expect(given.form).toBe(forms[0]?.instance);
    given.isThere = false;
    await settled();
    expect([given.form, forms[0]?.isMounted, main.querySelector('iframe')]).toEqual([null, false, null]);
  });

  it('shows the fallback if there can be no form, and reports why; another payment is another try', async () => {
    removeCardForm();
    const mistake = new Error('publishableKey');
    stubCardForm(mistake);
    const failures: Error[] = [];
    const { main, given } = await show({ onfailure: (error) => failures.push(error) });
    expect(main.querySelector('[role=alert]')?.textContent).toBe('The card form could not be loaded.');
    expect(failures).toEqual([mistake]);
    removeCardForm();
    forms = stubCardForm();
    given.props.clientSecret = 'lg_cs_2';
    await settled();
    expect([forms.length, main.querySelector('[role=alert]')]).toEqual([1, null]);
  });

  it('reports a failure that nobody listens for', async () => {
    removeCardForm();
    const mistake = new Error('publishableKey');
    stubCardForm(mistake);
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    await show();
    expect(reported.mock.calls).toEqual([[mistake]]);
  });

  it('promises 2.7: renders the iframe as high as the form will be, on a server and in a container of this width', async () => {
    const rendered = (given: Partial<CardFormProps>) => {
      const props = { ...PROPS, ...given };
      const { body } = server.render(server.Page, { props: { given: { isThere: true, form: null, props } } });
      return page(body).querySelector('iframe');
    };
    expect(rendered({ defaultValues: { billingDetails: { address: {} } } })?.height).toBe('455');
    expect(rendered({ payButton: 'host', publishableKey: 'pk_live_sandbox1' })?.height).toBe('884');
    vi.spyOn(HTMLIFrameElement.prototype, 'clientWidth', 'get').mockReturnValue(720);
    const { main } = await show();
    expect(main.querySelector('iframe')?.height).toBe('647');
  });

  it("renders the form's iframe on a server, and takes it over without a mismatch", async () => {
    const props = { ...PROPS, class: 'card', version: '0.1.0-test' };
    const { body } = server.render(server.Page, { props: { given: { isThere: true, form: null, props } } });
    const early = page(earlyFrame('https://pay.example', { version: '0.1.0-test' })).firstElementChild;
    const main = page(body);
    const frame = main.querySelector('iframe');
    expect(frame?.isEqualNode(early)).toBe(true);
    const written = vi.spyOn(HTMLIFrameElement.prototype, 'setAttribute');
    pages.push(client.hydrate(client.Page, { target: main, props: { given: client.given(props) } }));
    await settled();
    expect(written.mock.calls.filter(([name]) => name === 'src')).toEqual([]); // it would load again
    expect(main.querySelector('iframe')).toBe(frame);
    expect(forms.map(({ container }) => container)).toEqual([main.firstElementChild]);
  });
});

it('the types of <card-form> in templates have its attributes and events, and no others', () => {
  const right: SvelteHTMLElements['card-form'] = {
    'client-secret': 'lg_cs_1',
    theme: 'dark',
    'read-only': true,
    class: 'card',
    'oncard-form:result': ({ detail }) => detail.outcome,
  };
  // @ts-expect-error: there is no such theme
  const wrong: SvelteHTMLElements['card-form'] = { theme: 'blue' };
  expect([right.theme, wrong.theme]).toEqual(['dark', 'blue']);
});
