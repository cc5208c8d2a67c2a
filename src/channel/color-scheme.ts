/**
 * How the page around the frame is painted, from what only the page can know of it. Without a schema: the part of the
 * frame that types has it, too.
 */

/** So that a transparent frame fits in. */
export type ColorScheme = 'light' | 'dark';

/** What `color-scheme` computes to where the frame stands, such as `light dark`, and whether the system is dark. */
export type Painting = readonly [schemes: string, dark: boolean];

/** The one of the schemes that the page takes which the browser chose; `light` where it takes none. */
export const colorSchemeOf = ([schemes, dark]: Painting): ColorScheme =>
  /dark/.test(schemes) && (dark || !/light/.test(schemes)) ? 'dark' : 'light';
