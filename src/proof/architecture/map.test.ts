import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Arrow, graphOf, loadedWith, reduced } from './graph.ts';
import { importsOf, type Modules, modulesUnder, ROOT } from './imports.ts';
import { layOut } from './layout.ts';
import { mapOf } from './map.ts';
import { withFolderTable } from './table.ts';
import { WALLS } from './walls.ts';

const page = readFileSync(`${ROOT}docs/architecture.md`, 'utf8');

/** What the map says in each box. `src/sandbox/*` is what lies directly in `src/sandbox`. */
const about = new Map<string, string>();
for (const [path, { is, files }] of Object.entries(WALLS)) {
  about.set(path, is);
  if (files !== undefined) about.set(`${path}/*`, files);
}

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(`${ROOT}${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);

describe('docs/architecture.svg', () => {
  it('is drawn from the imports as they are; `npm run map` draws it again', async () => {
    const map = mapOf(modulesUnder('src'), Object.keys(WALLS), about);
    await expect(map).toMatchFileSnapshot(`${ROOT}docs/architecture.svg`);
  });
});

describe('docs/architecture.md', () => {
  it('says what each folder is, where it runs and who is sent it; `npm run map` writes the table again', async () => {
    await expect(withFolderTable(page)).toMatchFileSnapshot(`${ROOT}docs/architecture.md`);
  });

  it('has every folder of the source, and none that there is not', () => {
    const folders = foldersIn('src').flatMap((room) => [room, ...foldersIn(room)]);
    const undescribed = [/^src\/demo\/./, /\/(metadata|image)$/];
    expect(
      Object.keys(WALLS)
        .filter((place) => place !== 'e2e' && !/\.tsx?$/.test(place))
        .sort(),
    ).toEqual(
      [...folders, ...foldersIn('src/form/frame')]
        .filter((folder) => !undescribed.some((pattern) => pattern.test(folder)))
        .sort(),
    );
  });

  it('has each walk go from file to file', () => {
    const walks = page.split(/^## /m).filter((part) => /^An? /.test(part));
    expect(walks.map((walk) => walk.split(',')[0])).toEqual(['A client secret', 'A press', 'An amount']);
    for (const walk of walks) {
      const steps = walk.match(/^\d+\. /gm) ?? [];
      expect(steps.map((step) => Number.parseInt(step, 10))).toEqual(steps.map((_, at) => at + 1));
      expect(steps.length).toBeGreaterThan(7);
    }
  });
});

const modules = (sources: Readonly<Record<string, string>>): Modules =>
  new Map(Object.entries(sources).map(([path, source]) => [path, importsOf(path, source).imports]));

const folderOf = (path: string) => path.replace(/\/[^/]*$/, '');

describe('the graph', () => {
  it('has an arrow for each pair of folders, of the strongest kind there is, and none from tests', () => {
    const { boxes, arrows } = graphOf(
      modules({
        'a/one.ts': "import type { B } from '../b/b.ts';",
        'a/two.ts': "import { b } from '../b/b.ts'; const later = () => import('../c/c.ts');",
        'a/two.test.ts': "import { d } from '../d/d.ts';",
        'b/b.ts': '',
        'c/c.ts': "import type { B } from '../b/b.ts';",
        'd/d.ts': "import { z } from 'zod/mini';",
      }),
      folderOf,
    );
    expect(boxes.get('a')).toEqual(['a/one.ts', 'a/two.ts']);
    expect(arrows).toEqual([
      { from: 'a', to: 'b', how: 'value' },
      { from: 'a', to: 'c', how: 'lazy' },
      { from: 'c', to: 'b', how: 'type' },
    ]);
  });

  it('leaves out what follows from other arrows, but nothing that is only loaded later on the way', () => {
    const value = (from: string, to: string): Arrow => ({ from, to, how: 'value' });
    const arrows = [value('a', 'b'), value('b', 'c'), value('a', 'c')];
    expect(reduced(arrows)).toEqual([value('a', 'b'), value('b', 'c')]);
    const later: Arrow = { from: 'a', to: 'b', how: 'lazy' };
    expect(reduced([later, value('b', 'c'), value('a', 'c')])).toHaveLength(3);
  });

  it('knows what is loaded with an entry', () => {
    const sources = modules({
      'a.ts':
        "import { b } from './b.ts'; import type { C } from './c.ts'; const later = () => import('./d.ts');",
      'b.ts': "export { e } from './e.ts';",
      'c.ts': '',
      'd.ts': '',
      'e.ts': '',
    });
    expect([...loadedWith('a.ts', sources)]).toEqual(['a.ts', 'b.ts', 'e.ts']);
  });
});

describe('the layout', () => {
  const size = { width: 100, height: 40 };
  const gaps = { across: 10, down: 30 };
  const drawn = (edges: readonly [string, string][]) =>
    layOut(
      new Map([...new Set(edges.flat())].map((id) => [id, size])),
      edges.map(([from, to]) => ({ from, to })),
      gaps,
    );

  it('has every arrow point down, from the lower side of a box to the upper side of another', () => {
    const edges: [string, string][] = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'd'],
      ['c', 'd'],
      ['a', 'd'],
    ];
    const { ways, places } = drawn(edges);
    edges.forEach(([from, to], at) => {
      const way = ways[at] ?? [];
      expect(way.map(({ y }) => y)).toEqual(way.map(({ y }) => y).sort((a, b) => a - b));
      expect(way[0]?.y).toBe((places.get(from)?.y ?? 0) + size.height);
      expect(way.at(-1)?.y).toBe(places.get(to)?.y);
    });
  });

  it('keeps boxes of a layer apart, and inside of the drawing', () => {
    const { places, width, height } = drawn(['b', 'c', 'd', 'e'].map((to) => ['a', to]));
    const row = ['b', 'c', 'd', 'e'].map((id) => places.get(id)?.x ?? 0).sort((a, b) => a - b);
    row.slice(1).forEach((x, at) => {
      expect(x - (row[at] ?? 0)).toBeGreaterThanOrEqual(size.width + gaps.across - 0.001);
    });
    expect(Math.min(...row)).toBeCloseTo(0);
    expect(Math.max(...row) + size.width).toBeCloseTo(width);
    expect(height).toBe(2 * size.height + gaps.down);
  });

  it('orders boxes so that arrows need not cross', () => {
    const { places } = drawn([
      ['a', 'x'],
      ['b', 'y'],
      ['a', 'z'],
      ['c', 'x'],
      ['c', 'z'],
    ]);
    const x = (id: string) => places.get(id)?.x ?? 0;
    expect((x('a') - x('b')) * (x('x') - x('y'))).toBeGreaterThan(0);
    expect((x('c') - x('b')) * (x('z') - x('y'))).toBeGreaterThan(0);
  });

  it('names the boxes of a cycle', () => {
    expect(() =>
      drawn([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toThrow('A cycle: a -> b -> a');
  });
});
