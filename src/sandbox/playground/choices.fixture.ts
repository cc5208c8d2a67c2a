/** Sets of choices for tests: one that changes everything, and random ones. */
import fc from 'fast-check';
import { COUNTRIES } from '../../form/address/country-codes.ts';
import { LAYOUT } from '../../form/appearance/tokens.ts';
import { BRANDS } from '../../form/card/brand-names.ts';
import { BUTTON_TYPES } from '../../form/channel/button-types.ts';
import { BILLING_OPTIONS } from '../../form/channel/fields.ts';
import { LANGUAGES } from '../../form/i18n/languages.ts';
import {
  type Choices,
  DEFAULTS,
  PAGE_SCHEMES,
  PAY_BUTTONS,
  SAMPLE_BUYER,
  TARGETS,
  THEMES,
} from './choices.ts';

/** Choices that all differ from their defaults. */
export const EVERYTHING: Choices = {
  preset: 'paper',
  theme: 'dark',
  labels: 'floating',
  fields: 'grouped',
  card: 'row',
  nameField: 'first',
  placeholders: 'hidden',
  brands: 'hidden',
  variables: { colorPrimary: '#0a7', borderRadius: '2px', fontFamily: '"Avenir Next", Georgia, serif' },
  darkVariables: { colorPrimary: 'oklch(0.8 0.1 160)' },
  rules: { 'field:hover': 'backgroundColor: #eee; boxShadow: 0 1px 2px #0000001a', total: 'fontWeight: 700' },
  locale: 'zh-Hant',
  payButton: 'host',
  buttonType: 'order',
  readOnly: true,
  never: ['email', 'address'],
  buyer: { ...SAMPLE_BUYER, line2: 'c/o “O’Neill” & Söhne' },
  allowedCountries: ['US', 'DE'],
  acceptedBrands: ['visa', 'amex'],
  translations: { pay: "Donate {amount}, it's good", 'section.card': '</script><b>Card</b> <!--' },
  width: 390,
  page: 'dark',
  target: 'svelte',
};

const someOf = <Value>(values: readonly Value[]) => fc.subarray([...values]);

/** Random choices that a visitor could make. */
export const anyChoices: fc.Arbitrary<Choices> = fc
  .record({
    preset: fc.constantFrom(null, 'paper' as const, 'print' as const, 'meadow' as const),
    theme: fc.constantFrom(...THEMES),
    labels: fc.constantFrom(null, ...LAYOUT.labels),
    fields: fc.constantFrom(null, ...LAYOUT.fields),
    card: fc.constantFrom(...LAYOUT.card),
    nameField: fc.constantFrom(...LAYOUT.nameField),
    placeholders: fc.constantFrom(...LAYOUT.placeholders),
    brands: fc.constantFrom(...LAYOUT.brands),
    variables: fc.record(
      { colorPrimary: fc.constantFrom('#123456', 'red'), spacingUnit: fc.constantFrom('3px', '5.5px') },
      { requiredKeys: [] },
    ),
    darkVariables: fc.record({ colorText: fc.constant('#fafafa') }, { requiredKeys: [] }),
    rules: fc.constantFrom({}, EVERYTHING.rules),
    locale: fc.constantFrom('auto', ...LANGUAGES),
    payButton: fc.constantFrom(...PAY_BUTTONS),
    buttonType: fc.constantFrom(...BUTTON_TYPES),
    readOnly: fc.boolean(),
    never: someOf(BILLING_OPTIONS),
    hasBuyer: fc.boolean(),
    allowedCountries: someOf(COUNTRIES.slice(0, 9)),
    acceptedBrands: someOf(BRANDS),
    translations: fc.constantFrom({}, EVERYTHING.translations),
    width: fc.constantFrom(null, 240, 768, 1280),
    page: fc.constantFrom(...PAGE_SCHEMES),
    target: fc.constantFrom(...TARGETS),
  })
  .map(({ hasBuyer, never, ...others }) => ({
    ...DEFAULTS,
    ...others,
    ...(hasBuyer ? { buyer: SAMPLE_BUYER, never } : {}),
  }));
