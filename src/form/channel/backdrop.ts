/**
 * Judges what the page paints behind the form. The loader describes it (`loader/describe-page.ts`), since a frame
 * cannot look through itself.
 */

export type Backdrop = {
  /** That of the colour behind the form. If that is unknown or between light and dark, what suits the page's own text. */
  scheme: 'light' | 'dark';
  /** Whether texts of this scheme have less than 4.5:1 on it, so that the form lays a panel under itself. */
  panel: boolean;
};

/** A computed colour as a grey of about its luminance, and its alpha. `NaN` if it is none, and so is what depends on it. */
const greyOf = (colour: string): readonly [grey: number, alpha: number] => {
  const numbers = (colour.match(/(?<=[ (])[\d.e-]+/g) ?? []).map(Number);
  const [first = Number.NaN, second = 0, third = 0, alpha = 1] = numbers;
  const grey = colour.startsWith('r')
    ? Math.hypot(0.46 * first, 0.85 * second, 0.27 * third) / 255
    : colour.startsWith('o') // oklab(), oklch()
      ? first ** 1.4
      : colour.startsWith('l') // lab(), lch()
        ? first / 100
        : Math.hypot(0.46 * first, 0.85 * second, 0.27 * third); // color()
  return [grey, alpha];
};

/**
 * `description` is the colour of the container's text and the layers behind the form, from front to back: colours as the
 * browser computes them, and `?` for anything else. Behind the last is the browser's canvas, which is dark if texts are light.
 */
export const judgeBackdrop = (description = ''): Backdrop => {
  const [text = '', ...layers] = description.split(';');
  const [ink] = greyOf(text);
  let through = 1;
  let grey = 0;
  for (const layer of layers) {
    if (through) {
      const [level, alpha] = greyOf(layer);
      grey += through * alpha * level;
      through *= 1 - alpha;
    }
  }
  if (!(ink > 0.5)) grey += through;
  // From these greys on texts of the dark and of the light scheme have 4.5:1.
  return grey < 0.204 || grey > 0.917
    ? { scheme: grey > 0.5 ? 'light' : 'dark', panel: false }
    : { scheme: ink > 0.5 ? 'dark' : 'light', panel: true };
};
