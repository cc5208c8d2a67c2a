/**
 * The fonts that a page brings along. The form draws only letters with them, and only in texts without an amount
 * (`frame/page-fonts.ts`): such a font could draw other digits than those of the amount.
 */
import { ownProperty } from '../channel/own-property.ts';

/** The list of fonts for texts that may be drawn in a page's font, as a CSS custom property. */
export const PAGE_FONT_PROPERTY = '--page-font';

/** Our name of each family, by the page's name of it as `bareName` returns it. */
export type PageFaces = ReadonlyMap<string, string>;

/** The name of a family without quotes and in small letters. */
export const bareName = (given: string): string =>
  given
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .toLowerCase();

/** Names the families of the option `fonts`, whatever it is. Files of one family share its name. */
export const facesOf = (fonts: unknown): PageFaces => {
  const given = Array.isArray(fonts) ? fonts.map((font) => ownProperty(font, 'family')) : [];
  const families = given.filter((family) => typeof family === 'string').map(bareName);
  return new Map([...new Set(families)].map((family, index) => [family, `page-${index}`]));
};
