/**
 * Resolves a merchant's `appearance` on a page of a given colour scheme into the scheme and CSS properties of the form.
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
  /** Data attributes of the root. The appearance provides the form's background, so there is no panel. */
  look: Layout & { scheme: Scheme; panel: false };
  /** CSS custom properties and their values, which we write from parsed values. */
  properties: ReadonlyMap<string, string>;
  /** The input of `rule-styles.ts` for the styles of parts and states; null if the page gave none. */
  ruled: Ruled | null;
  /** Values that were ignored or changed, for the merchant's developer. */
  problems: readonly AppearanceProblem[];
};

/** The page's rules, and the surroundings that their colours have to suit. */
export type Ruled = {
  rules: unknown;
  darkRules: unknown;
  /** Rules read from the page (`taken.ts`). */
  taken: unknown;
  isDark: boolean;
  layout: Layout;
  /** The value of every colour property of the form, and the colour behind the form as `--page`. */
  palette: Palette['properties'];
};

/** The judgement of the backdrop (`channel/backdrop.ts`). */
type Backdrop = { readonly scheme: Scheme; readonly panel: boolean };

/**
 * Never throws. A given background alone decides whether the form is light or dark. Without one, the form paints its
 * own background if the page's is unsuitable. `description` is the basis of the judgement `page`, `style` the page's
 * custom properties as `loader/describe-page.ts` reads them, and `faces` the page's own fonts.
 */
export const resolveAppearance = (
  appearance: unknown,
  page: Backdrop,
  description = '',
  style?: unknown,
  faces?: PageFaces,
): ResolvedAppearance => {
  const parsed = parseAppearance(appearance, style, faces, page.scheme);
  const { layout, variables, darkVariables, rules, darkRules, taken, problems } = parsed;
  const isDark = parsed.scheme === 'dark';
  const layers = [taken.variables, variables, ...(isDark ? [darkVariables] : [])];
  const colours = new Map(layers.flatMap((layer) => [...layer.colours]));

  const given = colours.get('colorBackground');
  const scheme = given ? schemeOf(given) : parsed.scheme;
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
    // An outline around several fields leaves no space for labels between them.
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
