/**
 * From the colours that were given to every colour of the form. Whatever was given, text has 4.5:1 on all that it
 * stands on and shapes have 3:1; a colour that has not is moved towards black or white until it has, and named.
 */
import { BLACK, type Colour, parseColour, type Translucent, WHITE, writeColour } from './colour.ts';
import { contrast, lowest, mix, over, pole, readable, SHAPE, TEXT, tint } from './contrast.ts';
import { COLOURS, type ColourToken, type Scheme } from './tokens.ts';

/** A given colour that could not be read where it stands. */
export type Adjustment = { token: ColourToken; message: string };

/** Custom properties of the style, and what had to be changed for them. */
export type Palette = { properties: ReadonlyMap<string, string>; adjustments: readonly Adjustment[] };

/** How much of the text's colour is in the ground of the total; as in form.css. */
const SOFT = { light: 0x0d / 255, dark: 0x14 / 255 } as const;

/** Text on a ground of its own is light or dark by this. */
export const schemeOf = (ground: Colour): Scheme => (pole(ground) === WHITE ? 'dark' : 'light');

/**
 * Where the ground is `painted` by the form, all of it is worn. Else the form stands on the page: only what the
 * given colours touch is worn, and is held against the scheme's usual ground.
 */
export const createPalette = (
  given: ReadonlyMap<ColourToken, Translucent>,
  { scheme, painted }: { scheme: Scheme; painted: boolean },
): Palette => {
  const properties = new Map<string, string>();
  const adjustments: Adjustment[] = [];

  const take = (token: ColourToken, ground: Colour, otherwise?: Colour): Colour => {
    const wish = given.get(token);
    return wish || !otherwise ? over(wish ?? preset(token, scheme), ground) : otherwise;
  };

  /** The colour of a token, else its default or what it is to be `otherwise`, so that it can be read on these. */
  const legible = (
    token: ColourToken,
    grounds: readonly [Colour, ...Colour[]],
    least: number,
    otherwise?: Colour,
  ): Colour => {
    const wish = take(token, grounds[0], otherwise);
    const fitting = readable(wish, grounds, least);
    const found = lowest(wish, grounds);
    if (given.has(token) && found < least) {
      const worst = grounds.find((one) => contrast(wish, one) === found) ?? grounds[0];
      const has = Math.floor(found * 100) / 100;
      adjustments.push({
        token,
        message: `${writeColour(wish)} on ${writeColour(worst)} has a contrast of ${has}:1; ${least}:1 is needed. ${writeColour(fitting)} was taken.`,
      });
    }
    return fitting;
  };

  /** Sets a property that follows from these tokens, besides what it stands on. */
  const wear = (tokens: readonly ColourToken[], values: Readonly<Record<`--${string}`, string>>) => {
    if (!painted && !tokens.some((token) => given.has(token))) return;
    for (const [property, value] of Object.entries(values)) properties.set(property, value);
  };

  const isDark = scheme === 'dark';
  const touch = isDark ? 0.16 : 0.08;
  const ground = take('colorBackground', WHITE);
  const soft = tint(ground, take('colorText', ground), SOFT[scheme]);
  const infoGround = tint(ground, take('colorPrimary', ground), touch);
  const badGround = tint(ground, take('colorDanger', ground), touch);
  const goodGround = tint(ground, take('colorSuccess', ground), touch);
  if (painted) properties.set('--page', writeColour(ground));

  const ink = legible('colorText', [ground, soft, infoGround], TEXT);
  wear(['colorText'], {
    '--ink': writeColour(ink),
    '--ground-soft': writeColour(soft),
    '--line': writeColour(mix(ground, ink, 0.24)),
  });
  wear(['colorTextSecondary'], {
    '--ink-soft': writeColour(legible('colorTextSecondary', [ground, soft], TEXT, mix(ground, ink, 0.72))),
  });

  const accent = writeColour(legible('colorPrimary', [ground, soft, infoGround], TEXT));
  wear(['colorPrimary'], {
    '--accent': accent,
    '--ring': `${accent}52`,
    '--info-ground': writeColour(infoGround),
  });

  const bad = writeColour(legible('colorDanger', [ground, badGround], TEXT));
  wear(['colorDanger'], { '--bad': bad, '--bad-ring': `${bad}47`, '--bad-ground': writeColour(badGround) });
  wear(['colorSuccess'], {
    '--good': writeColour(legible('colorSuccess', [goodGround], SHAPE)),
    '--good-ground': writeColour(goodGround),
  });

  // Never named: a colour for text on the page may well be no colour for text in the fields.
  const field = take('colorFieldBackground', ground);
  const fieldInk = readable(take('colorText', field), [field], TEXT);
  wear(['colorFieldBackground'], {
    '--field': writeColour(field),
    '--field-ink': writeColour(fieldInk),
  });
  wear(['colorFieldBackground', 'colorTextPlaceholder'], {
    '--field-soft': writeColour(legible('colorTextPlaceholder', [field], TEXT, mix(field, fieldInk, 0.64))),
  });
  const line = legible('colorBorder', [ground], SHAPE, mix(ground, ink, 0.5));
  wear(['colorBorder'], {
    '--field-line': writeColour(line),
    '--field-line-strong': writeColour(mix(line, pole(ground), 0.3)),
  });

  const hasButton = given.has('buttonColorBackground') || given.has('colorPrimary');
  const button = take(given.has('buttonColorBackground') ? 'buttonColorBackground' : 'colorPrimary', ground);
  const label =
    given.has('buttonColorText') || !hasButton
      ? legible('buttonColorText', [button], TEXT)
      : contrast(WHITE, button) >= TEXT
        ? WHITE
        : BLACK;
  wear(['buttonColorBackground', 'colorPrimary', 'buttonColorText'], {
    '--button': writeColour(button),
    '--button-strong': writeColour(hovered(button, label)),
    '--on-button': writeColour(label),
    // A button that is hardly another colour than the page still has a shape.
    '--button-line':
      contrast(button, ground) >= SHAPE ? 'transparent' : writeColour(readable(button, [ground], SHAPE)),
  });

  return { properties, adjustments };
};

const preset = (token: ColourToken, scheme: Scheme): Translucent => {
  const colour = parseColour(COLOURS[token][scheme]);
  if (!colour) throw new Error(`The default of ${token} is no colour.`); // a test reads them all
  return colour;
};

/** Away from the label, so that it is read better still; towards it where there is no other way to be seen. */
const hovered = (button: Colour, label: Colour): Colour => {
  const away = pole(label);
  const towards = away === WHITE ? BLACK : WHITE;
  const found = [mix(button, away, 0.16), mix(button, towards, 0.1)].find(
    (candidate) => contrast(candidate, button) > 1.1 && contrast(label, candidate) >= TEXT,
  );
  return found ?? button;
};
