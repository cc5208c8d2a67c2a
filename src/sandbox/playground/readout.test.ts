import { describe, expect, it } from 'vitest';
import { resolveAppearance } from '../../form/appearance/resolve.ts';
import { appearanceOf, type Choices, COLOUR_NAMES, DEFAULTS } from './choices.ts';
import { formatRatio, pageColourOf, readoutsOf, schemeOfLayer } from './readout.ts';

const choose = (changes: Partial<Choices>): Choices => ({ ...DEFAULTS, ...changes });

describe('the contrast readout', () => {
  it('knows every colour, and by default each has enough contrast', () => {
    for (const scheme of ['light', 'dark'] as const) {
      const readouts = readoutsOf(DEFAULTS, 'variables', scheme);
      expect([...readouts.keys()].sort()).toEqual([...COLOUR_NAMES].sort());
      for (const [name, { ratio, least, problem }] of readouts) {
        expect([name, ratio >= least, problem]).toEqual([name, true, null]);
      }
    }
  });

  it('says what the form does with a colour that cannot be read: the same words as its warning', () => {
    const choices = choose({ variables: { colorPrimary: '#ffd84d' } });
    const readout = readoutsOf(choices, 'variables', 'light').get('colorPrimary');
    const { problems, properties } = resolveAppearance(appearanceOf(choices), {
      scheme: 'light',
      panel: false,
    });
    expect(readout?.problem).toBe(problems.find(({ option }) => option.endsWith('colorPrimary'))?.message);
    expect(readout?.problem).toContain('a contrast of 1.');
    expect(readout?.colour).toBe(properties.get('--accent'));
    expect(readout?.ratio).toBeGreaterThanOrEqual(4.5);
  });

  it('takes a background that was chosen into account', () => {
    const { ratio } = readoutsOf(
      choose({ variables: { colorBackground: '#000000' } }),
      'variables',
      'light',
    ).get('colorBackground') ?? { ratio: 0 };
    expect(ratio).toBeGreaterThan(15);
  });

  it('belongs to the scheme in which the colours are seen', () => {
    expect(schemeOfLayer(choose({ theme: 'light' }), 'darkVariables', false)).toBe('dark');
    expect(schemeOfLayer(choose({ theme: 'dark' }), 'variables', false)).toBe('dark');
    expect(schemeOfLayer(choose({ page: 'dark' }), 'variables', false)).toBe('dark');
    expect(schemeOfLayer(choose({}), 'variables', true)).toBe('dark');
    expect(schemeOfLayer(choose({ page: 'light' }), 'variables', true)).toBe('light');
  });

  it('never rounds a ratio up to one that is enough', () => {
    expect(formatRatio(4.499)).toBe('4.4:1');
    expect(formatRatio(21)).toBe('21.0:1');
  });
});

describe('the page around the form', () => {
  it('has the background of the form, or the default of its scheme', () => {
    expect(pageColourOf(DEFAULTS, 'light')).toBe('#ffffff');
    expect(pageColourOf(DEFAULTS, 'dark')).toBe('#16181c');
    expect(pageColourOf(choose({ preset: 'paper' }), 'light')).toBe('#faf6ef');
    expect(pageColourOf(choose({ preset: 'paper' }), 'dark')).toBe('#1d1814');
    expect(pageColourOf(choose({ preset: 'paper', theme: 'light' }), 'dark')).toBe('#faf6ef');
  });
});
