/**
 * Reads the look of a field or button: what it and the boxes that fill it paint together. If a wrapper draws the
 * border, the wrapper is `box`, and the field is inside it.
 */
import {
  type BoxShadow,
  CLEAR,
  faded,
  over,
  type Rgba,
  readColour,
  readGradients,
  readShadows,
  type ToSrgb,
} from './css-values.ts';
import type { Look, Pseudo } from './stage.ts';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;

/** The properties that `readPaint` reads. */
export const PAINTED: readonly string[] = [
  ...SIDES.flatMap((side) => ['style', 'width', 'color'].map((what) => `border-${side}-${what}`)),
  ...['background-color', 'background-image', 'box-shadow', 'opacity', 'color', 'filter'],
  ...[
    'outline-style',
    'outline-width',
    'outline-color',
    'outline-offset',
    'content',
    'position',
    'transform',
  ],
  ...['height', 'visibility', 'display'],
];

export type Paint = {
  background: Rgba;
  /** In px, from the top clockwise. */
  widths: readonly number[];
  border: Rgba;
  shadows: readonly BoxShadow[];
  outline: { width: number; offset: number; colour: Rgba } | null;
  color: Rgba;
  placeholder: Rgba;
};

const number = (text: string): number => Number.parseFloat(text) || 0;

/** Maximum distance between the edges of a box and one that fills it, in px. Some borders have a gap for a label. */
const NEAR = 2;
const LEGEND = 8;

/** Returns true if `one` is about as large as `box`. */
export const fills = (one: Element, box: Element): boolean => {
  const [inner, outer] = [one.getBoundingClientRect(), box.getBoundingClientRect()];
  return (
    Math.abs(inner.left - outer.left) <= NEAR &&
    Math.abs(inner.right - outer.right) <= NEAR &&
    Math.abs(inner.top - outer.top) <= LEGEND &&
    Math.abs(inner.bottom - outer.bottom) <= NEAR &&
    inner.width > 0
  );
};

type Line = { widths: readonly number[]; colour: Rgba };

/** `boxes` fill one another; the first is the outermost. */
export const readPaint = (boxes: readonly Element[], control: Element, look: Look, toSrgb: ToSrgb): Paint => {
  const [box = control] = boxes;
  const colourOf = (element: Element, property: string, pseudo?: Pseudo) =>
    readColour(look(element, property, pseudo), toSrgb);
  const dimmed = (colour: Rgba, element: Element, pseudo?: Pseudo): Rgba => {
    const bright = number(/brightness\(([\d.]+)\)/.exec(look(element, 'filter', pseudo))?.[1] ?? '1');
    const [red, green, blue, alpha] = colour;
    const channel = (value: number) => Math.min(255, value * bright);
    return faded(
      [channel(red), channel(green), channel(blue), alpha],
      Number(look(element, 'opacity', pseudo)),
    );
  };
  const lineOf = (element: Element, pseudo?: Pseudo): Line => {
    const widths = SIDES.map((side) =>
      /none|hidden/.test(look(element, `border-${side}-style`, pseudo))
        ? 0
        : number(look(element, `border-${side}-width`, pseudo)),
    );
    const side = SIDES[widths.indexOf(Math.max(...widths))] ?? 'top';
    return { widths, colour: dimmed(colourOf(element, `border-${side}-color`, pseudo), element, pseudo) };
  };
  const isSeen = ({ widths, colour }: Line) => Math.max(...widths) > 0 && colour[3] > 0.01;

  /** Lines that pseudo-elements draw along an edge of the box. */
  const drawnBeside = (element: Element): readonly Line[] =>
    (['::after', '::before'] as const).flatMap((pseudo) => {
      const isThere =
        !/^(none|normal)$/.test(look(element, 'content', pseudo)) &&
        look(element, 'position', pseudo) === 'absolute' &&
        /^(none|matrix\(1, 0, 0, 1, )/.test(look(element, 'transform', pseudo)) &&
        look(element, 'visibility', pseudo) !== 'hidden' &&
        Number(look(element, 'opacity', pseudo)) > 0;
      if (!isThere) return [];
      const line = lineOf(element, pseudo);
      if (isSeen(line)) return [line];
      const height = number(look(element, 'height', pseudo));
      const colour = colourOf(element, 'background-color', pseudo);
      return height > 0 && height <= 4 && colour[3] > 0 ? [{ widths: [0, 0, height, 0], colour }] : [];
    });

  let background = CLEAR;
  let shadows: readonly BoxShadow[] = [];
  for (const one of boxes) {
    const own = over(readGradients(look(one, 'background-image'), toSrgb), colourOf(one, 'background-color'));
    background = over(dimmed(own, one), background);
    shadows = [...shadows, ...readShadows(look(one, 'box-shadow'), toSrgb)];
  }
  const lines = [...boxes.map((one) => lineOf(one)), ...boxes.flatMap(drawnBeside)];
  const line = lines.find(isSeen) ?? { ...lineOf(box), colour: CLEAR };
  const outlines = [...new Set([...boxes, control])].flatMap((one) => {
    const [style, width] = [look(one, 'outline-style'), number(look(one, 'outline-width'))];
    const colour = colourOf(one, 'outline-color');
    // The browsers' own outlines (`auto`) all look different.
    return /none|hidden|auto/.test(style) || width === 0 || colour[3] < 0.01
      ? []
      : [{ width, offset: number(look(one, 'outline-offset')), colour }];
  });
  const ink = dimmed(colourOf(control, 'color'), control);
  const placeholder = colourOf(control, 'color', '::placeholder');
  const shade = Number(look(control, 'opacity', '::placeholder')) || 1;
  return {
    background,
    widths: line.widths,
    border: over(line.colour, background),
    shadows,
    outline: outlines[0] ?? null,
    color: ink,
    placeholder: faded(placeholder, shade),
  };
};

/** The radii of the corners in px, from the top left clockwise. */
export const readCorners = (boxes: readonly Element[]): readonly number[] => {
  const cornersOf = (one: Element) => {
    const { height, width } = one.getBoundingClientRect();
    const style = getComputedStyle(one);
    return CORNERS.map((corner) => {
      const text = style.getPropertyValue(`border-${corner}-radius`).split(' ')[0] ?? '';
      const least = Math.min(height, width) / 2;
      const radius = text.endsWith('%') ? (number(text) * least) / 50 : number(text);
      return least > 0 ? Math.min(radius, least) : radius;
    });
  };
  const all = boxes.map(cornersOf);
  return all.find((corners) => corners.some((corner) => corner > 0)) ?? all[0] ?? [0, 0, 0, 0];
};
