/** What can be chosen in the playground, and the options of `mount()` that follow from it. */
import { LAYOUT, type Layout } from '../../form/appearance/tokens.ts';
import {
  BILLING_OPTIONS,
  type BillingFieldName,
  type BillingOption,
  fieldsOf,
} from '../../form/channel/fields.ts';
import type {
  CardFormAppearance,
  CardFormBrand,
  CardFormButtonType,
  CardFormUpdate,
} from '../../form/loader/types.ts';
import { meadow, paper, print } from '../../package/themes.ts';
import { type RuleTexts, ruleOfText } from './rules-text.ts';

/** The themes of the package. */
export const PRESETS = { paper, print, meadow } as const;
export type Preset = keyof typeof PRESETS;

/** The names of variables by what they are, in the order in which they are shown. */
export const COLOUR_NAMES = [
  'colorPrimary',
  'colorBackground',
  'colorText',
  'colorTextSecondary',
  'colorTextPlaceholder',
  'colorFieldBackground',
  'colorBorder',
  'buttonColorBackground',
  'buttonColorText',
  'colorDanger',
  'colorSuccess',
] as const;
export const LENGTH_NAMES = [
  'fontSizeBase',
  'borderRadius',
  'buttonBorderRadius',
  'spacingUnit',
  'formPadding',
] as const;
export const WEIGHT_NAMES = ['fontWeightNormal', 'fontWeightMedium', 'fontWeightBold'] as const;
export const VARIABLE_NAMES = [...COLOUR_NAMES, ...LENGTH_NAMES, ...WEIGHT_NAMES, 'fontFamily'] as const;

export type ColourName = (typeof COLOUR_NAMES)[number];
export type LengthName = (typeof LENGTH_NAMES)[number];
export type WeightName = (typeof WEIGHT_NAMES)[number];
export type VariableName = (typeof VARIABLE_NAMES)[number];

/** Values as they are passed to the form, by variable. Only the ones that were given. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>;

/** The two objects of `appearance` that hold variables. */
export const LAYERS = ['variables', 'darkVariables'] as const;
export type Layer = (typeof LAYERS)[number];

/** The billing details of a buyer. */
export type BuyerField = BillingFieldName;
export const BUYER_FIELDS = fieldsOf(BILLING_OPTIONS);
export type BuyerDetails = Readonly<Partial<Record<BuyerField, string>>>;

/** What the code can be written for. */
export const TARGETS = ['script', 'module', 'react', 'vue', 'svelte', 'no-code'] as const;
export type Target = (typeof TARGETS)[number];

export const THEMES = ['auto', 'light', 'dark'] as const;
export const PAY_BUTTONS = ['frame', 'host'] as const;
export const PAGE_SCHEMES = ['auto', 'light', 'dark'] as const;

/** Widths of the page around the form, in CSS pixels. */
export const NARROWEST = 240;
export const WIDEST = 1280;
export const USUAL_WIDTH = 520;

export type Choices = {
  /** A ready theme of the package, which everything below changes. */
  preset: Preset | null;
  theme: (typeof THEMES)[number];
  /** `null`: as in the preset, otherwise the form's default. */
  labels: Layout['labels'] | null;
  /** `null`: as in the preset, otherwise the form's default. */
  fields: Layout['fields'] | null;
  card: Layout['card'];
  nameField: Layout['nameField'];
  placeholders: Layout['placeholders'];
  /** The marks of the card brands. */
  brands: Layout['brands'];
  /** Over those of the preset. */
  variables: Variables;
  /** Over those of the preset. */
  darkVariables: Variables;
  /** Styles of parts by their states, as they were typed. */
  rules: RuleTexts;
  locale: string;
  payButton: (typeof PAY_BUTTONS)[number];
  buttonType: CardFormButtonType;
  readOnly: boolean;
  /** What the form does not ask for. */
  never: readonly BillingOption[];
  buyer: BuyerDetails;
  /** Empty: all. */
  allowedCountries: readonly string[];
  /** Empty: all. */
  acceptedBrands: readonly CardFormBrand[];
  translations: Readonly<Record<string, string>>;
  /** Of the page around the form, in CSS pixels; `null`: as there is room, up to `USUAL_WIDTH`. */
  width: number | null;
  /** The color scheme of the page around the form; `auto`: the system's. */
  page: (typeof PAGE_SCHEMES)[number];
  /** Which code is shown. */
  target: Target;
};

export const DEFAULTS: Choices = {
  preset: null,
  theme: 'auto',
  labels: null,
  fields: null,
  card: LAYOUT.card[0],
  nameField: LAYOUT.nameField[0],
  placeholders: LAYOUT.placeholders[0],
  brands: LAYOUT.brands[0],
  variables: {},
  darkVariables: {},
  rules: {},
  locale: 'auto',
  payButton: 'frame',
  buttonType: 'pay',
  readOnly: false,
  never: [],
  buyer: {},
  allowedCountries: [],
  acceptedBrands: [],
  translations: {},
  width: null,
  page: 'auto',
  target: 'script',
};

/** A buyer whose details are complete and valid. */
export const SAMPLE_BUYER: BuyerDetails = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
  country: 'US',
};

/** The options that the playground sets: those that a form in use can change. */
export type ChosenOptions = CardFormUpdate;

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** The value under this name, or nothing if it is empty. */
const unlessEmpty = <Name extends string, Value extends object>(
  name: Name,
  value: Value,
): { [Key in Name]?: Value } | Record<never, never> => (isEmpty(value) ? {} : { [name]: value });

/** The appearance without the preset: what was chosen on top of it, and nothing that it has already. */
export const ownAppearance = (choices: Choices): CardFormAppearance => {
  const {
    preset,
    theme,
    labels,
    fields,
    card,
    nameField,
    placeholders,
    brands,
    variables,
    darkVariables,
    rules,
  } = choices;
  const base: CardFormAppearance = preset === null ? {} : PRESETS[preset];
  return {
    ...(theme === (base.theme ?? 'auto') ? {} : { theme }),
    ...(labels === null || labels === (base.labels ?? 'above') ? {} : { labels }),
    ...(fields === null || fields === (base.fields ?? 'separate') ? {} : { fields }),
    ...(card === DEFAULTS.card ? {} : { card }),
    ...(nameField === DEFAULTS.nameField ? {} : { nameField }),
    ...(placeholders === DEFAULTS.placeholders ? {} : { placeholders }),
    ...(brands === DEFAULTS.brands ? {} : { brands }),
    ...unlessEmpty('variables', variables),
    ...unlessEmpty('darkVariables', darkVariables),
    ...unlessEmpty(
      'rules',
      Object.fromEntries(
        Object.entries(rules).map(([name, text]): readonly unknown[] => [name, ruleOfText(text)]),
      ),
    ),
  };
};

/** The whole appearance; empty if nothing was chosen. */
export const appearanceOf = (choices: Choices): CardFormAppearance => {
  const base: CardFormAppearance = choices.preset === null ? {} : PRESETS[choices.preset];
  const own = ownAppearance(choices);
  return {
    ...base,
    ...own,
    ...unlessEmpty('variables', { ...base.variables, ...own.variables }),
    ...unlessEmpty('darkVariables', { ...base.darkVariables, ...own.darkVariables }),
  };
};

/** The buyer as `defaultValues` has it. */
const defaultValuesOf = ({ email, name, ...address }: BuyerDetails): ChosenOptions['defaultValues'] => ({
  billingDetails: {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...unlessEmpty('address', address),
  },
});

/** The options of `mount()` that differ from the defaults, in the order in which the code has them. */
export const optionsOf = (choices: Choices): ChosenOptions => {
  const { locale, payButton, buttonType, readOnly, never, buyer, allowedCountries, acceptedBrands } = choices;
  return {
    ...(locale === 'auto' ? {} : { locale }),
    ...(payButton === 'frame' ? {} : { payButton }),
    ...(buttonType === 'pay' ? {} : { buttonType }),
    ...unlessEmpty('appearance', appearanceOf(choices)),
    ...(isEmpty(buyer) ? {} : { defaultValues: defaultValuesOf(buyer) }),
    ...(never.length === 0
      ? {}
      : { fields: { billingDetails: Object.fromEntries(never.map((detail) => [detail, 'never'])) } }),
    ...(allowedCountries.length === 0 ? {} : { allowedCountries }),
    ...(acceptedBrands.length === 0 ? {} : { acceptedBrands }),
    ...unlessEmpty('translations', choices.translations),
    ...(readOnly ? { readOnly } : {}),
  };
};
