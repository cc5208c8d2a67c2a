/** How the page around the frame is painted, so that a transparent frame fits in. */
export type ColorScheme = 'light' | 'dark';

/**
 * The one of the schemes that the page takes which the browser chose; `light` where it takes none. `painting`: what
 * `color-scheme` computes to where the frame stands and, behind it, whether the system is dark, `light dark true`.
 */
export const colorSchemeOf = (painting: string): ColorScheme =>
  /dark/.test(painting) && (/true$/.test(painting) || !/light/.test(painting)) ? 'dark' : 'light';
