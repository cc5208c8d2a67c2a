import areas from './areas.json' with { type: 'json' };

/** The files to mutate, and the tests to run against them. */
export type Area = {
  /** Files to mutate. Tests and fixtures among them are skipped. */
  mutate: string[];
  tests: string[];
  /**
   * Tests that take seconds: walks through all states and long properties. They don't run, so a mutant that only they
   * would kill survives, and each rule needs a test that states it.
   */
  slowFiles: string[];
};

export const AREAS: Readonly<Record<string, Area>> = areas;

/** The area that `run-mutants.mjs` named in the environment. */
export const currentArea = (): Area => {
  const name = process.env.MUTANTS_AREA ?? '';
  const area = Object.hasOwn(AREAS, name) ? AREAS[name] : undefined;
  if (area === undefined)
    throw new Error(`MUTANTS_AREA must be one of ${Object.keys(AREAS).join(', ')}; got "${name}".`);
  return area;
};
