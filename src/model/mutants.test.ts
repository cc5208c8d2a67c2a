import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { MUTANTS } from './mutants.ts';

describe('the explorer can fail: within small bounds it finds a form that', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    { timeout: 600_000 },
    async (_, { mutation, bounds, breaks }) => {
      const { violation } = await explore(bounds, { mutation });
      const broken = (violation?.broken ?? []).filter((rule) => rule.startsWith(breaks));
      expect(broken, JSON.stringify(violation)).not.toEqual([]);
    },
  );
});
