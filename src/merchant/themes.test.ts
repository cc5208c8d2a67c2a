import { describe, expect, it } from 'vitest';
import { resolveAppearance } from '../form/appearance/resolve.ts';
import * as themes from './themes.ts';

describe.each(Object.entries(themes))('the theme %s', (_, appearance) => {
  it.each(['light', 'dark'] as const)('has no value that is ignored or changed, in %s', (scheme) => {
    const { problems, look } = resolveAppearance(appearance, { scheme, panel: false });
    expect(problems).toEqual([]);
    expect(look.scheme).toBe(scheme);
  });

  it('is plain data that survives JSON', () => {
    expect(JSON.parse(JSON.stringify(appearance))).toEqual(appearance);
  });
});

it('the package has three themes', () => {
  expect(Object.keys(themes).sort()).toEqual(['meadow', 'paper', 'print']);
});
