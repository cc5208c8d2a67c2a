import { describe, expect, expectTypeOf, it } from 'vitest';
import type { CardFormRules } from '../loader/types.ts';
import { collectProblems } from './given-value.ts';
import { type PARTS, PROPERTIES, parseRules, propertiesOf, RULE_NAMES } from './rules.ts';
import { substituteFrom } from './substitute.ts';

const parse = (rules: unknown, style?: unknown) => {
  const { problems, report } = collectProblems();
  return { rules: parseRules('appearance.rules', rules, substituteFrom(style), report), problems };
};

/** The parsed value of one property; undefined if it is refused. */
const read = (rule: string, property: string, value: unknown) =>
  Object.entries(parse({ [rule]: { [property]: value } }).rules.get(rule) ?? {})[0]?.[1];

describe('parseRules', () => {
  it.each([
    ['field', 'color', '#f00', { red: 255, green: 0, blue: 0, alpha: 1 }],
    ['field:focus', 'outlineWidth', '.25rem', 4],
    ['field:focus', 'outlineOffset', '0', 0],
    ['field', 'borderWidth', '0 0 2px', [0, 0, 2]],
    ['field', 'padding', '24px', 24],
    ['button', 'height', '64px', 64],
    ['total', 'fontWeight', 800, 800],
    ['label', 'letterSpacing', '0.2em', 0.2],
    ['label', 'letterSpacing', 0, 0],
    ['hint', 'textTransform', 'uppercase', 'uppercase'],
    ['button', 'transitionDuration', '300ms', 300],
    ['button', 'transitionDuration', '.15s', 150],
    ['notice', 'boxShadow', 'none', []],
  ])('reads %s %s: %j', (rule, property, value, expected) => {
    expect(read(rule, property, value)).toEqual(expected);
  });

  it('reads shadows with lengths and colour in any order', () => {
    const black = { red: 0, green: 0, blue: 0 };
    expect(read('field', 'boxShadow', '0 1px 2px rgb(0, 0, 0, 0.5), #000 -2px 0 .25rem -1px')).toEqual([
      { x: 0, y: 1, blur: 2, spread: 0, colour: { ...black, alpha: 0.5 }, isInset: false },
      { x: -2, y: 0, blur: 4, spread: -1, colour: { ...black, alpha: 1 }, isInset: false },
    ]);
    expect(read('field', 'boxShadow', 'inset 0 0 0 1px #000')).toMatchObject([{ isInset: true }]);
  });

  it.each<[string, string, unknown, string]>([
    ['field', 'boxShadow', 'inset 0 1px 4px #000', 'inset ones 4px'],
    ['field', 'boxShadow', 'inset 0 0 2px #000 inset', 'none, or up to 4 shadows'],
    ['field', 'boxShadow', '0 0 9px #000', 'reach at most 8px'],
    ['field', 'boxShadow', '0 0 4px 5px #000', 'reach at most 8px'],
    ['field', 'boxShadow', '-9px 0 #000', 'reach at most 8px'],
    ['field', 'boxShadow', '0 0 #000, 0 0 #000, 0 0 #000, 0 0 #000, 0 0 #000', 'up to 4'],
    ['field', 'boxShadow', '0 0 2px', 'with a colour'],
    ['field', 'boxShadow', '0 0 -2px #000', 'with a colour'],
    ['field', 'boxShadow', '0 0 #000 #fff', 'with a colour'],
    ['field', 'boxShadow', '0 0 1px 1px 1px #000', 'with a colour'],
    ['field', 'boxShadow', '0 0 url(x) #000', 'with a colour'],
    ['field', 'borderWidth', '0', 'at least 1px on one'],
    ['field', 'borderWidth', '5px', 'from 0 to 4px'],
    ['field', 'borderWidth', '1px 1px 1px 1px 1px', 'from 0 to 4px'],
    ['field:focus', 'outlineWidth', '1px', 'from 2px to 4px; got "1px"'],
    ['field:focus', 'outlineOffset', '-1px', 'from 0px to 4px'],
    ['label', 'letterSpacing', '0.21em', 'from 0em to 0.2em'],
    ['label', 'letterSpacing', '-0.1em', 'from 0em to 0.2em'],
    ['label', 'letterSpacing', '1px', 'from 0em to 0.2em'],
    ['button', 'transitionDuration', '301ms', 'from 0ms to 300ms'],
    ['button', 'transitionDuration', '1s', 'from 0ms to 300ms'],
    ['button', 'height', '35px', 'from 36px to 80px'],
    ['total', 'fontWeight', 200, 'from 300 to 800; got 200'],
    ['hint', 'textTransform', 'full-width', 'none or uppercase or lowercase or capitalize'],
    ['hint', 'color', {}, 'a colour such as #2557d6'],
  ])('ignores %s %s: %j and names the expected value', (rule, property, value, expected) => {
    expect(parse({ [rule]: { [property]: value } })).toEqual({
      rules: new Map([[rule, {}]]),
      problems: [
        { option: `appearance.rules.${rule}.${property}`, message: expect.stringContaining(expected) },
      ],
    });
  });

  it.each([
    [{ 'field:hoover': {} }, 'appearance.rules.field:hoover is unknown: did you mean field:hover?'],
    [{ '.total': { display: 'none' } }, 'appearance.rules..total is unknown: did you mean total?'],
    [{ 'total:hover': { color: 'red' } }, 'appearance.rules.total:hover is unknown'],
    [{ total: { letterSpacing: '0.1em' } }, 'is not for total, which has color, fontWeight. It is ignored.'],
    [{ 'field:hover': { outlineWidth: '2px' } }, 'is not for field:hover, which has color, backgroundColor,'],
    [{ 'field:hover': { height: '60px' } }, 'is not for field:hover'],
    [{ button: { opacity: 0 } }, 'appearance.rules.button.opacity is unknown. It is ignored.'],
    [{ button: { colour: 'red' } }, 'is unknown: did you mean color?'],
    [{ button: 'red' }, 'appearance.rules.button must be an object; got "red".'],
    [[], 'appearance.rules must be an object; got an array.'],
  ])('reports for %j: %s', (rules, problem) => {
    expect(parse(rules).problems.map(({ option, message }) => `${option} ${message}`)).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it('threat-model C35: applies the valid values beside invalid ones', () => {
    const { rules, problems } = parse({ field: { padding: '8px', color: 'no' }, 'no:no': {}, total: null });
    expect([...rules]).toEqual([
      ['field', { padding: 8 }],
      ['total', {}],
    ]);
    expect(problems).toHaveLength(2);
  });

  it('puts in custom properties of the page', () => {
    const { rules } = parse({ field: { boxShadow: '0 0 4px var(--glow)' } }, [['--glow', '#00f']]);
    expect(rules.get('field')?.boxShadow?.[0]?.colour.blue).toBe(255);
  });

  it('has every rule and property that the types have, and no other', () => {
    // A name missing from the types doesn't compile here; one missing from the table fails.
    const all: Record<keyof CardFormRules, true> = {
      ...{ field: true, 'field:hover': true, 'field:complete': true, 'field:focus': true },
      ...{ 'field:invalid': true, 'field:disabled': true, label: true, 'label:hover': true },
      ...{ 'label:complete': true, 'label:focus': true, 'label:invalid': true, 'label:disabled': true },
      ...{ hint: true, error: true, button: true, 'button:hover': true, 'button:focus': true },
      ...{ 'button:disabled': true, total: true, details: true, 'details:hover': true },
      ...{ 'details:focus': true, notice: true, 'notice:invalid': true },
    };
    expect([...RULE_NAMES].sort()).toEqual(Object.keys(all).sort());
    const used = new Set(RULE_NAMES.flatMap((name) => propertiesOf(name)));
    expect([...used].sort()).toEqual(Object.keys(PROPERTIES).sort());
  });

  it('has each property where the types have it, or `tsc` fails', () => {
    type Typed<Name extends keyof CardFormRules> = keyof NonNullable<CardFormRules[Name]>;
    type AtRest<Name extends keyof typeof PARTS> = (typeof PARTS)[Name]['rest'][number];
    type InState<Name extends keyof typeof PARTS> = (typeof PARTS)[Name]['inState'][number];
    type Outline = 'outlineColor' | 'outlineWidth' | 'outlineOffset';
    expectTypeOf<Typed<'field'>>().toEqualTypeOf<AtRest<'field'>>();
    expectTypeOf<Typed<'field:hover' | 'field:complete'>>().toEqualTypeOf<InState<'field'>>();
    expectTypeOf<Typed<'field:invalid' | 'field:disabled'>>().toEqualTypeOf<InState<'field'>>();
    expectTypeOf<Typed<'field:focus'>>().toEqualTypeOf<InState<'field'> | Outline>();
    expectTypeOf<Typed<'label'>>().toEqualTypeOf<AtRest<'label'>>();
    expectTypeOf<Typed<'hint' | 'error'>>().toEqualTypeOf<AtRest<'hint' | 'error'>>();
    expectTypeOf<Typed<'label:focus' | 'details:focus'>>().toEqualTypeOf<InState<'label' | 'details'>>();
    expectTypeOf<Typed<'button'>>().toEqualTypeOf<AtRest<'button'>>();
    expectTypeOf<Typed<'button:hover' | 'button:disabled'>>().toEqualTypeOf<InState<'button'>>();
    expectTypeOf<Typed<'button:focus'>>().toEqualTypeOf<InState<'button'> | Outline>();
    expectTypeOf<Typed<'total' | 'details'>>().toEqualTypeOf<AtRest<'total' | 'details'>>();
    expectTypeOf<Typed<'notice'>>().toEqualTypeOf<AtRest<'notice'>>();
    expectTypeOf<Typed<'notice:invalid'>>().toEqualTypeOf<InState<'notice'>>();
    expect(propertiesOf('field:focus')).toEqual([
      ...propertiesOf('field:hover'),
      'outlineColor',
      'outlineWidth',
      'outlineOffset',
    ]);
  });
});
