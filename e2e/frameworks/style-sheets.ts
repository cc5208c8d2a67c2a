/** Fields and buttons of ten frameworks, with the style sheets from npm: a column of the page each, beside the form. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Exact versions, so that a run can be repeated. */
export const PACKAGES = {
  '@emotion/cache': '11.14.0',
  '@emotion/react': '11.14.0',
  '@emotion/server': '11.11.0',
  '@emotion/styled': '11.14.1',
  '@mantine/core': '8.3.18',
  '@mantine/hooks': '8.3.18',
  '@mui/material': '9.5.0',
  '@picocss/pico': '2.1.1',
  '@primer/css': '22.3.2',
  '@primer/primitives': '11.10.0',
  '@shopify/polaris': '13.9.5',
  bootstrap: '5.3.9',
  bulma: '1.0.4',
  daisyui: '5.8.1',
  'govuk-frontend': '6.6.0',
  react: '18.3.1',
  'react-dom': '18.3.1',
  tailwindcss: '4.3.5',
  uikit: '3.25.29',
} as const;

export type Scheme = 'light' | 'dark';

/** In this order: the others are compared with `rest`. */
export const STATES = ['rest', 'hover', 'focus', 'invalid'] as const;

export type Rendered = {
  material: { body: string; css: string };
  materialDark: { body: string; css: string };
  mantine: string;
  polaris: string;
};

export type Sample = {
  name: string;
  schemes: readonly Scheme[];
  /** Attributes of the root element that choose the scheme, and of the body. */
  root?: (scheme: Scheme) => Readonly<Record<string, string>>;
  body: (rendered: Rendered, scheme: Scheme) => string;
  css: (read: (path: string) => Promise<string>, rendered: Rendered, scheme: Scheme) => Promise<string>;
  from: { field: string; button: string };
  /** The attribute or class that a script of the page sets on an invalid field. */
  invalid: { on: string; name: string; value: string };
  /** The class that a script sets while the field has the focus. */
  focused?: Sample['invalid'];
  /** Looks that differ for a known reason, such as `button:focus`. */
  except?: readonly `${'field' | 'button'}:${(typeof STATES)[number]}`[];
};

const LABELLED = (label: string, input: string, button: string) =>
  `<div><label for="email" class="${label}">Email</label><input id="email" type="text" class="${input}" placeholder="you@example.com"></div>
  <p></p><button id="buy" type="button" class="${button}">Buy</button>`;

const OWN = { field: '#email', button: '#buy' };
const BOTH = ['light', 'dark'] as const;

export const SAMPLES: readonly Sample[] = [
  {
    name: 'Bootstrap',
    schemes: BOTH,
    root: (scheme) => ({ 'data-bs-theme': scheme }),
    body: () => LABELLED('form-label', 'form-control', 'btn btn-primary w-100'),
    css: (read) => read('bootstrap/dist/css/bootstrap.css'),
    from: OWN,
    invalid: { on: '#email', name: 'class', value: 'is-invalid' },
  },
  {
    name: 'Pico',
    schemes: BOTH,
    root: (scheme) => ({ 'data-theme': scheme }),
    body: () => LABELLED('', '', ''),
    css: (read) => read('@picocss/pico/css/pico.css'),
    from: OWN,
    invalid: { on: '#email', name: 'aria-invalid', value: 'true' },
  },
  {
    name: 'Bulma',
    schemes: BOTH,
    root: (scheme) => ({ 'data-theme': scheme }),
    body: () => LABELLED('label', 'input', 'button is-primary is-fullwidth'),
    css: (read) => read('bulma/css/bulma.css'),
    from: OWN,
    invalid: { on: '#email', name: 'class', value: 'is-danger' },
  },
  {
    name: 'daisyUI',
    schemes: BOTH,
    root: (scheme) => ({ 'data-theme': scheme }),
    body: () => LABELLED('label', 'input w-full', 'btn btn-primary w-full'),
    css: async (read) =>
      `@layer theme, base, components, utilities;\n@layer base {${await read('tailwindcss/preflight.css')}}\n${await read('daisyui/themes.css')}\n${await read('daisyui/daisyui.css')}\n.w-full { width: 100% }`,
    from: OWN,
    invalid: { on: '#email', name: 'class', value: 'input-error' },
  },
  {
    name: 'Material UI',
    schemes: BOTH,
    body: ({ material, materialDark }, scheme) => (scheme === 'dark' ? materialDark : material).body,
    css: async (_, { material, materialDark }, scheme) => (scheme === 'dark' ? materialDark : material).css,
    from: { field: '.MuiOutlinedInput-root', button: '#buy' },
    invalid: { on: '.MuiOutlinedInput-root', name: 'class', value: 'Mui-error' },
    focused: { on: '.MuiOutlinedInput-root', name: 'class', value: 'Mui-focused' },
    except: ['button:focus'], // a ripple drawn by a script, and a shadow that reaches farther than ours may
  },
  {
    name: 'Mantine',
    schemes: BOTH,
    root: (scheme) => ({ 'data-mantine-color-scheme': scheme }),
    body: ({ mantine }) => mantine,
    css: (read) => read('@mantine/core/styles.css'),
    from: OWN,
    invalid: { on: '.mantine-Input-wrapper, #email', name: 'data-error', value: 'true' },
  },
  {
    name: 'GOV.UK Frontend',
    schemes: ['light'],
    root: () => ({ class: 'govuk-template' }),
    body: () => LABELLED('govuk-label', 'govuk-input', 'govuk-button'),
    css: async (read) =>
      `${await read('govuk-frontend/dist/govuk/govuk-frontend.min.css')}\n#buy { width: 100% }`,
    from: OWN,
    invalid: { on: '#email', name: 'class', value: 'govuk-input--error' },
  },
  {
    name: 'UIkit',
    schemes: ['light'],
    body: () => LABELLED('uk-form-label', 'uk-input', 'uk-button uk-button-primary uk-width-1-1'),
    css: (read) => read('uikit/dist/css/uikit.css'),
    from: OWN,
    invalid: { on: '#email', name: 'class', value: 'uk-form-danger' },
    except: ['button:focus'], // only its background changes, too little to be noticed: ours has an outline
  },
  {
    name: 'Primer',
    schemes: BOTH,
    root: (scheme) => ({ 'data-color-mode': scheme, 'data-light-theme': 'light', 'data-dark-theme': 'dark' }),
    body: () =>
      `<div class="form-group">${LABELLED('', 'form-control input-block', 'btn btn-primary btn-block')}</div>`,
    css: async (read) =>
      (
        await Promise.all(
          [
            '@primer/primitives/dist/css/primitives.css',
            ...BOTH.map((scheme) => `@primer/primitives/dist/css/functional/themes/${scheme}.css`),
            '@primer/css/dist/primer.css',
          ].map(read),
        )
      ).join('\n'),
    from: OWN,
    invalid: { on: '.form-group', name: 'class', value: 'errored' },
    except: ['button:focus'], // a line inside the button, too faint to be noticed: ours has an outline
  },
  {
    name: 'Polaris',
    schemes: ['light'],
    body: ({ polaris }) => polaris,
    css: (read) => read('@shopify/polaris/build/esm/styles.css'),
    from: { field: '.Polaris-TextField', button: '#buy' },
    invalid: { on: '.Polaris-TextField', name: 'class', value: 'Polaris-TextField--error' },
    // Its field has a second border colour at the bottom and its button a gradient; the form draws one colour for each.
    except: ['field:rest', 'button:rest', 'button:hover', 'button:focus'],
  },
];

/** Returns a reader of files that npm installed in this folder. */
export const readerIn = (folder: string) => (path: string) =>
  readFile(join(folder, 'node_modules', path), 'utf8');
