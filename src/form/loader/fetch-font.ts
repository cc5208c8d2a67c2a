/** Fetches the page's own fonts for the frame, whose policy forbids it. */
import { type FontFile, LARGEST_FONT } from '../channel/page-font.ts';
import type { CardFormOptions } from './types.ts';

/**
 * Fetches a font file as the page itself would: its policy (`connect-src`) and CORS decide. Without the bytes, the
 * result has the reason, which the frame reports to the developer.
 */
export const fetchFont = async (
  { fonts }: Pick<CardFormOptions, 'fonts'>,
  { font }: { readonly font: number },
): Promise<FontFile> => {
  try {
    const response = await fetch(Object(fonts)[font].src);
    if (!response.ok) return { font, status: response.status };
    const file = await response.blob();
    return file.size > LARGEST_FONT ? { font, size: file.size } : { font, bytes: await file.arrayBuffer() };
  } catch {
    return { font };
  }
};
