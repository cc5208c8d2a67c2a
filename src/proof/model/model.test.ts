/** All states of small worlds. `npm run test:model` explores larger ones. */
import { describe, expect, it } from 'vitest';
import { type ModelBounds, PLAIN, SMALL } from './bounds.ts';
import { explore } from './explore.ts';
import { explorationReport } from './report.ts';

const { MODEL_BOUNDS } = process.env;
const CASES: Readonly<Record<string, ModelBounds>> = MODEL_BOUNDS
  ? { 'the given bounds': { ...PLAIN, ...JSON.parse(MODEL_BOUNDS) } }
  : SMALL;

const say = (text: string) => {
  // biome-ignore lint/suspicious/noConsole: the counts are what the exploration is run for
  console.log(text);
};
const sayHowFar = (depth: number, states: number, transitions: number) =>
  say(`after ${depth} moves: ${states} states, ${transitions} transitions`);

describe('outcomes I1 to I9, promises 1.6, 1.11 and 1.15, threat-model C84 and C85: no state that can be reached breaks an invariant', () => {
  it.each(Object.entries(CASES))('%s', { timeout: 7_200_000 }, async (name, bounds) => {
    const found = await explore(bounds, MODEL_BOUNDS ? { onLevel: sayHowFar } : {});
    say(explorationReport(name, found));
    expect(found.violation, 'the shortest path to a broken invariant').toBeNull();
    expect(found.states).toBeGreaterThan(100);
    expect(found.isComplete, 'the limit was reached before every state: raise --states').toBe(true);
  });
});
