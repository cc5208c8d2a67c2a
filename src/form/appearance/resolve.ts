/**
 * Resolves a merchant's `appearance` on a page of a given color scheme into the scheme and CSS properties of the form.
 * Pure: no document, no channel. Whatever the input, the total and the button stay readable (threat-model 1.6).
 */
import { colourBehind } from './behind.ts';
import type { AppearanceProblem } from './given-value.ts';
import type { PageFaces } from './page-faces.ts';
import { createPalette, type Palette, schemeOf } from './palette.ts';
import { parseAppearance } from './parse.ts';
import type { Layout, Scheme } from './tokens.ts';

export type { AppearanceProblem } from './given-value.ts';
export type { Scheme } from './tokens.ts';

export type ResolvedAppearance = {
  /** Data attributes of the root. A form with an appearance has its background from it, and no panel. */
  look: Layout & { scheme: Scheme; panel: false };
  /** CSS custom properties and their values, which are written by us from parsed values. */
  properties: ReadonlyMap<string, string>;
  /** What `rule-styles.ts` makes the styles of parts and states from; null if the page gave none. */
  ruled: Ruled | null;
  /** What was ignored or changed, for the merchant's developer. */
  problems: readonly AppearanceProblem[];
};

/** Rules as the page gave them, and what their colours have to go with. */
export type Ruled = {
  rules: unknown;
  darkRules: unknown;
  /** Rules that were read of the page (`taken.ts`). */
  taken: unknown;
  isDark: boolean;
  layout: Layout;
  /** Every colour of the form as its properties have it, with what is behind the form as `--page`. */
  palette: Palette['properties'];
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
  const { theme, layout, variables, darkVariables, rules, darkRules, taken, problems } = parseAppearance(
    appearance,
    style,
    faces,
  );
  const wanted = theme === 'auto' ? page.scheme : theme;
  const isDark = wanted === 'dark';
  const layers = [taken.variables, variables, ...(isDark ? [darkVariables] : [])];
  const colours = new Map(layers.flatMap((layer) => [...layer.colours]));

  const given = colours.get('colorBackground');
  const scheme = given ? schemeOf(given) : wanted;
  const needsPanel = page.panel || scheme !== page.scheme;
  const behind = given || needsPanel ? null : colourBehind(description, scheme);
  const { properties, adjustments } = createPalette(colours, { scheme, behind });

  const layerOf = (token: Parameters<typeof colours.has>[0]) => {
    if (isDark && darkVariables.colours.has(token)) return 'darkVariables';
    return variables.colours.has(token) ? 'variables' : 'from';
  };
  const hasRules = rules ?? darkRules ?? Object.keys(taken.rules)[0];
  const arranged: Layout = {
    ...layout,
    // An outline around several fields has no room between them.
    ...(layout.fields === 'grouped' && layout.labels === 'above' ? { labels: 'floating' } : {}),
  };
  const ground = behind && ([['colorBackground', { ...behind, alpha: 1 }]] as const);
  const whole = () =>
    createPalette(new Map([...colours, ...(ground ?? [])]), { scheme, behind: null }).properties;
  return {
    look: { scheme, ...arranged, panel: false },
    ruled: hasRules
      ? { rules, darkRules, taken: taken.rules, isDark, layout: arranged, palette: whole() }
      : null,
    properties: new Map([
      // A background that differs from the page's needs padding.
      ...(needsPanel && !given ? [['--padding', '16px'] as const] : []),
      ...properties,
      ...layers.flatMap((layer) => [...layer.properties]),
    ]),
    problems: [
      ...problems,
      ...adjustments.map(({ token, message }) => ({
        option: `appearance.${layerOf(token)}.${token}`,
        message,
      })),
    ],
  };
};
