/**
 * Three themes, as plain objects for `appearance`. Each is made for a page of the same background colour, in light and
 * dark mode. To change one, spread it: `{ ...paper, fields: 'grouped' }`.
 */
import type { CardFormAppearance } from '../form/loader/types.ts';

/** Warm paper, brown ink and a serif font. */
export const paper: CardFormAppearance = {
  variables: {
    colorBackground: '#faf6ef',
    colorText: '#2b2118',
    colorTextSecondary: '#6b5b4b',
    colorPrimary: '#9a3412',
    colorFieldBackground: '#fffdf9',
    colorBorder: '#9a8975',
    borderRadius: '4px',
    fontFamily: '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif',
  },
  darkVariables: {
    colorBackground: '#1d1814',
    colorText: '#f3e9dc',
    colorTextSecondary: '#bfae9a',
    colorPrimary: '#fdba74',
    colorFieldBackground: '#29221c',
    colorBorder: '#7d6b58',
  },
};

/** Black on white, without rounded corners; grouped fields. */
export const print: CardFormAppearance = {
  fields: 'grouped',
  variables: {
    colorBackground: 'white',
    colorText: 'black',
    colorPrimary: 'black',
    colorBorder: 'black',
    borderRadius: '0',
    fontFamily: '"Helvetica Neue", Helvetica, Arial, sans-serif',
    fontWeightMedium: 500,
    fontWeightBold: 700,
    spacingUnit: '5px',
  },
  darkVariables: {
    colorBackground: 'black',
    colorText: 'white',
    colorPrimary: 'white',
    colorBorder: 'white',
    colorFieldBackground: 'black',
  },
};

/** Green, rounded and airy, with a yellow button and floating labels. */
export const meadow: CardFormAppearance = {
  labels: 'floating',
  variables: {
    colorBackground: '#f2f8f4',
    colorPrimary: '#0e734a',
    buttonColorBackground: '#ffd84d',
    borderRadius: '16px',
    buttonBorderRadius: '28px',
    fontFamily: 'ui-rounded, system-ui, sans-serif',
  },
  darkVariables: { colorBackground: '#0f1d17', colorPrimary: '#7fe0b0' },
};
