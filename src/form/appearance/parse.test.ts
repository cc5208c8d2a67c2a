import { describe, expect, it } from 'vitest';
import { parseAppearance } from './parse.ts';
import { TOKEN_NAMES } from './tokens.ts';

const propertiesOf = (variables: unknown) =>
  Object.fromEntries(parseAppearance({ variables }).variables.properties);
const problemsOf = (appearance: unknown) =>
  parseAppearance(appearance).problems.map(({ option, message }) => `${option} ${message}`);

const DEFAULT_LAYOUT = {
  labels: 'above',
  fields: 'separate',
  card: 'lines',
  nameField: 'last',
  placeholders: 'shown',
  brands: 'shown',
};

describe('parseAppearance', () => {
  it('returns the defaults if nothing is given', () => {
    for (const nothing of [
      undefined,
      null,
      {},
      { theme: undefined, variables: undefined, labels: undefined, fields: undefined },
    ]) {
      expect(parseAppearance(nothing)).toEqual({
        scheme: 'light',
        layout: DEFAULT_LAYOUT,
        variables: { colours: new Map(), properties: new Map() },
        darkVariables: { colours: new Map(), properties: new Map() },
        taken: { variables: { colours: new Map(), properties: new Map() }, rules: {} },
        problems: [],
      });
    }
  });

  it('reads all options', () => {
    const parsed = parseAppearance({
      theme: 'dark',
      labels: 'floating',
      fields: 'grouped',
      nameField: 'first',
      variables: { colorPrimary: 'red', borderRadius: '4px' },
      darkVariables: { colorPrimary: '#00ff0080' },
    });
    expect(parsed).toEqual({
      scheme: 'dark',
      layout: { ...DEFAULT_LAYOUT, labels: 'floating', fields: 'grouped', nameField: 'first' },
      variables: {
        colours: new Map([['colorPrimary', { red: 255, green: 0, blue: 0, alpha: 1 }]]),
        properties: new Map([['--radius', '4px']]),
      },
      darkVariables: {
        colours: new Map([['colorPrimary', { red: 0, green: 255, blue: 0, alpha: 128 / 255 }]]),
        properties: new Map(),
      },
      taken: { variables: { colours: new Map(), properties: new Map() }, rules: {} },
      problems: [],
    });
  });

  it.each<[string, unknown, object]>([
    ['borderRadius', '0', { '--radius': '0px' }],
    ['borderRadius', '24px', { '--radius': '24px' }],
    ['borderRadius', '1.5rem', { '--radius': '24px' }],
    ['borderRadius', ' 6.25PX ', { '--radius': '6.3px' }],
    ['borderRadius', 0, { '--radius': '0px' }],
    ['buttonBorderRadius', '32px', { '--button-radius': '32px' }],
    ['fontSizeBase', '14px', { '--size': '14px' }],
    ['fontSizeBase', '1.25rem', { '--size': '20px' }],
    ['spacingUnit', '3px', { '--space': '3px' }],
    ['formPadding', '4px', { '--padding': '4px' }],
    ['fontWeightNormal', 300, { '--weight': '300' }],
    ['fontWeightNormal', '500', { '--weight': '500' }],
    ['fontWeightMedium', '450', { '--weight-medium': '450' }],
    ['fontWeightBold', 800, { '--weight-bold': '800' }],
    ['fontFamily', 'georgia, SERIF', { '--font': '"Georgia", serif' }],
    ['fontFamily', '\'Helvetica Neue\', "Arial"', { '--font': '"Helvetica Neue", "Arial", sans-serif' }],
    ['fontFamily', 'system-ui', { '--font': 'system-ui, sans-serif' }],
    ['fontFamily', 'inter', { '--font': '"Inter", "Inter Arial", "Inter Roboto", sans-serif' }],
    [
      'fontFamily',
      '"Source Sans 3", Georgia, serif',
      { '--font': '"Source Sans 3", "Source Sans 3 Arial", "Source Sans 3 Roboto", "Georgia", serif' },
    ],
    ['fontFamily', 'ui-monospace, Menlo, monospace', { '--font': 'ui-monospace, "Menlo", monospace' }],
  ])('accepts %s: %j', (name, value, properties) => {
    expect(propertiesOf({ [name]: value })).toEqual(properties);
    expect(problemsOf({ variables: { [name]: value } })).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['borderRadius', '25px', /must be from 0px to 24px; got "25px"/],
    ['borderRadius', '-1px', /from 0px/],
    ['borderRadius', '6', /got "6"/],
    ['borderRadius', 6, /got 6\./],
    ['borderRadius', '50%', /from 0px/],
    ['borderRadius', '1e1px', /from 0px/],
    ['borderRadius', 'calc(1px)', /from 0px/],
    ['borderRadius', '1vmax', /from 0px/],
    ['buttonBorderRadius', '33px', /to 32px/],
    ['fontSizeBase', '0', /from 14px to 20px/],
    ['fontSizeBase', '13.9px', /from 14px/],
    ['fontSizeBase', '20.1px', /to 20px/],
    ['fontSizeBase', Number.NaN, /from 14px/],
    ['spacingUnit', '2px', /from 3px to 6px/],
    ['formPadding', '0', /from 4px to 40px/],
    ['fontWeightNormal', 200, /a weight from 300 to 500; got 200/],
    ['fontWeightNormal', 'bold', /a weight/],
    ['fontWeightBold', 900, /to 800/],
    ['fontFamily', 'Wingdings', /system fonts/],
    ['fontFamily', 'cursive', /system fonts/],
    ['fontFamily', '', /system fonts/],
    ['fontFamily', ['Georgia'], /got an array/],
    ['colorText', 'transparent', /a colour such as/],
    ['colorText', {}, /got a value of type object/],
    ['colorText', null, /got null/],
    ['colorBackground', '#ffffff80', /opaque/],
    ['colorBackground', `#${'f'.repeat(5000)}`, /a colour such as .*got "#f{39}…"/],
  ])('ignores %s: %j and says why', (name, value, problem) => {
    const { variables, problems } = parseAppearance({ variables: { [name]: value } });
    expect(variables).toEqual({ colours: new Map(), properties: new Map() });
    expect(problems).toEqual([
      { option: `appearance.variables.${name}`, message: expect.stringMatching(problem) },
    ]);
    expect(problems[0]?.message).toMatch(/It is ignored\.$/);
  });

  it.each<[unknown, string]>([
    [
      { variables: { colourPrimary: 'red' } },
      'appearance.variables.colourPrimary is unknown: did you mean colorPrimary?',
    ],
    [{ variables: { fontSize: '16px' } }, 'did you mean fontSizeBase?'],
    [
      { darkVariables: { colorbackground: 'red' } },
      'appearance.darkVariables.colorbackground is unknown: did you mean colorBackground?',
    ],
    [{ variables: { opacity: '0' } }, 'appearance.variables.opacity is unknown. It'],
    [{ variables: { '--ink': 'red' } }, 'appearance.variables.--ink is unknown. It'],
    [{ variable: {} }, 'appearance.variable is unknown: did you mean variables?'],
    [{ theme: 'drak' }, 'appearance.theme must be auto or light or dark; got "drak". auto is used instead.'],
    [
      { labels: true },
      'appearance.labels must be above or floating or hidden; got true. above is used instead.',
    ],
    [{ card: 'rows' }, 'appearance.card must be lines or row; got "rows". lines is used instead.'],
    [{ card: 'row', labels: 'floating' }, "appearance.card can be row with labels: 'hidden' only"],
    [
      { labels: 'hidden', placeholders: 'hidden' },
      'appearance.placeholders cannot be hidden with the labels: an empty field has to say what belongs into it',
    ],
    [
      { fields: 'group' },
      'appearance.fields must be separate or grouped; got "group". separate is used instead.',
    ],
    [{ variables: 'color: red' }, 'appearance.variables must be an object; got "color: red".'],
    ['dark', 'appearance must be an object; got "dark".'],
    [[], 'appearance must be an object; got an array.'],
    [{ variables: { fontFamily: 'Lobster, Arial' } }, 'ignored: "Lobster".'],
  ])('reports for %j: %s', (appearance, problem) => {
    expect(problemsOf(appearance)).toEqual([expect.stringContaining(problem)]);
  });

  it('threat-model C35: applies the valid values beside invalid ones', () => {
    expect(propertiesOf({ borderRadius: 'round', fontWeightBold: 700, spacingUnit: {} })).toEqual({
      '--weight-bold': '700',
    });
  });

  it('keeps the known fonts of a list', () => {
    expect(propertiesOf({ fontFamily: 'Lobster, "Segoe UI", url(x)' })).toEqual({
      '--font': '"Segoe UI", sans-serif',
    });
  });

  it('reports at most 50 problems, in printable ASCII', () => {
    const variables = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`\u202e\n${index}`, 'x']),
    );
    const problems = problemsOf({ variables });
    expect(problems).toHaveLength(50);
    for (const problem of problems) expect(problem).toMatch(/^[ -~]+$/);
  });

  it('has no token that could hide anything', () => {
    expect(
      TOKEN_NAMES.filter((name) => /opacity|display|visib|transform|filter|z-?index|clip/i.test(name)),
    ).toEqual([]);
  });
});
