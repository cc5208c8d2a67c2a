/** Fetches the page's own fonts for the frame, whose policy forbids it to. */
import { type FontFile, LARGEST_FONT } from '../channel/page-font.ts';
import type { CardFormOptions } from './types.ts';

/**
 * The file of a font, as the page itself could fetch it: its policy (`connect-src`) and CORS decide. Without the bytes, why they are
 * missing; the frame says it to the developer.
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
