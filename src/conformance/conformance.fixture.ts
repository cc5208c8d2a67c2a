import type { World } from '../sandbox/sandbox.fixture.ts';
import type { CheckResult } from './run.ts';

/** A run on the manual clock of a sandbox. What it logs is added to `logged`. */
export const environmentOf = ({ clock }: Pick<World, 'clock'>, logged: string[] = []) => ({
  wait: (ms: number) => clock.advance(ms),
  now: clock.now,
  log: (line: string) => logged.push(line),
});

export const idsOf = (results: readonly CheckResult[], kind: CheckResult['kind']): string[] =>
  results.filter((result) => result.kind === kind).map(({ id }) => id);
