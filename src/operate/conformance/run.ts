/**
 * The conformance suite: checks that a service keeps the rules the form relies on. It imports the contract (`src/api`)
 * and nothing of the sandbox, which must pass it like every other service.
 */

import { CHECKS, type ConformanceCheck, FINAL_CHECKS } from './checks.ts';
import {
  type CheckContext,
  type ConformanceEnvironment,
  type ConformanceOptions,
  createCheckContext,
  Mismatch,
  Skipped,
} from './context.ts';
import type { Send } from './http.ts';
import { PAYMENT_CHECKS } from './payment-checks.ts';
import { SERVER_CHECKS } from './server-checks.ts';
import { createServerContext, type ServerConformanceOptions } from './server-context.ts';

type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; expected: string; actual: string }
  | { kind: 'skipped'; reason: string };

export type CheckResult = { id: string; rule: string } & Outcome;

/** All checks in the order in which they run. */
export const ALL_CHECKS: readonly ConformanceCheck[] = [...CHECKS, ...PAYMENT_CHECKS, ...FINAL_CHECKS];

/** Runs all checks one after the other and reports each result at once. */
export const runConformance = async (
  options: ConformanceOptions,
  send: Send,
  environment: ConformanceEnvironment,
  onResult: (result: CheckResult) => void = () => {},
): Promise<CheckResult[]> => {
  const context = createCheckContext(options, send, environment);
  const results: CheckResult[] = [];
  let isReadable = true;
  for (const check of ALL_CHECKS) {
    const { id, rule } = check;
    const result: CheckResult = isReadable
      ? { id, rule, ...(await resultOf(check, context)) }
      : { id, rule, kind: 'skipped', reason: 'the payment cannot be read' };
    // The first check retrieves the payment. If that is impossible, the other checks would only repeat the failure.
    if (results.length === 0 && result.kind === 'failed') isReadable = await isViewReadable(context);
    results.push(result);
    onResult(result);
  }
  return results;
};

/** The same for the routes of merchants' servers. */
export const runServerConformance = async (
  options: ServerConformanceOptions,
  send: Send,
  environment: ConformanceEnvironment,
  onResult: (result: CheckResult) => void = () => {},
): Promise<CheckResult[]> => {
  const context = createServerContext(options, send, environment);
  const results: CheckResult[] = [];
  for (const check of SERVER_CHECKS) {
    const { id, rule } = check;
    const isSilent = results.length > 0 && context.exchanges.length === 0;
    const result: CheckResult = isSilent
      ? { id, rule, kind: 'skipped', reason: 'the service does not answer' }
      : { id, rule, ...(await resultOf(check, context)) };
    results.push(result);
    onResult(result);
  }
  return results;
};

const resultOf = async <Context>(
  check: { run(context: Context): Promise<void> },
  context: Context,
): Promise<Outcome> => {
  try {
    await check.run(context);
    return { kind: 'passed' };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: 'failed', expected: error.expected, actual: error.actual };
    if (error instanceof Skipped) return { kind: 'skipped', reason: error.message };
    throw error;
  }
};

const isViewReadable = (context: CheckContext): Promise<boolean> =>
  context.view().then(
    () => true,
    () => false,
  );

/** A result as the report prints it. */
export const formatResult = (result: CheckResult): string => {
  switch (result.kind) {
    case 'passed':
      return `pass     ${result.rule}`;
    case 'failed':
      return `FAIL     ${result.rule}\n         expected ${result.expected}\n         got      ${result.actual}`;
    case 'skipped':
      return `skipped  ${result.rule} (${result.reason})`;
    default:
      return result satisfies never;
  }
};

/** The exit code of the command: a rule that could not be checked is not a pass. */
export const exitCodeOf = (results: readonly CheckResult[]): 0 | 1 | 2 => {
  if (results.some(({ kind }) => kind === 'failed')) return 1;
  return results.some(({ kind }) => kind === 'skipped') ? 2 : 0;
};

/** The last line of the report. */
export const formatSummary = (results: readonly CheckResult[]): string => {
  const count = (kind: CheckResult['kind']) => results.filter((result) => result.kind === kind).length;
  return `${results.length} rules: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped.`;
};
