/** How many characters of the code come from each source, largest first. */
export const charactersBySource: (
  code: string,
  map: { sources: readonly string[]; mappings: string },
) => readonly (readonly [string, number])[];

/** A text with fixed text in place of the release's name and of each hash. The same hash has the same text. */
export const withoutHashes: (text: string, release: string) => string;

/** How large a part may be that was once measured as so large. */
export const limitOf: (measured: number) => number;

type Row = { what: string; now: number; limit: number; aim: number; verdict: 'OVER' | 'over its aim' | 'ok' };

/** The rows of the table, and those over their limit. Throws if a part of the budget is not measured. */
export const compare: (
  budget: Readonly<Record<string, { what: string; measured: number; aim: number }>>,
  sizes: Readonly<Record<string, number>>,
) => { rows: readonly Row[]; over: readonly Row[] };
