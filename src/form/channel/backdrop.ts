/**
 * Judges what the page paints behind the form. The loader describes it (`loader/describe-page.ts`), since a frame
 * cannot look through itself.
 */

export type Backdrop = {
  /**
   * The scheme of the colour behind the form; if that is unknown or in between, the one that suits the page's own text.
   */
  scheme: 'light' | 'dark';
  /** Texts of this scheme have less than 4.5:1 on that colour, so the form draws a panel under itself. */
  panel: boolean;
};

/**
 * Turns a computed colour into a grey of about its luminance, and its alpha. `NaN` propagates if it is not a colour.
 */
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
 * `description` is the colour of the container's text, then the layers behind the form from front to back: computed
 * colours, or `?` for anything else. Behind the last one is the browser's canvas, which is dark if the text is light.
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
  // Below and above these greys, text of the dark and the light scheme has 4.5:1.
  return grey < 0.204 || grey > 0.917
    ? { scheme: grey > 0.5 ? 'light' : 'dark', panel: false }
    : { scheme: ink > 0.5 ? 'dark' : 'light', panel: true };
};
