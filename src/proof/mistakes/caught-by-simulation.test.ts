import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, plans } from '../simulation/plan.ts';
import { simulate } from '../simulation/simulate.ts';
import { FORM_MISTAKES } from './form-mistakes.ts';

const CASES = FORM_MISTAKES.flatMap(({ name, wrong, simulation }) =>
  simulation === undefined ? [] : [[name, { wrong, breaks: simulation }] as const],
);

describe('the simulation can fail', () => {
  it.each(CASES)('it catches a form that %s', { timeout: 300_000 }, async (_, { wrong, breaks }) => {
    const keeps = async (plan: Plan) =>
      !(await simulate(plan, wrong)).violations.some((invariant) => invariant.startsWith(breaks));
    const found = await fc.check(fc.asyncProperty(plans, keeps), {
      numRuns: 2000,
      endOnFailure: true,
      seed: 7,
    });
    expect(found.failed).toBe(true);
  });
});
