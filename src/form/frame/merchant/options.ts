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

/** Options for look and language. */
export type LookChanges = Partial<Pick<Init, 'locale' | 'backdrop' | 'style' | 'appearance'>>;

const UNCHANGEABLE = ['publishableKey', 'fonts'] as const;

const CANNOT_CHANGE = 'update() cannot change it. Call unmount(), then mount() again.';

type Deps = {
  form: FormModel;
  words: Pick<Words, 'choose'>;
  /** Applies a new look or language. Resolves with the problems found in the appearance. */
  changeLook(changes: LookChanges): Promise<readonly AppearanceProblem[]>;
  warn: Warn;
};

/** True if there is an `appearance.from`: the elements it names, or the values that the page read from them. */
const hasSource = (appearance: unknown): boolean => Boolean(ownProperty(appearance, 'from'));

/** The custom properties that an appearance refers to. */
const namesIn = (appearance: unknown): string[] => JSON.stringify(appearance)?.match(/--[\w-]+/g) ?? [];

export type Options = {
  readOnly: ReadonlySignal<boolean>;
  /** The latest `defaultValues` of the billing details. */
  defaults(): BillingDefaults;
  /** The page's custom properties that the latest appearance refers to. */
  named(): string[];
  /** True if the page is asked for the look of the elements that `appearance.from` names; else undefined. */
  source(): true | undefined;
  /** Applies an update. Ignores invalid lists, with a warning. */
  update(message: Update): void;
};

/** Applies `init`. Keeps no reference to its client secret. */
export const followOptions = (init: Init, { form, words, changeLook, warn }: Deps): Options => {
  let billing: BillingDefaults = {};
  let named = namesIn(init.appearance);
  let latest = init.appearance;
  let isTaken = hasSource(init.appearance);
  /** An appearance waiting for the page's values of its custom properties. */
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
  void applyLook(init); // already applied as far as it was known; this call reports its problems

  // The buyer has to be asked for a hidden field whose default value is invalid for the country.
  effect(() => {
    for (const option of unasked.never.value) {
      const names = fieldsOf([option]).filter((name) => form.asked.value.includes(name));
      if (!names.some((name) => form.fields[name].problem.value)) continue;
      unasked.ask([option]);
      warn(`fields.billingDetails.${option}`, 'Invalid in defaultValues, so the form asks the buyer.');
    }
  });

  // Details stay known only if they can be sent as they are.
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

  // A folded part may become incomplete: the service refuses one of its fields, or the page limits the countries.
  effect(() => {
    const open = unasked.folded.value.filter((option) => form.isSound(option) === false);
    if (open.length > 0) unasked.ask(open);
  });

  return {
    readOnly,
    defaults: () => billing,
    named: () => named,
    source: () => isTaken || undefined,
    update(message) {
      for (const name of UNCHANGEABLE) if (message[name] !== undefined) warn(name, CANNOT_CHANGE);
      const problem = findInvalidList(message);
      if (problem) warn(problem.option, problem.message);
      if (message.defaultValues) fillIn(message.defaultValues);
      follow(problem ? { ...message, allowedCountries: undefined, acceptedBrands: undefined } : message);
      void chooseTexts(message);
      if (message.appearance) latest = message.appearance;
      const from = isTaken && message.from; // the page may answer after `from` was removed
      if (from) latest = { ...Object(latest), from };
      const { appearance = from ? latest : held, ...look } = message;
      const isUnread =
        hasSource(message.appearance) || namesIn(message.appearance).some((name) => !named.includes(name));
      if (message.appearance) {
        named = namesIn(appearance);
        isTaken = hasSource(appearance);
      }
      held = isUnread ? appearance : undefined; // the look stays until the page has answered
      void applyLook(isUnread || appearance === undefined ? look : { ...look, appearance });
    },
  };
};
