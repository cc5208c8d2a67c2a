/**
 * Writes TrueType fonts for tests: one whose letters are boxes, and fonts that lie. Glyphs are rectangles, so that a
 * picture shows where each was painted.
 */

const UNITS = 1000;

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

/** A rectangle: left, bottom, right and top in thousandths of the font size, from the start of the baseline. */
export type Rectangle = readonly [left: number, bottom: number, right: number, top: number];

/** A character's painted box and the distance to the next one. Without a box, nothing is painted. */
export type Glyph = { advance: number; box?: Rectangle };

/** Ranges of characters with their glyph's number. */
export type Characters = readonly (readonly [from: number, to: number, glyph: number])[];

export type FontSource = {
  glyphs: readonly Glyph[];
  characters: Characters;
  /** Layout tables, such as `GSUB`. */
  layout?: Readonly<Record<string, Buffer>>;
};

/** All four points are on the outline. */
const outline = ({ box }: Glyph): Buffer => {
  if (!box) return Buffer.alloc(0);
  const [left, bottom, right, top] = box;
  return Buffer.concat([
    u16(1, left, bottom, right, top, 3, 0),
    Buffer.from([1, 1, 1, 1]),
    u16(left, 0, right - left, 0), // x, relative to the previous point
    u16(bottom, top - bottom, 0, bottom - top), // y
    Buffer.alloc(2), // padding to a multiple of four
  ]);
};

const tablesOf = ({ glyphs, characters, layout = {} }: FontSource): Readonly<Record<string, Buffer>> => {
  const outlines = glyphs.map(outline);
  const ends = [0];
  for (const one of outlines) ends.push((ends.at(-1) ?? 0) + one.length);
  const map = Buffer.concat([
    u16(0, 1, 3, 10),
    u32(12),
    u16(13, 0), // many characters to one glyph
    u32(16 + characters.length * 12, 0, characters.length),
    ...characters.map((range) => u32(...range)),
  ]);
  const name = Buffer.from('Boxes', 'utf16le').swap16();
  return {
    ...layout,
    'OS/2': Buffer.concat([
      u16(4, 520, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
      Buffer.alloc(10 + 16),
      Buffer.from('NONE'),
      u16(0x40, 0x20, 0xffff, 750, -250, 0, 800, 250),
      u32(1, 0),
      u16(500, 620, 0, 0x20, 1),
    ]),
    cmap: map,
    glyf: Buffer.concat(outlines),
    head: Buffer.concat([
      u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      u16(3, UNITS),
      Buffer.alloc(16),
      u16(0, 0, 600, 800, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([
      u32(0x10000),
      u16(800, -250, 0, 520, 0, 0, 520, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length),
    ]),
    hmtx: u16(...glyphs.flatMap(({ advance, box }) => [advance, box?.[0] ?? 0])),
    loca: u32(...ends),
    maxp: Buffer.concat([u32(0x10000), u16(glyphs.length, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: Buffer.concat([u16(0, 1, 18, 3, 1, 0x409, 1, name.length, 0), name]),
    post: u32(0x30000, 0, 0, 0, 0, 0, 0, 0),
  };
};

/** The font as a file. */
export const trueType = (source: FontSource): Buffer => {
  const tables = Object.entries(tablesOf(source)).sort(([one], [other]) => (one < other ? -1 : 1));
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

/** Glyphs as a lookup's coverage table. */
const coverage = (...glyphs: readonly number[]): Buffer => u16(1, glyphs.length, ...glyphs);

/** A layout table with one feature for every script, with one lookup and one subtable. */
const layoutTable = (feature: string, kind: number, subtable: Buffer): Buffer => {
  const scripts = ['DFLT', 'latn'];
  const records = scripts.map((tag, index) =>
    Buffer.concat([Buffer.from(tag), u16(2 + scripts.length * 6 + index * 12)]),
  );
  const script = u16(4, 0, 0, 0xffff, 1, 0); // the default language, with the one feature
  const scriptList = Buffer.concat([u16(scripts.length), ...records, ...scripts.map(() => script)]);
  const featureList = Buffer.concat([u16(1), Buffer.from(feature), u16(8, 0, 1, 0)]);
  const lookupList = Buffer.concat([u16(1, 4, kind, 0, 1, 8), subtable]);
  const features = 10 + scriptList.length;
  return Buffer.concat([
    u16(1, 0, 10, features, features + featureList.length),
    scriptList,
    featureList,
    lookupList,
  ]);
};

/**
 * A `GSUB` that draws glyph `to` instead of `from` under this feature: each one (`locl`, `calt`), or each pair
 * (`liga`).
 */
export const substitute = (feature: 'liga' | 'calt' | 'locl', from: number, to: number): Buffer =>
  feature === 'liga'
    ? layoutTable(feature, 4, Buffer.concat([u16(1, 8, 1, 14), coverage(from), u16(1, 4, to, 2, from)]))
    : layoutTable(feature, 1, Buffer.concat([u16(2, 8, 1, to), coverage(from)]));

/** A `GPOS` that adds to a glyph's advance, possibly so much that it moves backwards. */
export const advanceBy = (glyph: number, by: number): Buffer =>
  layoutTable('kern', 1, Buffer.concat([u16(1, 8, 4, by), coverage(glyph)]));
