/**
 * The map in docs/architecture.svg: the folders of src/ as boxes in layers, the imports between them as arrows that
 * all point down. `form`, its `frame` and `sandbox` have a panel of their own for the folders in them. What a box says of its
 * folder is the table in docs/architecture.md.
 */
import { type Arrow, graphOf, type How, loadedWith, reduced } from './graph.ts';
import type { Modules } from './imports.ts';
import { type Gaps, layOut, type Point, type Size } from './layout.ts';

/** Folders whose inside is drawn as well, from left to right. */
export const PANELS: readonly string[] = ['src/form', 'src/form/frame', 'src/sandbox'];

/** All that it loads arrives in the one response that a buyer waits for. */
const ENTRY = 'src/form/frame/main.ts';

/** Read by tests alone, or open to all: drawn, they would say nothing. */
const LEFT_OUT: readonly string[] = ['src/proof/architecture', 'src/form/check.ts'];

const MARGIN = 28;
const GAPS = { overview: { across: 14, down: 44 }, panel: { across: 14, down: 30 } };
const HEADING = 40;

/** Characters are about so wide, in parts of the font's size. */
const CHARACTER = 0.57;
const LINE = { name: 18, text: 14 };
const FONT = { name: 13, text: 11, heading: 15 };
const PADDING = { x: 12, y: 10 };

type Box = {
  id: string;
  name: string;
  about: readonly string[];
  notes: readonly string[];
  isFirst: boolean;
  size: Size;
};

/** The folder right below src/, or null for a file there that is not drawn. */
const folderOf = (path: string): string | null => {
  if (LEFT_OUT.some((left) => within(path, left))) return null;
  const [, folder, ...rest] = path.split('/');
  return rest.length > 0 ? `src/${folder}` : null;
};

/** Inside a panel's folder: the most specific place that a file is in. A folder with a panel of its own is one part. */
const partOf =
  (panel: string, places: readonly string[]) =>
  (path: string): string | null =>
    places
      .filter((place) => within(place, panel) && within(path, place) && !isInside(place, panel))
      .reduce<string | null>((best, place) => (place.length > (best?.length ?? 0) ? place : best), null);

/** Whether a place lies in a panel that is itself a part of this one. */
const isInside = (place: string, panel: string): boolean =>
  PANELS.some((other) => other !== panel && within(other, panel) && other !== place && within(place, other));

const within = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/**
 * `places` are the folders and files with walls of their own; `about` says in a few words what each is, and
 * `src/form/frame/*` what lies in `src/form/frame` itself.
 */
export const mapOf = (
  modules: Modules,
  places: readonly string[],
  about: ReadonlyMap<string, string>,
): string => {
  const first = loadedWith(ENTRY, modules);
  const overview = panelOf(modules, folderOf, { box: 122, gaps: GAPS.overview }, (id, files) => ({
    name: baseOf(id),
    about: about.get(id) ?? '',
    notes: PANELS.includes(id) ? 'see below' : '',
    isFirst: files.some((file) => first.has(file)),
  }));
  const panels = PANELS.map((panel) => {
    const part = partOf(panel, places);
    const outside = outsideOf(modules, panel, part, partOf('src/form', places));
    const isChain = panel === 'src/form/frame';
    return {
      panel,
      drawing: panelOf(modules, part, { box: isChain ? 340 : 150, gaps: GAPS.panel }, (id, files) => ({
        name: id === panel ? namesOf(panel, files) : baseOf(id),
        about: about.get(id === panel ? `${panel}/*` : id) ?? '',
        notes:
          PANELS.includes(id) && id !== panel ? 'see beside' : (outside.get(id) ?? []).map(baseOf).join(', '),
        isFirst: files.some((file) => first.has(file)),
      })),
    };
  });

  const between = 24;
  const inner = panels.map(({ drawing }) => drawing.width + 2 * MARGIN);
  const width = Math.max(
    overview.width + 2 * MARGIN,
    inner.reduce((all, one) => all + one + between, 2 * MARGIN - between),
  );
  const below = HEADING + overview.height + 64;
  const tall = HEADING + Math.max(...panels.map(({ drawing }) => drawing.height)) + MARGIN;
  const height = below + tall + MARGIN + 34;
  let left = (width - inner.reduce((all, one) => all + one + between, -between)) / 2;
  const drawn = panels.map(({ panel, drawing }, at) => {
    const x = left;
    left += (inner[at] ?? 0) + between;
    return [
      `<rect class="panel" ${box({ x, y: below }, { width: inner[at] ?? 0, height: tall })} rx="12"/>`,
      text('heading', { x: x + MARGIN, y: below + 27 }, `${panel}/`),
      `<g transform="translate(${n(x + MARGIN)} ${n(below + HEADING)})">${drawing.svg}</g>`,
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${n(width)} ${n(height)}" width="${n(width)}" height="${n(height)}" role="img" aria-labelledby="title">`,
    '<title id="title">The folders of src/ and the imports between them</title>',
    `<style>${STYLE}</style>`,
    MARKERS,
    `<rect class="ground" width="${n(width)}" height="${n(height)}" rx="16"/>`,
    text('heading', { x: MARGIN, y: 30 }, 'src/'),
    `<g transform="translate(${n((width - overview.width) / 2)} ${HEADING})">${overview.svg}</g>`,
    ...drawn,
    legend({ x: MARGIN, y: height - 22 }),
    '</svg>',
    '',
  ].join('\n');
};

type Words = { name: string; about: string; notes: string; isFirst: boolean };

/** A part of the map, drawn from its own upper left corner. */
const panelOf = (
  modules: Modules,
  boxOf: (path: string) => string | null,
  room: { box: number; gaps: Gaps },
  wordsOf: (id: string, files: readonly string[]) => Words,
): Size & { svg: string } => {
  const graph = graphOf(modules, boxOf);
  const arrows = reduced(graph.arrows);
  const boxes = [...graph.boxes].map(([id, files]) => measured(id, wordsOf(id, files), room.box));
  const layout = layOut(new Map(boxes.map(({ id, size }) => [id, size])), arrows, room.gaps);
  const svg = [
    ...arrows.map((arrow, at) => wayOf(arrow, layout.ways[at] ?? [])),
    ...boxes.map((one) => drawBox(one, layout.places.get(one.id) ?? { x: 0, y: 0, ...one.size })),
  ].join('\n');
  return { width: layout.width, height: layout.height, svg: `\n${svg}\n` };
};

/** The folders outside of a panel that each part of it imports. */
const outsideOf = (
  modules: Modules,
  panel: string,
  part: (path: string) => string | null,
  partOfForm: (path: string) => string | null,
): ReadonlyMap<string, readonly string[]> => {
  const outside = new Map<string, string[]>();
  for (const { from, to } of graphOf(modules, (path) => part(path) ?? partOfForm(path) ?? folderOf(path))
    .arrows) {
    if (!within(from, panel) || within(to, panel)) continue;
    outside.set(from, [...(outside.get(from) ?? []), to].sort());
  }
  return outside;
};

const measured = (id: string, { name, about, notes, isFirst }: Words, room: number): Box => {
  const columns = (room - 2 * PADDING.x) / (FONT.text * CHARACTER);
  const lines = { about: wrapped(about.replaceAll('`', ''), columns), notes: wrapped(notes, columns) };
  const height = 2 * PADDING.y + LINE.name + (lines.about.length + lines.notes.length) * LINE.text - 4;
  const wide = Math.max(room, Math.ceil(name.length * FONT.name * 0.6) + 2 * PADDING.x);
  return { id, name, ...lines, isFirst, size: { width: wide, height } };
};

const wrapped = (text: string, columns: number): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
};

const drawBox = ({ name, about, notes, isFirst }: Box, at: Point & Size): string => {
  const x = at.x + PADDING.x;
  const y = at.y + PADDING.y + 10;
  return [
    `<rect class="${isFirst ? 'box first' : 'box'}" ${box(at, at)} rx="7"/>`,
    text('name', { x, y }, name),
    ...about.map((line, row) => text('about', { x, y: y + LINE.name - 2 + row * LINE.text }, line)),
    ...notes.map((line, row) =>
      text('notes', { x, y: y + LINE.name - 2 + (about.length + row) * LINE.text }, line),
    ),
  ].join('');
};

/** From port to port; where it passes a layer it goes straight down. */
const wayOf = ({ how }: Arrow, points: readonly Point[]): string => {
  const [start, ...rest] = points;
  if (!start) return '';
  let from = start;
  const curves = rest.map((to, at) => {
    const isLast = at === rest.length - 1;
    const end = isLast ? { x: to.x, y: to.y - 6 } : to;
    const middle = (from.y + end.y) / 2;
    const curve =
      from.x === end.x
        ? `V${n(end.y)}`
        : `C${n(from.x)} ${n(middle)} ${n(end.x)} ${n(middle)} ${n(end.x)} ${n(end.y)}`;
    from = end;
    return curve;
  });
  return `<path class="way ${how}" d="M${n(start.x)} ${n(start.y)}${curves.join('')}" marker-end="url(#head)"/>`;
};

const LEGEND: readonly { how: How; says: string }[] = [
  { how: 'value', says: 'imports' },
  { how: 'type', says: 'imports types alone' },
  { how: 'lazy', says: 'loads later, by import()' },
];

const legend = ({ x, y }: Point): string => {
  let at = x;
  const parts = LEGEND.map(({ how, says }) => {
    const drawn = `<path class="way ${how}" d="M${n(at)} ${n(y - 4)}h26" marker-end="url(#head)"/>${text('about', { x: at + 40, y }, says)}`;
    at += 64 + says.length * FONT.text * CHARACTER;
    return drawn;
  });
  const rest = 'wholly or partly in the one response that a buyer waits for';
  parts.push(
    `<rect class="box first" ${box({ x: at, y: y - 11 }, { width: 22, height: 14 })} rx="4"/>${text('about', { x: at + 30, y }, rest)}`,
  );
  return parts.join('\n');
};

/** The files that lie beside the folders of a panel. */
const namesOf = (panel: string, files: readonly string[]): string => {
  if (files.length < 5) return files.map(baseOf).join(', ');
  const [first = ''] = [...files].sort((a, b) => rank(panel, b) - rank(panel, a));
  return `${baseOf(first)} and ${files.length - 1} more`;
};

/** The file that bears its folder's name goes first. */
const rank = (panel: string, file: string): number => (file === `${panel}/${baseOf(panel)}.ts` ? 1 : 0);

const baseOf = (path: string): string => path.replace(/^.*\//, '');
const n = (value: number): string => `${Math.round(value * 10) / 10}`;
const box = ({ x, y }: Point, { width, height }: Size): string =>
  `x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"`;
const escaped = (said: string): string =>
  said.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const text = (kind: string, { x, y }: Point, said: string): string =>
  `<text class="${kind}" x="${n(x)}" y="${n(y)}">${escaped(said)}</text>`;

/** In the colours of the page around it, which an image follows by the same media query. */
const STYLE = `
:root{--ground:#fff;--panel:#f6f7f9;--box:#fff;--line:#c9ced6;--ink:#1c2330;--soft:#4f5b6b;--faint:#7b8696;--way:#8a94a3;--first:#e6f2ec;--accent:#1d7a4f}
@media(prefers-color-scheme:dark){:root{--ground:#12161c;--panel:#1a2028;--box:#222a34;--line:#3a4553;--ink:#eef1f5;--soft:#b7c0cc;--faint:#8e99a8;--way:#76828f;--first:#173528;--accent:#5cc08f}}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.ground{fill:var(--ground)}.panel{fill:var(--panel);stroke:var(--line)}
.box{fill:var(--box);stroke:var(--line)}.first{fill:var(--first);stroke:var(--accent)}
.heading{font-size:${FONT.heading}px;font-weight:600;fill:var(--soft)}
.name{font-size:${FONT.name}px;font-weight:600;fill:var(--ink)}
.about{font-size:${FONT.text}px;fill:var(--soft)}.notes{font-size:${FONT.text}px;fill:var(--faint)}
.way{fill:none;stroke:var(--way);stroke-width:1.3}.type{stroke-dasharray:2 3}.lazy{stroke-dasharray:7 4}
.head{fill:var(--way)}`;

const MARKERS =
  '<defs><marker id="head" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0.8 7 4 0 7.2z"/></marker></defs>';
