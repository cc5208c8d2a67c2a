import { existsSync, readFileSync } from 'node:fs';
import { fontFaces } from 'virtual:hosted-fonts';
import { expect, it } from 'vitest';
import { FALLBACK_FONTS, fallbackName, HOSTED_FONTS } from '../../form/appearance/tokens.ts';
import { fontPackage } from './appearance.ts';

const facesOf = (family: string) =>
  [...(fontFaces[family]?.() ?? '').matchAll(/@font-face\{([^}]*)\}/g)].map(([, rules = '']) => rules);

it('has rules for exactly the hosted fonts', () => {
  expect(Object.keys(fontFaces)).toEqual([...HOSTED_FONTS]);
});

it.each(HOSTED_FONTS)(
  '%s is shown at once in a fallback font, and fetched from a package that we host',
  (family) => {
    const own = facesOf(family).filter((rules) => rules.includes(`font-family:"${family}"`));
    expect(own.length).toBeGreaterThanOrEqual(2);
    for (const rules of own) {
      expect(rules).toMatch(/;font-display:swap;/);
      expect(rules).toMatch(/;unicode-range:U\+[\dA-F]/);
      expect(rules).toMatch(/;src:url\("[^":]+-wght-normal\.woff2"\)format\("woff2"\);/); // no other origin
    }
    const [, least, most] = /font-weight:(\d+) (\d+)/.exec(own[0] ?? '') ?? [];
    expect(Number(least)).toBeLessThanOrEqual(300); // fontWeightNormal
    expect(Number(most)).toBeGreaterThanOrEqual(700);
  },
);

it.each(HOSTED_FONTS)('%s has fallback fonts with its own proportions', (family) => {
  for (const system of FALLBACK_FONTS) {
    const rules = facesOf(family).find((face) =>
      face.includes(`font-family:"${fallbackName(family, system)}";`),
    );
    expect(rules).toContain(`src:local("${system}")`);
    if (family === system) continue; // equal to itself
    expect(rules).toMatch(/;ascent-override:\d+(\.\d+)?%;descent-override:\d+(\.\d+)?%/);
    const [, adjusted] = /;size-adjust:([\d.]+)%/.exec(rules ?? '') ?? [];
    expect(Number(adjusted)).toBeGreaterThan(90);
    expect(Number(adjusted)).toBeLessThan(120);
  }
});

it.each(HOSTED_FONTS)(
  '%s has the digits and letters of the form, and is licensed under the Open Font License',
  (family) => {
    const folder = new URL(`../../../node_modules/${fontPackage(family)}/`, import.meta.url);
    expect(readFileSync(new URL('LICENSE', folder), 'utf8')).toMatch(/SIL OPEN FONT LICENSE/i);
    expect(facesOf(family).some((rules) => rules.includes('unicode-range:U+0000-00FF'))).toBe(true);
    const files = facesOf(family).flatMap((rules) => /files\/([\w-]+\.woff2)/.exec(rules)?.[1] ?? []);
    expect(files.filter((file) => !existsSync(new URL(`files/${file}`, folder)))).toEqual([]);
  },
);
