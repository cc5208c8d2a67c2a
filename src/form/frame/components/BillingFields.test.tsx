// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';
import type { FormModel } from '../form/card-form.ts';
import { exampleForm } from '../merchant/merchant.fixture.ts';
import { BillingFields } from './BillingFields.tsx';
import { exampleContext } from './context.fixture.ts';
import { FormProvider } from './context.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The country field of a form whose merchant accepts addresses in these countries. */
const countryList = async (codes: readonly string[]) => {
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const form = exampleForm();
  form.allowCountries(codes, codes[0] ?? 'US');
  render(
    <FormProvider value={exampleContext({ form })}>
      <BillingFields />
    </FormProvider>,
    root,
  );
  const list = root.querySelector<HTMLSelectElement>('#field-country');
  return {
    isFixed: list?.disabled,
    value: list?.value,
    hasChevron: list?.parentElement?.querySelector('.chevron') !== null,
  };
};

it('the code that names and orders the countries loads in two idle tasks, and not after the form is removed', async () => {
  const idle = new Map<number, () => void>();
  let last = 0;
  vi.stubGlobal('requestIdleCallback', (act: () => void) => {
    idle.set(++last, act);
    return last;
  });
  vi.stubGlobal('cancelIdleCallback', (id: number) => idle.delete(id));
  const loaded: string[] = [];
  vi.spyOn(Intl.Collator, 'supportedLocalesOf').mockImplementation(() => {
    loaded.push('order');
    return [];
  });
  vi.spyOn(Intl, 'DisplayNames').mockImplementation(function (this: object) {
    loaded.push('names');
    return { of: (code: string) => code };
  } as never);
  const runIdle = async () => {
    for (const [id, act] of [...idle]) {
      idle.delete(id);
      act();
    }
    await new Promise((resolve) => setTimeout(resolve));
  };

  await countryList(['US', 'CA']);
  await expect.poll(() => idle.size).toBe(1); // effects run after a paint
  await runIdle();
  expect(loaded).toEqual(['order']);
  await runIdle();
  expect(loaded).toEqual(['order', 'names']);

  await countryList(['US', 'CA']);
  await expect.poll(() => idle.size).toBe(1);
  await runIdle();
  expect(idle.size).toBe(1);
  render(null, document.body.firstElementChild ?? document.body);
  await expect.poll(() => idle.size).toBe(0);
});

/** Resolves when the effects of what was rendered have run: Preact waits for a frame, or 35 ms. */
const afterEffects = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));

it('a single country cannot be changed; several can be chosen from', async () => {
  expect(await countryList(['US'])).toEqual({ isFixed: true, value: 'US', hasChevron: false });
  expect(await countryList(['US', 'CA'])).toEqual({ isFixed: false, value: 'US', hasChevron: true });
});

it('the table of states and postal codes loads when the focus reaches these fields, or a postal code is filled in', async () => {
  for (const reach of [
    (root: HTMLElement) =>
      root.querySelector('#field-email')?.dispatchEvent(new Event('focusin', { bubbles: true })),
    (_: HTMLElement, form: FormModel) => form.fields.postal_code.type('97205'),
  ]) {
    const root = document.createElement('div');
    document.body.replaceChildren(root);
    const loading = vi.fn(async () => {});
    const form = { ...exampleForm(), loadStateCodes: loading };
    render(
      <FormProvider value={exampleContext({ form })}>
        <BillingFields />
      </FormProvider>,
      root,
    );
    await expect.poll(() => root.querySelector('#field-country')).not.toBeNull();
    await afterEffects();
    expect(loading).not.toHaveBeenCalled();
    reach(root, form);
    await expect.poll(() => loading.mock.calls.length).toBe(1);
  }
});
