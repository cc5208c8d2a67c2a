/** How many characters of the code come from each source, largest first. */
export const charactersBySource: (
  code: string,
  map: { sources: readonly string[]; mappings: string },
) => readonly (readonly [string, number])[];

type Row = { what: string; now: number; limit: number; aim: number; verdict: 'OVER' | 'over its aim' | 'ok' };

/** The rows of the table, and those over their limit. Throws if a part of the budget is not measured. */
export const compare: (
  budget: Readonly<Record<string, { what: string; limit: number; aim: number }>>,
  measured: Readonly<Record<string, number>>,
) => { rows: readonly Row[]; over: readonly Row[] };
