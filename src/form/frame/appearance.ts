/**
 * Loaded only for a form with an appearance: the parser, the rules of hosted fonts, and the styles of its layouts.
 */
import { fontFaces } from 'virtual:hosted-fonts';
import { resolveAppearance } from '../appearance/resolve.ts';
import { FONT_PROPERTY } from '../appearance/tokens.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import { markOuterEdges } from './outer-edges.ts';
import card from './styles/card-layout.css?inline';
import floating from './styles/floating-labels.css?inline';
import grouped from './styles/grouped-fields.css?inline';
import hidden from './styles/hidden-labels.css?inline';

adoptStyles(card);
adoptStyles(floating);
adoptStyles(grouped);
markOuterEdges(document.documentElement);

/** The families and styles that were added when they were needed. */
const adopted = new Set<string>();

/** Adds the rules of the hosted fonts in this list. The browser fetches a font's file when a text needs its letters. */
const adoptFonts = (list: string) => {
  for (const [family, rules] of Object.entries(fontFaces)) {
    if (adopted.has(family) || !list.includes(`"${family}"`)) continue;
    adopted.add(family);
    adoptStyles(rules());
  }
};

export const resolve: typeof resolveAppearance = (...appearance) => {
  const resolved = resolveAppearance(...appearance);
  adoptFonts(resolved.properties.get(FONT_PROPERTY) ?? '');
  if (resolved.look.labels === 'hidden' && !adopted.has(hidden)) {
    adopted.add(hidden);
    adoptStyles(hidden);
  }
  return resolved;
};
