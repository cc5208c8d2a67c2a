/**
 * A font that draws every letter of every script as the same box (compare the Ahem font of the web platform tests).
 * Text has the same size and look on every machine, so that screenshots and heights are comparable.
 */
import type { Form } from '../support/form-states.ts';
import { type Characters, trueType } from '../support/truetype.ts';

/** Spaces use the first glyph, which is empty; everything else uses the second. */
const CHARACTERS: Characters = [
  [0x20, 0x20, 0],
  [0x21, 0x9f, 1],
  [0xa0, 0xa0, 0],
  [0xa1, 0x1fff, 1],
  [0x2000, 0x200f, 0],
  [0x2010, 0x2027, 1],
  [0x2028, 0x202f, 0],
  [0x2030, 0x205f, 1],
  [0x2060, 0x206f, 0],
  [0x2070, 0x2fff, 1],
  [0x3000, 0x3000, 0],
  [0x3001, 0xd7ff, 1],
  [0xe000, 0xfb4f, 1],
  // Without Arabic presentation forms: two equal boxes would become a ligature.
  [0xff00, 0x1ffff, 1],
];

const screenshotFont = (): Buffer =>
  trueType({
    glyphs: [{ advance: 280 }, { advance: 520, box: [60, 0, 460, 620] }],
    characters: CHARACTERS,
  });

/** Sets all text of a form in the box font. The font is passed as bytes, to which the frame's policy does not apply. */
export const setInBoxes = ({ root }: Form): Promise<void> =>
  root.evaluate(async (element, font) => {
    const bytes = Uint8Array.from(atob(font), (character) => character.charCodeAt(0));
    document.fonts.add(await new FontFace('Boxes', bytes).load());
    element.style.setProperty('--font', 'Boxes');
  }, screenshotFont().toString('base64'));
