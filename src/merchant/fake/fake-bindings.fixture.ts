/** Tests of the package's components with the fake, run in happy-dom and in jsdom. */
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp, h } from 'vue';
import type { CardFormSettings } from '../binding.ts';
import { importBundle } from '../framework.fixture.ts';
import { CardForm as ReactForm } from '../react.ts';
import { CardForm as VueForm } from '../vue.ts';
import { type FakeCardForm, fakeCardForm } from './fake.ts';

const SETTINGS: CardFormSettings = {
  baseUrl: 'https://pay.example',
  publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
  clientSecret: 'lg_cs_one',
};

/**
 * Shows a form in `place` and calls `told` with declines and the result. Returns a function that removes the form.
 */
type Show = (place: Element, told: (what: string) => void) => Promise<() => void>;

const SHOW: Readonly<Record<string, Show>> = {
  async React(place, told) {
    const root = createRoot(place);
    const form = createElement(ReactForm, {
      ...SETTINGS,
      onDecline: ({ error }) => told(`${error.decline_code}`),
      onResult: ({ outcome }) => told(outcome),
    });
    root.render(createElement(StrictMode, null, form));
    return () => root.unmount();
  },
  async Vue(place, told) {
    const app = createApp(() =>
      h(VueForm, {
        ...SETTINGS,
        onDecline: ({ error }) => told(`${error.decline_code}`),
        onResult: ({ outcome }) => told(outcome),
      }),
    );
    app.mount(place);
    return () => app.unmount();
  },
  async Svelte(place, told) {
    const {
      mount,
      unmount,
      default: Form,
    } = await importBundle(
      "export { mount, unmount } from 'svelte';\nexport { default } from '#binding/CardForm.svelte';",
      { plugin: ['@sveltejs/vite-plugin-svelte', 'svelte'] },
    );
    const form = mount(Form, {
      target: place,
      props: {
        ...SETTINGS,
        ondecline: ({ error }: { error: { decline_code: string } }) => told(error.decline_code),
        onresult: ({ outcome }: { outcome: string }) => told(outcome),
      },
    });
    return () => unmount(form);
  },
};

/** Tests that pass in every DOM. */
export const describeBindings = (): void => {
  let fake: FakeCardForm;
  beforeEach(() => {
    fake = fakeCardForm();
    document.body.replaceChildren(document.createElement('main'));
  });
  afterEach(() => fake.remove());

  it.each(Object.entries(SHOW))('%s: a decline and a payment reach the handlers', async (_, show) => {
    const place = document.querySelector('main') ?? document.body;
    const told = vi.fn<(what: string) => void>();
    const hide = await show(place, told);
    await fake.decline('expired_card');
    await fake.pay();
    expect(told.mock.calls.flat()).toEqual(['expired_card', 'succeeded']);
    expect(place.querySelectorAll('iframe')).toHaveLength(1);
    hide();
    await expect.poll(() => fake.form).toBeNull();
    expect(place.querySelector('iframe')).toBeNull();
  });
};
