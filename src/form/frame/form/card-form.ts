/**
 * What the buyer typed, and whether it can be sent. Card data lives only here: it leaves this folder in one object, for
 * one request body. It is never in the payment's state, on the channel or in DOM attributes.
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
  /** The billing details that the buyer is not asked for. */
  unasked: Unasked;
  /**
   * Whether these details can be sent and are as the country's data expects. Undefined while that data is loading.
   * Reads signals.
   */
  isSound(option: BillingOption): boolean | undefined;
  /** Whether the buyer changed any of these details. */
  isTyped(option: BillingOption): boolean;
  brand: ReadonlySignal<Brand | null>;
  /** The brands the digits so far may belong to; none if the field is empty or no brand matches. */
  candidates: ReadonlySignal<readonly Brand[]>;
  /** The brands the merchant accepts, in the merchant's order; null if all are. */
  accepted: ReadonlySignal<readonly Brand[] | null>;
  isComplete: ReadonlySignal<boolean>;
  /** Whether no card data has been typed. */
  isEmpty: ReadonlySignal<boolean>;
  /** Whether `press()` would find the form fit to be sent. */
  wouldPass: ReadonlySignal<boolean>;
  /** Takes over what stands in the fields of the document. */
  read(): void;
  /** From now on `read` does that: it types what differs. */
  readWith(read: () => void): void;
  /**
   * While the fields of the chosen country are loading: resolves when they are on the screen, within a second. Null
   * otherwise. From then on they do not change by themselves.
   */
  settle(): Promise<void> | null;
  /**
   * Shows all problems and new doubts, but none at `unmarked`. Returns the first field with one, or null if the form
   * can be sent.
   */
  press(unmarked?: FieldName): FieldName | null;
  /** For the body of one confirm request; null while the form is incomplete. */
  details(): ConfirmDetails | null;
  /**
   * Sets the countries to choose from (ISO 3166-1 alpha-2): all, or those the merchant accepts (promises 1.5,
   * `allowedCountries`). Chooses `guess` if the present country is not among them or was itself only a guess. Call it
   * before `fillIn`, which skips an address in another country.
   */
  allowCountries(codes: readonly string[], guess: string): void;
  /**
   * Accepts cards of these brands only (promises 1.5, `acceptedBrands`; names as in `BRANDS`). A number of another brand
   * is a problem once its brand is certain.
   */
  acceptBrands(names: readonly string[] | undefined): void;
  /**
   * Fills in default values, now or in place of earlier ones, but never over what the buyer typed. An address is taken
   * as a whole: what it lacks is emptied.
   */
  fillIn(defaults: BillingDefaults): void;
  /** From then on the postal code fills in the state, if the chosen country's codes name it. */
  loadStateCodes(): Promise<void>;
  /** Empties every field but the country. Then `defaults` may be filled in again. */
  reset(defaults: BillingDefaults): void;
  /** After an attempt: a security code is used for one attempt only. */
  clearCvc(): void;
  /** After the payment's end, and before the page is left. */
  clearCard(): void;
  /** Marks a field that the service refused, until it is changed. */
  markRefused(field: FieldName): void;
};

/** How long the previous country's address fields stay while the chosen country's format is loading, in ms. */
const FORMAT_TIMEOUT = 1000;

/** What is asked for before the address, in the order of the form. */
const IN_ORDER = FIELD_NAMES.filter((name) => !isAddressField(name));
const NAME_FIRST = [...new Set<FieldName>(['name', ...IN_ORDER])];

/** An empty form. `thisMonth` is called whenever an expiry date is checked. */
export const createForm = (options: {
  thisMonth: () => Month;
  /** The browser's languages, to guess the country. */
  preferred: readonly string[];
  /** The country it begins with, if not by a guess. */
  country?: string;
  /** The buyer's locale, English by default. Read as a signal, since the order of some countries' fields follows it. */
  locale?: () => string;
  /** Whether the name comes before the card. Read as a signal. */
  isNameFirst?: () => boolean;
  unasked?: UnaskedAtStart;
  /** Resolves when a format has been loading for too long. Tests replace it. */
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
  /** Reads a signal. A doubt counts only in a field that is shown: it is a question to the buyer. */
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
