/**
 * Draws a graph without circles in layers, so that every arrow points down: which layer a box is in, in which order
 * the boxes of a layer stand so that few arrows cross, and where each box is. Lengths in SVG units.
 */

export type Size = { width: number; height: number };
export type Edge = { from: string; to: string };
export type Point = { x: number; y: number };

export type Layout = Size & {
  /** Where each box is; all of a layer are as high as its highest. */
  places: ReadonlyMap<string, Point & Size>;
  /** The points that each edge passes, from the lower side of its box to the upper side of the other; in order of `edges`. */
  ways: readonly (readonly Point[])[];
};

export type Gaps = { across: number; down: number };

/** A box, or the point where a long edge passes a layer. */
type Slot = { id: string; width: number };

const BEND_WIDTH = 14;
const SWEEPS = 24;
const BEGINNINGS = 40;

export const layOut = (sizes: ReadonlyMap<string, Size>, edges: readonly Edge[], gaps: Gaps): Layout => {
  const levels = levelsOf([...sizes.keys()], edges);
  const chains = edges.map((edge, at) => chainOf(edge, at, levels));
  const links = chains.flatMap((chain) => chain.slice(1).map((to, at) => ({ from: chain[at] ?? to, to })));
  const layers = orderedLayers(slotsIn(sizes, levels, chains), links);
  const centres = centresOf(layers, links, gaps.across);
  return placed(sizes, layers, centres, chains, gaps);
};

/** A box stands directly below the lowest of those that point to it. */
const levelsOf = (ids: readonly string[], edges: readonly Edge[]): ReadonlyMap<string, number> => {
  const levels = new Map<string, number>();
  const levelOf = (id: string, below: readonly string[] = []): number => {
    const known = levels.get(id);
    if (known !== undefined) return known;
    if (below.includes(id)) throw new Error(`A circle: ${[id, ...below].join(' -> ')}`);
    const above = edges.filter(({ to }) => to === id).map(({ from }) => levelOf(from, [id, ...below]) + 1);
    const level = Math.max(0, ...above);
    levels.set(id, level);
    return level;
  };
  for (const id of ids) levelOf(id);
  return levels;
};

/** The slots that an edge passes: its two boxes, and a bend in each layer between them. */
const chainOf = ({ from, to }: Edge, at: number, levels: ReadonlyMap<string, number>): readonly string[] => {
  const first = (levels.get(from) ?? 0) + 1;
  const last = levels.get(to) ?? 0;
  const bends = Array.from({ length: Math.max(0, last - first) }, (_, n) => `bend ${at} ${first + n}`);
  return [from, ...bends, to];
};

const slotsIn = (
  sizes: ReadonlyMap<string, Size>,
  levels: ReadonlyMap<string, number>,
  chains: readonly (readonly string[])[],
): Slot[][] => {
  const layers: Slot[][] = [];
  const put = (level: number, slot: Slot) => {
    while (layers.length <= level) layers.push([]);
    layers[level]?.push(slot);
  };
  for (const [id, { width }] of sizes) put(levels.get(id) ?? 0, { id, width });
  for (const [from = '', ...rest] of chains) {
    const above = levels.get(from) ?? 0;
    for (const [at, id] of rest.slice(0, -1).entries()) put(above + 1 + at, { id, width: BEND_WIDTH });
  }
  return layers;
};

/**
 * Each layer in turn by the mean place of its neighbours, then neighbours swapped while that removes crossings. From
 * several beginnings, since a bad one leads to an order that no swap improves.
 */
const orderedLayers = (start: Slot[][], links: readonly Edge[]): Slot[][] => {
  let best = start;
  let fewest = crossingsIn(start, links);
  for (let beginning = 0; beginning < BEGINNINGS && fewest > 0; beginning++) {
    let layers = start.map((layer) => shuffled(layer, beginning));
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      layers = swapped(sortedByNeighbours(layers, links, sweep % 2 === 0), links);
      const crossings = crossingsIn(layers, links);
      if (crossings < fewest) [best, fewest] = [layers, crossings];
    }
  }
  return best;
};

/** The same for the same number, and the layer itself for 0: a map that is drawn twice is one map. */
const shuffled = (layer: readonly Slot[], beginning: number): Slot[] => {
  if (beginning === 0) return [...layer];
  const key = ({ id }: Slot) =>
    [...`${beginning} ${id}`].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 999_983, 7);
  return [...layer].sort((one, other) => key(one) - key(other));
};

const ranksOf = (layer: readonly Slot[]): ReadonlyMap<string, number> =>
  new Map(layer.map(({ id }, at) => [id, at]));

const sortedByNeighbours = (layers: Slot[][], links: readonly Edge[], isDown: boolean): Slot[][] => {
  const next = layers.map((layer) => [...layer]);
  const order = next.map((_, at) => at);
  for (const at of isDown ? order : order.reverse()) {
    const ranks = ranksOf(next[isDown ? at - 1 : at + 1] ?? []);
    const own = ranksOf(next[at] ?? []);
    const wanted = (id: string): number => {
      const beside = links.flatMap(({ from, to }) =>
        isDown ? (to === id ? [ranks.get(from) ?? 0] : []) : from === id ? [ranks.get(to) ?? 0] : [],
      );
      return beside.length ? mean(beside) : (own.get(id) ?? 0);
    };
    next[at]?.sort((a, b) => wanted(a.id) - wanted(b.id));
  }
  return next;
};

const swapped = (layers: Slot[][], links: readonly Edge[]): Slot[][] => {
  const next = layers.map((layer) => [...layer]);
  let fewest = crossingsIn(next, links);
  for (const layer of next) {
    for (let at = 0; at + 1 < layer.length; at++) {
      const pair = layer.slice(at, at + 2);
      layer.splice(at, 2, ...[...pair].reverse());
      const crossings = crossingsIn(next, links);
      if (crossings < fewest) fewest = crossings;
      else layer.splice(at, 2, ...pair);
    }
  }
  return next;
};

const crossingsIn = (layers: readonly Slot[][], links: readonly Edge[]): number => {
  let crossings = 0;
  for (let at = 0; at + 1 < layers.length; at++) {
    const upper = ranksOf(layers[at] ?? []);
    const lower = ranksOf(layers[at + 1] ?? []);
    const pairs = links.flatMap(({ from, to }) => {
      const [a, b] = [upper.get(from), lower.get(to)];
      return a === undefined || b === undefined ? [] : [{ a, b }];
    });
    pairs.forEach((one, n) => {
      for (const other of pairs.slice(n + 1)) if ((one.a - other.a) * (one.b - other.b) < 0) crossings++;
    });
  }
  return crossings;
};

/** The middle of each slot: as near to its neighbours' as the others of its layer let it be. */
const centresOf = (
  layers: readonly Slot[][],
  links: readonly Edge[],
  gap: number,
): ReadonlyMap<string, number> => {
  const centres = new Map<string, number>();
  for (const layer of layers)
    spread(
      layer,
      layer.map(() => 0),
      gap,
      centres,
    );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      const wanted = layer.map(({ id }) => {
        const beside = links.flatMap(({ from, to }) =>
          from === id ? [centres.get(to) ?? 0] : to === id ? [centres.get(from) ?? 0] : [],
        );
        return beside.length ? mean(beside) : (centres.get(id) ?? 0);
      });
      spread(layer, wanted, gap, centres);
    }
  }
  return centres;
};

/** Puts the slots of a layer as near to where they want to be as their widths allow, and writes it down. */
const spread = (
  layer: readonly Slot[],
  wanted: readonly number[],
  gap: number,
  centres: Map<string, number>,
) => {
  /** Where each would stand if the first stood at 0 and all stood shoulder to shoulder. */
  const offsets: number[] = [];
  let edge = 0;
  for (const { width } of layer) {
    offsets.push(edge + width / 2);
    edge += width + gap;
  }
  // Slots that want to overlap become a block, which stands at the mean of their wishes.
  const blocks: { sum: number; count: number }[] = [];
  layer.forEach((_, at) => {
    let block = { sum: (wanted[at] ?? 0) - (offsets[at] ?? 0), count: 1 };
    for (
      let last = blocks.at(-1);
      last && last.sum / last.count >= block.sum / block.count;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  });
  let at = 0;
  for (const { sum, count } of blocks) {
    for (let n = 0; n < count; n++, at++) {
      const slot = layer[at];
      if (slot) centres.set(slot.id, (offsets[at] ?? 0) + sum / count);
    }
  }
};

const placed = (
  sizes: ReadonlyMap<string, Size>,
  layers: readonly Slot[][],
  centres: ReadonlyMap<string, number>,
  chains: readonly (readonly string[])[],
  gaps: Gaps,
): Layout => {
  const slots = layers.flat();
  const left = Math.min(...slots.map(({ id, width }) => (centres.get(id) ?? 0) - width / 2));
  const right = Math.max(...slots.map(({ id, width }) => (centres.get(id) ?? 0) + width / 2));
  const centre = (id: string) => (centres.get(id) ?? 0) - left;
  const heights = layers.map((layer) => Math.max(...layer.map(({ id }) => sizes.get(id)?.height ?? 0)));
  const tops = heights.map((_, at) => sum(heights.slice(0, at)) + at * gaps.down);
  const levelOf = new Map(layers.flatMap((layer, at) => layer.map(({ id }) => [id, at] as const)));

  const places = new Map<string, Point & Size>();
  for (const [id, { width }] of sizes) {
    const level = levelOf.get(id) ?? 0;
    places.set(id, {
      x: centre(id) - width / 2,
      y: tops[level] ?? 0,
      width,
      height: heights[level] ?? 0,
    });
  }
  /** Arrows leave and reach a box beside each other, in the order of where they lead. */
  const port = (id: string, edge: number, isStart: boolean): Point => {
    const box = places.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
    const other = (chain: readonly string[]) => centre((isStart ? chain[1] : chain.at(-2)) ?? id);
    const all = chains
      .map((chain, at) => ({ chain, at }))
      .filter(({ chain }) => (isStart ? chain[0] : chain.at(-1)) === id)
      .sort((a, b) => other(a.chain) - other(b.chain));
    const rank = all.findIndex(({ at }) => at === edge);
    const room = Math.min(box.width * 0.7, (all.length - 1) * 26);
    const shift = all.length > 1 ? (rank / (all.length - 1) - 0.5) * room : 0;
    return { x: box.x + box.width / 2 + shift, y: isStart ? box.y + box.height : box.y };
  };
  const ways = chains.map((chain, edge) => [
    port(chain[0] ?? '', edge, true),
    ...chain.slice(1, -1).flatMap((id) => {
      const level = levelOf.get(id) ?? 0;
      const top = tops[level] ?? 0;
      return [
        { x: centre(id), y: top },
        { x: centre(id), y: top + (heights[level] ?? 0) },
      ];
    }),
    port(chain.at(-1) ?? '', edge, false),
  ]);
  return { places, ways, width: right - left, height: sum(heights) + (heights.length - 1) * gaps.down };
};

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
