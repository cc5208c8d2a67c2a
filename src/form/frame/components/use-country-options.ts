/** The options of the country field. */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { FIRST_COUNTRY } from '../../address/hint.ts';
import { countryNames, loadOrder } from '../../address/names.ts';
import { useForm } from './context.ts';
import type { Option } from './Select.tsx';

/** The longest wait for an idle browser, in ms. */
const IDLE_TIMEOUT = 1000;

/**
 * First the chosen country only, then all of them: the first use of `Intl.DisplayNames` and `Intl.Collator` is slow,
 * and must not delay typing a card number. Call `loadAll` when the buyer is about to choose; otherwise the two are
 * loaded in two idle tasks, as one would take over 50 ms of a slow phone.
 */
export const useCountryOptions = (): {
  options: ReadonlySignal<readonly Option[]>;
  loadAll(): void;
} => {
  const { form, words } = useForm();
  const showsAll = useSignal(false);
  const loadAll = () => {
    showsAll.value = true;
  };
  useEffect(() => {
    let cancel = whenIdle(() => {
      loadOrder();
      cancel = whenIdle(loadAll);
    });
    return () => cancel();
  }, []);
  const options = useComputed(() => {
    const { language, locale } = words.negotiated.value;
    const all = form.countries.value;
    const chosen = form.fields.country.text;
    if (showsAll.value) {
      return countryNames(locale, all ?? [chosen.value]).map(({ code, name }) => ({
        value: code,
        label: name,
      }));
    }
    return [
      {
        value: chosen.value,
        label: language === 'en' && chosen.value === FIRST_COUNTRY ? 'United States' : '',
      },
    ];
  });
  return { options, loadAll };
};

const whenIdle = (act: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 100);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act, { timeout: IDLE_TIMEOUT });
  return () => cancelIdleCallback(request);
};
