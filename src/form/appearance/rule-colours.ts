/**
 * The colours of parts and states (`rules.ts`): each is readable on its background, no shadow is as strong as the focus
 * outline, and values that a rule can't have are reported.
 */
import { BLACK, type Colour, parseColour, type Translucent, writeColour } from './colour.ts';
import { blendOnto, contrast, SHAPE_CONTRAST } from './contrast.ts';
import { adjust } from './palette.ts';
import type { Ruled } from './resolve.ts';
import { readRuleLayers } from './rule-layers.ts';
import { type PropertyName, reachOf, type Shadow } from './rules.ts';

/** Maximum contrast of a shadow with its background. */
const FAINT = 2;

const KEPT = 'It is kept, as the page has it.';

/** The default width of an outline, in px, and its maximum in grouped fields. */
const OUTLINE = { preset: 2, grouped: 3 } as const;

/** The maximum density of a shadow's colour outside its box: a blur leaves half of it at the shadow's own edge. */
const densityOf = ({ x, y, blur, spread }: Shadow): number =>
  blur === 0 ? 1 : Math.min(1, 0.5 + Math.max(0, Math.max(Math.abs(x), Math.abs(y)) + spread) / blur);

export const px = (length: number): string => `${length}px`;

export const opaque = (colour: Colour): Translucent => ({ alpha: 1, ...colour });

/** `style` is the loader's reading of the page's style. */
export const createRuleColours = (
  { rules, darkRules, taken, isDark, layout, palette }: Ruled,
  style: unknown,
) => {
  const layers = readRuleLayers({ rules, darkRules, taken, isDark }, style);
  const { ruleOf, isTaken, say } = layers;
  /** A colour of the form, by custom property. */
  const colourOf = (property: `--${string}`): Colour => parseColour(palette.get(property) ?? '') ?? BLACK;
  const page = colourOf('--page');

  /** A colour of this rule, or the nearest one with enough contrast. */
  const readableOf = (
    name: string,
    property: PropertyName,
    wanted: Translucent | Colour,
    backgrounds: readonly [Colour, ...Colour[]],
    least: number,
  ): Colour => {
    const { colour, message } = adjust(blendOnto(opaque(wanted), backgrounds[0]), backgrounds, least);
    if (message && ruleOf(name)[property] !== undefined) say(name, property, message);
    return colour;
  };

  /** A line as it is on the page, however faint, or one with enough contrast. `source`: the rule that it comes from. */
  const lineOf = (source: string, wanted: Translucent | Colour, least: number): Colour => {
    if (!isTaken(source, 'borderColor')) return readableOf(source, 'borderColor', wanted, [page], least);
    const colour = blendOnto(opaque(wanted), page);
    const has = Math.floor(contrast(colour, page) * 100) / 100;
    if (has < least && !source.includes(':'))
      say(
        source,
        'borderColor',
        `${writeColour(colour)} has a contrast of ${has}:1, less than the 3:1 of WCAG 1.4.11. ${KEPT}`,
      );
    return colour;
  };

  return {
    ...layers,
    lineOf,
    /** Reports that the focus is fainter than it should be. */
    sayFaint: (name: string, has: number) =>
      say(
        name,
        'borderColor',
        `changes what is seen by a contrast of ${has}:1; 3:1 would be better (WCAG 2.4.13). ${KEPT}`,
      ),
    /** The colour behind the form. */
    page,
    colourOf,
    readableOf,
    /** The shadows of a box as CSS, their maximum effect on the page and on the box's background, and their reach. */
    shadowOf(name: string, shadows: readonly Shadow[], background: Colour) {
      const outer = shadows.filter(({ isInset }) => !isInset);
      const shadeAt = (strength: number) =>
        outer.reduce<Colour>((behind, shadow) => {
          const alpha = shadow.colour.alpha * strength * densityOf(shadow);
          return blendOnto({ ...shadow.colour, alpha }, behind);
        }, page);
      const isOfPage = isTaken(name, 'boxShadow');
      const strengths = Array.from({ length: 50 }, (_, step) => 1 - step / 50);
      const strength = isOfPage ? 1 : (strengths.find((one) => contrast(shadeAt(one), page) <= FAINT) ?? 0);
      if (strength < 1 && ruleOf(name).boxShadow)
        say(
          name,
          'boxShadow',
          `is so strong that it could hide the focus. It is drawn at ${Math.round(strength * 100)} % of its strength.`,
        );
      const written = shadows.map(({ x, y, blur, spread, colour, isInset }) => {
        const alpha = Math.round(colour.alpha * (isInset ? 1 : strength) * 255);
        const lengths = [x, y, blur, spread].map(px).join(' ');
        return `${isInset ? 'inset ' : ''}${lengths} ${writeColour(colour)}${alpha.toString(16).padStart(2, '0')}`;
      });
      return {
        css: written.join() || 'none',
        shade: shadeAt(strength),
        within: shadows.reduce<Colour>(
          (behind, { colour, isInset }) => (isInset ? blendOnto(colour, behind) : behind),
          background,
        ),
        reach: Math.max(0, ...outer.map(reachOf)),
      };
    },
    /** An outline outside every border, in a colour that is visible beside these shades. */
    outlineOf(name: string, shades: readonly Colour[]) {
      const { outlineColor, borderColor, outlineWidth = OUTLINE.preset, outlineOffset = 0 } = ruleOf(name);
      const isTight = layout.fields === 'grouped' && name === 'field:focus';
      const width = isTight ? Math.min(outlineWidth, OUTLINE.grouped) : outlineWidth;
      const offset = isTight ? 0 : outlineOffset;
      const wanted = outlineColor ?? borderColor ?? colourOf('--accent');
      const colour = readableOf(name, 'outlineColor', wanted, [page, ...shades], SHAPE_CONTRAST);
      const ofPage = outlineColor && isTaken(name, 'outlineColor') ? blendOnto(outlineColor, page) : null;
      return {
        /** In the page's own colour; if it has none, transparent, so that it is visible in forced colours. */
        asOnPage: {
          outline: `${px(width)} solid ${ofPage ? writeColour(ofPage) : 'transparent'}`,
          'outline-offset': px(offset),
        },
        ofPage,
        css: { outline: `${px(width)} solid ${writeColour(colour)}`, 'outline-offset': px(offset) },
        reach: width + offset,
      };
    },
  };
};

export type RuleColours = ReturnType<typeof createRuleColours>;
