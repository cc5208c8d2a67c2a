/** Applies the options of the merchant's page: those of `mount()`, then those of each `update()`. */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { allowedAmong, guessCountry } from '../../address/countries.ts';
import type { AppearanceProblem } from '../../appearance/resolve.ts';
import { fieldsOf } from '../../channel/fields.ts';
import type { Update } from '../../channel/messages.ts';
import { ownProperty } from '../../channel/own-property.ts';
import type { Init } from '../../channel/read-options.ts';
import type { ChosenTexts } from '../../i18n/translations.ts';
import type { FormModel } from '../form/card-form.ts';
import type { BillingDefaults } from '../form/fill-in.ts';
import type { Words } from '../view/words.ts';
import { findInvalidList } from './option-problems.ts';
import type { Warn } from './warnings.ts';

/** Options of how the form looks and which language it speaks. */
export type LookChanges = Partial<Pick<Init, 'locale' | 'backdrop' | 'style' | 'appearance'>>;

const UNCHANGEABLE = ['publishableKey', 'fonts'] as const;

const CANNOT_CHANGE = 'update() cannot change it. Call unmount(), then mount() again.';

type Deps = {
  form: FormModel;
  words: Pick<Words, 'choose'>;
  /** Applies another look or language. Resolves with the problems in the appearance. */
  changeLook(changes: LookChanges): Promise<readonly AppearanceProblem[]>;
  warn: Warn;
};

/** `appearance.from` as the page is asked for it: of `mount()` the frame knows only that it is there. */
const sourceIn = (appearance: unknown): unknown => {
  const from = ownProperty(appearance, 'from');
  return Array.isArray(from) ? true : from;
};

/** The custom properties that an appearance names. */
const namesIn = (appearance: unknown): string[] => JSON.stringify(appearance)?.match(/--[\w-]+/g) ?? [];

export type Options = {
  readOnly: ReadonlySignal<boolean>;
  /** The latest `defaultValues` of the billing details. */
  defaults(): BillingDefaults;
  /** The custom properties of the page that the latest appearance names. */
  named(): string[];
  /** What the page is asked to look at; undefined if nothing. */
  source(): unknown;
  /** Applies an update. Lists with a problem are ignored, with a warning. */
  update(message: Update): void;
};

/** Applies `init`. Keeps no reference to the client secret in it. */
export const followOptions = (init: Init, { form, words, changeLook, warn }: Deps): Options => {
  let billing: BillingDefaults = {};
  let named = namesIn(init.appearance);
  let latest = init.appearance;
  let source = sourceIn(init.appearance);
  /** An appearance whose properties the page is asked for. */
  let held: unknown;
  const readOnly = signal(false);

  const { unasked } = form;

  const limitCountries = (countries: readonly string[] | undefined) => {
    const allowed = allowedAmong(countries);
    form.allowCountries(allowed, guessCountry(navigator.languages, allowed));
  };

  const fillIn = (defaults: Init['defaultValues']) => {
    billing = { ...billing, ...defaults?.billingDetails };
    if (defaults?.sameAsShipping !== undefined) unasked.sameAsShipping.value = defaults.sameAsShipping;
    form.fillIn(billing);
  };

  const chooseTexts = async (texts: ChosenTexts) => {
    for (const { key, why } of await words.choose(texts)) warn(key, why);
  };

  const applyLook = async (changes: LookChanges) => {
    for (const { option, message } of await changeLook(changes)) warn(option, message);
  };

  const follow = ({
    allowedCountries,
    acceptedBrands,
    readOnly: isReadOnly,
  }: Pick<Init, 'allowedCountries' | 'acceptedBrands' | 'readOnly'>) => {
    if (isReadOnly !== undefined) readOnly.value = isReadOnly;
    if (acceptedBrands) form.acceptBrands(acceptedBrands);
    if (allowedCountries) limitCountries(allowedCountries);
  };

  limitCountries(init.allowedCountries);
  fillIn(init.defaultValues);
  follow({ ...init, allowedCountries: undefined });
  void chooseTexts(init);
  void applyLook(init); // applied already, as far as it was known; this reports what is wrong with it

  // If the page hides a field but its default value is not valid for the country, the buyer has to be asked.
  effect(() => {
    for (const option of unasked.never.value) {
      const names = fieldsOf([option]).filter((name) => form.asked.value.includes(name));
      if (!names.some((name) => form.fields[name].problem.value)) continue;
      unasked.ask([option]);
      warn(`fields.billingDetails.${option}`, 'Invalid in defaultValues, so the form asks the buyer.');
    }
  });

  // Only what could be sent as it is stays known.
  effect(() => {
    for (const option of unasked.known.value) {
      if (form.isSound(option) !== false) continue;
      unasked.ask([option]);
      warn(
        `defaultValues.billingDetails.${option}`,
        'Incomplete or refused for this country, so the form asks the buyer for it.',
      );
    }
  });

  // What was finished may be so no longer: the service refused a field of it, or the page limits the countries.
  effect(() => {
    const open = unasked.folded.value.filter((option) => form.isSound(option) === false);
    if (open.length > 0) unasked.ask(open);
  });

  return {
    readOnly,
    defaults: () => billing,
    named: () => named,
    source: () => source,
    update(message) {
      for (const name of UNCHANGEABLE) if (message[name] !== undefined) warn(name, CANNOT_CHANGE);
      const problem = findInvalidList(message);
      if (problem) warn(problem.option, problem.message);
      if (message.defaultValues) fillIn(message.defaultValues);
      follow(problem ? { ...message, allowedCountries: undefined, acceptedBrands: undefined } : message);
      void chooseTexts(message);
      if (message.appearance) latest = message.appearance;
      if (message.from) latest = { ...Object(latest), from: message.from };
      const { appearance = message.from ? latest : held, ...look } = message;
      const isUnread =
        Boolean(sourceIn(message.appearance)) ||
        namesIn(message.appearance).some((name) => !named.includes(name));
      if (message.appearance) {
        named = namesIn(appearance);
        source = sourceIn(appearance);
      }
      held = isUnread ? appearance : undefined; // the form looks as before until the page has answered
      void applyLook(isUnread || appearance === undefined ? look : { ...look, appearance });
    },
  };
};
