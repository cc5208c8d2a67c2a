/** The form's treatment of a chosen colour: the colour that it uses, and its contrast. */
import { parseColour } from '../../form/appearance/colour.ts';
import { contrast, SHAPE_CONTRAST, TEXT_CONTRAST } from '../../form/appearance/contrast.ts';
import { createPalette, schemeOf } from '../../form/appearance/palette.ts';
import { parseAppearance } from '../../form/appearance/parse.ts';
import type { Scheme } from '../../form/appearance/tokens.ts';
import { appearanceOf, type Choices, type ColourName, type Layer } from './choices.ts';

export type Readout = {
  /** The variable's colour as the form uses it, `#rrggbb`. */
  colour: string;
  /** The contrast of text or shape against its background, as the form draws them. */
  ratio: number;
  /** The minimum contrast that the form allows. */
  least: number;
  /** The form's message about what it changed or ignored. */
  problem: string | null;
};

/**
 * For each variable: the property with its colour, and the two properties that must contrast, by their names in
 * `palette.ts`.
 */
const PROPERTIES: Readonly<
  Record<ColourName, { colour: string; front: string; ground: string; least: number }>
> = {
  colorPrimary: { colour: '--accent', front: '--accent', ground: '--page', least: TEXT_CONTRAST },
  colorBackground: { colour: '--page', front: '--ink', ground: '--page', least: TEXT_CONTRAST },
  colorText: { colour: '--ink', front: '--ink', ground: '--page', least: TEXT_CONTRAST },
  colorTextSecondary: { colour: '--ink-soft', front: '--ink-soft', ground: '--page', least: TEXT_CONTRAST },
  colorTextPlaceholder: {
    colour: '--field-soft',
    front: '--field-soft',
    ground: '--field',
    least: TEXT_CONTRAST,
  },
  colorFieldBackground: { colour: '--field', front: '--field-ink', ground: '--field', least: TEXT_CONTRAST },
  colorBorder: { colour: '--field-line', front: '--field-line', ground: '--page', least: SHAPE_CONTRAST },
  buttonColorBackground: {
    colour: '--button',
    front: '--on-button',
    ground: '--button',
    least: TEXT_CONTRAST,
  },
  buttonColorText: { colour: '--on-button', front: '--on-button', ground: '--button', least: TEXT_CONTRAST },
  colorDanger: { colour: '--bad', front: '--bad', ground: '--page', least: TEXT_CONTRAST },
  colorSuccess: { colour: '--good', front: '--good', ground: '--good-ground', least: SHAPE_CONTRAST },
};

/** Returns the scheme in which a layer of variables is visible: only dark for `darkVariables`. */
export const schemeOfLayer = ({ theme, page }: Choices, layer: Layer, systemIsDark: boolean): Scheme => {
  if (layer === 'darkVariables') return 'dark';
  if (theme !== 'auto') return theme;
  if (page !== 'auto') return page;
  return systemIsDark ? 'dark' : 'light';
};

/** The colours that the form uses with these choices, if this scheme is wanted. */
const paletteOf = (choices: Choices, wanted: Scheme) => {
  const { variables, darkVariables, problems } = parseAppearance(appearanceOf(choices));
  const layers = wanted === 'dark' ? [variables, darkVariables] : [variables];
  const colours = new Map(layers.flatMap((layer) => [...layer.colours]));
  const background = colours.get('colorBackground');
  const scheme = background ? schemeOf(background) : wanted;
  return { problems, ...createPalette(colours, { scheme, behind: null }) };
};

/** Returns the readout of every colour in this scheme. */
export const readoutsOf = (
  choices: Choices,
  layer: Layer,
  wanted: Scheme,
): ReadonlyMap<ColourName, Readout> => {
  const { properties, adjustments, problems } = paletteOf(choices, wanted);
  const colourAt = (property: string) => {
    const text = properties.get(property) ?? '';
    const colour = parseColour(text);
    if (!colour) throw new Error(`The palette has no colour ${property}.`);
    return { text, colour };
  };
  return new Map(
    colourNames().map((name) => {
      const { colour, front, ground, least } = PROPERTIES[name];
      const problem =
        problems.find(({ option }) => option === `appearance.${layer}.${name}`)?.message ??
        adjustments.find(({ token }) => token === name)?.message ??
        null;
      return [
        name,
        {
          colour: colourAt(colour).text,
          ratio: contrast(colourAt(front).colour, colourAt(ground).colour),
          least,
          problem,
        },
      ];
    }),
  );
};

const isColourName = (name: string): name is ColourName => Object.hasOwn(PROPERTIES, name);
const colourNames = (): readonly ColourName[] => Object.keys(PROPERTIES).filter(isColourName);

/** Formats `12.6:1`. Rounds down, so that an insufficient contrast never looks sufficient. */
export const formatRatio = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;

/** Returns the colour of a page around this form: the form's own background, or the default of the scheme. */
export const pageColourOf = (choices: Choices, pageScheme: Scheme): string => {
  const wanted = choices.theme === 'auto' ? pageScheme : choices.theme;
  const { variables, darkVariables } = parseAppearance(appearanceOf(choices));
  const given =
    (wanted === 'dark' ? darkVariables.colours.get('colorBackground') : undefined) ??
    variables.colours.get('colorBackground');
  return given ? (paletteOf(choices, wanted).properties.get('--page') ?? '') : PAGE_COLOURS[pageScheme];
};

/** The page's colours behind a transparent form. */
const PAGE_COLOURS: Readonly<Record<Scheme, string>> = { light: '#ffffff', dark: '#16181c' };
