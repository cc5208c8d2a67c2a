import areas from './areas.json' with { type: 'json' };

/** What is mutated, and the tests it is run against. */
export type Area = {
  /** Files to mutate. Tests and fixtures among them are left alone. */
  mutate: string[];
  tests: string[];
  /**
   * Tests that take seconds: walks through all states and long properties. A mutant that only these would kill survives,
   * so each rule needs a test that states it.
   */
  slowFiles: string[];
};

export const AREAS: Readonly<Record<string, Area>> = areas;

/** The area that `run-mutants.mjs` has named in the environment. */
export const currentArea = (): Area => {
  const name = process.env.MUTANTS_AREA ?? '';
  const area = Object.hasOwn(AREAS, name) ? AREAS[name] : undefined;
  if (area === undefined)
    throw new Error(`MUTANTS_AREA must be one of ${Object.keys(AREAS).join(', ')}; got "${name}".`);
  return area;
};
