/**
 * Resolves a merchant's `appearance` on a page of a given color scheme into the scheme and CSS properties of the form.
 * Pure: no document, no channel. Whatever the input, the total and the button stay readable (threat-model 1.6).
 */
import { createPalette, schemeOf } from './palette.ts';
import { type AppearanceProblem, parseAppearance } from './parse.ts';
import type { Scheme } from './tokens.ts';

export type { AppearanceProblem } from './parse.ts';
export type { Scheme } from './tokens.ts';

export type ResolvedAppearance = {
  scheme: Scheme;
  labels: 'above' | 'floating';
  fields: 'separate' | 'grouped';
  /** CSS custom properties and their values, which are written by us from parsed values. */
  properties: ReadonlyMap<string, string>;
  /** What was ignored or changed, for the merchant's developer. */
  problems: readonly AppearanceProblem[];
};

/**
 * Never throws. `page` is the color scheme of the page around the form. A given background decides by itself whether the
 * form is light or dark.
 */
export const resolveAppearance = (appearance: unknown, page: Scheme): ResolvedAppearance => {
  const { theme, labels, fields, variables, darkVariables, problems } = parseAppearance(appearance);
  const wanted = theme === 'auto' ? page : theme;
  const layers = wanted === 'dark' ? [variables, darkVariables] : [variables];
  const colours = new Map(layers.flatMap((layer) => [...layer.colours]));

  const background = colours.get('colorBackground');
  const scheme = background ? schemeOf(background) : wanted;
  const differsFromPage = scheme !== page;
  // The contrast of a given text colour can only be computed against a known background.
  const isPainted =
    differsFromPage ||
    background !== undefined ||
    colours.has('colorText') ||
    colours.has('colorTextSecondary');
  const { properties, adjustments } = createPalette(colours, { scheme, isPainted });

  const nameOf = (token: Parameters<typeof colours.has>[0]) =>
    `appearance.${wanted === 'dark' && darkVariables.colours.has(token) ? 'darkVariables' : 'variables'}.${token}`;
  return {
    scheme,
    labels: fields === 'grouped' ? 'floating' : labels, // an outline around several fields has no room between them
    fields,
    properties: new Map([
      // A background that differs from the page's needs padding.
      ...(differsFromPage && !background ? [['--padding', '16px'] as const] : []),
      ...properties,
      ...layers.flatMap((layer) => [...layer.properties]),
    ]),
    problems: [...problems, ...adjustments.map(({ token, message }) => ({ option: nameOf(token), message }))],
  };
};
