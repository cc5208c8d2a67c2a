/**
 * Derives every colour of the form from the merchant's colours. Text always has a contrast of 4.5:1 with its
 * backgrounds, and shapes have 3:1: a given colour with less is moved towards black or white, and reported.
 */
import { BLACK, type Colour, parseColour, type Translucent, WHITE, writeColour } from './colour.ts';
import {
  blackOrWhite,
  blendOnto,
  contrast,
  lowestContrast,
  mix,
  readable,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  tint,
} from './contrast.ts';
import { COLOURS, type ColourToken, type Scheme } from './tokens.ts';

/** A given colour with too little contrast. `message` is for the merchant's developer. */
export type Adjustment = { token: ColourToken; message: string };

/** The style's custom properties with their values, and the given colours that were changed. */
export type Palette = { properties: ReadonlyMap<string, string>; adjustments: readonly Adjustment[] };

/** The share of the text colour in the total's background, by scheme; must match first.css. */
const SOFT_TINT = { light: 0x0d / 255, dark: 0x14 / 255 } as const;

/** The colour with enough contrast with each background, and a message if it was changed. */
export const adjust = (
  wanted: Colour,
  backgrounds: readonly [Colour, ...Colour[]],
  least: number,
): { colour: Colour; message: string | null } => {
  const colour = readable(wanted, backgrounds, least);
  const lowest = lowestContrast(wanted, backgrounds);
  if (lowest >= least) return { colour, message: null };
  const worst = backgrounds.find((one) => contrast(wanted, one) === lowest) ?? backgrounds[0];
  const has = Math.floor(lowest * 100) / 100;
  return {
    colour,
    message: `${writeColour(wanted)} on ${writeColour(worst)} has a contrast of ${has}:1; at least ${least}:1 is needed. ${writeColour(colour)} is used instead.`,
  };
};

/** The scheme of a form on this background: dark if white text is easier to read on it. */
export const schemeOf = (background: Colour): Scheme =>
  blackOrWhite(background) === WHITE ? 'dark' : 'light';

/**
 * `behind` is the page's colour behind a transparent form: then only properties that depend on given colours are set,
 * and their contrast is computed against it. If it is null, the form paints its own background, and every property is
 * set.
 */
export const createPalette = (
  given: ReadonlyMap<ColourToken, Translucent>,
  { scheme, behind }: { scheme: Scheme; behind: Colour | null },
): Palette => {
  const properties = new Map<string, string>();
  const adjustments: Adjustment[] = [];

  /** The token's given colour, or `fallback`, or the default; as it appears on this background. */
  const colourOf = (token: ColourToken, background: Colour, fallback?: Colour): Colour => {
    const chosen = given.get(token);
    return chosen || !fallback ? blendOnto(chosen ?? defaultOf(token, scheme), background) : fallback;
  };

  /** The token's colour, changed only as far as this contrast with the backgrounds requires. */
  const readableColour = (
    token: ColourToken,
    backgrounds: readonly [Colour, ...Colour[]],
    least: number,
    fallback?: Colour,
  ): Colour => {
    const { colour, message } = adjust(colourOf(token, backgrounds[0], fallback), backgrounds, least);
    if (given.has(token) && message) adjustments.push({ token, message });
    return colour;
  };

  /** Sets properties that depend on these tokens. */
  const set = (tokens: readonly ColourToken[], values: Readonly<Record<`--${string}`, string>>) => {
    if (behind && !tokens.some((token) => given.has(token))) return;
    for (const [property, value] of Object.entries(values)) properties.set(property, value);
  };

  const isDark = scheme === 'dark';
  const share = isDark ? 0.16 : 0.08;
  const background = behind ?? colourOf('colorBackground', WHITE);
  const softBackground = tint(background, colourOf('colorText', background), SOFT_TINT[scheme]);
  const infoBackground = tint(background, colourOf('colorPrimary', background), share);
  const dangerBackground = tint(background, colourOf('colorDanger', background), share);
  const successBackground = tint(background, colourOf('colorSuccess', background), share);
  if (!behind) properties.set('--page', writeColour(background));

  const text = readableColour('colorText', [background, softBackground, infoBackground], TEXT_CONTRAST);
  set(['colorText'], {
    '--ink': writeColour(text),
    '--ground-soft': writeColour(softBackground),
    '--line': writeColour(mix(background, text, 0.24)),
  });
  set(['colorTextSecondary'], {
    '--ink-soft': writeColour(
      readableColour(
        'colorTextSecondary',
        [background, softBackground],
        TEXT_CONTRAST,
        mix(background, text, 0.72),
      ),
    ),
  });

  const accent = writeColour(
    readableColour('colorPrimary', [background, softBackground, infoBackground], TEXT_CONTRAST),
  );
  set(['colorPrimary'], {
    '--accent': accent,
    '--ring': `${accent}52`,
    '--info-ground': writeColour(infoBackground),
  });

  const danger = writeColour(readableColour('colorDanger', [background, dangerBackground], TEXT_CONTRAST));
  set(['colorDanger'], {
    '--bad': danger,
    '--bad-ring': `${danger}47`,
    '--bad-ground': writeColour(dangerBackground),
  });
  set(['colorSuccess'], {
    '--good': writeColour(readableColour('colorSuccess', [successBackground], SHAPE_CONTRAST)),
    '--good-ground': writeColour(successBackground),
  });

  // Not reported: colorText is chosen for the form's background and need not suit the fields.
  const field = colourOf('colorFieldBackground', background);
  const fieldText = readable(colourOf('colorText', field), [field], TEXT_CONTRAST);
  set(['colorFieldBackground'], { '--field': writeColour(field) });
  set(['colorFieldBackground', 'colorText'], { '--field-ink': writeColour(fieldText) });
  set(['colorFieldBackground', 'colorText', 'colorTextPlaceholder'], {
    '--field-soft': writeColour(
      readableColour('colorTextPlaceholder', [field], TEXT_CONTRAST, mix(field, fieldText, 0.64)),
    ),
  });
  const line = readableColour('colorBorder', [background], SHAPE_CONTRAST, mix(background, text, 0.5));
  set(['colorBorder'], {
    '--field-line': writeColour(line),
    '--field-line-strong': writeColour(mix(line, blackOrWhite(background), 0.3)),
  });

  const hasButton = given.has('buttonColorBackground') || given.has('colorPrimary');
  const button = colourOf(
    given.has('buttonColorBackground') ? 'buttonColorBackground' : 'colorPrimary',
    background,
  );
  const label =
    given.has('buttonColorText') || !hasButton
      ? readableColour('buttonColorText', [button], TEXT_CONTRAST)
      : contrast(WHITE, button) >= TEXT_CONTRAST
        ? WHITE
        : BLACK;
  set(
    ['buttonColorBackground', 'colorPrimary', 'buttonColorText'],
    buttonProperties(button, label, background),
  );

  return { properties, adjustments };
};

const buttonProperties = (button: Colour, label: Colour, background: Colour) => ({
  '--button': writeColour(button),
  '--button-strong': writeColour(hoverColour(button, label)),
  '--on-button': writeColour(label),
  // A button whose colour is close to the background's gets an outline.
  '--button-line':
    contrast(button, background) >= SHAPE_CONTRAST
      ? 'transparent'
      : writeColour(readable(button, [background], SHAPE_CONTRAST)),
});

const defaultOf = (token: ColourToken, scheme: Scheme): Translucent => {
  const colour = parseColour(COLOURS[token][scheme]);
  if (!colour) throw new Error(`The default of ${token} is not a colour.`); // a test parses them all
  return colour;
};

/** The button's colour on hover: further from the label's if possible, otherwise closer to it. */
export const hoverColour = (button: Colour, label: Colour): Colour => {
  const away = blackOrWhite(label);
  const towards = away === WHITE ? BLACK : WHITE;
  const found = [mix(button, away, 0.16), mix(button, towards, 0.1)].find(
    (candidate) => contrast(candidate, button) > 1.1 && contrast(label, candidate) >= TEXT_CONTRAST,
  );
  return found ?? button;
};
