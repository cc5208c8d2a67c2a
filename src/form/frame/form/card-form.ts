/**
 * The buyer's entries, and whether they can be sent. Card data lives only here: it leaves this folder in one object,
 * for one request body. It is never in the payment's state, on the channel or in DOM attributes.
 *
 * Only the fields' own methods write the typed text; everything else is computed from it.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ConfirmDetails } from '../../../api/client.ts';
import type { AddressFormat } from '../../address/format.ts';
import { hintCountry } from '../../address/hint.ts';
import { inOrderFor } from '../../address/order.ts';
import { acceptedAmong } from '../../card/accepted.ts';
import { type Brand, certainBrand, detectBrand } from '../../card/brands.ts';
import { digitsOf } from '../../card/caret.ts';
import type { Month } from '../../card/check-expiry.ts';
import { CARD_FIELDS, FIELD_NAMES } from '../../channel/field-names.ts';
import { type BillingOption, type FieldName, fieldsOf } from '../../channel/fields.ts';
import { createCountryFormat } from './address-format.ts';
import { confirmDetails } from './confirm-details.ts';
import { createField, type Field, type History } from './field.ts';
import { type BillingDefaults, fillIn, setByPage } from './fill-in.ts';
import { fillStateByCode } from './fill-state.ts';
import { mapFields } from './map-fields.ts';
import { isAddressField, type Readings } from './readings.ts';
import { createUnasked, type Unasked, type UnaskedAtStart } from './unasked.ts';

export type FormModel = {
  fields: Readonly<Record<FieldName, Field>>;
  /** Codes of the countries to choose from; null until they are known. */
  countries: ReadonlySignal<readonly string[] | null>;
  /** The address format of the chosen country. */
  format: ReadonlySignal<AddressFormat>;
  /** The fields that the chosen country's addresses have, in the form's order. */
  asked: ReadonlySignal<readonly FieldName[]>;
  /** The billing details the buyer is not asked for. */
  unasked: Unasked;
  /**
   * Returns true if these details can be sent and match the country's data; undefined while that data is loading.
   * Reads signals.
   */
  isSound(option: BillingOption): boolean | undefined;
  /** True if the buyer changed any of these details. */
  isTyped(option: BillingOption): boolean;
  brand: ReadonlySignal<Brand | null>;
  /** The brands that the digits so far may belong to; none if the field is empty or no brand matches. */
  candidates: ReadonlySignal<readonly Brand[]>;
  /** The brands the merchant accepts, in the merchant's order; null if all are. */
  accepted: ReadonlySignal<readonly Brand[] | null>;
  isComplete: ReadonlySignal<boolean>;
  /** True if no card data has been typed. */
  isEmpty: ReadonlySignal<boolean>;
  /** True if `press()` would let the form be sent. */
  wouldPass: ReadonlySignal<boolean>;
  /** Reads the current values of the document's fields. */
  read(): void;
  /** Sets the function that `read` calls, which types values that differ. */
  readWith(read: () => void): void;
  /**
   * While the chosen country's fields are loading, resolves when they are shown, within a second. Otherwise null. After
   * that they no longer change without the buyer.
   */
  settle(): Promise<void> | null;
  /**
   * Shows all problems and new doubts, except at `unmarked`. Returns the first field with one, or null if the form can
   * be sent.
   */
  press(unmarked?: FieldName): FieldName | null;
  /** The details for one confirm request; null while the form is incomplete. */
  details(): ConfirmDetails | null;
  /**
   * Sets the selectable countries (ISO 3166-1 alpha-2): all, or those the merchant accepts (promises 1.5,
   * `allowedCountries`). Chooses `guess` if the current country is not one of them or was only guessed. Call it before
   * `fillIn`, which skips an address in another country.
   */
  allowCountries(codes: readonly string[], guess: string): void;
  /**
   * Restricts the accepted brands (promises 1.5, `acceptedBrands`; names as in `BRANDS`). A number of another brand
   * becomes a problem once its brand is certain.
   */
  acceptBrands(names: readonly string[] | undefined): void;
  /**
   * Fills in default values or replaces earlier ones, but never overwrites what the buyer typed. Replaces an address as
   * a whole: its missing parts become empty.
   */
  fillIn(defaults: BillingDefaults): void;
  /** Lets the postal code fill in the state from now on, if the chosen country's codes determine it. */
  loadStateCodes(): Promise<void>;
  /** Empties every field except the country, then fills in `defaults`. */
  reset(defaults: BillingDefaults): void;
  /** Clears the security code after an attempt: it is used only once. */
  clearCvc(): void;
  /** Clears the card, after the payment's end and before the page is left. */
  clearCard(): void;
  /** Marks a field that the service refused, until it is changed. */
  markRefused(field: FieldName): void;
};

/** The previous country's fields stay this long while the chosen country's format is loading, in ms. */
const FORMAT_TIMEOUT = 1000;

/** The fields before the address, in the form's order. */
const IN_ORDER = FIELD_NAMES.filter((name) => !isAddressField(name));
const NAME_FIRST = [...new Set<FieldName>(['name', ...IN_ORDER])];

/** Creates an empty form. `thisMonth` is called whenever an expiry date is checked. */
export const createForm = (options: {
  thisMonth: () => Month;
  /** The browser's languages, to guess the country. */
  preferred: readonly string[];
  /** The initial country; guessed by default. */
  country?: string;
  /** The buyer's locale, English by default. Read as a signal: in some countries the order of fields depends on it. */
  locale?: () => string;
  /** True if the name comes before the card. Read as a signal. */
  isNameFirst?: () => boolean;
  unasked?: UnaskedAtStart;
  /** Resolves when loading a format takes too long. Tests replace it. */
  formatTimeout?: () => Promise<void>;
}): FormModel => {
  const text = mapFields(() => signal(''));
  const formatTimeout =
    options.formatTimeout ?? (() => new Promise<void>((end) => setTimeout(end, FORMAT_TIMEOUT)));
  const countryFormat = createCountryFormat(text, formatTimeout);
  const format = computed(() => inOrderFor(countryFormat.format.value, options.locale?.() ?? 'en'));
  const countries = signal<readonly string[] | null>(null);
  const accepted = signal(acceptedAmong(undefined));
  const candidates = computed(() => detectBrand(digitsOf(text.number.value)));
  const brand = computed(() => certainBrand(candidates.value));
  const asked = computed<readonly FieldName[]>(() => [
    ...(options.isNameFirst?.() ? NAME_FIRST : IN_ORDER),
    ...format.value.fields,
  ]);
  const unasked = createUnasked(options.unasked);
  const { thisMonth } = options;
  /** Reads a signal. A doubt is a question to the buyer, so it counts only in a field that is shown. */
  const isShown = (name: FieldName) => !unasked.fields.value.includes(name);
  const readings: Readings = { text, format, countries, candidates, brand, accepted, isShown, thisMonth };
  const history: History = { touched: new Set(), isGuessed: true, hasPressed: false };
  const fields = mapFields((name) => createField(name, readings, countryFormat, history));

  let read = () => {};

  const guessCountry = (country: string) => {
    setByPage(fields.country, country, history);
    history.isGuessed = true;
  };
  guessCountry(options.country || hintCountry(options.preferred));

  const clear = (...names: readonly FieldName[]) => {
    for (const name of names) fields[name].type('');
  };

  return {
    fields,
    countries,
    format,
    asked,
    unasked,
    isSound(option) {
      if (option === 'address' && !countryFormat.isCurrent.value) return undefined;
      return fieldsOf([option])
        .filter((name) => asked.value.includes(name))
        .map((name) => fields[name])
        .every(
          ({ isComplete, isUnusual, problem }) =>
            isComplete.value && !isUnusual.value && problem.value === null,
        );
    },
    isTyped: (option) => fieldsOf([option]).some((name) => history.touched.has(name)),
    brand,
    candidates,
    accepted,
    isComplete: computed(() => asked.value.every((name) => fields[name].isComplete.value)),
    isEmpty: computed(() => CARD_FIELDS.every((name) => text[name].value === '')),
    wouldPass: computed(
      () =>
        countryFormat.isCurrent.value &&
        asked.value.every((name) => {
          const { isComplete, problem, isNewDoubt } = fields[name];
          return isComplete.value && !problem.value && !(isNewDoubt.value && isShown(name));
        }),
    ),
    read: () => read(),
    readWith(reading) {
      read = reading;
    },
    settle: countryFormat.settle,
    press(unmarked) {
      read();
      history.hasPressed = true;
      const marked = asked.peek().filter((name) => name !== unmarked);
      const newDoubts = batch(() => marked.filter((name) => fields[name].press() && isShown(name)));
      return marked.find((name) => fields[name].problem.peek() !== null || newDoubts.includes(name)) ?? null;
    },
    details() {
      read();
      if (!asked.peek().every((name) => fields[name].isComplete.peek())) return null;
      batch(() => {
        for (const name of asked.peek()) fields[name].showAsSent();
      });
      return confirmDetails(readings);
    },
    allowCountries(codes, guess) {
      countries.value = codes;
      if (history.isGuessed || !codes.includes(text.country.peek())) guessCountry(guess);
    },
    acceptBrands(names) {
      accepted.value = acceptedAmong(names);
    },
    loadStateCodes: fillStateByCode(fields, countryFormat, history),
    fillIn: (defaults) => fillIn(defaults, fields, readings, history),
    reset(defaults) {
      batch(() => {
        for (const name of FIELD_NAMES) {
          if (name === 'country') continue;
          fields[name].type('');
          history.touched.delete(name);
        }
        fillIn(defaults, fields, readings, history);
      });
    },
    clearCvc: () => clear('cvc'),
    clearCard: () => clear(...CARD_FIELDS),
    markRefused: (field) => fields[field].refuse(),
  };
};
