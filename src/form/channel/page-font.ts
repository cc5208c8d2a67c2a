/** The page's own fonts on their way to the frame. The loader ships this to pages that have such fonts. */

/** A file of more bytes is not used. */
export const LARGEST_FONT = 300_000;

/**
 * The page's answer to a request for the file of a font, `font` being its place in the option `fonts`. Without `bytes` there is no
 * file to use: it has too many (`size`), the server answered with an error (`status`), or it could not be fetched. Without
 * `font`, the loader's second file did not load.
 */
export type FontFile = {
  font?: number | undefined;
  bytes?: ArrayBuffer | undefined;
  size?: number | undefined;
  status?: number | undefined;
};
