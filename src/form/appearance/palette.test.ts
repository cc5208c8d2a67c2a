import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import type { CardFormVariables } from '../loader/types.ts';
import { parseColour, writeColour } from './colour.ts';
import { blendOnto, contrast } from './contrast.ts';
import { resolveAppearance as resolve, type Scheme } from './resolve.ts';
import { COLOURS, LENGTHS, TOKEN_NAMES, type TokenName, WEIGHTS } from './tokens.ts';

/** Resolves on a page of this scheme whose colour is unknown. */
const resolveAppearance = (appearance: unknown, scheme: Scheme) => {
  const { look, ...others } = resolve(appearance, { scheme, panel: false });
  return { ...look, ...others };
};

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const sheets = ['first', 'late'].map((name) => read(`../frame/styles/${name}.css`));

/** The custom properties that the style sheets set in one scheme. */
const defaultsOf = (...blocks: readonly RegExp[]): ReadonlyMap<string, string> =>
  new Map(
    blocks.flatMap((block) =>
      [
        ...sheets
          .map((css) => block.exec(css)?.[1])
          .join('')
          .matchAll(/(--[\w-]+): ([^;]+);/g),
      ].map(([, name = '', value = '']): [string, string] => [name, value]),
    ),
  );
const LIGHT = /^:root \{(.*?)^\}/ms;
const DEFAULTS = {
  light: defaultsOf(LIGHT),
  dark: defaultsOf(LIGHT, /^:root\[data-scheme="dark"\] \{(.*?)^\}/ms),
} as const;

const PAGE = { light: '#ffffff', dark: '#16181c' } as const;

const GROUND = '--page';

/** The colours of the form: the merchant's properties override those of the style sheet, on its background. */
const shownIn = (appearance: unknown, page: Scheme) => {
  const { scheme, properties } = resolveAppearance(appearance, page);
  const all = new Map([...DEFAULTS[scheme], ...properties]);
  const ground = parseColour(all.get('--page') ?? PAGE[scheme]);
  if (!ground) throw new Error('The background is not a colour.');
  return (name: string) => {
    if (name === GROUND) return ground;
    const value = all.get(name)?.replace(/^var\((.*)\)$/, (_, other) => `${all.get(other)}`);
    const colour = parseColour(value ?? '');
    if (!colour && value === 'transparent') return ground;
    if (!colour) throw new Error(`${name} is not a colour: ${value}`);
    return blendOnto(colour, ground);
  };
};

/** Each text and shape, its background, and the minimum contrast between them (WCAG 2.2: 1.4.3, 1.4.11). */
const RULES: readonly [what: string, colour: string, on: string, least: number][] = [
  ['the amount', '--ink', '--ground-soft', 4.5],
  ['the label of the button', '--on-button', '--button', 4.5],
  ['the label of the button under the pointer', '--on-button', '--button-strong', 4.5],
  ['the waiting button', '--ink-soft', '--ground-soft', 4.5],
  ['labels', '--ink', GROUND, 4.5],
  ['a changed amount', '--ink', '--info-ground', 4.5],
  ['descriptions', '--ink-soft', '--ground-soft', 4.5],
  ['hints', '--ink-soft', GROUND, 4.5],
  ['typed text', '--field-ink', '--field', 4.5],
  ['placeholders', '--field-soft', '--field', 4.5],
  ['the error of a field', '--bad', GROUND, 4.5],
  ['error messages', '--bad', '--bad-ground', 4.5],
  ['links', '--accent', '--ground-soft', 4.5],
  ['the outline of a field', '--field-line', GROUND, 3],
  ['the outline of a focused field', '--accent', GROUND, 3],
  ['the info mark', '--accent', '--info-ground', 3],
  ['the check mark', '--good', '--good-ground', 3],
];

const checkContrast = (appearance: unknown, page: Scheme) => {
  const shown = shownIn(appearance, page);
  for (const [what, colour, on, least] of RULES) {
    const ground = shown(on);
    const found = contrast(shown(colour), ground);
    if (found < least) {
      throw new Error(
        `${what}: ${writeColour(shown(colour))} on ${writeColour(ground)} has ${found} in ${JSON.stringify(appearance)} on a ${page} page`,
      );
    }
  }
  const shape = Math.max(
    contrast(shown('--button'), shown(GROUND)),
    contrast(shown('--button-line'), shown(GROUND)),
  );
  if (shape < 3) throw new Error(`the shape of the button has ${shape} in ${JSON.stringify(appearance)}`);
};

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
const translucent = fc
  .tuple(hex, fc.integer({ min: 0, max: 255 }))
  .map(([colour, alpha]) => `${colour}${alpha.toString(16).padStart(2, '0')}`);
const colours = fc.record(
  Object.fromEntries(
    Object.keys(COLOURS).map((token) => [
      token,
      token === 'colorBackground' ? hex : fc.oneof(hex, translucent),
    ]),
  ),
  { requiredKeys: [] },
);
const appearances = fc.record({
  theme: fc.constantFrom('auto', 'light', 'dark'),
  variables: colours,
  darkVariables: colours,
});
const pages = fc.constantFrom<Scheme>('light', 'dark');

describe('threat-model C37: contrast, with any given colours', () => {
  it('is 4.5:1 for all text, amount and button among it, and 3:1 for outlines and marks', () => {
    fc.assert(
      fc.property(appearances, pages, (appearance, page) => checkContrast(appearance, page)),
      { numRuns: runs(3000) },
    );
  }, 30_000);

  it('holds for text that is transparent, in the fields of a transparent form', () => {
    const nothing = '#00000000';
    checkContrast({ darkVariables: { colorText: nothing } }, 'dark');
    checkContrast({ darkVariables: { colorText: nothing, colorPrimary: nothing } }, 'dark');
    checkContrast({ variables: { colorText: nothing, colorTextPlaceholder: nothing } }, 'light');
  });

  it.each(Object.keys(COLOURS))('holds if only %s is given', (token) => {
    fc.assert(
      fc.property(hex, pages, (colour, page) => checkContrast({ variables: { [token]: colour } }, page)),
      { numRuns: runs(300) },
    );
  });

  it('holds on every grey background, where black and white have the least contrast', () => {
    for (let grey = 0; grey < 256; grey += 1) {
      const ground = `rgb(${grey} ${grey} ${grey})`;
      for (const other of ['black', 'white', ground]) {
        const variables = Object.fromEntries(Object.keys(COLOURS).map((token) => [token, other]));
        checkContrast({ variables: { ...variables, colorBackground: ground } }, 'light');
      }
    }
  });

  it('all colours are written as #rrggbb, with alpha for rings', () => {
    fc.assert(
      fc.property(appearances, pages, (appearance, page) => {
        for (const [name, value] of resolveAppearance(appearance, page).properties) {
          if (name === '--padding') expect(value).toBe('16px');
          else if (name === '--button-line' && value === 'transparent') continue;
          else expect(value).toMatch(/ring$/.test(name) ? /^#[0-9a-f]{8}$/ : /^#[0-9a-f]{6}$/);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('resolveAppearance', () => {
  it('has enough contrast by default', () => {
    checkContrast(undefined, 'light');
    checkContrast(undefined, 'dark');
    checkContrast({ theme: 'dark' }, 'light');
    checkContrast({ theme: 'light' }, 'dark');
  });

  it('follows the page if nothing is given', () => {
    expect(resolveAppearance({}, 'dark')).toEqual({
      scheme: 'dark',
      labels: 'above',
      fields: 'separate',
      card: 'lines',
      nameField: 'last',
      placeholders: 'shown',
      brands: 'shown',
      panel: false,
      properties: new Map(),
      ruled: null,
      problems: [],
    });
    expect(resolveAppearance({ theme: 'dark' }, 'dark').properties).toEqual(new Map());
  });

  it('lets the labels of grouped fields float: an outline around several has no room between them', () => {
    expect(resolveAppearance({ fields: 'grouped', labels: 'above' }, 'light')).toMatchObject({
      fields: 'grouped',
      labels: 'floating',
      problems: [],
    });
    expect(resolveAppearance({ labels: 'above' }, 'light')).toMatchObject({
      fields: 'separate',
      labels: 'above',
    });
  });

  it('paints a background and adds padding if the theme differs from the page', () => {
    const { scheme, properties } = resolveAppearance({ theme: 'dark' }, 'light');
    expect(scheme).toBe('dark');
    expect(properties.get('--page')).toBe('#16181c');
    expect(properties.get('--padding')).toBe('16px');
  });

  it('paints a background if texts of the page\u2019s scheme could not be read on what is behind', () => {
    const { look, properties } = resolve({ labels: 'above' }, { scheme: 'dark', panel: true });
    expect([look.panel, properties.get('--page'), properties.get('--padding')]).toEqual([
      false,
      '#16181c',
      '16px',
    ]);
    const given = resolve({ variables: { colorBackground: 'navy' } }, { scheme: 'dark', panel: true });
    expect([given.properties.get('--page'), given.properties.has('--padding')]).toEqual(['#000080', false]);
  });

  it('paints none for a text colour: its contrast is computed on the colour behind the form', () => {
    const on = (description: string, colorText: string) => {
      const { properties, problems } = resolve(
        { variables: { colorText } },
        { scheme: 'light', panel: false },
        description,
      );
      expect(properties.has('--page')).toBe(false);
      return [properties.get('--ink'), ...problems.map(({ message }) => message.slice(0, 18))];
    };
    expect(on('rgb(0, 0, 0);rgb(255, 248, 230)', '#777')).toEqual([
      expect.stringMatching(/^#[0-6]/),
      '#777777 on #eeebe5',
    ]);
    expect(on('rgb(0, 0, 0);rgba(0, 0, 0, 0);oklch(1 0 0);?', 'black')).toEqual(['#000000']);
    expect(on('rgb(0, 0, 0);rgba(0, 0, 255, 0.1);rgb(255, 255, 255)', 'white')).toEqual([
      expect.stringMatching(/^#/),
      '#ffffff on #e7e7ff',
    ]);
    expect(on('', 'white')).toContain('#ffffff on #ffffff');
  });

  it('sets only the properties that depend on the given colour', () => {
    expect([
      ...resolveAppearance({ variables: { colorSuccess: 'green' } }, 'light').properties.keys(),
    ]).toEqual(['--good', '--good-ground']);
  });

  it('takes its scheme from a given background', () => {
    expect(resolveAppearance({ variables: { colorBackground: '#faf6ef' } }, 'dark').scheme).toBe('light');
    expect(
      resolveAppearance({ theme: 'light', variables: { colorBackground: 'navy' } }, 'light').scheme,
    ).toBe('dark');
  });

  it('applies darkVariables only in the dark scheme, over variables', () => {
    const appearance = {
      variables: { colorPrimary: '#9a3412', borderRadius: '4px', spacingUnit: '5px' },
      darkVariables: { colorPrimary: '#fdba74', borderRadius: '6px' },
    };
    const light = resolveAppearance(appearance, 'light').properties;
    const dark = resolveAppearance(appearance, 'dark').properties;
    expect([light.get('--button'), light.get('--radius'), light.get('--space')]).toEqual([
      '#9a3412',
      '4px',
      '5px',
    ]);
    expect([dark.get('--button'), dark.get('--radius'), dark.get('--space')]).toEqual([
      '#fdba74',
      '6px',
      '5px',
    ]);
  });

  it('reports a changed colour by its full option path', () => {
    const darkVariables = { colorDanger: '#400' };
    expect(resolveAppearance({ darkVariables }, 'dark').problems).toEqual([
      {
        option: 'appearance.darkVariables.colorDanger',
        message: expect.stringMatching(
          /^#440000 on #[0-9a-f]{6} has a contrast of 1\.\d+:1; at least 4\.5:1 is needed\. #[0-9a-f]{6} is used instead\.$/,
        ),
      },
    ]);
    expect(resolveAppearance({ darkVariables }, 'light').problems).toEqual([]);
  });

  it('labels the button in white or black, whichever has more contrast', () => {
    const label = (colorPrimary: string) =>
      resolveAppearance({ variables: { colorPrimary } }, 'light').properties.get('--on-button');
    expect(['#ffd84d', '#0f7a4f', '#000', '#fff', '#808080'].map(label)).toEqual([
      '#000000',
      '#ffffff',
      '#ffffff',
      '#000000',
      '#000000',
    ]);
  });
});

describe('the tokens', () => {
  it('have the same defaults as the style sheets', () => {
    const MIRRORS = {
      colorPrimary: '--accent',
      colorText: '--ink',
      colorTextSecondary: '--ink-soft',
      colorTextPlaceholder: '--field-soft',
      colorDanger: '--bad',
      colorSuccess: '--good',
      colorBorder: '--field-line',
      colorFieldBackground: '--field',
      buttonColorBackground: '--button',
      buttonColorText: '--on-button',
    } as const;
    for (const scheme of ['light', 'dark'] as const) {
      const defaults = DEFAULTS[scheme];
      for (const [token, property] of Object.entries(MIRRORS)) {
        const preset = Object.entries(COLOURS).find(([name]) => name === token)?.[1][scheme] ?? '';
        expect(parseColour(preset), token).not.toBeNull();
        expect(parseColour(defaults.get(property) ?? ''), `${token} in ${scheme}`).toEqual(
          parseColour(preset),
        );
      }
    }
    const defaults = DEFAULTS.light;
    for (const { property, preset } of Object.values(LENGTHS)) {
      if (property !== '--button-radius') expect(defaults.get(property)).toBe(`${preset}px`);
    }
    for (const { property, preset } of Object.values(WEIGHTS))
      expect(defaults.get(property)).toBe(`${preset}`);
  });

  it('are the same in the public types, the style sheets and docs/appearance.md', () => {
    expectTypeOf<keyof CardFormVariables>().toEqualTypeOf<TokenName>();
    const page = read('../../../docs/appearance.md');
    expect(TOKEN_NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const all = resolveAppearance({ variables: { colorBackground: 'white' } }, 'light').properties;
    const styles = sheets.join('');
    expect([...all.keys()].filter((name) => !styles.includes(`var(${name}`))).toEqual([]);
  });
});
