/**
 * A font in which every letter of every script is the same box (compare the Ahem font of the web platform tests). Text
 * has the same size and look on every machine, so that screenshots and heights can be compared across machines.
 */
import type { Form } from '../support/form-states.ts';

const UNITS = 1000;
const GLYPHS = 2; // the missing glyph and the box

const bytes = (...parts: readonly (readonly [size: 1 | 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    parts.map(([size, value]) => {
      const part = Buffer.alloc(size);
      part.writeUIntBE(value < 0 ? value + 256 ** size : value, 0, size);
      return part;
    }),
  );

const u16 = (...values: readonly number[]): Buffer => bytes(...values.map((value) => [2, value] as const));
const u32 = (...values: readonly number[]): Buffer => bytes(...values.map((value) => [4, value] as const));

/** A rectangle; all four points stand on the outline. */
const box = (left: number, bottom: number, right: number, top: number): Buffer =>
  Buffer.concat([
    u16(1, left, bottom, right, top, 3, 0),
    Buffer.from([1, 1, 1, 1]),
    u16(left, 0, right - left, 0), // x, each from the one before
    u16(bottom, top - bottom, 0, bottom - top), // y
    Buffer.alloc(2), // padding to a multiple of four
  ]);

/** Spaces use the first glyph, which is empty; everything else uses the second. */
const CHARACTERS: readonly (readonly [from: number, to: number, glyph: number])[] = [
  [0x20, 0x20, 0],
  [0x21, 0x9f, 1],
  [0xa0, 0xa0, 0],
  [0xa1, 0x1fff, 1],
  [0x2000, 0x200f, 0],
  [0x2010, 0x2027, 1],
  [0x2028, 0x202f, 0],
  [0x2030, 0x205f, 1],
  [0x2060, 0x206f, 0],
  [0x2070, 0x2fff, 1],
  [0x3000, 0x3000, 0],
  [0x3001, 0xd7ff, 1],
  [0xe000, 0xfb4f, 1],
  // Arabic presentation forms are left out: two equal boxes would become a ligature.
  [0xff00, 0x1ffff, 1],
];

const TABLES = (): Readonly<Record<string, Buffer>> => {
  const glyph = box(60, 0, 460, 620);
  const map = Buffer.concat([
    u16(0, 1, 3, 10),
    u32(12),
    u16(13, 0), // many characters to one glyph
    u32(16 + CHARACTERS.length * 12, 0, CHARACTERS.length),
    ...CHARACTERS.map((range) => u32(...range)),
  ]);
  const name = Buffer.from('Boxes', 'utf16le').swap16();
  return {
    'OS/2': Buffer.concat([
      u16(4, 520, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
      Buffer.alloc(10 + 16),
      Buffer.from('NONE'),
      u16(0x40, 0x20, 0xffff, 750, -250, 0, 800, 250),
      u32(1, 0),
      u16(500, 620, 0, 0x20, 1),
    ]),
    cmap: map,
    glyf: glyph,
    head: Buffer.concat([
      u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      u16(3, UNITS),
      Buffer.alloc(16),
      u16(0, 0, 600, 800, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x10000), u16(800, -250, 0, 520, 0, 0, 520, 1, 0, 0, 0, 0, 0, 0, 0, GLYPHS)]),
    hmtx: u16(280, 0, 520, 60),
    loca: u32(0, 0, glyph.length),
    maxp: Buffer.concat([u32(0x10000), u16(GLYPHS, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: Buffer.concat([u16(0, 1, 18, 3, 1, 0x409, 1, name.length, 0), name]),
    post: u32(0x30000, 0, 0, 0, 0, 0, 0, 0),
  };
};

/** The font as a file (TrueType). */
const screenshotFont = (): Buffer => {
  const tables = Object.entries(TABLES());
  const heads: Buffer[] = [];
  const bodies: Buffer[] = [];
  let at = 12 + tables.length * 16;
  for (const [tag, table] of tables) {
    const body = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    let sum = 0;
    for (let word = 0; word < body.length; word += 4) sum = (sum + body.readUInt32BE(word)) % 2 ** 32;
    heads.push(Buffer.concat([Buffer.from(tag), u32(sum, at, table.length)]));
    bodies.push(body);
    at += body.length;
  }
  const power = Math.floor(Math.log2(tables.length));
  const range = 2 ** power * 16;
  const start = Buffer.concat([u32(0x10000), u16(tables.length, range, power, tables.length * 16 - range)]);
  return Buffer.concat([start, ...heads, ...bodies]);
};

/** Sets all text of a form in the box font. It is passed as bytes, to which the frame's policy does not apply. */
export const setInBoxes = ({ root }: Form): Promise<void> =>
  root.evaluate(async (element, font) => {
    const bytes = Uint8Array.from(atob(font), (character) => character.charCodeAt(0));
    document.fonts.add(await new FontFace('Boxes', bytes).load());
    element.style.setProperty('--font', 'Boxes');
  }, screenshotFont().toString('base64'));
