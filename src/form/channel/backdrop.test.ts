import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { type Colour, parseColour } from '../appearance/colour.ts';
import { contrast, mix } from '../appearance/contrast.ts';
import { judgeBackdrop } from './backdrop.ts';

const BLACK = 'rgb(0, 0, 0)';
const WHITE = 'rgb(255, 255, 255)';

const judge = (ink: string, ...layers: readonly string[]) => {
  const { scheme, panel } = judgeBackdrop([ink, ...layers].join(';'));
  return panel ? `${scheme} panel` : scheme;
};

describe('judgeBackdrop()', () => {
  it.each([
    ['white', WHITE, 'light'],
    ['black', 'rgb(0, 0, 0)', 'dark'],
    ['#101418', 'rgb(16, 20, 24)', 'dark'],
    ['#eee', 'rgb(238, 238, 238)', 'light'],
    ['oklch', 'oklch(0.21 0.034 264.665)', 'dark'],
    ['oklab with negative parts', 'oklab(0.98 -0.01 -0.02)', 'light'],
    ['lab', 'lab(8 1 -4)', 'dark'],
    ['lch', 'lch(96 2 80)', 'light'],
    ['display-p3', 'color(display-p3 0.05 0.07 0.1)', 'dark'],
    ['a mixture near black', 'color(srgb 1.2e-7 0 0)', 'dark'],
    ['grey', 'rgb(136, 136, 136)', 'light panel'],
    ['red', 'rgb(200, 16, 46)', 'light panel'],
    ['what is no colour', '?', 'light panel'],
  ])('%s under dark text: %s is %s', (_, layer, expected) => {
    expect(judge(BLACK, layer)).toBe(expected);
  });

  it('takes the scheme of the page\u2019s own text where the colour decides nothing', () => {
    expect(judge(WHITE, 'rgb(136, 136, 136)')).toBe('dark panel');
    expect(judge('oklch(0.95 0 0)', '?')).toBe('dark panel');
    expect(judge(WHITE, 'rgba(0, 0, 0, 0)')).toBe('dark'); // the canvas
    expect(judge(BLACK)).toBe('light');
  });

  it('lays layers over each other, and looks behind none that is opaque', () => {
    expect(judge(BLACK, 'rgba(0, 0, 0, 0.03)', 'rgba(255, 200, 0, 0.1)', WHITE)).toBe('light');
    expect(judge(WHITE, 'rgba(0, 0, 0, 0.88)', WHITE)).toBe('dark');
    expect(judge(BLACK, 'rgba(0, 0, 0, 0.5)', WHITE)).toBe('light panel');
    expect(judge(BLACK, 'oklch(0 0 0 / 0.02)', WHITE, '?')).toBe('light');
    expect(judge(BLACK, 'rgba(255, 255, 255, 0.9)', '?')).toBe('light panel');
  });

  it('without a description is that of a page without styles', () => {
    expect(judgeBackdrop()).toEqual({ scheme: 'light', panel: false });
  });

  const byte = fc.integer({ min: 0, max: 255 });
  const colourOf = (text: string): Colour => {
    const colour = parseColour(text);
    if (!colour) throw new Error(text);
    return colour;
  };
  /** As in first.css: hints and links, and the share of the text colour in the total's background. */
  const TEXTS = {
    light: { tint: colourOf('#16202e'), share: 0x0d / 255, texts: ['#556172', '#2557d6', '#b42318'] },
    dark: { tint: colourOf('#f1f2f4'), share: 0x14 / 255, texts: ['#b4b8c0', '#8fb0ff', '#ff9d92'] },
  } as const;

  it('every text of the scheme has 4.5:1 on whatever colour needs no panel', () => {
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        const { scheme, panel } = judgeBackdrop(`${BLACK};rgb(${red}, ${green}, ${blue})`);
        fc.pre(!panel);
        const page = { red, green, blue };
        const { tint, share, texts } = TEXTS[scheme];
        const [hint = '', link = ''] = texts;
        const pairs = [
          ...texts.map((text): readonly [string, Colour] => [text, page]),
          [hint, mix(page, tint, share)] as const,
          [link, mix(page, tint, share)] as const,
        ];
        for (const [text, ground] of pairs) expect(contrast(colourOf(text), ground)).toBeGreaterThan(4.4);
      }),
      {
        numRuns: runs(3000),
        examples: [
          [51, 51, 51],
          [234, 234, 234],
          [52, 52, 52],
          [0, 0, 150],
          [255, 255, 0],
        ],
      },
    );
  });
});
