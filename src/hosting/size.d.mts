/** How many characters of the code are of each source, the most first. */
export const madeOf: (
  code: string,
  map: { sources: readonly string[]; mappings: string },
) => readonly (readonly [string, number])[];

type Row = { what: string; now: number; limit: number; aim: number; verdict: 'OVER' | 'over its aim' | 'ok' };

/** The rows of the table and what is over its limit; throws where something in the budget is not measured. */
export const compare: (
  budget: Readonly<Record<string, { what: string; limit: number; aim: number }>>,
  seen: Readonly<Record<string, number>>,
) => { rows: readonly Row[]; over: readonly Row[] };
