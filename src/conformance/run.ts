/**
 * The contract suite: holds any service to what the form relies on. This folder knows the contract (`src/api`) and
 * nothing of the sandbox, which must pass it like every other service.
 */
import type { Ask } from './ask.ts';
import { AFTERWARDS, CHECKS, type Check } from './checks.ts';
import { PAYING } from './paying.ts';
import { createSession, type Given, Mismatch, type Session, Skipped, type Surroundings } from './session.ts';

/** What became of one rule. */
export type Verdict = { id: string; rule: string } & (
  | { kind: 'kept' }
  | { kind: 'broken'; expected: string; came: string }
  | { kind: 'skipped'; why: string }
);

/** Every rule the suite knows, in the order in which it looks. */
export const ALL_CHECKS: readonly Check[] = [...CHECKS, ...PAYING, ...AFTERWARDS];

/** Looks at every rule, one after the other, and tells each verdict as it comes. */
export const runConformance = async (
  given: Given,
  ask: Ask,
  surroundings: Surroundings,
  tell: (verdict: Verdict) => void = () => {},
): Promise<Verdict[]> => {
  const session = createSession(given, ask, surroundings);
  const verdicts: Verdict[] = [];
  let isReadable = true;
  for (const check of ALL_CHECKS) {
    const { id, rule } = check;
    const verdict: Verdict = isReadable
      ? { id, rule, ...(await verdictOf(check, session)) }
      : { id, rule, kind: 'skipped', why: 'the payment cannot be read' };
    // What cannot be read at all leaves nothing to look at.
    if (verdicts.length === 0 && verdict.kind === 'broken') isReadable = await canBeRead(session);
    verdicts.push(verdict);
    tell(verdict);
  }
  return verdicts;
};

type Outcome =
  | { kind: 'kept' }
  | { kind: 'broken'; expected: string; came: string }
  | { kind: 'skipped'; why: string };

const verdictOf = async (check: Check, session: Session): Promise<Outcome> => {
  try {
    await check.run(session);
    return { kind: 'kept' };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: 'broken', expected: error.expected, came: error.came };
    if (error instanceof Skipped) return { kind: 'skipped', why: error.message };
    throw error;
  }
};

const canBeRead = (session: Session): Promise<boolean> =>
  session.view().then(
    () => true,
    () => false,
  );

/** One line of the report. */
export const lineOf = (verdict: Verdict): string => {
  switch (verdict.kind) {
    case 'kept':
      return `pass     ${verdict.rule}`;
    case 'broken':
      return `FAIL     ${verdict.rule}\n         expected ${verdict.expected}\n         came     ${verdict.came}`;
    case 'skipped':
      return `skipped  ${verdict.rule} (${verdict.why})`;
    default:
      return verdict satisfies never;
  }
};

/** The last line of the report. */
export const summaryOf = (verdicts: readonly Verdict[]): string => {
  const count = (kind: Verdict['kind']) => verdicts.filter((verdict) => verdict.kind === kind).length;
  return `${verdicts.length} rules: ${count('kept')} kept, ${count('broken')} broken, ${count('skipped')} skipped.`;
};
