/** Number of characters of code from each source, largest first. */
export const charactersBySource: (
  code: string,
  map: { sources: readonly string[]; mappings: string },
) => readonly (readonly [string, number])[];

/** Replaces the release's name and each hash in a text with fixed text. Equal hashes get equal text. */
export const withoutHashes: (text: string, release: string) => string;

/** Size limit of a part, from its measured size. */
export const limitOf: (measured: number) => number;

type Row = { what: string; now: number; limit: number; aim: number; verdict: 'OVER' | 'over its aim' | 'ok' };

/** The rows of the table, and those over their limit. Throws if a part of the budget is not measured. */
export const compare: (
  budget: Readonly<Record<string, { what: string; measured: number; aim: number }>>,
  sizes: Readonly<Record<string, number>>,
) => { rows: readonly Row[]; over: readonly Row[] };
