/**
 * What a merchant asked for and what the page is like, made into what the form wears. Pure: it knows neither a
 * document nor the channel, and whatever it is given, the total and the button can be read (security 1.6).
 */
import { createPalette, schemeOf } from './palette.ts';
import { type AppearanceProblem, parseAppearance } from './parse.ts';
import type { Scheme } from './tokens.ts';

export type { AppearanceProblem } from './parse.ts';
export type { Scheme } from './tokens.ts';

/** All that an appearance comes to. */
export type ResolvedAppearance = {
  scheme: Scheme;
  labels: 'above' | 'floating';
  /** Custom properties of the style and their values; every one written from parsed numbers and names. */
  properties: ReadonlyMap<string, string>;
  /** For the merchant's developer: what was left out or changed. */
  problems: readonly AppearanceProblem[];
};

/**
 * Never throws. `page` is how the page around the form is painted. A ground that is given decides by itself
 * whether the form is light or dark.
 */
export const resolveAppearance = (appearance: unknown, page: Scheme): ResolvedAppearance => {
  const { theme, labels, variables, darkVariables, problems } = parseAppearance(appearance);
  const wanted = theme === 'auto' ? page : theme;
  const layers = wanted === 'dark' ? [variables, darkVariables] : [variables];
  const colours = new Map(layers.flatMap((layer) => [...layer.colours]));

  const ground = colours.get('colorBackground');
  const scheme = ground ? schemeOf(ground) : wanted;
  const foreign = scheme !== page;
  // A colour for text can only be held against a ground that is known.
  const painted =
    foreign || ground !== undefined || colours.has('colorText') || colours.has('colorTextSecondary');
  const { properties, adjustments } = createPalette(colours, { scheme, painted });

  const nameOf = (token: Parameters<typeof colours.has>[0]) =>
    `appearance.${wanted === 'dark' && darkVariables.colours.has(token) ? 'darkVariables' : 'variables'}.${token}`;
  return {
    scheme,
    labels,
    properties: new Map([
      // What is painted like nothing around it needs room inside.
      ...(foreign && !ground ? [['--padding', '16px'] as const] : []),
      ...properties,
      ...layers.flatMap((layer) => [...layer.properties]),
    ]),
    problems: [...problems, ...adjustments.map(({ token, message }) => ({ option: nameOf(token), message }))],
  };
};
