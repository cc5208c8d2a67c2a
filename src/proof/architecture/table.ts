/** The folder table in docs/architecture.md, generated from walls.ts. */
import { WALLS } from './walls.ts';

const isFolder = (path: string): boolean => !/\.tsx?$/.test(path);

/** Rooms in the order of walls.ts, each followed by its nested places. */
const inOrder = (): readonly string[] => {
  const paths = Object.keys(WALLS);
  const within = (room: string) =>
    paths.filter(
      (path) => path.startsWith(`${room}/`) && path.split('/').length === room.split('/').length + 1,
    );
  const walk = (path: string): string[] => [path, ...within(path).flatMap(walk)];
  return paths.filter((path) => path.split('/').length <= 2 && isFolder(path)).flatMap(walk);
};

/** The Markdown table, one row per place. */
export const folderTable = (): string =>
  [
    '| Folder | What it is | Runs where, sent to whom | Why it is apart |',
    '| --- | --- | --- | --- |',
    ...inOrder().flatMap((path) => {
      const place = WALLS[path];
      return place ? [`| \`${path}\` | ${place.is} | ${place.runs ?? ''} | ${place.apart} |`] : [];
    }),
  ].join('\n');

const START = '<!-- folders: `npm run map` writes this table from src/proof/architecture/walls.ts -->';
const END = '<!-- /folders -->';

/** The page with an up-to-date table. Throws if the page has no markers for it. */
export const withFolderTable = (page: string): string => {
  const from = page.indexOf(START);
  const to = page.indexOf(END);
  if (from < 0 || to < from)
    throw new Error(`docs/architecture.md must have ${START} and, after it, ${END}.`);
  return `${page.slice(0, from + START.length)}\n\n${folderTable()}\n\n${page.slice(to)}`;
};
