/**
 * What the buyer typed, and whether it can be sent. Card data lives only here: it leaves this file in one object, for
 * one request body. It is never in the payment's state, on the channel or in DOM attributes.
 *
 * Only the fields' own methods write the typed text; everything else is computed from it.
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { checkEmail, checkLine, checkName, MAX_TEXT } from '../../address/check.ts';
import { type AddressField, type AddressFormat, importance } from '../../address/format.ts';
import { hintCountry } from '../../address/hint.ts';
import { inOrderFor } from '../../address/order.ts';
import { checkPostalCode, MAX_POSTAL_CODE, readPostalCode } from '../../address/postal-code.ts';
import type { ConfirmDetails } from '../../api/client.ts';
import { acceptedAmong, brandNotTaken } from '../../card/accepted.ts';
import { type Brand, certainBrand, detectBrand } from '../../card/brands.ts';
import { digitsOf } from '../../card/caret.ts';
import { checkCvc } from '../../card/check-cvc.ts';
import { checkExpiry, type Month } from '../../card/check-expiry.ts';
import { checkPan } from '../../card/check-pan.ts';
import type { BillingOption } from '../../channel/billing-options.ts';
import { FIELD_NAMES, type FieldName } from '../../channel/field-names.ts';
import type { Check } from '../../check.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { fieldsOf } from '../first/fields.ts';
import type { Message } from '../view/words.ts';
import { createCountryFormat } from './address-format.ts';
import { createTexts, type Texts } from './field-texts.ts';
import { mapFields } from './map-fields.ts';
import { createUnasked, type Unasked, type UnaskedAtStart } from './unasked.ts';

export type Field = {
  name: FieldName;
  /** As shown in the input, including grouping. */
  text: Signal<string>;
  /** What is wrong, once it is time to show it. The form cannot be sent while there is one. */
  problem: ReadonlySignal<Message | null>;
  /** What looks unusual but may be right. It stops one press only; null while there is a problem. */
  doubt: ReadonlySignal<Message | null>;
  /** Whether its value can be sent; also true for an empty field that is not required. */
  isComplete: ReadonlySignal<boolean>;
  /** Whether its value can be sent, but the country's data expects another. */
  isUnusual: ReadonlySignal<boolean>;
  /** Whether a doubt about it has not stopped a press yet, and would stop the next one. */
  isNewDoubt: ReadonlySignal<boolean>;
  /** Whether the form shows that its value is wrong: the service refused it, or no further key can make it valid. */
  isKnownInvalid: ReadonlySignal<boolean>;
  /** The buyer changed the text. */
  type(text: string): void;
  /** The buyer left the field: a value that can never become valid is shown as a problem. */
  leave(): void;
  /** The buyer pressed Pay: an incomplete value is shown as a problem, too. True for a doubt not shown before. */
  press(): boolean;
  /** The service refused the value. */
  refuse(): void;
};

/** Default values from the merchant's page (promises 1.5, `defaultValues`). */
export type BillingDefaults = {
  email?: string | undefined;
  name?: string | undefined;
  address?: Partial<Record<AddressField | 'country', string | undefined>> | undefined;
};

export type CardForm = {
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
  /** Empties every field but the country. Then `defaults` may be filled in again. */
  reset(defaults: BillingDefaults): void;
  /** After an attempt: a security code is used for one attempt only. */
  clearCvc(): void;
  /** After the payment's end, and before the page is left. */
  clearCard(): void;
};

/** A check of any field's value, whatever its type. */
type Verdict = Check<unknown, string>;

const CARD = ['number', 'expiry', 'cvc'] as const;

const VALID: Verdict = { state: 'valid', value: null };
const EMPTY: Verdict = { state: 'empty' };

/** How long the previous country's address fields stay while the chosen country's format is loading, in ms. */
const FORMAT_TIMEOUT = 1000;

/** `text` may hold what was typed before. `thisMonth` is called whenever an expiry date is checked. */
export const createForm = (options: {
  /** Empty fields by default. */
  text?: Texts;
  thisMonth: () => Month;
  /** The browser's languages, to guess the country. */
  preferred: readonly string[];
  /** The buyer's locale, English by default. Read as a signal, since the order of some countries' fields follows it. */
  locale?: () => string;
  unasked?: UnaskedAtStart;
  /** Resolves when a format has been loading for too long. Tests replace it. */
  formatTimeout?: () => Promise<void>;
}): CardForm => {
  const text = options.text ?? createTexts();
  const typed = (name: FieldName): Signal<string> => text[name];
  const formatTimeout =
    options.formatTimeout ?? (() => new Promise<void>((end) => setTimeout(end, FORMAT_TIMEOUT)));
  const countryFormat = createCountryFormat(
    { state: typed('state'), postal_code: typed('postal_code') },
    formatTimeout,
  );
  const format = computed(() => inOrderFor(countryFormat.format.value, options.locale?.() ?? 'en'));
  const countries = signal<readonly string[] | null>(null);
  /** Whether neither the buyer nor the merchant has chosen the country. */
  let isGuessed = true;
  const accepted = signal(acceptedAmong(undefined));
  const candidates = computed(() => detectBrand(digitsOf(typed('number').value)));
  const brand = computed(() => certainBrand(candidates.value));
  const asked = computed<readonly FieldName[]>(() => [
    ...FIELD_NAMES.filter((name) => !isAddressField(name)),
    ...format.value.fields,
  ]);

  const checkAddressField = (name: AddressField): Verdict => {
    const verdict =
      name === 'postal_code'
        ? checkPostalCode(typed(name).value, format.value)
        : checkLine(typed(name).value);
    const needed = format.value.fields.includes(name) && importance(name, format.value) === 'required';
    return verdict.state === 'empty' && !needed ? VALID : verdict;
  };

  const checkNumber = (): Check<string, 'not_accepted' | 'luhn' | 'length' | 'unknown_brand'> => {
    if (brandNotTaken(candidates.value, accepted.value)) return { state: 'invalid', problem: 'not_accepted' };
    return checkPan(digitsOf(typed('number').value));
  };

  const check: Record<FieldName, () => Verdict> = {
    number: checkNumber,
    expiry: () => checkExpiry(typed('expiry').value, options.thisMonth()),
    cvc: () => checkCvc(typed('cvc').value, brand.value),
    name: () => checkName(typed('name').value),
    email: () => checkEmail(typed('email').value),
    country: () => (countries.value?.includes(typed('country').value) === false ? EMPTY : VALID),
    line1: () => checkAddressField('line1'),
    line2: () => checkAddressField('line2'),
    city: () => checkAddressField('city'),
    state: () => checkAddressField('state'),
    postal_code: () => checkAddressField('postal_code'),
  };

  /** What the service would accept but the country's data does not expect. */
  const unusualIn = (name: FieldName): 'missing' | 'pattern' | null => {
    if (!isAddressField(name) || !format.value.fields.includes(name)) return null;
    const text = typed(name).value;
    if (name === 'postal_code') {
      const { code, fits } = readPostalCode(text, format.value);
      return code === '' || fits ? null : 'pattern';
    }
    const isMissing = checkLine(text).state === 'empty' && importance(name, format.value) === 'expected';
    return isMissing ? 'missing' : null;
  };

  /** Rewrites the postal code in the country's notation, so that the buyer sees what is sent. */
  const normalizePostalCode = () => {
    const { code, fits } = readPostalCode(typed('postal_code').peek(), format.peek());
    if (!fits || !format.peek().postal || code === typed('postal_code').peek()) return;
    typed('postal_code').value = code;
    countryFormat.note('postal_code', code);
  };

  const unasked = createUnasked(options.unasked);
  /** The fields that the buyer changed. */
  const touched = new Set<FieldName>(FIELD_NAMES.filter((name) => name !== 'country' && typed(name).peek()));
  let pressedOnce = false;

  const createField = (name: FieldName): Field => {
    const verdict = computed(check[name]);
    const left = signal(false);
    const pressed = signal(false);
    const refused = signal(false);
    const problem = computed(() => {
      if (refused.value) return { key: 'field.refused' } as const;
      const { state } = verdict.value;
      const due = state === 'invalid' ? left.value || pressed.value : state !== 'valid' && pressed.value;
      if (!due) return null;
      const notTaken = name === 'number' ? brandNotTaken(candidates.value, accepted.value) : null;
      return notTaken
        ? ({ key: 'number.not_accepted', values: { brand: notTaken } } as const)
        : problemOf(name, verdict.value, format.value);
    });
    /** What is unusual, with the text it was found in: a new text is questioned again, the same text is not. */
    const unusual = computed(() => {
      const kind = verdict.value.state === 'valid' ? unusualIn(name) : null;
      return kind && { kind, text: `${typed('country').value} ${typed(name).value}` };
    });
    /** The unusual text the buyer left the field with. */
    const leftWith = signal('');
    /** The unusual text that has already stopped a press. */
    const questioned = signal('');
    const isNewDoubt = computed(() => unusual.value !== null && unusual.value.text !== questioned.value);
    return {
      name,
      text: typed(name),
      isComplete: computed(() => verdict.value.state === 'valid'),
      isUnusual: computed(() => unusual.value !== null),
      isNewDoubt,
      isKnownInvalid: computed(
        () => problem.value !== null && (refused.value || verdict.value.state === 'invalid'),
      ),
      problem,
      doubt: computed(() => {
        const now = unusual.value;
        if (!now || problem.value) return null;
        if (now.text === questioned.value) return doubtOf(name, now.kind, format.value);
        const isDue = now.kind === 'pattern' && now.text === leftWith.value;
        return isDue ? problemOf(name, { state: 'invalid', problem: 'pattern' }, format.value) : null;
      }),
      type(value) {
        touched.add(name);
        typed(name).value = value;
        pressed.value = false; // no problem is shown while the buyer corrects it
        refused.value = false;
        if (name === 'country') {
          isGuessed = false;
          countryFormat.choose(value);
        }
        if (name === 'state' || name === 'postal_code') countryFormat.note(name, value);
      },
      leave() {
        left.value = typed(name).peek() !== '';
        pressed.value = pressedOnce;
        leftWith.value = unusual.peek()?.text ?? '';
        if (name === 'postal_code') normalizePostalCode();
      },
      press() {
        pressed.value = true;
        const isNew = isNewDoubt.peek();
        questioned.value = unusual.peek()?.text ?? questioned.peek();
        return isNew;
      },
      refuse() {
        refused.value = true;
      },
    };
  };

  const fields = mapFields(createField);
  /** Reads a signal. A doubt counts only in a field that is shown: it is a question to the buyer. */
  const isShown = (name: FieldName) => !unasked.fields.value.includes(name);

  /** Sets a field as the page, not as the buyer. */
  const set = (name: FieldName, value: string) => {
    if (typed(name).peek() === value) return;
    const wasTouched = touched.has(name);
    fields[name].type(value);
    if (!wasTouched) touched.delete(name);
  };

  const guessCountry = (country: string) => {
    set('country', country);
    isGuessed = true;
  };
  // Choosing a country clears both, but what was typed before belongs to the country that is already there.
  const [state, postalCode] = [typed('state').peek(), typed('postal_code').peek()];
  fields.country.type(typed('country').peek() || hintCountry(options.preferred));
  touched.delete('country');
  isGuessed = true;
  if (state) fields.state.type(state);
  if (postalCode) fields.postal_code.type(postalCode);

  const clear = (...names: readonly FieldName[]) => {
    for (const name of names) fields[name].type('');
  };

  /** What is sent for an address field: the checked text, or null if it is empty or not shown. */
  const sentLine = (name: AddressField): string | null => {
    if (!format.peek().fields.includes(name)) return null;
    const checked = checkLine(typed(name).peek());
    return checked.state === 'valid' ? checked.value : null;
  };

  const fillIn = ({ email, name, address }: BillingDefaults) => {
    const fill = (field: FieldName, value: string | undefined) => {
      if (value !== undefined && !touched.has(field)) set(field, value);
    };
    batch(() => {
      fill('email', email);
      fill('name', name);
      if (!address) return;
      const country = address.country?.toUpperCase() ?? '';
      const isCountry = countries.peek()?.includes(country) ?? /^[A-Z]{2}$/.test(country);
      // What the buyer typed of an address belongs to the country it was typed for.
      const isFixed =
        touched.has('country') || (!isGuessed && ADDRESS_LINES.some((line) => touched.has(line)));
      if (isCountry && !isFixed) {
        set('country', country);
        isGuessed = false;
      }
      // The lines of an address in another country would be wrong here.
      if (/^[A-Z]{2}$/.test(country) && country !== typed('country').peek()) return;
      for (const line of ADDRESS_LINES) fill(line, address[line] ?? '');
    });
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
    isTyped: (option) => fieldsOf([option]).some((name) => touched.has(name)),
    brand,
    candidates,
    accepted,
    isComplete: computed(() => asked.value.every((name) => fields[name].isComplete.value)),
    isEmpty: computed(() => CARD.every((name) => text[name].value === '')),
    wouldPass: computed(
      () =>
        countryFormat.isCurrent.value &&
        asked.value.every((name) => {
          const { isComplete, problem, isNewDoubt } = fields[name];
          return isComplete.value && !problem.value && !(isNewDoubt.value && isShown(name));
        }),
    ),
    press(unmarked) {
      pressedOnce = true;
      const hasChanged = countryFormat.settle();
      if (hasChanged && isShown('country')) return 'country'; // the buyer has to see the new fields first
      const marked = asked.peek().filter((name) => name !== unmarked);
      const newDoubts = batch(() => marked.filter((name) => fields[name].press() && isShown(name)));
      return marked.find((name) => fields[name].problem.peek() !== null || newDoubts.includes(name)) ?? null;
    },
    details() {
      const number = checkNumber();
      const expiry = checkExpiry(typed('expiry').peek(), options.thisMonth());
      const cvc = checkCvc(typed('cvc').peek(), brand.peek());
      const name = checkName(typed('name').peek());
      const email = checkEmail(typed('email').peek());
      const line1 = sentLine('line1');
      const postalCode = checkPostalCode(typed('postal_code').peek(), format.peek());
      const isComplete =
        number.state === 'valid' &&
        expiry.state === 'valid' &&
        cvc.state === 'valid' &&
        name.state === 'valid' &&
        email.state === 'valid' &&
        line1 !== null &&
        asked.peek().every((field) => fields[field].isComplete.peek());
      if (!isComplete) return null;
      const hasPostalCode = format.peek().fields.includes('postal_code') && postalCode.state === 'valid';
      return {
        card: {
          number: number.value,
          exp_month: expiry.value.month,
          exp_year: expiry.value.year,
          cvc: cvc.value,
        },
        billing_details: {
          email: email.value,
          name: name.value,
          address: {
            line1,
            line2: sentLine('line2'),
            city: sentLine('city'),
            state: sentLine('state'),
            postal_code: hasPostalCode ? postalCode.value : '',
            country: typed('country').peek(),
          },
        },
      };
    },
    allowCountries(codes, guess) {
      countries.value = codes;
      if (isGuessed || !codes.includes(typed('country').peek())) guessCountry(guess);
    },
    acceptBrands(names) {
      accepted.value = acceptedAmong(names);
    },
    fillIn,
    reset(defaults) {
      batch(() => {
        for (const name of FIELD_NAMES) {
          if (name === 'country') continue;
          fields[name].type('');
          touched.delete(name);
        }
        fillIn(defaults);
      });
    },
    clearCvc: () => clear('cvc'),
    clearCard: () => clear('number', 'expiry', 'cvc'),
  };
};

const problemOf = (name: FieldName, verdict: Verdict, format: AddressFormat): Message => {
  const problem = verdict.state === 'invalid' ? verdict.problem : verdict.state;
  if (problem === 'too_long') {
    return { key: 'text.too_long', values: { max: name === 'postal_code' ? MAX_POSTAL_CODE : MAX_TEXT } };
  }
  const label = format.labels.postal_code;
  if (name === 'postal_code' && problem === 'empty' && label !== 'postal')
    return { key: `postal_code.empty.${label}` };
  const values = { example: format.postal?.example ?? '' };
  return { key: PROBLEM[name][problem] ?? 'field.refused', values };
};

const doubtOf = (name: FieldName, kind: 'missing' | 'pattern', { postal }: AddressFormat): Message =>
  kind === 'missing'
    ? { key: PROBLEM[name].empty ?? 'field.refused' }
    : { key: 'postal_code.unusual', values: { example: postal?.example ?? '' } };

const ADDRESS_LINES = [
  'line1',
  'line2',
  'city',
  'state',
  'postal_code',
] as const satisfies readonly AddressField[];
const isAddressField = (name: FieldName): name is AddressField => ADDRESS_LINES.some((line) => line === name);

/** The message for each problem of each field. */
const PROBLEM: Record<FieldName, Readonly<Record<string, MessageKey>>> = {
  number: {
    empty: 'number.empty',
    incomplete: 'number.incomplete',
    luhn: 'number.luhn',
    length: 'number.length',
    unknown_brand: 'number.unknown_brand',
  },
  expiry: {
    empty: 'expiry.empty',
    incomplete: 'expiry.incomplete',
    month: 'expiry.month',
    past: 'expiry.past',
    far_future: 'expiry.far_future',
  },
  cvc: { empty: 'cvc.empty', incomplete: 'cvc.incomplete', length: 'cvc.length' },
  name: { empty: 'name.empty' },
  email: { empty: 'email.empty', incomplete: 'email.incomplete', format: 'email.format' },
  country: { empty: 'country.empty' },
  line1: { empty: 'line1.empty' },
  line2: {},
  city: { empty: 'city.empty' },
  state: { empty: 'state.empty' },
  postal_code: { empty: 'postal_code.empty', pattern: 'postal_code.pattern' },
};
