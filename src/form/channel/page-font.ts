/** The page's own fonts on their way to the frame. The loader ships this to pages that use such fonts. */

/** Maximum size of a font file, in bytes. */
export const LARGEST_FONT = 300_000;

/**
 * The page's answer to a request for a font file; `font` is its index in the option `fonts`. Without `bytes` there is
 * no usable file: it is too large (`size`), the server answered with an error (`status`), or it could not be fetched.
 * Without `font`, the loader's second file didn't load.
 */
export type FontFile = {
  font?: number | undefined;
  bytes?: ArrayBuffer | undefined;
  size?: number | undefined;
  status?: number | undefined;
};
