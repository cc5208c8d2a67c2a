import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT } from './imports.ts';
import { withFolderTable } from './table.ts';
import { WALLS } from './walls.ts';

const page = readFileSync(`${ROOT}docs/architecture.md`, 'utf8');

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(`${ROOT}${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);

describe('docs/architecture.md', () => {
  it('describes each folder, where it runs and who receives it; `npm run map` rewrites the table', async () => {
    await expect(withFolderTable(page)).toMatchFileSnapshot(`${ROOT}docs/architecture.md`);
  });

  it('has every folder of the source, and no others', () => {
    const folders = foldersIn('src').flatMap((room) => [room, ...foldersIn(room)]);
    const undescribed = [/^src\/sandbox\/shop\/./, /\/(metadata|image)$/];
    expect(
      Object.keys(WALLS)
        .filter((place) => place !== 'e2e' && !/\.tsx?$/.test(place))
        .sort(),
    ).toEqual(
      [...folders, ...foldersIn('src/form/frame'), ...foldersIn('src/sandbox/service')]
        .filter((folder) => !undescribed.some((pattern) => pattern.test(folder)))
        .sort(),
    );
  });

  it('lists each walk file by file', () => {
    const walks = page.split(/^## /m).filter((part) => /^An? /.test(part));
    expect(walks.map((walk) => walk.split(',')[0])).toEqual(['A client secret', 'A press', 'An amount']);
    for (const walk of walks) {
      const steps = walk.match(/^\d+\. /gm) ?? [];
      expect(steps.map((step) => Number.parseInt(step, 10))).toEqual(steps.map((_, at) => at + 1));
      expect(steps.length).toBeGreaterThan(7);
    }
  });
});
