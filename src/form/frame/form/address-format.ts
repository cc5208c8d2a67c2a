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
   * The buyer wants to pay, so the fields must not change any more, once those of the chosen country are shown: resolves
   * then. Null if they are already.
   */
  settle(): Promise<void> | null;
};

/** `timeout` resolves when a format has been loading for too long. */
export const createCountryFormat = (
  text: Record<CountryField, Signal<string>>,
  timeout: () => Promise<void>,
): CountryFormat => {
  const format = signal<AddressFormat>(GENERAL_FORMAT);
  const isCurrent = signal(true);
  /** The latest choice, while its format may still be shown. */
  let awaited: object | null = null;
  /** Resolves when fields for it are on the screen. */
  let loaded = Promise.resolve();
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

  const load = async (choice: object) => {
    const loading = loadFormat(country);
    const showIfCurrent = (next: AddressFormat | null) => {
      if (awaited === choice) show(next ?? GENERAL_FORMAT); // or else another choice was made, or Pay was pressed
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
      // A code from a list ("WA") means another state elsewhere; what the list lacks may be a state elsewhere.
      latest[name] = name === 'state' && states && findState(format.peek(), value) ? '' : value;
      if (name === 'state' && states) text.state.value = stateIn(format.peek(), value, '');
    },
    settle,
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
