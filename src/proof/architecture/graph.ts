/** Folders as boxes and imports as arrows, from the sources. */
import { type Import, type Modules, targetOf } from './imports.ts';

/** How a folder imports another: at run time, later by `import()`, or types alone. The strongest of its imports. */
export type How = Import['how'];
export type Arrow = { from: string; to: string; how: How };

export type Graph = {
  /** The files of each box, without tests. */
  boxes: ReadonlyMap<string, readonly string[]>;
  arrows: readonly Arrow[];
};

const STRENGTH: Record<How, number> = { value: 2, lazy: 1, type: 0 };

const isProduct = (path: string) => !/\.(test|spec|fixture)\.tsx?$/.test(path);

/** The graph of the files that have a box; `boxOf` gives it, or null for what is not drawn. */
export const graphOf = (modules: Modules, boxOf: (path: string) => string | null): Graph => {
  const boxes = new Map<string, string[]>();
  const arrows = new Map<string, Arrow>();
  for (const [path, imports] of modules) {
    const from = boxOf(path);
    if (from === null || !isProduct(path)) continue;
    boxes.set(from, [...(boxes.get(from) ?? []), path]);
    for (const { specifier, how } of imports) {
      if (!specifier.startsWith('.')) continue;
      const to = boxOf(targetOf(path, specifier));
      if (to === null || to === from) continue;
      const key = `${from} ${to}`;
      const known = arrows.get(key);
      if (!known || STRENGTH[how] > STRENGTH[known.how]) arrows.set(key, { from, to, how });
    }
  }
  return { boxes, arrows: [...arrows.values()].filter(({ to }) => boxes.has(to)) };
};

/** Without the arrows that follow from others. What is loaded later is no part of a way: it is a wall of its own. */
export const reduced = (arrows: readonly Arrow[]): readonly Arrow[] => {
  const next = (box: string) => arrows.filter(({ from, how }) => from === box && how !== 'lazy');
  const leads = (from: string, to: string): boolean =>
    from === to || next(from).some((arrow) => leads(arrow.to, to));
  return arrows.filter(
    ({ from, to, how }) => how === 'lazy' || !next(from).some((via) => via.to !== to && leads(via.to, to)),
  );
};

/** The files that are loaded with an entry: all that it imports at run time, without what `import()` brings later. */
export const loadedWith = (entry: string, modules: Modules): ReadonlySet<string> => {
  const loaded = new Set<string>();
  const load = (path: string) => {
    const imports = modules.get(path);
    if (loaded.has(path) || !imports) return;
    loaded.add(path);
    for (const { specifier, how } of imports) {
      if (specifier.startsWith('.') && how === 'value') load(targetOf(path, specifier));
    }
  };
  load(entry);
  return loaded;
};
