/** The options of the country field. */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { COUNTRIES } from '../../address/country-codes.ts';
import { FIRST_COUNTRY } from '../../address/hint.ts';
import { countryNames, loadOrder } from '../../address/names.ts';
import { useForm } from './context.ts';
import type { Option } from './Select.tsx';

/** Maximum wait for an idle browser, in ms. */
const IDLE_TIMEOUT = 1000;

/**
 * All countries, so that autofill finds its own at any time; by code at first, because the first use of
 * `Intl.DisplayNames` and `Intl.Collator` is slow and must not delay typing a card number. Call `loadNames` when the
 * buyer is about to choose. Otherwise these load in two idle tasks, since one would take over 50 ms on a slow phone.
 */
export const useCountryOptions = (): {
  options: ReadonlySignal<readonly Option[]>;
  loadNames(): void;
} => {
  const { form, words } = useForm();
  const hasNames = useSignal(false);
  const loadNames = () => {
    hasNames.value = true;
  };
  useEffect(() => {
    let cancel = whenIdle(() => {
      loadOrder();
      cancel = whenIdle(loadNames);
    });
    return () => cancel();
  }, []);
  const options = useComputed(() => {
    const { language, locale } = words.negotiated.value;
    const all = form.countries.value ?? COUNTRIES;
    if (hasNames.value)
      return countryNames(locale, all).map(({ code, name }) => ({ value: code, label: name }));
    const chosen = form.fields.country.text.value;
    const label = language === 'en' && chosen === FIRST_COUNTRY ? 'United States' : '';
    return [
      { value: chosen, label }, // the one in the prerendered form
      ...all.filter((code) => code !== chosen).map((code) => ({ value: code, label: code })),
    ];
  });
  return { options, loadNames };
};

const whenIdle = (act: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 100);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act, { timeout: IDLE_TIMEOUT });
  return () => cancelIdleCallback(request);
};
