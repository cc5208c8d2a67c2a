/**
 * The colours of parts and states (`rules.ts`): each can be read on its background, no shadow is as strong as the outline of the focus, and
 * what a rule gave and cannot have is reported.
 */
import { BLACK, type Colour, parseColour, type Translucent, writeColour } from './colour.ts';
import { blendOnto, contrast, SHAPE_CONTRAST } from './contrast.ts';
import { collectProblems } from './given-value.ts';
import { adjust } from './palette.ts';
import type { Ruled } from './resolve.ts';
import {
  type PartName,
  type PartRule,
  type PropertyName,
  parseRules,
  RULE_NAMES,
  reachOf,
  type Shadow,
} from './rules.ts';
import { substituteFrom } from './substitute.ts';

/** The most contrast that a shadow has with what is behind it. */
const FAINT = 2;

/** The width of an outline that was not given, in px, and the widest beside grouped fields. */
const OUTLINE = { preset: 2, grouped: 3 } as const;

/** The most of a shadow's colour that is seen anywhere beside its box: at the edge of the shadow itself a blur leaves half. */
const densityOf = ({ x, y, blur, spread }: Shadow): number =>
  blur === 0 ? 1 : Math.min(1, 0.5 + Math.max(0, Math.max(Math.abs(x), Math.abs(y)) + spread) / blur);

export const px = (length: number): string => `${length}px`;

export const opaque = (colour: Colour): Translucent => ({ alpha: 1, ...colour });

/** `style` is what the loader read of the page's style. */
export const createRuleColours = ({ rules, darkRules, isDark, layout, palette }: Ruled, style: unknown) => {
  const { problems, report } = collectProblems();
  const substitute = substituteFrom(style);
  const base = parseRules('appearance.rules', rules, substitute, report);
  const dark = parseRules('appearance.darkRules', darkRules, substitute, report);

  /** What was read for a part, or for a part in a state. Empty if nothing was. */
  const ruleOf = (name: string): PartRule => ({
    ...base.get(name),
    ...(isDark ? dark.get(name) : undefined),
  });
  /** The names of a part's rules, in the order in which they are written. */
  const namesOf = (part: PartName) =>
    RULE_NAMES.filter((name) => name === part || name.startsWith(`${part}:`));
  const say = (name: string, property: PropertyName, message: string) => {
    const isOfDark = isDark && dark.get(name)?.[property] !== undefined;
    report(`appearance.${isOfDark ? 'darkRules' : 'rules'}.${name}.${property}`, message);
  };
  /** A colour of the form by its custom property. */
  const colourOf = (property: `--${string}`): Colour => parseColour(palette.get(property) ?? '') ?? BLACK;
  const page = colourOf('--page');

  /** A colour of this rule, or one in its place, with enough contrast. */
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

  return {
    ruleOf,
    namesOf,
    isGiven: (part: PartName, properties: readonly PropertyName[]) =>
      namesOf(part).some((name) => properties.some((property) => ruleOf(name)[property] !== undefined)),
    say,
    problems,
    /** What is behind the form. */
    page,
    colourOf,
    readableOf,
    /** As CSS; how it changes the colour behind it at most, and how far it reaches. */
    shadowOf(name: string, shadows: readonly Shadow[]) {
      const shadeAt = (strength: number) =>
        shadows.reduce<Colour>((behind, shadow) => {
          const alpha = shadow.colour.alpha * strength * densityOf(shadow);
          return blendOnto({ ...shadow.colour, alpha }, behind);
        }, page);
      const strengths = Array.from({ length: 50 }, (_, step) => 1 - step / 50);
      const strength = strengths.find((one) => contrast(shadeAt(one), page) <= FAINT) ?? 0;
      if (strength < 1 && ruleOf(name).boxShadow)
        say(
          name,
          'boxShadow',
          `is so strong that it could hide the focus. It is drawn at ${Math.round(strength * 100)} % of its strength.`,
        );
      const written = shadows.map(({ x, y, blur, spread, colour }) => {
        const alpha = Math.round(colour.alpha * strength * 255);
        const lengths = [x, y, blur, spread].map(px).join(' ');
        return `${lengths} ${writeColour(colour)}${alpha.toString(16).padStart(2, '0')}`;
      });
      return {
        css: written.join() || 'none',
        shade: shadeAt(strength),
        reach: Math.max(0, ...shadows.map(reachOf)),
      };
    },
    /** Outside of every border, in a colour that is seen beside these. */
    outlineOf(name: string, shades: readonly Colour[]) {
      const { outlineColor, borderColor, outlineWidth = OUTLINE.preset, outlineOffset = 0 } = ruleOf(name);
      const isTight = layout.fields === 'grouped' && name === 'field:focus';
      const width = isTight ? Math.min(outlineWidth, OUTLINE.grouped) : outlineWidth;
      const offset = isTight ? 0 : outlineOffset;
      const wanted = outlineColor ?? borderColor ?? colourOf('--accent');
      const colour = readableOf(name, 'outlineColor', wanted, [page, ...shades], SHAPE_CONTRAST);
      return {
        css: { outline: `${px(width)} solid ${writeColour(colour)}`, 'outline-offset': px(offset) },
        reach: width + offset,
      };
    },
  };
};

export type RuleColours = ReturnType<typeof createRuleColours>;
