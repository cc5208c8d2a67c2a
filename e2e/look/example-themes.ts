/** The three example themes of docs/appearance.md. `pages` are the background colours of their pages. */
export const THEMES = {
  paper: {
    pages: { light: '#faf6ef', dark: '#1d1814' },
    appearance: {
      variables: {
        colorBackground: '#faf6ef',
        colorText: '#2b2118',
        colorTextSecondary: '#6b5b4b',
        colorPrimary: '#9a3412',
        colorFieldBackground: '#fffdf9',
        colorBorder: '#b8a48d',
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
    },
  },
  print: {
    pages: { light: '#ffffff', dark: '#000000' },
    appearance: {
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
    },
  },
  meadow: {
    pages: { light: '#f2f8f4', dark: '#0f1d17' },
    appearance: {
      labels: 'floating',
      variables: {
        colorBackground: '#f2f8f4',
        colorPrimary: '#0f7a4f',
        buttonColorBackground: '#ffd84d',
        borderRadius: '16px',
        buttonBorderRadius: '28px',
        fontFamily: 'ui-rounded, system-ui, sans-serif',
      },
      darkVariables: { colorBackground: '#0f1d17', colorPrimary: '#7fe0b0' },
    },
  },
} as const;
