/**
 * What the buyer types, and whether it can be sent. The only place where card data lives: it leaves this
 * file in one object, for one request body, and is not in machine state, not on the channel, not in the DOM's
 * attributes.
 *
 * Signals of typed values are written by input handlers alone; everything else here is computed from them.
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { checkEmail, checkLine, checkName, MAX_TEXT } from '../../address/check.ts';
import { type AddressField, type AddressFormat, importance } from '../../address/format.ts';
import { hintCountry } from '../../address/hint.ts';
import { inOrderFor } from '../../address/order.ts';
import { checkPostalCode, MAX_POSTAL_CODE, readPostalCode } from '../../address/postal-code.ts';
import type { ConfirmDetails } from '../../api/client.ts';
import { acceptedAmong, brandNotTaken } from '../../card/accepted.ts';
import { type Brand, certainBrand, detectBrand } from '../../card/brands.ts';
import { digitsOf } from '../../card/caret.ts';
import { checkExpiry, type Month } from '../../card/check-expiry.ts';
import { checkPan } from '../../card/check-pan.ts';
import { checkCvc } from '../../card/cvc.ts';
import { FIELD_NAMES, type FieldName } from '../../channel/field-names.ts';
import type { Check } from '../../check.ts';
import type { MessageKey } from '../../i18n/en.ts';
import { perField } from '../first/fields.ts';
import type { Message } from '../view/words.ts';
import { createFollower } from './address-format.ts';
import { createTexts, type Texts } from './field-texts.ts';

export type Field = {
  name: FieldName;
  /** As it stands in the input, grouping and all. */
  text: Signal<string>;
  /** What is wrong, once it is time to say so. Nothing is sent while there is one. */
  problem: ReadonlySignal<Message | null>;
  /** What looks unusual and may be right; it stops one press and no more. Never beside a problem. */
  doubt: ReadonlySignal<Message | null>;
  /** Whether there is something in it that could be sent, or nothing where nothing is asked. */
  isComplete: ReadonlySignal<boolean>;
  /** The buyer changed it. */
  type(text: string): void;
  /** The buyer left it: what can never become valid is shown. */
  leave(): void;
  /** The buyer pressed Pay: what is not valid yet is shown, too. True for a doubt they have not been told of. */
  press(): boolean;
  /** The service refused it. */
  refuse(): void;
};

/** Values the merchant's page has for the buyer (product 1, `defaultValues`). */
export type BillingDefaults = {
  email?: string | undefined;
  name?: string | undefined;
  address?: Partial<Record<AddressField | 'country', string | undefined>> | undefined;
};

export type CardForm = {
  fields: Readonly<Record<FieldName, Field>>;
  /** The codes of the countries to choose from; null until they are known. */
  countries: ReadonlySignal<readonly string[] | null>;
  /** How addresses are written in the chosen country. */
  format: ReadonlySignal<AddressFormat>;
  /** The fields that are asked for in the chosen country, in the form's order. */
  asked: ReadonlySignal<readonly FieldName[]>;
  brand: ReadonlySignal<Brand | null>;
  /** The brands a number that begins so can belong to; none where nothing was typed or no brand is known. */
  candidates: ReadonlySignal<readonly Brand[]>;
  /** The brands the merchant takes, in the merchant's order; null where any is taken. */
  accepted: ReadonlySignal<readonly Brand[] | null>;
  isComplete: ReadonlySignal<boolean>;
  /** Nothing typed besides what the form or the merchant filled in. */
  isEmpty: ReadonlySignal<boolean>;
  /** Shows every problem and new doubt and names the first field that has one; null where the form can be sent. */
  press(): FieldName | null;
  /** For the body of one confirm; null while the form is not complete. */
  details(): ConfirmDetails | null;
  /**
   * The countries to choose from (ISO 3166-1 alpha-2): all there are, or those in which the merchant takes addresses
   * (product 1, `allowedCountries`). Where the one that is chosen is not among them, or was merely a first guess,
   * `guess` is chosen. Before `fillIn`, which passes over an address in a country that is not among them.
   */
  allowCountries(codes: readonly string[], guess: string): void;
  /**
   * The merchant takes cards of these brands alone (product 1, `acceptedBrands`; names as in `BRANDS`). A number of
   * another brand is told so once that brand is certain, and nothing is sent.
   */
  acceptBrands(names: readonly string[] | undefined): void;
  fillIn(defaults: BillingDefaults): void;
  /** After an attempt. */
  clearCvc(): void;
  /** After the end, and before the page is left. */
  clearCard(): void;
};

/** A verdict without its value, for all kinds of fields alike. */
type Verdict = Check<unknown, string>;

const CARD = ['number', 'expiry', 'cvc'] as const;

const VALID: Verdict = { state: 'valid', value: null };
const EMPTY: Verdict = { state: 'empty' };

/** How long the fields of the country before stand there, in ms, while those of the chosen one are on their way. */
const PATIENCE = 1000;

/** The form of what is typed into `text`, from whenever on. `thisMonth` is asked whenever an expiry is judged. */
export const createForm = (options: {
  /** An empty one where it is left out. */
  text?: Texts;
  thisMonth: () => Month;
  /** The browser's languages, for a first guess at the country. */
  preferred: readonly string[];
  /** The buyer's locale, read as a signal: the order of some countries' addresses follows it. English unless given. */
  locale?: () => string;
  /** Ends when fields have been on their way for too long; for tests. */
  patience?: () => Promise<void>;
}): CardForm => {
  const text = options.text ?? createTexts();
  const typed = (name: FieldName): Signal<string> => text[name];
  const patience = options.patience ?? (() => new Promise<void>((end) => setTimeout(end, PATIENCE)));
  const follower = createFollower({ state: typed('state'), postal_code: typed('postal_code') }, patience);
  const format = computed(() => inOrderFor(follower.format.value, options.locale?.() ?? 'en'));
  const countries = signal<readonly string[] | null>(null);
  /** Neither the buyer nor the merchant has said anything of the country. */
  let isGuessed = true;
  const accepted = signal(acceptedAmong(undefined));
  const candidates = computed(() => detectBrand(digitsOf(typed('number').value)));
  const brand = computed(() => certainBrand(candidates.value));
  const asked = computed<readonly FieldName[]>(() => [
    ...FIELD_NAMES.filter((name) => !isAddressField(name)),
    ...format.value.fields,
  ]);

  const addressLine = (name: AddressField): Verdict => {
    const verdict =
      name === 'postal_code'
        ? checkPostalCode(typed(name).value, format.value)
        : checkLine(typed(name).value);
    const needed = format.value.fields.includes(name) && importance(name, format.value) === 'required';
    return verdict.state === 'empty' && !needed ? VALID : verdict;
  };

  const cardNumber = (): Check<string, 'not_accepted' | 'luhn' | 'length' | 'unknown_brand'> => {
    if (brandNotTaken(candidates.value, accepted.value)) return { state: 'invalid', problem: 'not_accepted' };
    return checkPan(digitsOf(typed('number').value));
  };

  const check: Record<FieldName, () => Verdict> = {
    number: cardNumber,
    expiry: () => checkExpiry(typed('expiry').value, options.thisMonth()),
    cvc: () => checkCvc(typed('cvc').value, brand.value),
    name: () => checkName(typed('name').value),
    email: () => checkEmail(typed('email').value),
    country: () => (countries.value?.includes(typed('country').value) === false ? EMPTY : VALID),
    line1: () => addressLine('line1'),
    line2: () => addressLine('line2'),
    city: () => addressLine('city'),
    state: () => addressLine('state'),
    postal_code: () => addressLine('postal_code'),
  };

  /** What the service would take and the country's data has never heard of. */
  const doubts = (name: FieldName): 'missing' | 'pattern' | null => {
    if (!isAddressField(name) || !format.value.fields.includes(name)) return null;
    const text = typed(name).value;
    if (name === 'postal_code') {
      const { code, fits } = readPostalCode(text, format.value);
      return code === '' || fits ? null : 'pattern';
    }
    const isMissing = checkLine(text).state === 'empty' && importance(name, format.value) === 'expected';
    return isMissing ? 'missing' : null;
  };

  /** The postal code as the country writes it, so that the buyer sees what is sent. */
  const showAsWritten = () => {
    const { code, fits } = readPostalCode(typed('postal_code').peek(), format.peek());
    if (!fits || !format.peek().postal || code === typed('postal_code').peek()) return;
    typed('postal_code').value = code;
    follower.note('postal_code', code);
  };

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
    /** What is doubted and where: said again of another text, and not twice of the same. */
    const doubted = computed(() => {
      const doubt = verdict.value.state === 'valid' ? doubts(name) : null;
      return doubt && { doubt, of: `${typed('country').value} ${typed(name).value}` };
    });
    const leftWith = signal('');
    const toldOf = signal('');
    return {
      name,
      text: typed(name),
      isComplete: computed(() => verdict.value.state === 'valid'),
      problem,
      doubt: computed(() => {
        const now = doubted.value;
        if (!now || problem.value) return null;
        if (now.of === toldOf.value) return doubtOf(name, now.doubt, format.value);
        const isUnusual = now.doubt === 'pattern' && now.of === leftWith.value;
        return isUnusual ? problemOf(name, { state: 'invalid', problem: 'pattern' }, format.value) : null;
      }),
      type(value) {
        typed(name).value = value;
        pressed.value = false; // not scolded while putting it right
        refused.value = false;
        if (name === 'country') {
          isGuessed = false;
          follower.follow(value);
        }
        if (name === 'state' || name === 'postal_code') follower.note(name, value);
      },
      leave() {
        left.value = typed(name).peek() !== '';
        pressed.value = pressedOnce;
        leftWith.value = doubted.peek()?.of ?? '';
        if (name === 'postal_code') showAsWritten();
      },
      press() {
        pressed.value = true;
        const now = doubted.peek();
        if (!now || now.of === toldOf.peek()) return false;
        toldOf.value = now.of;
        return true;
      },
      refuse() {
        refused.value = true;
      },
    };
  };

  const fields = perField(createField);

  const guessAt = (country: string) => {
    if (typed('country').peek() !== country) fields.country.type(country);
    isGuessed = true;
  };
  // What was typed already belongs to the country that stood beside it.
  const [state, postalCode] = [typed('state').peek(), typed('postal_code').peek()];
  fields.country.type(typed('country').peek() || hintCountry(options.preferred));
  isGuessed = true;
  if (state) fields.state.type(state);
  if (postalCode) fields.postal_code.type(postalCode);

  const empty = (...names: readonly FieldName[]) => {
    for (const name of names) fields[name].type('');
  };

  /** What is sent for an address line: the checked text, null where there is none or it is not asked. */
  const line = (name: AddressField): string | null => {
    if (!format.peek().fields.includes(name)) return null;
    const checked = checkLine(typed(name).peek());
    return checked.state === 'valid' ? checked.value : null;
  };

  return {
    fields,
    countries,
    format,
    asked,
    brand,
    candidates,
    accepted,
    isComplete: computed(() => asked.value.every((name) => fields[name].isComplete.value)),
    isEmpty: computed(() => CARD.every((name) => text[name].value === '')),
    press() {
      pressedOnce = true;
      if (follower.settle()) return 'country'; // other fields than a moment ago: the buyer has to see them first
      const told = asked.peek().filter((name) => fields[name].press());
      return asked.peek().find((name) => fields[name].problem.peek() !== null || told.includes(name)) ?? null;
    },
    details() {
      const number = cardNumber();
      const expiry = checkExpiry(typed('expiry').peek(), options.thisMonth());
      const cvc = checkCvc(typed('cvc').peek(), brand.peek());
      const name = checkName(typed('name').peek());
      const email = checkEmail(typed('email').peek());
      const line1 = line('line1');
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
            line2: line('line2'),
            city: line('city'),
            state: line('state'),
            postal_code: hasPostalCode ? postalCode.value : '',
            country: typed('country').peek(),
          },
        },
      };
    },
    allowCountries(codes, guess) {
      countries.value = codes;
      if (isGuessed || !codes.includes(typed('country').peek())) guessAt(guess);
    },
    acceptBrands(names) {
      accepted.value = acceptedAmong(names);
    },
    fillIn({ email, name, address = {} }) {
      const country = address.country?.toUpperCase();
      const isCountry = countries.peek()?.includes(country ?? '') ?? /^[A-Z]{2}$/.test(country ?? '');
      if (country && isCountry && isGuessed) fields.country.type(country);
      // The lines of an address are of its country, and make a wrong one in another.
      const isElsewhere = /^[A-Z]{2}$/.test(country ?? '') && country !== typed('country').peek();
      const { line1, line2, city, state, postal_code } = isElsewhere ? {} : address;
      const values = { email, name, line1, line2, city, state, postal_code };
      for (const field of FIELD_NAMES) {
        const value = Object.hasOwn(values, field) ? Reflect.get(values, field) : undefined;
        if (typeof value === 'string' && typed(field).peek() === '') fields[field].type(value);
      }
    },
    clearCvc: () => empty('cvc'),
    clearCard: () => empty('number', 'expiry', 'cvc'),
  };
};

const problemOf = (name: FieldName, verdict: Verdict, format: AddressFormat): Message => {
  const problem = verdict.state === 'invalid' ? verdict.problem : verdict.state;
  if (problem === 'too_long') {
    return { key: 'text.too_long', values: { max: name === 'postal_code' ? MAX_POSTAL_CODE : MAX_TEXT } };
  }
  const word = format.labels.postal_code;
  if (name === 'postal_code' && problem === 'empty' && word !== 'postal')
    return { key: `postal_code.empty.${word}` };
  const values = { example: format.postal?.example ?? '' };
  return { key: PROBLEM[name][problem] ?? 'field.refused', values };
};

const doubtOf = (name: FieldName, doubt: 'missing' | 'pattern', { postal }: AddressFormat): Message =>
  doubt === 'missing'
    ? { key: PROBLEM[name].empty ?? 'field.refused' }
    : { key: 'postal_code.unusual', values: { example: postal?.example ?? '' } };

const ADDRESS_FIELDS: Readonly<Record<AddressField, true>> = {
  line1: true,
  line2: true,
  city: true,
  state: true,
  postal_code: true,
};
const isAddressField = (name: FieldName): name is AddressField => Object.hasOwn(ADDRESS_FIELDS, name);

/** Which sentence belongs to which problem of which field. */
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
