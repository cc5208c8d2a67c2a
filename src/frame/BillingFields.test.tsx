// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { render } from 'preact';
import { expect, it } from 'vitest';
import { BillingFields } from './BillingFields.tsx';
import { createScreen, FormProvider } from './context.ts';
import { createDraft } from './draft.ts';
import { createForm } from './form.ts';
import { createGuard } from './guard.ts';
import { createWords } from './words.ts';

/** The list of countries as it stands in a form whose merchant takes addresses in these. */
const countryList = async (codes: readonly string[]) => {
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const draft = createDraft(codes[0] ?? 'US');
  const form = createForm({
    text: draft.texts,
    preferred: ['en-US'],
    thisMonth: () => ({ year: 2026, month: 11 }),
  });
  form.allowCountries(codes, codes[0] ?? 'US');
  draft.join(form);
  const context = {
    form: draft,
    words: createWords(['en-US'], document.documentElement),
    screen: createScreen(),
    desk: signal(null),
    isSandbox: signal(false),
    hidden: signal([]),
    payButton: signal('frame' as const),
    press: () => undefined,
    caution: signal(null),
    guard: createGuard(() => 0, new AbortController().signal),
  };
  render(
    <FormProvider value={context}>
      <BillingFields />
    </FormProvider>,
    root,
  );
  const list = root.querySelector<HTMLSelectElement>('#field-country');
  return {
    isFixed: list?.disabled,
    value: list?.value,
    opens: list?.parentElement?.querySelector('.chevron') !== null,
  };
};

it('one country is read and not chosen; of several each can be', async () => {
  expect(await countryList(['US'])).toEqual({ isFixed: true, value: 'US', opens: false });
  expect(await countryList(['US', 'CA'])).toEqual({ isFixed: false, value: 'US', opens: true });
});
