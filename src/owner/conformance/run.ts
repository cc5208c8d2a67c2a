/**
 * The conformance suite: checks that a service keeps the rules the form relies on. It imports the contract (`src/api`)
 * and nothing from the sandbox, which must pass like any other service.
 */

import type { Send } from '../../api/command/http.ts';
import type { ConformanceCheck } from './check.ts';
import { CHECKS, CLIENT_FINAL_CHECKS } from './checks.ts';
import {
  type CheckContext,
  type ConformanceEnvironment,
  type ConformanceOptions,
  createCheckContext,
  Mismatch,
  Skipped,
} from './context.ts';
import { PAYMENT_CHECKS } from './payment-checks.ts';
import { SERVER_CHECKS } from './server-checks.ts';
import { createServerContext, type ServerConformanceOptions } from './server-context.ts';

type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; expected: string; actual: string }
  | { kind: 'skipped'; reason: string };

export type CheckResult = { id: string; rule: string } & Outcome;

/** All checks, in the order they run. */
export const ALL_CHECKS: readonly ConformanceCheck<CheckContext>[] = [
  ...CHECKS,
  ...PAYMENT_CHECKS,
  ...CLIENT_FINAL_CHECKS,
];

type Report = (result: CheckResult) => void;

/**
 * Runs all checks one by one and reports each result immediately. If the first fails and `whyNone` gives a reason, the
 * rest are skipped, because they would only repeat the failure.
 */
const runAll = async <Context>(
  checks: readonly ConformanceCheck<Context>[],
  context: Context,
  whyNone: () => Promise<string | null>,
  onResult: Report,
): Promise<CheckResult[]> => {
  const results: CheckResult[] = [];
  let reason: string | null = null;
  for (const check of checks) {
    const { id, rule } = check;
    const outcome: Outcome = reason === null ? await resultOf(check, context) : { kind: 'skipped', reason };
    if (results.length === 0 && outcome.kind === 'failed') reason = await whyNone();
    const result = { id, rule, ...outcome };
    results.push(result);
    onResult(result);
  }
  return results;
};

export const runConformance = (
  options: ConformanceOptions,
  send: Send,
  environment: ConformanceEnvironment,
  onResult: Report = () => {},
): Promise<CheckResult[]> => {
  const context = createCheckContext(options, send, environment);
  const whyNone = async () => ((await isViewReadable(context)) ? null : 'the payment cannot be read');
  return runAll(ALL_CHECKS, context, whyNone, onResult);
};

/** Does the same for the routes of merchants' servers. */
export const runServerConformance = (
  options: ServerConformanceOptions,
  send: Send,
  environment: ConformanceEnvironment,
  onResult: Report = () => {},
): Promise<CheckResult[]> => {
  const context = createServerContext(options, send, environment);
  const whyNone = async () => (context.exchanges.length === 0 ? 'the service does not answer' : null);
  return runAll(SERVER_CHECKS, context, whyNone, onResult);
};

const resultOf = async <Context>(check: ConformanceCheck<Context>, context: Context): Promise<Outcome> => {
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

/** Formats a result for the report. */
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

/** The command's exit code: a rule that couldn't be checked is not a pass. */
export const exitCodeOf = (results: readonly CheckResult[]): 0 | 1 | 2 => {
  if (results.some(({ kind }) => kind === 'failed')) return 1;
  return results.some(({ kind }) => kind === 'skipped') ? 2 : 0;
};

/** The last line of the report. */
export const formatSummary = (results: readonly CheckResult[]): string => {
  const count = (kind: CheckResult['kind']) => results.filter((result) => result.kind === kind).length;
  return `${results.length} rules: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped.`;
};
