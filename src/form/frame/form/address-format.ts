/**
 * Which address fields are on the screen for the chosen country, and what happens to state and postal code when the
 * buyer chooses another country: a value that fits there is kept, any other is restored if the buyer comes back.
 */
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type AddressFormat, GENERAL_FORMAT } from '../../address/format.ts';
import { knownFormat, loadFormat } from '../../address/load.ts';
import { readPostalCode } from '../../address/postal-code.ts';
import { findState } from '../../address/states.ts';

/** The two address fields whose values mean something only in their own country. */
type CountryField = 'state' | 'postal_code';

export type CountryFormat = {
  /** The format on the screen: the previous country's until the chosen one's has loaded. */
  format: ReadonlySignal<AddressFormat>;
  /** Whether that is the chosen country's, or stands in for it because it could not be loaded. */
  isCurrent: ReadonlySignal<boolean>;
  /** The buyer, or a default value, chose the country. */
  choose(country: string): void;
  /** The buyer, or a default value, changed one of the two. */
  note(name: CountryField, text: string): void;
  /**
   * The buyer wants to pay, so the fields must not change from now on: a format that is still loading is replaced by
   * the general one. True if that changed the fields just now.
   */
  settle(): boolean;
};

/** `timeout` resolves when a format has been loading for too long. */
export const createCountryFormat = (
  text: Record<CountryField, Signal<string>>,
  timeout: () => Promise<void>,
): CountryFormat => {
  const format = signal<AddressFormat>(GENERAL_FORMAT);
  const isCurrent = signal(true);
  /** The latest choice, while its format is loading. `shown`: fields for it are on the screen. */
  let awaited: { country: string; shown: boolean } | null = null;
  /** What was typed in each country. */
  const written = new Map<string, Partial<Record<CountryField, string>>>();
  /** What was typed last in any country. */
  const latest: Record<CountryField, string> = { state: '', postal_code: '' };
  let country = '';

  const show = (next: AddressFormat) => {
    const own = written.get(country) ?? {};
    batch(() => {
      isCurrent.value = true;
      format.value = next;
      text.state.value = stateIn(next, own.state, latest.state);
      text.postal_code.value = postalCodeIn(next, own.postal_code, latest.postal_code);
    });
  };

  const load = async (choice: { country: string; shown: boolean }) => {
    const loading = loadFormat(choice.country);
    const showIfCurrent = (next: AddressFormat) => {
      if (awaited !== choice) return; // another choice was made, or Pay was pressed
      choice.shown = true;
      show(next);
    };
    const early = await Promise.race([loading, timeout().then(() => null)]);
    showIfCurrent(early ?? GENERAL_FORMAT);
    if (!early) showIfCurrent(await loading);
    if (awaited === choice) awaited = null;
  };

  return {
    format,
    isCurrent,
    choose(chosen) {
      country = chosen;
      awaited = null;
      const known = knownFormat(chosen);
      if (known) return show(known);
      awaited = { country: chosen, shown: false };
      isCurrent.value = false;
      void load(awaited);
    },
    note(name, value) {
      written.set(country, { ...written.get(country), [name]: value });
      const { states } = format.peek();
      // A code from a list ("WA") means another state elsewhere; a name that was typed may exist elsewhere.
      latest[name] = name === 'state' && states ? '' : value;
      if (name === 'state' && states) text.state.value = stateIn(format.peek(), value, '');
    },
    settle() {
      const isEarly = awaited !== null && !awaited.shown;
      awaited = null;
      isCurrent.value = true;
      if (!isEarly) return false;
      const before = format.peek();
      show(GENERAL_FORMAT);
      return before !== GENERAL_FORMAT;
    },
  };
};

/** What was typed in this country, or else what was typed elsewhere if it is a state here as well. */
const stateIn = (format: AddressFormat, own: string | undefined, elsewhere: string): string => {
  if (!format.fields.includes('state')) return '';
  return format.states ? (findState(format, own ?? elsewhere) ?? '') : (own ?? '');
};

const postalCodeIn = (format: AddressFormat, own: string | undefined, elsewhere: string): string => {
  if (!format.fields.includes('postal_code')) return '';
  if (own !== undefined) return own;
  return format.postal && readPostalCode(elsewhere, format).fits ? elsewhere : '';
};
