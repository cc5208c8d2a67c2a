/**
 * Loaded only for a form with an appearance: the parser, the rules of hosted fonts, and the styles of its layouts.
 */
import { fontFaces } from 'virtual:hosted-fonts';
import { type ResolvedAppearance, resolveAppearance } from '../appearance/resolve.ts';
import { FONT_PROPERTY } from '../appearance/tokens.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import { markOuterEdges } from './outer-edges.ts';
import card from './styles/card-layout.css?inline';
import floating from './styles/floating-labels.css?inline';
import grouped from './styles/grouped-fields.css?inline';
import hidden from './styles/hidden-labels.css?inline';

adoptStyles(floating);
adoptStyles(grouped);
markOuterEdges(document.documentElement);

/** The families and layouts whose rules were added. */
const adopted = new Set<string>();

const adoptOnce = (name: string, rules: () => string) => {
  if (adopted.has(name)) return;
  adopted.add(name);
  adoptStyles(rules());
};

/** Adds the rules of the hosted fonts in this list. The browser fetches a font's file when a text needs its letters. */
const adoptFonts = (list: string) => {
  for (const [family, rules] of Object.entries(fontFaces))
    if (list.includes(`"${family}"`)) adoptOnce(family, rules);
};

/** Adds the rules of these layouts, which only a form with them has: a digit restyles more elements with each. */
const adoptLayout = ({ labels, card: fields, placeholders, brands }: ResolvedAppearance['look']) => {
  if (labels === 'hidden') adoptOnce('labels', () => hidden);
  if (fields === 'row' || placeholders === 'hidden' || brands === 'hidden') adoptOnce('card', () => card);
};

export const resolve: typeof resolveAppearance = (...appearance) => {
  const resolved = resolveAppearance(...appearance);
  adoptFonts(resolved.properties.get(FONT_PROPERTY) ?? '');
  adoptLayout(resolved.look);
  return resolved;
};
