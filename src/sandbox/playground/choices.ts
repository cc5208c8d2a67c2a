/** The choices in the playground, and the `mount()` options that follow from them. */
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
import { meadow, paper, print } from '../../merchant/themes.ts';
import { type RuleTexts, ruleOfText } from './rules-text.ts';

/** The package's themes. */
export const PRESETS = { paper, print, meadow } as const;
export type Preset = keyof typeof PRESETS;

/** The variables by kind, in the order in which they are shown. */
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

/** Values as passed to the form, by variable. Contains only the given ones. */
export type Variables = Readonly<Partial<Record<VariableName, string>>>;

/** The two objects of `appearance` that hold variables. */
export const LAYERS = ['variables', 'darkVariables'] as const;
export type Layer = (typeof LAYERS)[number];

/** The name of a buyer's billing detail. */
export type BuyerField = BillingFieldName;
export const BUYER_FIELDS = fieldsOf(BILLING_OPTIONS);
export type BuyerDetails = Readonly<Partial<Record<BuyerField, string>>>;

/** The kinds of code that can be generated. */
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
  /** A theme of the package, which the choices below override. */
  preset: Preset | null;
  theme: (typeof THEMES)[number];
  /** `null`: from the preset, otherwise the form's default. */
  labels: Layout['labels'] | null;
  /** `null`: from the preset, otherwise the form's default. */
  fields: Layout['fields'] | null;
  card: Layout['card'];
  nameField: Layout['nameField'];
  placeholders: Layout['placeholders'];
  /** Shows or hides the card brands' marks. */
  brands: Layout['brands'];
  /** Override those of the preset. */
  variables: Variables;
  /** Override those of the preset. */
  darkVariables: Variables;
  /** Styles of parts by state, as typed. */
  rules: RuleTexts;
  locale: string;
  payButton: (typeof PAY_BUTTONS)[number];
  buttonType: CardFormButtonType;
  readOnly: boolean;
  /** Details that the form does not ask for. */
  never: readonly BillingOption[];
  buyer: BuyerDetails;
  /** Empty means all. */
  allowedCountries: readonly string[];
  /** Empty means all. */
  acceptedBrands: readonly CardFormBrand[];
  translations: Readonly<Record<string, string>>;
  /** The width of the page around the form, in CSS pixels; `null` for the available width, up to `USUAL_WIDTH`. */
  width: number | null;
  /** The color scheme of the page around the form; `auto` is the system's. */
  page: (typeof PAGE_SCHEMES)[number];
  /** The kind of code that is shown. */
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

/** The options that the playground sets: those that a mounted form can change. */
export type ChosenOptions = CardFormUpdate;

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Returns an object with the value under this name, or an empty one if the value is empty. */
const unlessEmpty = <Name extends string, Value extends object>(
  name: Name,
  value: Value,
): { [Key in Name]?: Value } | Record<never, never> => (isEmpty(value) ? {} : { [name]: value });

/** The appearance without the preset: only the choices made on top of it. */
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

/** The complete appearance; empty if nothing was chosen. */
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

/** The buyer in the format of `defaultValues`. */
const defaultValuesOf = ({ email, name, ...address }: BuyerDetails): ChosenOptions['defaultValues'] => ({
  billingDetails: {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...unlessEmpty('address', address),
  },
});

/** The `mount()` options that differ from the defaults, in the order of the code. */
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
