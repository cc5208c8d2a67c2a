/** The page's colour behind a transparent form, against which the contrast of given colours is computed. */
import { type Colour, parseColour, WHITE } from './colour.ts';
import { blendOnto } from './contrast.ts';
import { COLOURS, type Scheme } from './tokens.ts';

/**
 * `description` is the loader's, from front to back (`channel/backdrop.ts`). A notation that only browsers can read,
 * such as `lab()`, counts as the usual background of the scheme.
 */
export const colourBehind = (description: string, scheme: Scheme): Colour => {
  const usual = parseColour(COLOURS.colorBackground[scheme]) ?? WHITE;
  const layers = description.split(';').slice(1).map(parseColour);
  const opaque = layers.findIndex((layer) => layer?.alpha === 1);
  const seen = opaque < 0 ? layers : layers.slice(0, opaque + 1);
  return seen.reduceRight<Colour>((behind, layer) => (layer ? blendOnto(layer, behind) : behind), usual);
};
