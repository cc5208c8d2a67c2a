/**
 * Determines the address fields of the chosen country, and keeps state and postal code when the buyer chooses another
 * country: a value that fits there is kept, any other is restored if the buyer returns to the first.
 */
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type AddressFormat, GENERAL_FORMAT } from '../../address/format.ts';
import { knownFormat, loadFormat } from '../../address/load.ts';
import { readPostalCode } from '../../address/postal-code.ts';
import { findState } from '../../address/states.ts';

/** The two address fields whose values depend on the country. */
type CountryField = 'state' | 'postal_code';

export type CountryFormat = {
  /** The displayed format: the previous country's until the chosen one's has loaded. */
  format: ReadonlySignal<AddressFormat>;
  /** True if that is the chosen country's, or its fallback because it could not be loaded. */
  isCurrent: ReadonlySignal<boolean>;
  /** Sets the country, chosen by the buyer or a default value. */
  choose(country: string): void;
  /** Records a change of one of the two, by the buyer or a default value. */
  note(name: CountryField, text: string): void;
  /**
   * Freezes the fields once the chosen country's are shown, because the buyer wants to pay. Resolves then; null if they
   * already are.
   */
  settle(): Promise<void> | null;
};

/** `timeout` resolves when loading a format takes too long. */
export const createCountryFormat = (
  text: Record<CountryField, Signal<string>>,
  timeout: () => Promise<void>,
): CountryFormat => {
  const format = signal<AddressFormat>(GENERAL_FORMAT);
  const isCurrent = signal(true);
  /** Identifies the latest choice, as long as its format may still be shown. */
  let awaited: object | null = null;
  /** Resolves when its fields are shown. */
  let loaded = Promise.resolve();
  /** Values typed in each country. */
  const written = new Map<string, Partial<Record<CountryField, string>>>();
  /** Values typed last, in any country. */
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

  const load = async (choice: object) => {
    const loading = loadFormat(country);
    const showIfCurrent = (next: AddressFormat | null) => {
      if (awaited === choice) show(next ?? GENERAL_FORMAT); // otherwise outdated: another choice, or Pay was pressed
      return next !== null;
    };
    const isThere = showIfCurrent(await Promise.race([loading, timeout().then(() => null)]));
    if (!isThere) void loading.then(showIfCurrent);
  };
  const settle = (): Promise<void> | null => {
    if (!isCurrent.peek()) return loaded.then(settle).then(() => undefined);
    awaited = null;
    return null;
  };

  return {
    format,
    isCurrent,
    choose(chosen) {
      country = chosen;
      awaited = null;
      const known = knownFormat(chosen);
      if (known) return show(known);
      awaited = {};
      isCurrent.value = false;
      loaded = load(awaited);
    },
    note(name, value) {
      written.set(country, { ...written.get(country), [name]: value });
      const { states } = format.peek();
      // A listed code ("WA") means another state elsewhere; an unlisted value may be a state elsewhere.
      latest[name] = name === 'state' && states && findState(format.peek(), value) ? '' : value;
      if (name === 'state' && states) text.state.value = stateIn(format.peek(), value, '');
    },
    settle,
  };
};

/** The value typed in this country, or else the one typed elsewhere if it is also a state here. */
const stateIn = (format: AddressFormat, own: string | undefined, elsewhere: string): string => {
  if (!format.fields.includes('state')) return '';
  return format.states ? (findState(format, own ?? elsewhere) ?? '') : (own ?? '');
};

const postalCodeIn = (format: AddressFormat, own: string | undefined, elsewhere: string): string => {
  if (!format.fields.includes('postal_code')) return '';
  if (own !== undefined) return own;
  return format.postal && readPostalCode(elsewhere, format).fits ? elsewhere : '';
};
