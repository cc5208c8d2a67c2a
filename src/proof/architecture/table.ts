/** The table of folders in docs/architecture.md, from walls.ts. */
import { WALLS } from './walls.ts';

const isFolder = (path: string): boolean => !/\.tsx?$/.test(path);

/** The entry of the nearest place around this one that says where it runs. */
const runsOf = (path: string): string => {
  const own = WALLS[path]?.runs;
  if (own !== undefined) return own;
  const around = path.slice(0, path.lastIndexOf('/'));
  return around === '' ? '' : runsOf(around);
};

/** Rooms in the order of walls.ts, each followed by the places in it. */
const inOrder = (): readonly string[] => {
  const paths = Object.keys(WALLS);
  const within = (room: string) =>
    paths.filter(
      (path) => path.startsWith(`${room}/`) && path.split('/').length === room.split('/').length + 1,
    );
  const walk = (path: string): string[] => [path, ...within(path).flatMap(walk)];
  return paths.filter((path) => path.split('/').length <= 2 && isFolder(path)).flatMap(walk);
};

/** One row a place, as Markdown. */
export const folderTable = (): string =>
  [
    '| Folder | What it is | Runs where, sent to whom | Why it is apart |',
    '| --- | --- | --- | --- |',
    ...inOrder().flatMap((path) => {
      const place = WALLS[path];
      return place ? [`| \`${path}\` | ${place.is} | ${runsOf(path)} | ${place.apart} |`] : [];
    }),
  ].join('\n');

const START = '<!-- folders: `npm run map` writes this table from src/proof/architecture/walls.ts -->';
const END = '<!-- /folders -->';

/** The page with the table as it should be. Throws if the page has no place for it. */
export const withFolderTable = (page: string): string => {
  const from = page.indexOf(START);
  const to = page.indexOf(END);
  if (from < 0 || to < from)
    throw new Error(`docs/architecture.md must have ${START} and, after it, ${END}.`);
  return `${page.slice(0, from + START.length)}\n\n${folderTable()}\n\n${page.slice(to)}`;
};
