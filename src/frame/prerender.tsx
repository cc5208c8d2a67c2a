/**
 * Runs when the form is built, never in the browser: draws the form as it stands before anything has arrived, so
 * that it can stand in the document itself. `first/static-form.ts` makes it fit, `pay.tsx` brings it to life.
 */
import { signal } from '@preact/signals';
import { renderToString } from 'preact-render-to-string';
import { FIRST_COUNTRY } from '../address/hint.ts';
import { App } from './components/App.tsx';
import { BillingFields } from './components/BillingFields.tsx';
import { createScreen, type FormContext, FormProvider } from './components/context.ts';
import { GENERAL } from './first/static-form.ts';
import { createForm } from './form/card-form.ts';
import { createTexts } from './form/field-texts.ts';
import { createWords } from './view/words.ts';

/** A country that there is not, and so of no format of its own. */
const NOWHERE = 'ZZ';

const contextOf = (country: string): FormContext => ({
  form: createForm({
    text: createTexts((name) => (name === 'country' ? country : '')),
    preferred: [],
    thisMonth: () => ({ year: 2000, month: 1 }),
  }),
  words: createWords([], { lang: '', dir: '' }),
  screen: createScreen(),
  desk: signal(null),
  isSandbox: true,
  isButtonless: false,
  hidden: signal([]),
  pressHint: signal(null),
  isInterrupted: signal(false),
});

/** Where the form goes. */
const PLACE = '<div id="form" hidden></div>';

/**
 * The frame's document with the form in its place, in English and for the first country, and beside it the billing
 * details of any other one. Throws where there is no such place.
 */
export const withForm = (html: string): string => {
  if (!html.includes(PLACE)) throw new Error(`The frame's document has no ${PLACE}.`);
  const form = renderToString(<App {...contextOf(FIRST_COUNTRY)} />);
  const general = renderToString(
    <FormProvider value={contextOf(NOWHERE)}>
      <BillingFields />
    </FormProvider>,
  );
  return html.replace(
    PLACE,
    () => `<div id="form" hidden>${bare(form)}</div><template id="${GENERAL}">${bare(general)}</template>`,
  );
};

/**
 * Without values as attributes, which a style could read: nothing is typed yet. And of the states only the empty one:
 * the others arrive with what judges them, sooner than anybody has come as far.
 */
const bare = (markup: string): string =>
  markup
    .replace(/ value(?:="")?(?=\/?>)/g, '')
    .replace(/(<select [^>]*"field-state"[^>]*>.*?<\/option>).*?(?=<\/select>)/, (_, start: string) => start);
