// @vitest-environment happy-dom
import type { SvelteHTMLElements } from 'svelte/elements';
import { beforeEach, expect, it, vi } from 'vitest';
import { complaints, describeBinding, PROPS, page } from './bindings.fixture.ts';
import { importBundle } from './framework.fixture.ts';
import type { CardFormProps } from './svelte.ts';

/** A page with a form whose properties the test can change, as compiled by Svelte. */
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

beforeEach(() => {
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(complaints);
});

const load = async () => {
  const plugin = ['@sveltejs/vite-plugin-svelte', 'svelte'] as const;
  const files = { 'Page.svelte': PAGE, 'given.svelte.js': GIVEN };
  const client: Client = await importBundle(CLIENT, { plugin, files });
  const server: Server = await importBundle(SERVER, { plugin, files, ssr: true });
  const pages: object[] = [];
  const settled = async () => {
    client.flushSync();
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    client.flushSync();
  };
  return {
    settled,
    show: async (props: Partial<CardFormProps> = {}) => {
      const main = page();
      const given = client.given({ ...PROPS, ...props });
      pages.push(client.mount(client.Page, { target: main, props: { given } }));
      await settled();
      return {
        main,
        given,
        change: (changes: object) => {
          Object.assign(given.props, changes);
          return settled();
        },
        remove: () => {
          given.isThere = false;
          return settled();
        },
        form: () => given.form,
      };
    },
    renderOnServer: (given: object) => {
      const props = { ...PROPS, ...given };
      return server.render(server.Page, { props: { given: { isThere: true, form: null, props } } }).body;
    },
    hydrate: async (main: Element, props: object) => {
      const given = client.given({ ...PROPS, ...props });
      pages.push(client.hydrate(client.Page, { target: main, props: { given } }));
      await settled();
    },
    end: () => {
      for (const one of pages.splice(0)) client.unmount(one);
    },
    listener: (name: string) => `on${name}`,
    className: 'class',
  };
};

describeBinding('<CardForm> in Svelte', load, (framework, forms) => {
  it('passes on what changes deep in an object of $state', async () => {
    const { settled, show } = framework();
    const { given } = await show({ appearance: { theme: 'light', variables: { colorPrimary: 'red' } } });
    if (given.props.appearance?.variables) given.props.appearance.variables.colorPrimary = 'navy';
    await settled();
    expect(forms()[0]?.updates).toEqual([
      { appearance: { theme: 'light', variables: { colorPrimary: 'navy' } } },
    ]);
    expect(forms()).toHaveLength(1);
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
