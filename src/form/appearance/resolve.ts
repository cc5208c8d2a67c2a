/**
 * Resolves a merchant's `appearance` on a page of a given color scheme into the scheme and CSS properties of the form.
 * Pure: no document, no channel. Whatever the input, the total and the button stay readable (threat-model 1.6).
 */
import { colourBehind } from './behind.ts';
import type { PageFaces } from './page-faces.ts';
import { createPalette, schemeOf } from './palette.ts';
import { type AppearanceProblem, parseAppearance } from './parse.ts';
import type { Layout, Scheme } from './tokens.ts';

export type { AppearanceProblem } from './parse.ts';
export type { Scheme } from './tokens.ts';

export type ResolvedAppearance = {
  /** Data attributes of the root. A form with an appearance has its background from it, and no panel. */
  look: Layout & { scheme: Scheme; panel: false };
  /** CSS custom properties and their values, which are written by us from parsed values. */
  properties: ReadonlyMap<string, string>;
  /** What was ignored or changed, for the merchant's developer. */
  problems: readonly AppearanceProblem[];
};

/** What is behind the form, as `channel/backdrop.ts` judges it. */
type Backdrop = { readonly scheme: Scheme; readonly panel: boolean };

/**
 * Never throws. A given background decides by itself whether the form is light or dark. Without one the form paints its
 * own where the page's would not do. `description` is what the judgement `page` was made from, `style` the page's custom
 * properties as `loader/describe-page.ts` reads them, `faces` are the page's own fonts.
 */
export const resolveAppearance = (
  appearance: unknown,
  page: Backdrop,
  description = '',
  style?: unknown,
  faces?: PageFaces,
): ResolvedAppearance => {
  const { theme, layout, variables, darkVariables, problems } = parseAppearance(appearance, style, faces);
  const wanted = theme === 'auto' ? page.scheme : theme;
  const layers = wanted === 'dark' ? [variables, darkVariables] : [variables];
  const colours = new Map(layers.flatMap((layer) => [...layer.colours]));

  const given = colours.get('colorBackground');
  const scheme = given ? schemeOf(given) : wanted;
  const needsPanel = page.panel || scheme !== page.scheme;
  const behind = given || needsPanel ? null : colourBehind(description, scheme);
  const { properties, adjustments } = createPalette(colours, { scheme, behind });

  const nameOf = (token: Parameters<typeof colours.has>[0]) =>
    `appearance.${wanted === 'dark' && darkVariables.colours.has(token) ? 'darkVariables' : 'variables'}.${token}`;
  return {
    look: {
      scheme,
      ...layout,
      // An outline around several fields has no room between them.
      ...(layout.fields === 'grouped' && layout.labels === 'above' ? { labels: 'floating' } : {}),
      panel: false,
    },
    properties: new Map([
      // A background that differs from the page's needs padding.
      ...(needsPanel && !given ? [['--padding', '16px'] as const] : []),
      ...properties,
      ...layers.flatMap((layer) => [...layer.properties]),
    ]),
    problems: [...problems, ...adjustments.map(({ token, message }) => ({ option: nameOf(token), message }))],
  };
};
