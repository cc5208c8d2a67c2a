import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { resolveAppearance } from './resolve.ts';
import { writeRules } from './rule-styles.ts';
import { PROPERTIES, RULE_NAMES } from './rules.ts';
import { GENERIC_FONTS, LAYOUT, LENGTHS, SYSTEM_FONTS, TOKEN_NAMES, WEIGHTS } from './tokens.ts';

/** Known attacks through style sheets, and inputs that break parsers. */
const CORPUS = [
  'url(https://evil.example/a)',
  'url("//evil.example/a")',
  "url('data:text/css,*{display:none}')",
  'image-set("https://evil.example/a" 1x)',
  'image(url(//evil.example))',
  'src(//evil.example)',
  'cross-fade(url(//evil.example/a), red, 50%)',
  'element(#field-number)',
  'paint(evil)',
  'attr(value)',
  'attr(value type(<color>), red)',
  'var(--ink)',
  'var(--x, url(//evil.example))',
  'env(safe-area-inset-top, url(//evil.example))',
  'expression(alert(1))',
  'calc(1px * 1e9)',
  'min(0px, 1px)',
  'red; display: none',
  'red} .total{display:none} .x{',
  'red;}@import "https://evil.example/a.css";',
  '@font-face{font-family:x;src:url(//evil.example)}',
  'red !important',
  'red/**/',
  '/*',
  '*/',
  'red\\',
  '\\75rl(//evil.example)',
  'u\\72 l(//evil.example)',
  '\\000075\\000072\\00006c(//evil.example)',
  'red\n;opacity:0',
  'red\0',
  '\0',
  '\ufeffred',
  '\u202ered',
  '\ud800',
  '</style><script>alert(1)</script>',
  '<!-- red',
  'javascript:alert(1)',
  '-moz-binding:url(//evil.example#x)',
  'behavior:url(//evil.example)',
  'inherit',
  'initial',
  'unset',
  'revert-layer',
  'transparent',
  'currentColor',
  'light-dark(#fff, #fff)',
  'color-mix(in srgb, red, transparent)',
  'rgb(0 0 0 / 0)',
  '#0000',
  '0px',
  '-0px',
  '1e9px',
  '99999999999999999999px',
  '0.0000001px',
  'NaNpx',
  'Infinitypx',
  '１６px',
  '100vmax',
  '0',
  '000',
  '1000',
  'bold',
  'lighter',
  'none',
  '"Georgia\\"; display: none; x: \\""',
  '"Georgia", url(//evil.example)',
  "Georgia', serif; } body { display: none } '",
  'Wingdings, "Apple Color Emoji"',
  'Georgia, serif, @import',
  ',,,,,,,,,,,,,,,,,,,,,,,,',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '#2557d6',
  'rgb(37 87 214)',
  'hsl(223 70% 49%)',
  'oklch(0.6 0.2 260)',
  '16px',
  '1rem',
  '500',
  'Georgia, serif',
  `#${'f'.repeat(10_000)}`,
  'rgb('.repeat(5000),
  ' '.repeat(10_000),
  '1'.repeat(10_000),
];

const piece = fc.constantFrom(...CORPUS);

/** The corpus unchanged, cut, concatenated, inside valid values and in capitals; and random strings. */
const hostile = fc.oneof(
  { weight: 2, arbitrary: piece },
  { weight: 4, arbitrary: fc.tuple(piece, piece).map(([one, other]) => `${one}${other}`) },
  { weight: 3, arbitrary: fc.tuple(piece, fc.nat({ max: 60 })).map(([text, end]) => text.slice(0, end)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(piece, fc.nat({ max: 20 }), fc.string({ unit: 'binary', maxLength: 3 }))
      .map(([text, at, extra]) => `${text.slice(0, at)}${extra}${text.slice(at)}`),
  },
  { weight: 2, arbitrary: piece.map((text) => `rgb(${text} 0 0)`) },
  { weight: 2, arbitrary: piece.map((text) => `Georgia, ${text}`) },
  { weight: 1, arbitrary: piece.map((text) => text.toUpperCase()) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

const HEX = /^#[0-9a-f]{6}$/;
const FONTS: readonly string[] = [...GENERIC_FONTS, ...SYSTEM_FONTS.map((name) => `"${name}"`)];

/** Returns true if a value has its property's syntax and range. Independent of the code under test. */
const isValid = (property: string, value: string): boolean => {
  const range = [...Object.values(LENGTHS), ...Object.values(WEIGHTS)].find(
    (one) => one.property === property,
  );
  if (range) {
    const unit = Object.values(LENGTHS).some((one) => one.property === property) ? 'px' : '';
    const [number = '', rest] = /^(\d+(?:\.\d)?)(.*)$/s.exec(value)?.slice(1) ?? [];
    return rest === unit && Number(number) >= range.least && Number(number) <= range.most;
  }
  if (property === '--font') {
    const families = value.split(', ');
    return families.length <= 21 && families.every((family) => FONTS.includes(family));
  }
  if (property === '--button-line' && value === 'transparent') return true;
  if (/^--(bad-)?ring$/.test(property))
    return HEX.test(value.slice(0, 7)) && /^(47|52)$/.test(value.slice(7));
  return /^--[a-z-]{2,20}$/.test(property) && HEX.test(value);
};

const PAGE = { scheme: 'light', panel: false } as const;

/** Every CSS property that the form can set. */
const KNOWN: ReadonlySet<string> = new Set([
  ...resolveAppearance({ variables: { colorBackground: 'white' } }, PAGE).properties.keys(),
  ...[...Object.values(LENGTHS), ...Object.values(WEIGHTS)].map(({ property }) => property),
  '--font',
]);

const CHOICES: Readonly<Record<string, readonly string[]>> = LAYOUT;

/** All violations in the resolved appearance. */
const violationsOf = (appearance: unknown, style?: unknown): readonly string[] => {
  const {
    look: { scheme, panel: _, ...layout },
    properties,
  } = resolveAppearance(appearance, PAGE, '', style);
  return [
    ...(['light', 'dark'].includes(scheme) ? [] : [scheme]),
    ...Object.entries(layout)
      .filter(([name, value]) => !CHOICES[name]?.includes(value))
      .flat(),
    ...[...properties]
      .filter(([property, value]) => !KNOWN.has(property) || !isValid(property, value))
      .map(([property, value]) => `${property}: ${value}`),
  ];
};

/** A value for each property, in the form that a page would give. */
const VALUES: Readonly<Record<string, string>> = {
  boxShadow: '0 1px 2px #0000001a',
  borderWidth: '0 0 2px',
  borderRadius: '4px 4px 0 0',
  padding: '16px',
  height: '48px',
  outlineWidth: '3px',
  outlineOffset: '2px',
  gap: '8px',
  fontSize: '18px',
  fontWeight: '700',
  letterSpacing: '0.1em',
  textTransform: 'uppercase',
  transitionDuration: '150ms',
};
const honestValue = (property: string): string => VALUES[property] ?? '#2557d6';
const HONEST = Object.fromEntries(
  RULE_NAMES.map((name) => [
    name,
    Object.fromEntries(Object.keys(PROPERTIES).map((property) => [property, honestValue(property)])),
  ]),
);

/** The style sheet of these rules, in every layout with its own styles. */
const sheetOf = (appearance: object): string =>
  [{}, { labels: 'floating' }, { fields: 'grouped' }, { labels: 'hidden', card: 'row', brands: 'hidden' }]
    .map((layout) => resolveAppearance({ ...appearance, ...layout, theme: 'dark' }, PAGE).ruled)
    .map((ruled) => (ruled ? writeRules(ruled).css : ''))
    .join('');

/** Selectors and properties of a sheet, without values. */
const shapeOf = (css: string): readonly string[] => css.match(/[^{};]+(?=\{)|[^{};:]+(?=:[^{}]*[;}])/g) ?? [];

const WRITTEN =
  /^(#[\da-f]{3,8}|-?[\d.]+(px|em|ms|%)?|none|solid|uppercase|lowercase|capitalize|(background-|border-)?color|box-shadow|var\(--[a-z-]+\)|(calc|max)\(|[()*-]|,|\s)+$/;

/** The parts of a sheet that no honest one has. */
const strangeIn = (css: string): readonly string[] => {
  const known = new Set(shapeOf(sheetOf({ rules: HONEST })));
  const values = [...css.matchAll(/[{;][a-z-]+:([^{};]+)(?=[;}])/g)].map(([, value = '']) => value);
  return [
    ...shapeOf(css).filter((one) => !known.has(one)),
    ...values.filter((value) => !WRITTEN.test(value)),
  ];
};

describe('threat-model C36: hostile input', () => {
  it('every value set is a valid one of its token, as we write it', () => {
    let strings = 0;
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: TOKEN_NAMES.length, maxLength: TOKEN_NAMES.length }),
        (texts) => {
          strings += texts.length;
          expect(
            violationsOf({
              variables: Object.fromEntries(TOKEN_NAMES.map((name, index) => [name, texts[index]])),
            }),
          ).toEqual([]);
        },
      ),
      { numRuns: runs(1000) },
    );
    expect(strings).toBeGreaterThanOrEqual(runs(20_000));
  });

  it('unknown names set nothing', () => {
    fc.assert(
      fc.property(hostile, hostile, (name, value) => {
        fc.pre(!TOKEN_NAMES.includes(name));
        const variables = Object.fromEntries([[name, value]]);
        expect(resolveAppearance({ variables }, PAGE).properties).toEqual(new Map());
        expect(
          resolveAppearance({ variables, [name]: value, theme: name, labels: value, fields: value }, PAGE),
        ).toMatchObject({
          look: { scheme: 'light', labels: 'above', fields: 'separate' },
          properties: new Map(),
        });
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each(CORPUS.map((text): [string, string] => [text.slice(0, 40), text]))(
    '%j sets nothing invalid',
    (_, text) => {
      for (const name of TOKEN_NAMES) expect(violationsOf({ variables: { [name]: text } })).toEqual([]);
    },
  );

  it('custom properties of the page set nothing invalid, whole, inside a value or as a fallback', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TOKEN_NAMES), hostile, (name, text) => {
        const style = [['--x', text]];
        for (const value of ['var(--x)', 'rgb(var(--x) 0 0)', 'Georgia, var(--x)', `var(--y, ${text})`])
          expect(violationsOf({ variables: { [name]: value } }, style)).toEqual([]);
        expect(violationsOf({ variables: { [name]: text } }, text)).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('values of other types than string set nothing invalid', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...TOKEN_NAMES), anything, (name, value) => {
        expect(violationsOf(value)).toEqual([]);
        expect(
          violationsOf({
            variables: value,
            darkVariables: value,
            theme: value,
            labels: value,
            fields: value,
          }),
        ).toEqual([]);
        expect(violationsOf({ variables: { [name]: value } })).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('keys such as __proto__ set nothing and pollute no prototype', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const variables: unknown = JSON.parse(`{"${key}": {"colorText": "red", "polluted": "yes"}}`);
      expect(violationsOf({ variables })).toEqual([]);
      expect(resolveAppearance({ variables }, PAGE).problems).toHaveLength(1);
      expect(resolveAppearance(variables, PAGE).properties).toEqual(new Map());
    }
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  });

  it('10,000 brackets, digits or letters are parsed in no time', () => {
    for (const letter of ['(', 'rgb(', '1', '.', ' ', ',', '/', '#', '"', '\\', 'a', '١']) {
      const text = letter.repeat(10_000);
      for (const name of TOKEN_NAMES) {
        expect(
          violationsOf({ variables: { [name]: text, [text]: text }, [text]: text, theme: text }),
        ).toEqual([]);
      }
    }
  });

  it('of rules, no text becomes a selector, a property or a value', () => {
    let strings = 0;
    const names = Object.keys(PROPERTIES);
    // Or else a value that this fuzz happens to find looks strange.
    expect(Object.entries(PROPERTIES).filter(([name, { read }]) => read(honestValue(name)) === null)).toEqual(
      [],
    );
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: names.length, maxLength: names.length }),
        fc.constantFrom(...RULE_NAMES),
        hostile,
        (texts, rule, name) => {
          strings += texts.length;
          const bad = Object.fromEntries(names.map((property, index) => [property, texts[index]]));
          for (const rules of [{ [rule]: bad }, { [name]: bad }, { [rule]: { [name]: texts[0] } }, name])
            expect(strangeIn(sheetOf({ rules, darkRules: rules }))).toEqual([]);
        },
      ),
      { numRuns: runs(200) },
    );
    expect(strings).toBeGreaterThanOrEqual(runs(3000));
    // Check that a text used as a value would be found.
    expect(strangeIn(sheetOf({ rules: HONEST }).replace('solid', 'url(x)'))).not.toEqual([]);
  });
});
