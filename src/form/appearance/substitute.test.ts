import { describe, expect, it } from 'vitest';
import { parseAppearance } from './parse.ts';
import { substituteFrom } from './substitute.ts';

const STYLE = [
  ['--brand', ' #9a3412 '],
  ['--hue', '210'],
  ['--none', ''],
  ['--hostile', 'red;display:none'],
];

describe('values may be custom properties of the page', () => {
  it.each([
    ['var(--brand)', '#9a3412'],
    ['hsl(var(--hue) 50% 40%)', 'hsl(210 50% 40%)'],
    ['var( --brand , red )', '#9a3412'],
    ['var(--none, rgb(1 2 3))', 'rgb(1 2 3)'],
    ['var(--unknown,)', ''],
    ['var(--unknown)', ''],
    ['#fff', '#fff'],
    ['var(brand)', 'var(brand)'],
  ])('%s is %j', (text, value) => {
    expect(substituteFrom(STYLE)(text)).toBe(value);
  });

  it.each([
    undefined,
    null,
    'x',
    7,
    {},
    [null, [], ['--brand'], ['--brand', 7], 'ab', { 0: '--brand', 1: 'red' }],
  ])('%j has no values', (style) => {
    expect(substituteFrom(style)('var(--brand)')).toBe('');
  });

  it('they are parsed like any other value, and a mistake names the page', () => {
    const { variables, problems } = parseAppearance(
      {
        variables: {
          colorPrimary: 'var(--brand)',
          colorText: 'var(--hostile)',
          colorDanger: 'var(--none)',
          borderRadius: 'var(--none, 6px)',
        },
      },
      STYLE,
    );
    expect([...variables.colours]).toEqual([
      ['colorPrimary', { red: 0x9a, green: 0x34, blue: 0x12, alpha: 1 }],
    ]);
    expect([...variables.properties]).toEqual([['--radius', '6px']]);
    expect(problems.map(({ option }) => option)).toEqual([
      'appearance.variables.colorText',
      'appearance.variables.colorDanger',
    ]);
    expect(problems[0]?.message).toContain('"var(--hostile)", which is "red;display:none" on the page');
    expect(problems[1]?.message).toContain('"var(--none)", which is "" on the page');
  });

  it('a value is at most as long as any other', () => {
    const long = [['--long', `#fff${' '.repeat(20)}x`.repeat(50)]];
    const { problems } = parseAppearance({ variables: { colorText: 'var(--long)' } }, long);
    expect(problems).toHaveLength(1);
  });

  it('10,000 brackets are read in no time', () => {
    const substitute = substituteFrom(STYLE);
    for (const part of ['var(--a,', '(', 'var(--a,(', ')', 'var(--a,()'])
      expect(substitute(part.repeat(10_000)).length).toBeGreaterThan(0);
  });
});
