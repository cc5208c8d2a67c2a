import { describe, expect, it } from 'vitest';
import { facesOf } from './page-faces.ts';
import { parseAppearance } from './parse.ts';
import { resolveAppearance } from './resolve.ts';

const FONTS = [{ family: 'Brand' }, { family: 'Brand', weight: 700 }, { family: '"Other Sans"' }];

/** The font lists for `fontFamily`, and the messages to the developer. */
const listsFor = (fontFamily: string, fonts: unknown = FONTS) => {
  const { variables, problems } = parseAppearance({ variables: { fontFamily } }, undefined, facesOf(fonts));
  const { properties } = variables;
  return [properties.get('--font'), properties.get('--page-font'), problems.length];
};

describe("threat-model 1.6: the form names the page's fonts", () => {
  it('files of one family have one name', () => {
    expect([...facesOf(FONTS)]).toEqual([
      ['brand', 'page-0'],
      ['other sans', 'page-1'],
    ]);
  });

  it.each([undefined, null, 'Brand', 7, {}, [null, 7, 'Brand', { family: 7 }, []]])(
    '%o has no families',
    (fonts) => {
      expect(facesOf(fonts).size).toBe(0);
    },
  );

  it('only texts without an amount get them, and the others the next font', () => {
    expect(listsFor('Brand, Georgia, serif')).toEqual([
      '"Georgia", serif',
      '"page-0", "Georgia", serif, var(--font)',
      0,
    ]);
    expect(listsFor('Georgia, "other sans"')).toEqual([
      '"Georgia", sans-serif',
      '"Georgia", "page-1", var(--font)',
      0,
    ]);
    expect(listsFor('BRAND')).toEqual([undefined, '"page-0", var(--font)', 0]);
  });

  it('a hosted font of the same name draws the texts that the page’s font may not draw', () => {
    const [font, pageFont] = listsFor('Inter', [{ family: 'Inter' }]);
    expect(font).toMatch(/^"Inter", /);
    expect(pageFont).toMatch(/^"page-0", "Inter", .*var\(--font\)$/);
  });

  it('a page can neither set its own list nor name a face', () => {
    expect(listsFor('page-0, Arial')).toEqual([
      '"Arial", sans-serif',
      expect.not.stringContaining('page'),
      1,
    ]);
    expect(listsFor('Brand, Arial', [])).toEqual(['"Arial", sans-serif', undefined, 1]);
  });

  it('a dark theme with another list has no font of the light one', () => {
    const { properties } = resolveAppearance(
      { theme: 'dark', variables: { fontFamily: 'Brand' }, darkVariables: { fontFamily: 'Arial' } },
      { scheme: 'light', panel: false },
      '',
      undefined,
      facesOf(FONTS),
    );
    expect(properties.get('--page-font')).toBe('"Arial", var(--font)');
  });
});
