/** The countries to choose from, by name, as soon as there is time to ask the browser for 249 names. */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { FIRST_COUNTRY } from '../../address/hint.ts';
import { countryNames } from '../../address/names.ts';
import { useForm } from './context.ts';

export type Choice = { value: string; label: string };

/** At the latest after this many ms in which the browser had something else to do. */
const IDLE_TIMEOUT = 1000;

/**
 * First the chosen country alone, then all of them: the browser's own knowledge of names and of their order takes a
 * while to wake, and nobody needs it to type a card number. `hurry`: somebody is about to choose.
 */
export const useCountryChoices = (): {
  choices: ReadonlySignal<readonly Choice[]>;
  hurry(): void;
} => {
  const { form, words } = useForm();
  const isTime = useSignal(false);
  const hurry = () => {
    isTime.value = true;
  };
  useEffect(() => whenIdle(hurry), []);
  const choices = useComputed(() => {
    const { language, locale } = words.spoken.value;
    const all = form.countries.value;
    const chosen = form.fields.country.text;
    if (isTime.value) {
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
  return { choices, hurry };
};

const whenIdle = (act: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 100);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act, { timeout: IDLE_TIMEOUT });
  return () => cancelIdleCallback(request);
};
