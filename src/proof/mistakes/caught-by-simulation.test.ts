import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../fuzz.ts';
import { type Plan, plans } from '../simulation/plan.ts';
import { simulate } from '../simulation/simulate.ts';
import { FORM_MISTAKES } from './form-mistakes.ts';

const CASES = FORM_MISTAKES.flatMap(({ name, wrong, simulation, seed = 1 }) =>
  simulation === undefined ? [] : [[name, { wrong, breaks: simulation, seed }] as const],
);

it.each(CASES)('the simulation catches a form that %s', async (_, { wrong, breaks, seed }) => {
  const keeps = async (plan: Plan) =>
    !(await simulate(plan, wrong)).violations.some((invariant) => invariant.startsWith(breaks));
  const property = fc.asyncProperty(plans, keeps);
  const found = await fc.check(property, { numRuns: runs(2000), endOnFailure: true, seed });
  expect(found.failed).toBe(true);
});
