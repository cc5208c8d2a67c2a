/** Pictures of the screen, pixel by pixel. They are decoded here, so that no page's policy has to allow it. */
import { inflateSync } from 'node:zlib';

export type Colour = readonly [red: number, green: number, blue: number];

export type Box = { x: number; y: number; width: number; height: number };

/** A screenshot. Coordinates are whole pixels; everything outside it is black. */
export type Picture = { width: number; height: number; at(x: number, y: number): Colour };

/** Undoes the filter of one PNG line (RFC 2083, section 6), in place. */
const unfilter = (filter: number, line: Uint8Array, above: Uint8Array | undefined, pixel: number) => {
  for (let index = 0; index < line.length; index += 1) {
    const left = line[index - pixel] ?? 0;
    const up = above?.[index] ?? 0;
    const corner = (index >= pixel && above?.[index - pixel]) || 0;
    const guess = left + up - corner;
    const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
    const nearest = a <= b && a <= c ? left : b <= c ? up : corner;
    line[index] = (line[index] ?? 0) + ([0, left, up, (left + up) >> 1, nearest][filter] ?? 0);
  }
};

/** Reads a PNG as browsers write screenshots: 8 bits per channel, not interlaced. */
export const readPicture = (png: Buffer): Picture => {
  const [width, height, pixel] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const lines: Uint8Array[] = [];
  for (let row = 0; row < height; row += 1) {
    const start = row * (width * pixel + 1);
    const line = raw.subarray(start + 1, start + 1 + width * pixel);
    unfilter(raw[start] ?? 0, line, lines.at(-1), pixel);
    lines.push(line);
  }
  const at = (x: number, y: number): Colour => {
    const line = lines[y];
    return [line?.[x * pixel] ?? 0, line?.[x * pixel + 1] ?? 0, line?.[x * pixel + 2] ?? 0];
  };
  return { width, height, at };
};

/** Distance of two colours: the largest difference in a channel, 0 to 255. */
export const distance = (one: Colour, other: Colour): number =>
  Math.max(...one.map((channel, index) => Math.abs(channel - (other[index] ?? 0))));

const linear = (channel: number) => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Colour) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** As defined by WCAG 2.2: 1 to 21. */
export const contrast = (one: Colour, other: Colour): number => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};

/** Every pixel whose centre is in the box. */
export function* pixelsIn({ x, y, width, height }: Box): Generator<readonly [x: number, y: number]> {
  for (let row = Math.round(y); row < Math.round(y + height); row += 1)
    for (let column = Math.round(x); column < Math.round(x + width); column += 1) yield [column, row];
}

/** Returns true if a person sees no difference: a browser may round an edge's colours differently in each paint. */
export const looksAlike = (one: Picture, other: Picture): boolean => {
  if (one.width !== other.width || one.height !== other.height) return false;
  for (const [x, y] of pixelsIn({ ...one, x: 0, y: 0 }))
    if (distance(one.at(x, y), other.at(x, y)) > 2) return false;
  return true;
};

/** Share of a picture's pixels that have one of these colours. */
export const shareOf = ({ width, height, at }: Picture, colours: readonly Colour[]): number => {
  let count = 0;
  for (const [x, y] of pixelsIn({ x: 0, y: 0, width, height }))
    if (colours.some((colour) => distance(colour, at(x, y)) === 0)) count += 1;
  return count / (width * height);
};
