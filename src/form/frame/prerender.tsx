/**
 * Renders the form into the frame's document. Runs only at build time; in the browser, `first/static-form.ts` adapts
 * the form and `form.tsx` hydrates it.
 */
import { signal } from '@preact/signals';
import { renderToString } from 'preact-render-to-string';
import { FIRST_COUNTRY } from '../address/hint.ts';
import { BILLING_OPTIONS, type BillingOption } from '../channel/fields.ts';
import { BillingFields } from './components/BillingFields.tsx';
import { type FormContext, FormProvider } from './components/context.ts';
import { FormRoot } from './components/FormRoot.tsx';
import { KnownDetails } from './components/KnownDetails.tsx';
import { BILLING_TEMPLATE } from './first/static-form.ts';
import { createForm } from './form/card-form.ts';
import { FIRST_VIEW } from './view/form-view.ts';
import { createWords } from './view/words.ts';

/** No country has this code, so its address format is the general one. */
const UNKNOWN_COUNTRY = 'ZZ';

const contextFor = (country: string, known: readonly BillingOption[] = []): FormContext => ({
  form: createForm({
    country,
    preferred: [],
    unasked: { known },
    thisMonth: () => ({ year: 2000, month: 1 }),
  }),
  // Renders texts as their keys. The build replaces these in every language (`build/language-document.ts`).
  words: { ...createWords([], { lang: '', dir: '' }), say: (key) => key },
  screen: signal(FIRST_VIEW),
  earlyTotal: signal(null),
  guard: null,
  actions: signal(null),
  late: signal(null),
  isSandbox: true,
  isStatus: false,
  autoAdvance: true,
  isButtonless: signal(false),
  pressHint: signal(null),
  isInterrupted: signal(false),
  isGrouped: signal(false),
  isNameFirst: signal(false),
});

/** The element that the form replaces in the document. */
const PLACEHOLDER = '<div id="form" hidden></div>';

/**
 * Inserts the form for the default country, with the keys of its texts. Also inserts a template with the text of known
 * billing details, the billing fields for any other country, and the button's text with a total. Throws if the document
 * has no placeholder.
 */
export const insertStaticForm = (html: string): string => {
  if (!html.includes(PLACEHOLDER)) throw new Error(`frame/index.html must contain ${PLACEHOLDER}.`);
  const form = renderToString(<FormRoot {...contextFor(FIRST_COUNTRY)} />);
  const known = renderToString(
    <FormProvider value={contextFor(FIRST_COUNTRY, BILLING_OPTIONS)}>
      <KnownDetails />
    </FormProvider>,
  );
  const general = renderToString(
    <FormProvider value={contextFor(UNKNOWN_COUNTRY)}>
      <BillingFields />
    </FormProvider>,
  );
  return html.replace(
    PLACEHOLDER,
    () =>
      `<div id="form" hidden>${strip(form)}</div><template id="${BILLING_TEMPLATE}">${withTexts(known)}${strip(general)}<p>pay</p></template>`,
  );
};

/** Adds the texts that introduce an address to the known details; `static-form.ts` makes a draft from one of them. */
const withTexts = (known: string): string =>
  known.replace('<p><span></span></p>', '<p><span>billing.address</span><span>billing.shipping</span></p>');

/** Removes `value` attributes, which CSS could read. */
const strip = (markup: string): string => markup.replace(/ value(?:="")?(?=\/?>)/g, '');
