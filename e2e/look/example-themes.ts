/** The themes of the package, with the background colours of the pages they are made for. */
import { meadow, paper, print } from '../support/built-modules.mjs';

export const THEMES = {
  paper: { appearance: paper, pages: { light: '#faf6ef', dark: '#1d1814' } },
  print: { appearance: print, pages: { light: '#ffffff', dark: '#000000' } },
  meadow: { appearance: meadow, pages: { light: '#f2f8f4', dark: '#0f1d17' } },
} as const;
