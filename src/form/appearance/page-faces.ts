/**
 * The page's own fonts. The form draws only letters with them, and only in texts without an amount
 * (`frame/page-fonts.ts`), since such a font could draw digits that differ from the amount's.
 */
import { ownProperty } from '../channel/own-property.ts';

/** The CSS custom property with the font list for texts that may use a page's font. */
export const PAGE_FONT_PROPERTY = '--page-font';

/** Our name of each family, by the page's name as `bareName` returns it. */
export type PageFaces = ReadonlyMap<string, string>;

/** The name of a family in lower case and without quotes. */
export const bareName = (given: string): string =>
  given
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .toLowerCase();

/** Names the families of the option `fonts`, whatever its value. Files of one family share its name. */
export const facesOf = (fonts: unknown): PageFaces => {
  const given = Array.isArray(fonts) ? fonts.map((font) => ownProperty(font, 'family')) : [];
  const families = given.filter((family) => typeof family === 'string').map(bareName);
  return new Map([...new Set(families)].map((family, index) => [family, `page-${index}`]));
};
