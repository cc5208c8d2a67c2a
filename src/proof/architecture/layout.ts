/**
 * Draws a graph without cycles in layers, so that every arrow points down. The library decides on layer, order and
 * position of the boxes; here they get the height of their layer, and arrows their start and end. Lengths in SVG units.
 */
import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';

export type Size = { width: number; height: number };
export type Edge = { from: string; to: string };
export type Point = { x: number; y: number };

export type Layout = Size & {
  /** Where each box is; all boxes of a layer are as high as its highest. */
  places: ReadonlyMap<string, Point & Size>;
  /** The points that each edge passes, from the bottom of its box to the top of the other; in order of `edges`. */
  ways: readonly (readonly Point[])[];
};

export type Gaps = { across: number; down: number };

/** The distance between arrows at a box. */
const PORT = 26;

export const layOut = (sizes: ReadonlyMap<string, Size>, edges: readonly Edge[], gaps: Gaps): Layout => {
  assertNoCycle([...sizes.keys()], edges);
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  graph.setGraph({ nodesep: gaps.across, edgesep: gaps.across, ranksep: gaps.down });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, size] of sizes) graph.setNode(id, { ...size });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);

  const nodes = new Map(
    [...sizes].map(([id, size]) => {
      const { x = 0, y = 0 } = graph.node(id);
      return [id, { ...size, x, y }];
    }),
  );
  /** The height of each layer, by the middle of its boxes. */
  const heights = new Map<number, number>();
  for (const { y, height } of nodes.values()) heights.set(y, Math.max(height, heights.get(y) ?? 0));
  const places = new Map(
    [...nodes].map(([id, { x, y, width }]) => {
      const height = heights.get(y) ?? 0;
      return [id, { x: x - width / 2, y: y - height / 2, width, height }];
    }),
  );

  /** The bends of an edge: one in each layer that it passes, between its two ends. */
  const bends = edges.map(({ from, to }) =>
    (graph.edge(from, to).points ?? []).filter(({ y }) => heights.has(y)),
  );
  /** Arrows leave and reach a box side by side, in the order of where they lead. */
  const port = (edge: number, side: 'from' | 'to'): Point => {
    const id = edges[edge]?.[side] ?? '';
    const box = places.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
    const towards = (at: number) =>
      (side === 'from' ? bends[at]?.[0] : bends[at]?.at(-1))?.x ??
      nodes.get(edges[at]?.[side === 'from' ? 'to' : 'from'] ?? '')?.x ??
      0;
    const all = [...edges.keys()]
      .filter((at) => edges[at]?.[side] === id)
      .sort((a, b) => towards(a) - towards(b));
    const room = Math.min(box.width * 0.7, (all.length - 1) * PORT);
    const shift = all.length > 1 ? (all.indexOf(edge) / (all.length - 1) - 0.5) * room : 0;
    return { x: box.x + box.width / 2 + shift, y: side === 'from' ? box.y + box.height : box.y };
  };
  const ways = edges.map((_, edge) => [
    port(edge, 'from'),
    // Straight down beside the boxes of a layer.
    ...(bends[edge] ?? []).flatMap(({ x, y }) => {
      const half = (heights.get(y) ?? 0) / 2;
      return [
        { x, y: y - half },
        { x, y: y + half },
      ];
    }),
    port(edge, 'to'),
  ]);
  const { width = 0, height = 0 } = graph.graph();
  return { places, ways, width, height };
};

const assertNoCycle = (ids: readonly string[], edges: readonly Edge[]): void => {
  const checked = new Set<string>();
  const check = (id: string, above: readonly string[]) => {
    if (above.includes(id)) throw new Error(`A cycle: ${[...above, id].join(' -> ')}`);
    if (checked.has(id)) return;
    for (const { from, to } of edges) if (from === id) check(to, [...above, id]);
    checked.add(id);
  };
  for (const id of ids) check(id, []);
};
